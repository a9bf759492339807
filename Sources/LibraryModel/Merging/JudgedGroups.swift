/// The group of every file whose group a merge has to judge: the second stage. Judged are the files
/// of all album folders in which something was found or vanished, and those of the same albums in
/// other folders.
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
    var members: [String: [AlbumFolder: [BytePath]]] = [:]
    for folder in touched.keys.sorted() {
      let (judged, before) = judge(folder)
      for family in before where members[family] == nil { members[family] = [:] }
      for (path, family) in judged {
        members[family, default: [:]][folder, default: []].append(path)
      }
    }
    for family in members.keys.sorted() { judgeEditions(of: family, members[family] ?? [:]) }
  }

  /// The families of a folder's files now, and those they had.
  private func judge(
    _ folder: AlbumFolder
  ) -> (now: [(path: BytePath, family: String)], before: Set<String>) {
    let known = lookups.files(in: folder, observation.before)
    var paths = known.filter {
      observation.found[$0] == nil && !observation.vanished.contains($0)
        && !observation.before.away.isOutside($0)
    }
    paths += touched[folder] ?? []
    paths.sort()
    // A file whose facts are lost keeps its group until it has been read.
    let readable = paths.filter { observation.facts(at: $0) != nil }
    let families = Grouping.families(
      of: readable.map { path in
        let facts = observation.facts(at: path)
        return (facts?.album ?? "", facts?.albumArtist ?? "")
      }, in: folder)
    var now = Array(zip(readable, families)).map { (path: $0.0, family: $0.1) }
    for path in paths where observation.facts(at: path) == nil {
      if let song = observation.song(at: path) {
        now.append((path, observation.group(of: song).family))
      }
    }
    let before = known.compactMap { observation.song(at: $0) }
    return (now, Set(before.map { observation.group(of: $0).family }))
  }

  /// - Parameter judged: the files of the family in the touched folders.
  private mutating func judgeEditions(of family: String, _ judged: [AlbumFolder: [BytePath]]) {
    var members = judged
    for folder in lookups.folders(ofFamily: family) where touched[folder] == nil {
      let files = lookups.files(in: folder, observation.before).filter { path in
        !observation.before.away.isOutside(path)
          && observation.song(at: path).map { observation.group(of: $0).family } == family
      }
      if !files.isEmpty { members[folder] = files }
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
  private func parts(
    of family: String, _ members: [AlbumFolder: [BytePath]]
  ) -> [Grouping.Part] {
    members.map { folder, paths in
      var part = Grouping.Part(folder: folder, hasNews: touched[folder] != nil)
      let hadFiles = formerStems(of: folder, in: family)
      for path in paths.sorted() {
        if let (edition, claim) = edition(at: path, of: family, hadFiles),
          part.edition == nil || claim.rawValue > part.claim.rawValue
        {
          (part.edition, part.claim) = (edition, claim)
        }
        if let song = observation.song(at: path), song.path == path,
          observation.before.wanderers[song.id] == nil
        {
          part.natives += 1
        }
        guard let facts = observation.facts(at: path) else { continue }
        let release = GroupKey.release(facts.release)
        if !release.isEmpty { part.releases[release, default: 0] += 1 }
        guard let track = facts.track, let digest = facts.digest else { continue }
        let slot = Grouping.Slot(disc: orderDisc(facts.disc, path), track: track)
        part.sounds[slot, default: []].insert(digest)
      }
      return part
    }
  }

  /// The editions of the files of the family that a folder had before, by their paths without
  /// extensions.
  private func formerStems(of folder: AlbumFolder, in family: String) -> [BytePath: String] {
    guard touched[folder] != nil else { return [:] }
    var stems: [BytePath: String] = [:]
    for path in lookups.files(in: folder, observation.before) {
      guard let group = observation.song(at: path).map({ observation.group(of: $0) }),
        group.family == family
      else { continue }
      stems[path.withoutExtension] = group.edition
    }
    return stems
  }

  /// The edition that a file speaks for: that of the song at its path, as long as it has its sound;
  /// else that of the song elsewhere whose sound it has, since an album that is moved or restored,
  /// or swaps names, comes as the edition it was; else that of the file whose place it took.
  private func edition(
    at path: BytePath, of family: String, _ hadFiles: [BytePath: String]
  ) -> (String, Grouping.Claim)? {
    let known = observation.song(at: path)
    let group = known.map { observation.group(of: $0) }
    let digest = observation.found[path]?.digest
    if let known, isOfThisScan(known) { return nil }
    if let group, group.family == family,
      observation.found[path] == nil || (digest != nil && digest == known?.digest)
    {
      return (group.edition, .stays)
    }
    if let edition = editionArriving(at: path, of: family) { return (edition, .arrived) }
    return hadFiles[path.withoutExtension].map { ($0, .remade) }
  }

  /// Whether this very first scan brought the song: it is one look, in which the first folder in
  /// byte order comes first, in whatever pieces it arrives.
  private func isOfThisScan(_ song: Song) -> Bool {
    observation.contents.isFirstScan && song.seen == observation.contents.seen
      && !observation.isTouched(song)
  }

  /// The edition of the song elsewhere whose sound is at the path now.
  private func editionArriving(at path: BytePath, of family: String) -> String? {
    guard let digest = observation.found[path]?.digest else { return nil }
    let others =
      observation.songs(.sound(digest)).filter(isElsewhere)
      + observation.goneSongs(.sound(digest))
    let fitting = others.filter { observation.group(of: $0).family == family }
    return fitting.min { $0.id < $1.id }.map { observation.group(of: $0).edition }
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
