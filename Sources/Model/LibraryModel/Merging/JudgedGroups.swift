/// The group of every file whose group a merge has to judge: the second stage. It covers the files
/// of all album folders in which something was found or vanished, and files of the same albums in
/// other folders. It omits unchanged albums that are in one such folder alone, since their groups
/// can't have changed and a folder may contain thousands.
struct JudgedGroups: Sendable {
  let groups: [BytePath: GroupKey]

  /// Returns the file's group, or nil if this scan can't have changed it.
  subscript(path: BytePath) -> GroupKey? { groups[path] }

  init(_ observation: Observation) {
    var judging = Judging(observation: observation)
    judging.judge()
    groups = judging.groups
  }
}

private struct Judging {
  let observation: Observation
  private(set) var groups: [BytePath: GroupKey] = [:]
  /// The folders in which something was found or vanished, with those files.
  private var touched: [AlbumFolder: [BytePath]] = [:]
  /// The known files of all folders that are judged.
  private var known: [AlbumFolder: KnownFiles] = [:]
  /// The oldest song of each family that had the sound of a found file and has no file with it now.
  private var oldestElsewhere: [AudioDigest: [String: Song]] = [:]

  private var lookups: Lookups { observation.lookups }

  init(observation: Observation) {
    self.observation = observation
    for path in Array(observation.found.keys) + observation.vanished {
      touched[observation.albumFolder(of: path), default: []].append(path)
    }
    for digest in observation.foundBySound.keys {
      oldestElsewhere[digest] = oldest(digest)
    }
  }

  mutating func judge() {
    for folder in touched.keys { known[folder] = KnownFiles(of: folder, observation) }
    let folders = touched.map { folder, paths in
      let files = known[folder]?.files ?? FolderFiles()
      return (folder, judged: FolderFamilies(folder, observation, touched: paths, known: files))
    }
    let concerned = folders.reduce(into: Set<String>()) { $0.formUnion($1.judged.concerned) }
    var members: [String: [AlbumFolder: [BytePath]]] = [:]
    for (folder, judged) in folders {
      for (files, family) in judged.families where concerned.contains(family) {
        members[family, default: [:]][folder, default: []] += paths(of: files)
      }
    }
    for family in concerned {
      for folder in lookups.folders(ofFamily: family) where touched[folder] == nil {
        let there = known[folder] ?? KnownFiles(of: folder, observation)
        known[folder] = there
        let paths = there.files(of: family, observation.before).map(\.path)
          .filter { !observation.before.away.isOutside($0) }
        if !paths.isEmpty { members[family, default: [:]][folder] = paths }
      }
    }
    for (family, members) in members { judgeEditions(of: family, members) }
  }

  private func paths(of files: FolderFamilies.Files) -> [BytePath] {
    switch files {
    case .one(let path): [path]
    case .own(let songs):
      songs.compactMap { observation.before.songs[$0]?.path }.filter { !observation.isNews($0) }
    }
  }

  /// - Parameter members: the files of the family in all folders.
  private mutating func judgeEditions(of family: String, _ members: [AlbumFolder: [BytePath]]) {
    guard GroupKey(family: family).isTagged else {
      for (folder, paths) in members {
        var edition: String?
        for path in paths.sorted() where edition == nil {
          let group = observation.song(at: path).map { observation.group(of: $0) }
          edition = group?.family == family ? group?.edition : nil
        }
        let key = GroupKey(family: family, edition: edition ?? lookups.edition(of: folder.root))
        for path in paths { groups[path] = key }
      }
      return
    }
    let editions = Grouping.editions(of: parts(of: family, members))
    var keys: [String: GroupKey] = [:]
    for (folder, paths) in members {
      let edition = editions[folder] ?? ""
      let key = keys[edition] ?? GroupKey(family: family, edition: edition)
      keys[edition] = key
      for path in paths { groups[path] = key }
    }
  }

  /// Returns the folders of a family, with the facts that distinguish their editions.
  private func parts(
    of family: String, _ members: [AlbumFolder: [BytePath]]
  ) -> [Grouping.Part] {
    var parts: [Grouping.Part] = []
    for (folder, paths) in members {
      var part = Grouping.Part(folder: folder, hasNews: touched[folder] != nil)
      part.disc = folder.disc
      let former = part.hasNews ? formerSongs(of: folder, in: family) : []
      let byStem = Dictionary(grouping: former, by: \.path.withoutExtension)
      var stayed: [Song] = []
      var hasOwn = false
      for path in paths {
        let remade = byStem[path.withoutExtension]?.first
        let witness = witness(at: path, of: family)
        let back = witness?.1 == .stays ? nil : slotKept(at: path, in: family)
        if let back {
          part.preference = min(part.preference ?? back, back)
          hasOwn = true
        }
        if let (song, claim) = witness ?? (back == nil ? remade.map { ($0, .remade) } : nil) {
          part.preference = earlier(part.preference, song, claim)
          if claim == .stays { stayed.append(song) }
          hasOwn = hasOwn || claim != .stays || song.path == path
        }
        guard let facts = observation.facts(at: path) else { continue }
        let release = GroupKey.release(facts.release)
        if !release.isEmpty { part.releases[release, default: 0] += 1 }
        if let disc = facts.disc, disc != part.disc?.number { part.disc = nil }
        // A missing file may be gone. It must not set a folder apart from one that has the files
        // beside it.
        guard !observation.isMissing(path), let track = facts.track,
          let digest = facts.digest
        else { continue }
        part.sounds.insert(digest, at: .init(disc: orderDisc(facts.disc, path), track: track))
      }
      part.holdsCopies = part.preference != nil && !hasOwn
      if part.hasNews {
        if part.preference == nil {
          for song in former { part.preference = earlier(part.preference, song, .held) }
        }
        part.homes = homes(of: stayed, in: family)
      }
      parts.append(part)
    }
    return parts
  }

