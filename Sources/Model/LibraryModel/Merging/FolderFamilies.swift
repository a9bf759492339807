/// The families of the files in a folder in which something was found or vanished, as they are now.
struct FolderFamilies {
  /// The families of known songs, by kind. Still holds songs whose file changed in this scan: skip
  /// those.
  private(set) var ofKinds: [(songs: [SongID], family: String)] = []
  private(set) var ofFiles: [(path: BytePath, family: String)] = []
  /// The families that have to be judged.
  private(set) var concerned: Set<String> = []

  /// A file that may not be as it was.
  private struct Member {
    let path: BytePath
    /// The family of the song it belonged to.
    let earlier: String?
    /// The family of that song if it had no album tag.
    let untagged: String?
    /// Nil after the index was lost: the file keeps its family until it has been read again.
    let tags: Grouping.Tags?
  }

  /// Songs of one kind to which nothing happened.
  private typealias Alike = (
    kind: FolderFiles.Kind, songs: [SongID], count: Int, earlier: String
  )

  /// - Parameters:
  ///   - touched: what was found or vanished in the folder.
  ///   - known: its files before that.
  init(
    _ folder: AlbumFolder, _ observation: Observation, touched: [BytePath], known: FolderFiles
  ) {
    let (before, lookups) = (observation.before, observation.lookups)
    var former = FormerFamilies(before)
    var members: [Member] = []
    var changed: [FolderFiles.Kind: Int] = [:]
    // In a first scan nothing arrives before anything else.
    let isFirstScan = observation.contents.isFirstScan
    for path in touched {
      let song = observation.song(at: path)
      let earlier = song.map { former.family(of: $0.album, else: $0.group.family) }
      if let earlier { concerned.insert(earlier) }
      if let kind = song.flatMap({ FolderFiles.Kind(of: $0, before) }) {
        changed[kind, default: 0] += 1
      }
      if let facts = observation.found[path] {
        let untagged =
          facts.album.isEmpty && !isFirstScan ? former.untagged(facts, at: path, observation) : nil
        members.append(
          Member(path: path, earlier: earlier, untagged: untagged, tags: Grouping.Tags(facts)))
      }
    }
    for (path, song) in lookups.files(of: known.several, in: folder, before) {
      let earlier = former.family(of: song.album, else: song.group.family)
      if observation.isNews(path) || before.away.isOutside(path) { continue }
      let tags = before.facts(of: song, at: path).map(Grouping.Tags.init)
      let untagged = isFirstScan ? nil : earlier
      members.append(Member(path: path, earlier: earlier, untagged: untagged, tags: tags))
    }
    // A folder lies in a music folder as a whole, or not at all.
    let isOutside = before.away.isOutside(folder.root)
    let kinds = known.alike.compactMap { kind, songs -> Alike? in
      let earlier = former.family(of: kind.album, else: kind.family)
      let count = isOutside ? 0 : songs.count - changed[kind, default: 0]
      return count == 0 ? nil : (kind, songs, count, earlier)
    }
    let families = Grouping.families(
      of: counts(members, kinds), in: folder,
      isAlbum: !isFirstScan && lookups.hasAlbum(ofFolder: folder))
    assign(families, members, kinds, isFirstScan)
    // Elsewhere, too, there may be what decides over an album.
    concerned.formUnion(former.all.filter { lookups.hasFolder(ofFamily: $0, besides: folder) })
  }

  /// How many files of the folder say what.
  private func counts(_ members: [Member], _ kinds: [Alike]) -> [Grouping.Tags: Int] {
    var counts: [Grouping.Tags: Int] = [:]
    for tags in members.compactMap(\.tags) { counts[tags, default: 0] += 1 }
    for one in kinds { if let tags = one.kind.tags { counts[tags, default: 0] += one.count } }
    return counts
  }

  private mutating func assign(
    _ families: Grouping.Families, _ members: [Member], _ kinds: [Alike], _ isFirstScan: Bool
  ) {
    for (kind, songs, _, earlier) in kinds {
      let now =
        kind.tags.map { families.family(of: $0, former: isFirstScan ? nil : earlier) } ?? earlier
      ofKinds.append((songs, now))
      if kind.tags != nil && now == earlier && now == kind.family { continue }
      concerned.formUnion([now, earlier])
    }
    for member in members {
      let now =
        member.tags.map { families.family(of: $0, former: member.untagged) } ?? member.earlier
      guard let now else { continue }
      ofFiles.append((member.path, now))
      concerned.formUnion([now, member.earlier ?? now])
    }
  }
}

/// The families of songs as they were, each album's asked for once.
private struct FormerFamilies {
  private let before: Library
  private var ofAlbums: [AlbumID: String] = [:]
  private(set) var all: Set<String> = []

  init(_ before: Library) { self.before = before }

  /// The family in which a file without an album tag has been: that of its song, or, under another
  /// name in the folder, of the song that has its sound; else that of a song beside it that it was
  /// converted from.
  mutating func untagged(
    _ facts: FileFacts, at path: BytePath, _ observation: Observation
  ) -> String? {
    var songs = observation.song(at: path).map { [$0] } ?? []
    if let digest = facts.digest {
      let folder = observation.albumFolder(of: path)
      let alike = observation.songs(.sound(digest)) + observation.goneSongs(.sound(digest))
      songs += alike.filter { observation.albumFolder(of: $0.path) == folder }
    }
    let own = songs.first { $0.albumTitle.isEmpty }
    return (own ?? original(of: facts, at: path, observation)).map {
      family(of: $0.album, else: $0.group.family)
    }
  }

  private func original(
    of facts: FileFacts, at path: BytePath, _ observation: Observation
  ) -> Song? {
    let stem = path.withoutExtension.bytes + [UInt8(ascii: ".")]
    return AudioExtensions.all.lazy.map { BytePath(stem + $0.utf8) }.filter { $0 != path }
      .compactMap { observation.song(at: $0) }
      .first { abs($0.milliseconds - facts.milliseconds) <= Likeness.sameLength }
  }

  /// - Parameter own: the song's, which counts where its album is none.
  mutating func family(of album: AlbumID, else own: String) -> String {
    if let known = ofAlbums[album] { return known }
    let group = before.albums[album]?.group
    if let group { ofAlbums[album] = group.family }
    all.insert(group?.family ?? own)
    return group?.family ?? own
  }
}
