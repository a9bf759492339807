/// Looks up what a list wants, song by song. A wrong song would put a wrong album into a crate,
/// which is worse than a song that isn't found: so there is no likeness here, no title alone, and
/// each step has to give exactly one.
///
/// The steps, in this order: its id in another Crated, the path as it can be read, a way in which
/// others of the list were found, the longest end of the path that any song has in common with it,
/// the MusicBrainz recording, then the names. What the list says of a song rules others out, but at
/// an exact path: tags change, and files that are named are meant.
package struct ListMatching {
  /// Milliseconds by which lengths may differ where artist and title are all that is known.
  static let shortSlack = 2_000
  /// Files that are looked at for one wanted song. Where more have its names, names tell nothing.
  static let mostLookedAt = 64
  /// Ways to other folders that are tried; a list has songs of few places.
  static let mostWays = 8

  let lookup: SongLookup
  private let lists: [BytePath]
  private let roots: [(theirs: [UInt8], ours: BytePath)]
  /// Whether names find songs that their paths don't.
  private let looksAtNames: Bool

  /// - Parameters:
  ///   - list: the folder that the list lies in; nil where that means nothing.
  ///   - roots: where the folders of another machine are on this one, as the person says.
  package init(
    _ lookup: SongLookup, list: BytePath? = nil, roots: [(theirs: [UInt8], ours: BytePath)] = []
  ) {
    self.init(lookup, lists: list.map { [$0] } ?? [], roots: roots)
  }

  /// - Parameters:
  ///   - lists: the folder that the list lies in, by each of the paths that lead to it.
  ///   - looksAtNames: false where only files are meant, as in a list that a player plays.
  package init(
    _ lookup: SongLookup, lists: [BytePath],
    roots: [(theirs: [UInt8], ours: BytePath)] = [], looksAtNames: Bool = true
  ) {
    self.lookup = lookup
    self.lists = lists
    self.roots = roots
    self.looksAtNames = looksAtNames
  }

  /// One list, or a part of it, in its order.
  package func matches(of wanted: [Wanted]) -> [Match] {
    var results = [Match?](repeating: nil, count: wanted.count)
    var endings: [Int: Ending] = [:]
    var ways: [Way] = []
    var attempts: [MatchAttempt] = []
    attempts.reserveCapacity(wanted.count)
    for (place, wanted) in wanted.enumerated() {
      var attempt = MatchAttempt(
        wanted,
        path: WantedPath(wanted.path, lists: lists, folders: lookup.folders, roots: roots))
      if let song = wanted.song, lookup.songs[song] != nil {
        results[place] = .found(song, .id)
      } else if let (song, step, isExact) = byPath(&attempt) {
        results[place] = .found(song, step)
        ways.append(isExact ? .same : .relative)
      } else {
        endings[place] = byEnding(&attempt)
      }
      attempts.append(attempt)
    }
    let common = Ways(endings, paths: ways, of: wanted.count) { folder in
      attempts.count { isInside($0, folder) }
    }
    for place in wanted.indices where results[place] == nil {
      results[place] = byMore(&attempts[place], endings[place], common)
    }
    return results.map { $0 ?? .missing("") }
  }

  /// What takes the rest of the list.
  private func byMore(_ attempt: inout MatchAttempt, _ ending: Ending?, _ ways: Ways) -> Match {
    if let match = byWay(&attempt, ending, ways) ?? accepted(ending, attempt, ways) { return match }
    if !looksAtNames { return .missing(attempt.tried) }
    if let match = byRecording(&attempt) ?? byTags(&attempt) { return match }
    // Most of the list lies here as it lay there, but this song does not: one of its artist and
    // title is on another album.
    let match = isUsual(attempt, ways) ? nil : byTitle(&attempt)
    return match ?? .missing(attempt.tried)
  }

  // MARK: Paths

  private func byPath(_ attempt: inout MatchAttempt) -> (SongID, MatchStep, isExact: Bool)? {
    let alike = attempt.path.candidates.map { ($0, lookup.files(at: $0.path)) }
    for (candidate, files) in alike where !files.isEmpty {
      let found = files.filter { lookup.files[$0].path.isSame(as: candidate.path) }
      let isExact = candidate.isExact
      if let song = one(found, &attempt, isExact: isExact, "this path") {
        return (song, isExact ? .path : .folder, isExact)
      }
    }
    for (candidate, files) in alike {
      if let song = one(files, &attempt, isExact: candidate.isExact, "this path") {
        return (song, .spelling, candidate.isExact)
      }
    }
    return nil
  }

  private func byEnding(_ attempt: inout MatchAttempt) -> Ending? {
    for form in attempt.path.forms {
      let form = PathParts.squashed(form)
      let (files, parts) = lookup.files(endingLike: form)
      if files.isEmpty { continue }
      guard let file = oneFile(alike(files, form), &attempt, "a path that ends so") else {
        return nil
      }
      let path = lookup.files[file].path
      return Ending(
        file: file, parts: telling(parts, of: path), way: way(from: form, to: path, parts),
        isSilent: !attempt.names.speak(of: lookup.files[file].song))
    }
    return nil
  }

  /// How many of the parts that a path ends with are no folders of discs, which are called alike
  /// everywhere, and lie in its music folder: above that, every machine has a “Music”.
  private func telling(_ parts: Int, of path: BytePath) -> Int {
    let names = path.bytes.split(separator: slash)
    let above = lookup.folders.filter { path.isInside($0) }
      .map { $0.bytes.split(separator: slash).count }.max()
    let common = names.suffix(min(parts, names.count - (above ?? 0)))
    let discs = common.dropLast().reversed().prefix { discNumber(ofFolder: $0) != nil }
    return common.count - discs.count
  }

  /// The one of the same format, of files that differ in that alone; else all.
  private func alike(_ files: [Int], _ form: [UInt8]) -> [Int] {
    if files.count == 1 || files.count > Self.mostLookedAt { return files }
    let ending = BytePath(form).pathExtension
    let alike = files.filter { lookup.files[$0].path.pathExtension == ending }
    return alike.isEmpty ? files : alike
  }

  /// The folders that are left when the parts are taken off both paths.
  private func way(from form: [UInt8], to path: BytePath, _ parts: Int) -> Way {
    func front(_ bytes: [UInt8]) -> [UInt8] {
      let names = bytes.split(separator: slash)
      return Array(names.dropLast(parts).joined(separator: [slash]))
    }
    return Way(theirs: front(form), ours: front(path.bytes))
  }

  private func byWay(_ attempt: inout MatchAttempt, _ ending: Ending?, _ ways: Ways) -> Match? {
    for form in attempt.path.forms {
      let form = PathParts.squashed(form)
      for way in ways.best {
        if attempt.wanted.isSilent, !ways.isCommon(way) { continue }
        // The end of the path says the same.
        if ending?.way == way { continue }
        guard let rest = behind(way.theirs, form) else { continue }
        let path = [slash] + (way.ours.isEmpty ? [] : way.ours + [slash]) + rest
        let found = lookup.files(at: path)
        if let song = one(found, &attempt, isExact: false, "this path in another folder") {
          return .found(song, .prefix)
        }
      }
    }
    return nil
  }

  private func behind(_ folder: [UInt8], _ path: [UInt8]) -> [UInt8]? {
    if folder.isEmpty { return path }
    guard path.count > folder.count, path[folder.count] == slash, path.starts(with: folder) else {
      return nil
    }
    return Array(path[(folder.count + 1)...])
  }

  private func accepted(_ ending: Ending?, _ attempt: MatchAttempt, _ ways: Ways) -> Match? {
    guard let ending else { return nil }
    if ending.isSilent {
      if !ways.speak(for: ending.way) { return nil }
      // An album and a song of these names, elsewhere, are probably others.
      if !ending.isTelling, ending.way != ways.most,
        isUsual(attempt, ways) || isLed(attempt, ways, but: ending.way)
      {
        return nil
      }
    }
    return .found(lookup.files[ending.file].song.id, .ending)
  }

  /// Whether others from its folders lead to a place in our music, where it is not.
  private func isLed(_ attempt: MatchAttempt, _ ways: Ways, but way: Way) -> Bool {
    attempt.path.forms.contains { form in
      ways.places(of: PathParts.squashed(form), but: way).contains { place in
        lookup.folders.contains { place.isInside($0) }
      }
    }
  }

  /// Whether the song's file would be where half of the list was found, or half of what is from its
  /// folder, if it were here.
  private func isUsual(_ attempt: MatchAttempt, _ ways: Ways) -> Bool {
    ways.usual.contains { usual in
      if usual.isRelative { return attempt.path.forms.contains { $0.first != slash } }
      if usual != .same { return isInside(attempt, usual.theirs) }
      return attempt.path.forms.contains { form in
        let path = BytePath(form)
        return lookup.folders.contains { path.isInside($0) }
      }
    }
  }

  /// Whether a path lies in a folder of theirs.
  private func isInside(_ attempt: MatchAttempt, _ folder: [UInt8]) -> Bool {
    attempt.path.forms.contains {
      behind(folder, PathParts.squashed($0)) != nil
    }
  }
}

private let slash = UInt8(ascii: "/")
