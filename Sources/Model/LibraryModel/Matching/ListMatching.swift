/// Matches the entries of a list with songs. A wrong song would put a wrong album into a crate,
/// which is worse than a missing song. Therefore nothing is matched by similarity or by title
/// alone, and each step has to find exactly one song.
///
/// The steps, in this order:
/// 1. the song's id in another Crated
/// 2. the path as it can be interpreted
/// 3. a path mapping by which other entries of the list were found
/// 4. the longest path suffix that any song shares
/// 5. the MusicBrainz recording
/// 6. the names
///
/// Other metadata in the list excludes contradicting songs, except at an exact path: tags change,
/// and a named file is always meant.
package struct ListMatching {
  /// The most milliseconds by which lengths may differ if only artist and title are known.
  static let shortSlack = 2_000
  /// The most files that are checked for one entry. If more match, the match is not conclusive.
  static let mostLookedAt = 64
  /// The most path mappings that are tried. The songs of a list come from few folders.
  static let mostWays = 8

  let lookup: SongLookup
  private let lists: [BytePath]
  private let roots: [(theirs: [UInt8], ours: BytePath)]
  /// Whether songs can be found by names if their paths don't match.
  private let looksAtNames: Bool

  /// - Parameters:
  ///   - list: the folder of the list. Nil if the list's own location is irrelevant.
  ///   - roots: the user's mapping of another machine's folders to this machine's.
  package init(
    _ lookup: SongLookup, list: BytePath? = nil, roots: [(theirs: [UInt8], ours: BytePath)] = []
  ) {
    self.init(lookup, lists: list.map { [$0] } ?? [], roots: roots)
  }

  /// - Parameters:
  ///   - lists: the folder of the list, by each of the paths that lead to it.
  ///   - looksAtNames: false if only files count, as in a list that a player plays.
  package init(
    _ lookup: SongLookup, lists: [BytePath],
    roots: [(theirs: [UInt8], ours: BytePath)] = [], looksAtNames: Bool = true
  ) {
    self.lookup = lookup
    self.lists = lists
    self.roots = roots
    self.looksAtNames = looksAtNames
  }

  /// Returns the matches of a list, or of a part of it, in its order.
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

  /// Tries the steps that depend on the rest of the list.
  private func byMore(_ attempt: inout MatchAttempt, _ ending: Ending?, _ ways: Ways) -> Match {
    if let match = byWay(&attempt, ending, ways) ?? accepted(ending, attempt, ways) { return match }
    if !looksAtNames { return .missing(attempt.tried) }
    if let match = byRecording(&attempt) ?? byTags(&attempt) { return match }
    // If most of the list's files have the same location here and this one has not, a song of its
    // artist and title is from another album.
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

  /// Returns the number of shared trailing path components that are significant: without disc
  /// folders, which have the same names everywhere, and only those below the music folder, since
  /// every machine has a “Music” above it.
  private func telling(_ parts: Int, of path: BytePath) -> Int {
    let names = path.bytes.split(separator: slash)
    let above = lookup.folders.filter { path.isInside($0) }
      .map { $0.bytes.split(separator: slash).count }.max()
    let common = names.suffix(min(parts, names.count - (above ?? 0)))
    let discs = common.dropLast().reversed().prefix { discNumber(ofFolder: $0) != nil }
    return common.count - discs.count
  }

  /// Returns the files of the same format, if files differ only in that, else all.
  private func alike(_ files: [Int], _ form: [UInt8]) -> [Int] {
    if files.count == 1 || files.count > Self.mostLookedAt { return files }
    let ending = BytePath(form).pathExtension
    let alike = files.filter { lookup.files[$0].path.pathExtension == ending }
    return alike.isEmpty ? files : alike
  }

  /// Returns the mapping of the folders that remain without the shared components.
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
        // The path suffix has given the same result.
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
      // An album and a song of these names in another place are probably different ones.
      if !ending.isTelling, ending.way != ways.most,
        isUsual(attempt, ways) || isLed(attempt, ways, but: ending.way)
      {
        return nil
      }
    }
    return .found(lookup.files[ending.file].song.id, .ending)
  }

  /// Whether other entries from its folders lead to a place in a music folder where the file does
  /// not exist.
  private func isLed(_ attempt: MatchAttempt, _ ways: Ways, but way: Way) -> Bool {
    attempt.path.forms.contains { form in
      ways.places(of: PathParts.squashed(form), but: way).contains { place in
        lookup.folders.contains { place.isInside($0) }
      }
    }
  }

  /// Whether the song's file, if it existed here, would be where half of the list was found, or
  /// half of the entries of its folder.
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

  /// Whether a path of the entry is in a folder of the list's machine.
  private func isInside(_ attempt: MatchAttempt, _ folder: [UInt8]) -> Bool {
    attempt.path.forms.contains {
      behind(folder, PathParts.squashed($0)) != nil
    }
  }
}

private let slash = UInt8(ascii: "/")
