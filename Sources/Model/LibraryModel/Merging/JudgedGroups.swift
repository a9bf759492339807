/// The group of every file whose group a merge has to judge: the second stage. Judged are the files
/// of all album folders in which something was found or vanished, and those of the same albums in
/// other folders. Left out are albums that lie in one such folder alone and are as they were:
/// nothing can have come of them, and a folder may hold thousands.
struct JudgedGroups: Sendable {
  let groups: [BytePath: GroupKey]

  /// Returns nil if nothing in this scan can have changed the file's group.
  subscript(path: BytePath) -> GroupKey? { groups[path] }

  init(_ observation: Observation) {
    var judging = Judging(observation: observation)
    judging.judge()
    groups = judging.groups
  }
}

private struct Judging {
  let observation: Observation
  var groups: [BytePath: GroupKey] = [:]
  /// Folders in which something was found or vanished, with what did.
  var touched: [AlbumFolder: [BytePath]] = [:]
  /// What was asked for once. A folder may hold as many families as files, and a sound may be in
  /// all of them.
  private var known: [AlbumFolder: KnownFiles] = [:]
  private var oldestElsewhere: [AudioDigest: [String: Song]] = [:]

  private var lookups: Lookups { observation.lookups }

  init(observation: Observation) {
    self.observation = observation
    for path in Array(observation.found.keys) + observation.vanished {
      touched[observation.albumFolder(of: path), default: []].append(path)
    }
  }

  mutating func judge() {
    let folders = touched.keys.sorted().map { folder in
      let (paths, files) = (touched[folder] ?? [], knownFiles(in: folder).files)
      return (folder, families: FolderFamilies(folder, observation, touched: paths, known: files))
    }
    let concerned = folders.reduce(into: Set<String>()) { $0.formUnion($1.families.concerned) }
    var members: [String: [AlbumFolder: [BytePath]]] = [:]
    for (folder, families) in folders {
      for (path, family) in families.ofFiles where concerned.contains(family) {
        members[family, default: [:]][folder, default: []].append(path)
      }
      for (songs, family) in families.ofKinds where concerned.contains(family) {
        for path in songs.compactMap({ observation.before.songs[$0]?.path })
        where !observation.isNews(path) {
          members[family, default: [:]][folder, default: []].append(path)
        }
      }
    }
    for family in concerned.sorted() { judgeEditions(of: family, members[family] ?? [:]) }
  }

