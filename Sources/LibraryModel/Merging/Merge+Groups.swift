extension Merge {
  /// Judges the groups of all files that what was found can have touched: those of its album
  /// folders, and those of the same albums in other folders.
  mutating func judgeGroups() {
    var touched: [AlbumFolder: [BytePath]] = [:]
    for path in found.keys { touched[lookups.albumFolder(of: path), default: []].append(path) }
    for path in vanished where touched[lookups.albumFolder(of: path)] == nil {
      touched[lookups.albumFolder(of: path)] = []
    }
    var members: [String: [AlbumFolder: [BytePath]]] = [:]
    for (folder, files) in touched {
      let (judged, before) = judge(folder, found: files)
      for family in before where members[family] == nil { members[family] = [:] }
      for (path, family) in judged {
        members[family, default: [:]][folder, default: []].append(path)
      }
    }
    for (family, members) in members { judgeEditions(of: family, members, touched: touched) }
  }

  /// The families of a folder's files now, and those they had.
  private func judge(
    _ folder: AlbumFolder, found files: [BytePath]
  ) -> (now: [(path: BytePath, family: String)], before: Set<String>) {
    let known = lookups.files(in: folder, before)
    var paths = known.filter { found[$0] == nil && !vanished.contains($0) }
    paths += files
    paths.sort()
    // A file whose facts are lost keeps its group until it has been read.
    let readable = paths.filter { facts(at: $0) != nil }
    let families = Grouping.families(
      of: readable.map { path in
        let facts = facts(at: path)
        return (facts?.album ?? "", facts?.albumArtist ?? "")
      }, in: folder)
    var now = Array(zip(readable, families)).map { (path: $0.0, family: $0.1) }
    for path in paths where facts(at: path) == nil {
      if let family = song(at: path)?.group.family { now.append((path, family)) }
    }
    return (now, Set(known.compactMap { song(at: $0)?.group.family }))
  }

  /// - Parameter judged: the files of the family in the touched folders.
  private mutating func judgeEditions(
    of family: String, _ judged: [AlbumFolder: [BytePath]], touched: [AlbumFolder: [BytePath]]
  ) {
    var members = judged
    for folder in lookups.families[family]?.folders ?? [] where touched[folder] == nil {
      members[folder] = lookups.files(in: folder, before).filter {
        song(at: $0)?.group.family == family
      }
    }
    guard GroupKey(family: family).isTagged else {
      for (folder, paths) in members {
        var edition: String?
        for path in paths.sorted() where edition == nil {
          edition = knownEdition(at: path, of: family)
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
      var part = Grouping.Part(folder: folder)
      for path in paths.sorted() {
        if part.edition == nil { part.edition = knownEdition(at: path, of: family) }
        if let song = song(at: path), before.wanderers[song.id] == nil { part.natives += 1 }
        guard let facts = facts(at: path) else { continue }
        let release = facts.release
        if !release.isEmpty { part.releases[release, default: 0] += 1 }
        guard let track = facts.track, let digest = facts.digest else { continue }
        let disc = facts.disc ?? discNumber(ofFolder: path.parent.name) ?? 1
        part.sounds[Grouping.Slot(disc: disc, track: track), default: []].insert(digest)
      }
      return part
    }
  }

  /// The edition of the song whose sound is there now while its own file isn't, or that was known
  /// at the path: an album that is moved or restored, or swaps names, comes as the edition it was.
  private func knownEdition(at path: BytePath, of family: String) -> String? {
    let known = song(at: path)
    if let digest = found[path]?.digest, digest != known?.digest {
      let others = lookups.songs(.sound(digest), in: before)
      if let song = others.first(where: { $0.group.family == family && isAway($0) }) {
        return song.group.edition
      }
    }
    return known?.group.family == family ? known?.group.edition : nil
  }
}
