extension Merge {
  /// Judges the groups of all files that what was found can have touched: those of its album
  /// folders, and those of the same albums in other folders.
  mutating func judgeGroups() {
    var touched: Set<AlbumFolder> = []
    for path in found.keys { touched.insert(lookups.albumFolder(of: path)) }
    for path in vanished { touched.insert(lookups.albumFolder(of: path)) }

    var families: [AlbumFolder: [(path: BytePath, family: String)]] = [:]
    var affected: Set<String> = []
    for folder in touched {
      let (judged, before) = judge(folder)
      families[folder] = judged
      affected.formUnion(before)
      affected.formUnion(judged.map(\.family))
    }
    for family in affected { judgeEditions(of: family, touched: families) }
  }

  /// The families of a folder's files now, and those they had.
  private func judge(
    _ folder: AlbumFolder
  ) -> (now: [(path: BytePath, family: String)], before: Set<String>) {
    let known = lookups.folders[folder] ?? []
    var paths = known.filter { found[$0] == nil && !vanished.contains($0) }
    paths += found.keys.filter { lookups.albumFolder(of: $0) == folder }
    paths.sort()
    // A file whose facts are lost keeps its group until it has been read.
    let readable = paths.filter { facts(at: $0) != nil }
    let families = Grouping.families(
      of: readable.map { ($0, facts(at: $0)?.tags ?? SongTags()) }, in: folder)
    var now = Array(zip(readable, families)).map { (path: $0.0, family: $0.1) }
    for path in paths where facts(at: path) == nil {
      if let family = lookups.files[path]?.family { now.append((path, family)) }
    }
    return (now, Set(known.compactMap { lookups.files[$0]?.family }))
  }

  private mutating func judgeEditions(
    of family: String, touched: [AlbumFolder: [(path: BytePath, family: String)]]
  ) {
    var members: [AlbumFolder: [BytePath]] = [:]
    for (folder, files) in touched {
      let paths = files.lazy.filter { $0.family == family }.map(\.path)
      if !paths.isEmpty { members[folder] = Array(paths) }
    }
    for (folder, _) in lookups.families[family] ?? [:] where touched[folder] == nil {
      members[folder] = (lookups.folders[folder] ?? []).filter {
        lookups.files[$0]?.family == family
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
        if let song = lookups.files[path]?.song, before.wanderers[song] == nil { part.natives += 1 }
        guard let facts = facts(at: path) else { continue }
        if !facts.tags.release.isEmpty { part.releases[facts.tags.release, default: 0] += 1 }
        guard let track = facts.tags.track, let digest = facts.digest else { continue }
        let disc = facts.tags.disc ?? discNumber(ofFolder: path.parent.name) ?? 1
        part.sounds[Grouping.Slot(disc: disc, track: track), default: []].insert(digest)
      }
      return part
    }
  }

  /// The edition of the song whose sound is there now while its own file isn't, or that was known
  /// at the path: an album that is moved or restored, or swaps names, comes as the edition it was.
  private func knownEdition(at path: BytePath, of family: String) -> String? {
    let known = lookups.files[path].flatMap { before.songs[$0.song] }
    if let digest = found[path]?.digest, digest != known?.digest {
      for id in lookups.byDigest[digest] ?? [] {
        guard let song = before.songs[id], song.group.family == family, isAway(song)
        else { continue }
        return song.group.edition
      }
    }
    return known?.group.family == family ? known?.group.edition : nil
  }
}