  /// - Parameter judged: the files of the family in the touched folders.
  private mutating func judgeEditions(of family: String, _ judged: [AlbumFolder: [BytePath]]) {
    var members = judged
    for folder in lookups.folders(ofFamily: family) where touched[folder] == nil {
      let files = knownFiles(in: folder, of: family).filter {
        !observation.before.away.isOutside($0.path)
      }
      if !files.isEmpty { members[folder] = files.map(\.path) }
    }
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

  /// The folders of a family with what tells their editions apart.
  private mutating func parts(
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
          part.wish = min(part.wish ?? back, back)
          hasOwn = true
        }
        if let (song, claim) = witness ?? (back == nil ? remade.map { ($0, .remade) } : nil) {
          part.wish = earlier(part.wish, song, claim)
          if claim == .stays { stayed.append(song) }
          hasOwn = hasOwn || claim != .stays || song.path == path
        }
        guard let facts = observation.facts(at: path) else { continue }
        let release = GroupKey.release(facts.release)
        if !release.isEmpty { part.releases[release, default: 0] += 1 }
        if let disc = facts.disc, disc != part.disc?.number { part.disc = nil }
        // What is missing may have gone: it sets no folder apart from one that has what was beside
        // it.
        guard !observation.isMissing(path), let track = facts.track,
          let digest = facts.digest
        else { continue }
        part.sounds.insert(digest, at: .init(disc: orderDisc(facts.disc, path), track: track))
      }
      part.holdsCopies = part.wish != nil && !hasOwn
      if part.hasNews {
        if part.wish == nil {
          for song in former { part.wish = earlier(part.wish, song, .held) }
        }
        part.homes = homes(of: stayed, in: family)
      }
      parts.append(part)
    }
    return parts
  }

  private func earlier(
    _ wish: Grouping.Wish?, _ song: Song, _ claim: Grouping.Claim
  ) -> Grouping.Wish {
    let other = Grouping.Wish(
      claim: claim, seen: song.seen, edition: observation.group(of: song).edition)
    return wish.map { min($0, other) } ?? other
  }

  /// The song that tells in which edition a file is: that of the file as it was, or one elsewhere
  /// without a file whose sound it has, since an album that is moved or restored, or swaps names,
  /// comes as the edition it was.
  private mutating func witness(at path: BytePath, of family: String) -> (Song, Grouping.Claim)? {
    let found = observation.found[path]
    if let song = observation.song(at: path), observation.group(of: song).family == family,
      found == nil || (found?.digest != nil && found?.digest == song.digest)
    {
      return isOfThisScan(song) ? nil : (song, .stays)
    }
    guard let digest = found?.digest else { return nil }
    return oldestElsewhere(digest)[family].map { ($0, .arrived) }
  }

  /// The edition of the oldest album of the family that keeps a slot for the file's song, where
  /// that was retagged and goes back.
  private func slotKept(at path: BytePath, in family: String) -> Grouping.Wish? {
    // In a first scan nobody has a slot, and each of its files comes here.
    guard !observation.before.wanderers.isEmpty, let song = observation.song(at: path),
      let digest = song.digest, observation.found[path]?.digest == digest
    else { return nil }
    let albums = (observation.before.wanderers[song.id] ?? [])
      .compactMap { observation.before.albums[$0] }.filter { $0.group.family == family }
    return albums.min(by: isOlder).map {
      Grouping.Wish(claim: .arrived, seen: song.seen, edition: $0.group.edition)
    }
  }

  /// The oldest song of each family that had the sound, without a file that has it now.
  private mutating func oldestElsewhere(_ digest: AudioDigest) -> [String: Song] {
    if let found = oldestElsewhere[digest] { return found }
    let others =
      observation.songs(.sound(digest)).filter(isElsewhere)
      + observation.goneSongs(.sound(digest))
    let families = Dictionary(grouping: others) { observation.group(of: $0).family }
    let oldest = families.compactMapValues { songs in
      songs.min {
        ($0.seen, observation.group(of: $0).edition) < ($1.seen, observation.group(of: $1).edition)
      }
    }
    oldestElsewhere[digest] = oldest
    return oldest
  }

  /// The known files of a folder by the families they were of.
  private struct KnownFiles {
    let files: FolderFiles
    var kinds: [String: [FolderFiles.Kind]] = [:]
    var several: [String: [(path: BytePath, song: Song)]] = [:]
  }

  private mutating func knownFiles(in folder: AlbumFolder) -> KnownFiles {
    if let files = known[folder] { return files }
    let before = observation.before
    var files = KnownFiles(files: lookups.kinds(in: folder, before))
    for kind in files.files.alike.keys {
      files.kinds[before.albums[kind.album]?.group.family ?? kind.family, default: []].append(kind)
    }
    for (path, song) in lookups.files(of: files.files.several, in: folder, before) {
      files.several[observation.group(of: song).family, default: []].append((path, song))
    }
    known[folder] = files
    return files
  }

  /// The known files of the family in the folder, with their songs as they were.
  private mutating func knownFiles(
    in folder: AlbumFolder, of family: String
  ) -> [(path: BytePath, song: Song)] {
    let known = knownFiles(in: folder)
    let songs = (known.kinds[family] ?? []).flatMap { known.files.alike[$0] ?? [] }
    return songs.compactMap { observation.before.songs[$0] }.map { ($0.path, $0) }
      + (known.several[family] ?? [])
  }

  /// The songs of the family that had their own files in the folder, the oldest first.
  private mutating func formerSongs(of folder: AlbumFolder, in family: String) -> [Song] {
    knownFiles(in: folder, of: family).filter { $0.song.path == $0.path }.map(\.song)
      .filter { !isOfThisScan($0) }.sorted { ($0.seen, $0.path) < ($1.seen, $1.path) }
  }

  /// The older editions in which more than half of the songs keep slots.
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

  /// Whether this first scan brought the song. A first scan is judged as one, with the folders in
  /// byte order, in whatever pieces it arrives.
  private func isOfThisScan(_ song: Song) -> Bool {
    observation.contents.isFirstScan && song.seen == observation.contents.seen
      && !observation.isTouched(song)
  }

  /// Whether none of the song's files is there with its sound.
  private func isElsewhere(_ song: Song) -> Bool {
    observation.files(of: song).allSatisfy { path in
      if let facts = observation.found[path] {
        return facts.digest != song.digest || song.digest == nil
      }
      return observation.isMissing(path) || observation.before.away.covers(path)
    }
  }
}
