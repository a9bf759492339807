import CratesInterface

/// The notices about changes.
extension Browser {
  /// The most albums whose names are looked for in a summary, which has room for fewer.
  private static let mostNamed = 64

  /// Returns the albums that a change adds to the lists. Called before it is applied.
  mutating func arrivals(of change: Interface.Change) -> [AlbumID] {
    if change.author == .person { return [] }
    var arrived: [AlbumID] = []
    for move in change.moves where move.song == nil && move.crate != nil {
      guard let album = move.album.map({ tables.number(ofAlbum: $0) }) else { continue }
      if confirmed.home(of: album) == nil { arrived.append(album) }
    }
    return arrived
  }

  /// - Parameter arrived: The albums that the change added.
  func notice(of change: Interface.Change, _ arrived: [AlbumID] = []) -> Notice {
    if let words = words(ofArrivals: arrived) { return Notice(text: words) }
    var seen: Set<String> = []
    let ids = change.moves.filter { $0.song == nil }.compactMap(\.album)
      .filter { seen.insert($0).inserted }
    let titles = ids.compactMap { tables.known(album: $0).map { tables[$0].title } }
    // Other summaries say more than where albums are, such as on which machine they were moved.
    guard titles.contains(where: change.summary.hasPrefix),
      let end = Self.subjectEnd(of: change.summary, titles)
    else { return Notice(text: change.summary) }
    let subject = String(change.summary[..<end])
    let isOfAll = Self.countOfNamed(in: subject, titles) == titles.count
    let brief = titles.count > 1 && isOfAll ? Words.count(titles.count, "album") : subject
    return Notice(text: change.summary, subject: subject, brief: brief)
  }

  /// Returns how many albums the names with which a summary begins stand for: a summary may tell of
  /// others after them.
  private static func countOfNamed(in subject: String, _ titles: [String]) -> Int {
    let words = subject.split(separator: " ")
    let others = words.last == "more" ? words.dropLast().last.flatMap { Int($0) } ?? 0 : 0
    return others + titles.count { subject.firstRange(of: $0) != nil }
  }

  /// Counts all new albums, since they arrive one by one. Returns nil for a single one, which the
  /// notice names.
  private func words(ofArrivals arrived: [AlbumID]) -> String? {
    let crates = Set(arrived.compactMap { shown.home(of: $0) })
    // Arrived albums without loaded data are not in the sums yet.
    let count =
      crates.reduce(0) { $0 + self.arrived(in: $1) } + arrived.count { !tables.isKnown($0) }
    guard count > 1 else { return nil }
    let name = crates.count == 1 ? crates.first.map { " in \(shown.name(of: $0))" } ?? "" : ""
    return "\(Words.count(count, "new album"))\(name); + goes through them"
  }

  /// Returns the end of the names with which a summary begins: `A, B and C are on top of Jazz`.
  /// Nil if no title is the last of them.
  ///
  /// - Parameter titles: Of more than the first ones, no summary begins with all.
  private static func subjectEnd(of summary: String, _ titles: [String]) -> String.Index? {
    let ends = [" is ", " are ", " was ", " were "].flatMap { verb in
      titles.prefix(mostNamed).filter { !$0.isEmpty }.compactMap { title in
        summary.firstRange(of: title + verb).map {
          summary.index($0.upperBound, offsetBy: -verb.count)
        }
      }
    }
    return ends.min()
  }
}
