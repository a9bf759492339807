/// The group of every file whose group a merge has to judge: the second stage. Judged are the files
/// of all album folders in which something was found or vanished, and those of the same albums in
/// other folders. Left out are albums that lie in one such folder alone and are as they were:
/// nothing can have come of them, and a folder may hold thousands.
struct JudgedGroups: Sendable {
  let groups: [BytePath: GroupKey]

  /// Nil where nothing that was found can have touched the file's group.
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
  /// Folders in which something was found or vanished, with what was found.
  var touched: [AlbumFolder: [BytePath]] = [:]
  /// What was asked for once. A folder may hold as many families as files, and a sound may be in
  /// all of them.
  private var known: [AlbumFolder: [String: [(path: BytePath, song: Song)]]] = [:]
  private var oldestElsewhere: [AudioDigest: [String: Song]] = [:]

  private var lookups: Lookups { observation.lookups }

  init(observation: Observation) {
    self.observation = observation
    for path in observation.found.keys {
      touched[observation.albumFolder(of: path), default: []].append(path)
    }
    for path in observation.vanished {
      touched[observation.albumFolder(of: path), default: []] += []
    }
  }

  mutating func judge() {
    let folders = touched.keys.sorted().map { (folder: $0, files: families(in: $0)) }
    let concerned = folders.reduce(into: Set<String>()) { $0.formUnion($1.files.concerned) }
    var members: [String: [AlbumFolder: [BytePath]]] = [:]
    for (folder, files) in folders {
      for (path, family) in files.now where concerned.contains(family) {
        members[family, default: [:]][folder, default: []].append(path)
      }
    }
    for family in concerned.sorted() { judgeEditions(of: family, members[family] ?? [:]) }
  }

  /// A file of a touched folder that may not be as it was.
  private struct Member {
    let path: BytePath
    /// The one it belonged to.
    let song: Song?
    /// Nil: they are lost, and until it has been read the file keeps its group.
    let facts: FileFacts?
    let isNews: Bool
  }

  /// The families of a folder's files as they are now, and those which have to be judged.
  private func families(
    in folder: AlbumFolder
  ) -> (now: [(path: BytePath, family: String)], concerned: Set<String>) {
    let (before, found, vanished) = (
      observation.before, observation.found, observation.vanished
    )
    // Nearly all of them in a large folder: songs of one file each, which nothing happened to.
    var plain: [Song] = []
    var members: [Member] = []
    var (former, concerned) = (FormerFamilies(observation), Set<String>())
    for (path, song) in lookups.files(in: folder, before) {
      let family = former.family(of: song)
      if found[path] != nil || vanished.contains(path) {
        concerned.insert(family)
      } else if !before.away.isOutside(path) {
        if song.facts != nil, song.path == path, before.otherFiles[song.id] == nil {
          plain.append(song)
        } else {
          let facts = before.facts(of: song, at: path)
          members.append(Member(path: path, song: song, facts: facts, isNews: false))
        }
      }
    }
    for path in touched[folder] ?? [] {
      members.append(
        Member(path: path, song: observation.song(at: path), facts: found[path], isNews: true))
    }
    let families = Grouping.families(
      of: plain.compactMap(\.facts) + members.compactMap(\.facts), in: folder)
    var now: [(path: BytePath, family: String)] = []
    now.reserveCapacity(plain.count + members.count)
    for (song, family) in zip(plain, families) {
      now.append((song.path, family))
      let earlier = former.family(of: song)
      if family == earlier && song.group.family == earlier { continue }
      concerned.formUnion([family, earlier])
    }
    var read = families.dropFirst(plain.count).makeIterator()
    for member in members {
      let earlier = member.song.map { former.family(of: $0) }
      guard let family = member.facts == nil ? earlier : read.next() else { continue }
      now.append((member.path, family))
      concerned.formUnion([family, earlier ?? family])
    }
    // Elsewhere, too, there may be what decides over an album.
    concerned.formUnion(former.all.filter { lookups.hasFolder(ofFamily: $0, besides: folder) })
    return (now, concerned)
  }

  /// The families of songs as they were, each album's asked for once.
  private struct FormerFamilies {
    private let observation: Observation
    private var ofAlbums: [AlbumID: String] = [:]
    private(set) var all: Set<String> = []

    init(_ observation: Observation) { self.observation = observation }

    mutating func family(of song: Song) -> String {
      if let known = ofAlbums[song.album] { return known }
      let family = observation.group(of: song).family
      // The songs of an album that is none have groups of their own.
      if observation.before.albums[song.album] != nil { ofAlbums[song.album] = family }
      all.insert(family)
      return family
    }
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
      let former = part.hasNews ? formerSongs(of: folder, in: family) : []
      let byStem = Dictionary(grouping: former, by: \.path.withoutExtension)
      var stayed: [Song] = []
      var hasOwn = false
      for path in paths {
        let remade = byStem[path.withoutExtension]?.first
        if let (song, claim) = witness(at: path, of: family) ?? remade.map({ ($0, .remade) }) {
          part.wish = earlier(part.wish, song, claim)
          if claim == .stays { stayed.append(song) }
          hasOwn = hasOwn || claim != .stays || song.path == path
        }
        guard let facts = observation.facts(at: path) else { continue }
        let release = GroupKey.release(facts.release)
        if !release.isEmpty { part.releases[release, default: 0] += 1 }
        guard let track = facts.track, let digest = facts.digest else { continue }
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

  /// The known files of the family in the folder, with their songs as they were.
  private mutating func knownFiles(
    in folder: AlbumFolder, of family: String
  ) -> [(path: BytePath, song: Song)] {
    if known[folder] == nil {
      var families: [String: [(path: BytePath, song: Song)]] = [:]
      for (path, song) in lookups.files(in: folder, observation.before) {
        families[observation.group(of: song).family, default: []].append((path, song))
      }
      known[folder] = families
    }
    return known[folder]?[family] ?? []
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

  /// Whether this very first scan brought the song: it is one look, in which the first folder in
  /// byte order comes first, in whatever pieces it arrives.
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
      return observation.missing.contains(path) || observation.before.away.covers(path)
    }
  }
}
