import CratesInterface

/// The words of `crate sort`, cut at the last `by`, so that an album may be called `by`.
struct SortWords: Equatable {
  var what: [String]
  /// What the order means for albums, and for songs; one of them at least.
  var albumOrder: Interface.AlbumOrder?
  var songOrder: Interface.SongOrder?

  init(_ words: [String]) throws(Failure) {
    guard let by = words.lastIndex(of: "by"), by == words.count - 2 else {
      throw .wrongUse("say what to sort by at the end: by \(Self.all)")
    }
    what = Array(words[..<by])
    albumOrder = Interface.AlbumOrder(rawValue: words[by + 1])
    songOrder = Interface.SongOrder(rawValue: words[by + 1])
    guard albumOrder != nil || songOrder != nil else {
      throw .wrongUse("nothing is sorted by \(words[by + 1]), but by \(Self.all)")
    }
    guard !what.isEmpty else { throw .wrongUse("say what to sort") }
  }

  private static var all: String { "track, \(names(Interface.AlbumOrder.self))" }

  static func names<Order: WireEnumeration & CaseIterable>(_: Order.Type) -> String {
    let names = Order.allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}
