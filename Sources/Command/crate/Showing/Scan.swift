import CratesInterface

/// The progress of the running scans of the music folders.
struct Scan: Equatable {
  var scanned: Int
  /// Nil while the total isn't known.
  var toScan: Int?

  /// Returns nil if no scan reads songs.
  init?(_ status: Interface.LibraryStatus) {
    let looking = status.folders.filter { folder in
      folder.scanned.map { $0 < folder.toScan ?? .max } ?? false
    }
    guard !looking.isEmpty else { return nil }
    scanned = looking.reduce(0) { $0 + ($1.scanned ?? 0) }
    let totals = looking.compactMap(\.toScan)
    toScan = totals.count == looking.count ? totals.reduce(0, +) : nil
    // A scan of known files reads nothing.
    if toScan == 0 { return nil }
  }

  /// For example `497 of 4,800 songs are read`.
  var text: String {
    guard let toScan else { return "\(Shown.count(scanned, "song")) read so far" }
    return "\(Shown.count(scanned)) of \(Shown.count(toScan, "song")) are read"
  }
}