  private func earlier(
    _ preference: Grouping.Preference?, _ song: Song, _ claim: Grouping.Claim
  ) -> Grouping.Preference {
    let other = Grouping.Preference(
      claim: claim, seen: song.seen, edition: observation.group(of: song).edition)
    return preference.map { min($0, other) } ?? other
  }

  /// Returns the song that proves in which edition a file is: the song of an unchanged file, or a
  /// song elsewhere without a file that has its sound. An album that is moved or restored, or swaps
  /// names, thus keeps its edition.
  private func witness(at path: BytePath, of family: String) -> (Song, Grouping.Claim)? {
    let found = observation.found[path]
    if let song = observation.song(at: path), observation.group(of: song).family == family,
      found == nil || (found?.digest != nil && found?.digest == song.digest)
    {
      return isOfThisScan(song) ? nil : (song, .stays)
    }
    guard let digest = found?.digest else { return nil }
    return oldestElsewhere[digest]?[family].map { ($0, .arrived) }
  }

  /// Returns the edition of the oldest album of the family that keeps a slot for the file's song,
  /// if the song was retagged and returns.
  private func slotKept(at path: BytePath, in family: String) -> Grouping.Preference? {
    // In a first scan there are no slots, and each of its files comes here.
    guard !observation.before.wanderers.isEmpty, let song = observation.song(at: path),
      let digest = song.digest, observation.found[path]?.digest == digest
    else { return nil }
    let albums = (observation.before.wanderers[song.id] ?? [])
      .compactMap { observation.before.albums[$0] }.filter { $0.group.family == family }
    return albums.min(by: isOlder).map {
      Grouping.Preference(claim: .arrived, seen: song.seen, edition: $0.group.edition)
    }
  }

  private func oldest(_ digest: AudioDigest) -> [String: Song] {
    guard let known = observation.songsOfFound[digest] else { return [:] }
    let others = known.present.filter(isElsewhere) + known.gone
    if others.isEmpty { return [:] }
    let families = Dictionary(grouping: others) { observation.group(of: $0).family }
    return families.compactMapValues { songs in
      songs.min {
        ($0.seen, observation.group(of: $0).edition) < ($1.seen, observation.group(of: $1).edition)
      }
    }
  }

  /// Returns the songs of the family that had their own files in the folder, the oldest first.
  private func formerSongs(of folder: AlbumFolder, in family: String) -> [Song] {
    let files = known[folder]?.files(of: family, observation.before) ?? []
    return files.filter { $0.song.path == $0.path }.map(\.song)
      .filter { !isOfThisScan($0) }.sorted { ($0.seen, $0.path) < ($1.seen, $1.path) }
  }

  /// Returns the older editions in which more than half of the songs keep slots.
  private func homes(of songs: [Song], in family: String) -> [Grouping.Home] {
    var counts: [AlbumID: Int] = [:]
    for song in songs {
      for id in observation.before.wanderers[song.id] ?? [] { counts[id, default: 0] += 1 }
    }
    let homes = counts.filter { $0.value * 2 > songs.count }.keys
      .compactMap { observation.before.albums[$0] }
      .filter { $0.group.family == family }
    guard let own = songs.compactMap({ observation.before.albums[$0.album] }).min(by: isOlder)
    else { return [] }
    return homes.filter { isOlder($0, own) }.sorted(by: isOlder).map { album in
      var home = Grouping.Home(edition: album.group.edition)
      for song in observation.before.songs(of: album) where song.isGone {
        guard let track = song.track, let digest = song.digest else { continue }
        home.gone.insert(digest, at: .init(disc: song.orderDisc, track: track))
      }
      return home
    }
  }

  private func isOlder(_ left: Album, _ right: Album) -> Bool {
    (left.seen, left.group.edition) < (right.seen, right.group.edition)
  }

  /// Whether this first scan added the song. A first scan is judged as one, with the folders in
  /// byte order, whatever its pieces are.
  private func isOfThisScan(_ song: Song) -> Bool {
    observation.contents.isFirstScan && song.seen == observation.contents.seen
      && !observation.isTouched(song)
  }

  /// Whether no file of the song exists with its sound.
  private func isElsewhere(_ song: Song) -> Bool {
    observation.files(of: song).allSatisfy { path in
      if let facts = observation.found[path] {
        return facts.digest != song.digest || song.digest == nil
      }
      return observation.isMissing(path) || observation.before.away.covers(path)
    }
  }
}

/// The known files of a folder by their former families.
private struct KnownFiles {
  let files: FolderFiles
  private var kinds: [String: [FolderFiles.Kind]] = [:]
  private var several: [String: [(path: BytePath, song: Song)]] = [:]

  init(of folder: AlbumFolder, _ observation: Observation) {
    let before = observation.before
    files = observation.lookups.kinds(in: folder, before)
    for kind in files.alike.keys {
      kinds[before.albums[kind.album]?.group.family ?? kind.family, default: []].append(kind)
    }
    for (path, song) in observation.lookups.files(of: files.several, in: folder, before) {
      several[observation.group(of: song).family, default: []].append((path, song))
    }
  }

  /// Returns the files of the family, with their songs before the merge.
  func files(of family: String, _ before: Library) -> [(path: BytePath, song: Song)] {
    let songs = (kinds[family] ?? []).flatMap { files.alike[$0] ?? [] }
    return songs.compactMap { before.songs[$0] }.map { ($0.path, $0) } + (several[family] ?? [])
  }
}
