import CratesInterface
import Text

/// A former name of a crate.
struct FormerName {
  /// The present name of the crate; nil if no existing crate had the former name recently.
  let present: String?

  /// The name as written in the latest change of the crate; nil if there is no recent one.
  let lastWritten: String?

  /// The most changes to search.
  private static let changesMost = 500

  init(_ name: String, _ finder: Finder) throws(Failure) {
    let call = Call.history(limit: Self.changesMost, before: nil)
    guard case .changes(let changes) = try finder.daemon.reply(to: call) else {
      (present, lastWritten) = (nil, nil)
      return
    }
    lastWritten = changes.lazy.flatMap(\.crates).first { Self.isSame($0, name) }
    // The changes are ordered from the newest to the oldest.
    let renamed = changes.flatMap { $0.moves.reversed() }.filter { $0.was != nil }
    guard let place = renamed.firstIndex(where: { Self.isSame($0.was, name) }) else {
      present = nil
      return
    }
    var current = renamed[place].crate
    for move in renamed[..<place].reversed() where Self.isSame(move.was, current) {
      current = move.crate
    }
    let word = WhatArgument.Mark.crate.rawValue + (current ?? "")
    present = try finder.asked([WhatArgument(name: word)], [.crate])[0].what.first?.crate
  }

  private static func isSame(_ name: String?, _ other: String?) -> Bool {
    name.map { folded($0) } == other.map { folded($0) }
  }
}
