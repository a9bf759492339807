import CratesInterface

/// How far the looks at the music folders are that go on now.
struct Scan: Equatable {
  var scanned: Int
  /// Nil while it isn't known.
  var toScan: Int?

  /// Nil where none reads songs.
  init?(_ status: Interface.LibraryStatus) {
    let looking = status.folders.filter { folder in
      folder.scanned.map { $0 < folder.toScan ?? .max } ?? false
    }
    guard !looking.isEmpty else { return nil }
    scanned = looking.reduce(0) { $0 + ($1.scanned ?? 0) }
    let totals = looking.compactMap(\.toScan)
    toScan = totals.count == looking.count ? totals.reduce(0, +) : nil
    // A look at files that are all known reads nothing.
    if toScan == 0 { return nil }
  }

  /// `497 of 4,800 songs are read`
  var text: String {
    guard let toScan else { return "\(Shown.count(scanned, "song")) read so far" }
    return "\(Shown.count(scanned)) of \(Shown.count(toScan, "song")) are read"
  }
}
