/// The families of the files in a folder in which something was found or vanished, as they are now.
struct FolderFamilies {
  /// Of known songs; those whose file is news are among them, and meant no longer.
  private(set) var ofKinds: [(songs: [SongID], family: String)] = []
  private(set) var ofFiles: [(path: BytePath, family: String)] = []
  /// Those which have to be judged.
  private(set) var concerned: Set<String> = []

  /// A file that may not be as it was.
  private struct Member {
    let path: BytePath
    /// The family of the song it belonged to.
    let earlier: String?
    /// Nil: they are lost, and until it has been read the file keeps its family.
    let tags: Grouping.Tags?
  }

  /// Songs which nothing happened to.
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
    for path in touched {
      let song = observation.song(at: path)
      let earlier = song.map { former.family(of: $0.album, else: $0.group.family) }
      if let earlier { concerned.insert(earlier) }
      if let kind = song.flatMap({ FolderFiles.Kind(of: $0, before) }) {
        changed[kind, default: 0] += 1
      }
      if let facts = observation.found[path] {
        members.append(Member(path: path, earlier: earlier, tags: Grouping.Tags(facts)))
      }
    }
    for (path, song) in lookups.files(of: known.several, in: folder, before) {
      let earlier = former.family(of: song.album, else: song.group.family)
      if observation.isNews(path) || before.away.isOutside(path) { continue }
      let tags = before.facts(of: song, at: path).map(Grouping.Tags.init)
      members.append(Member(path: path, earlier: earlier, tags: tags))
    }
    // A folder lies in a music folder as a whole, or not at all.
    let isOutside = before.away.isOutside(folder.root)
    let kinds = known.alike.compactMap { kind, songs -> Alike? in
      let earlier = former.family(of: kind.album, else: kind.family)
      let count = isOutside ? 0 : songs.count - changed[kind, default: 0]
      return count == 0 ? nil : (kind, songs, count, earlier)
    }
    judge(members, kinds, in: folder)
    // Elsewhere, too, there may be what decides over an album.
    concerned.formUnion(former.all.filter { lookups.hasFolder(ofFamily: $0, besides: folder) })
  }

  private mutating func judge(_ members: [Member], _ kinds: [Alike], in folder: AlbumFolder) {
    var counts: [Grouping.Tags: Int] = [:]
    for tags in members.compactMap(\.tags) { counts[tags, default: 0] += 1 }
    for one in kinds { if let tags = one.kind.tags { counts[tags, default: 0] += one.count } }
    let families = Grouping.families(of: counts, in: folder)
    for (kind, songs, _, earlier) in kinds {
      let now = kind.tags.map { families[$0] } ?? earlier
      ofKinds.append((songs, now))
      if kind.tags != nil && now == earlier && now == kind.family { continue }
      concerned.formUnion([now, earlier])
    }
    for member in members {
      guard let now = member.tags.map({ families[$0] }) ?? member.earlier else { continue }
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

  /// - Parameter own: the song's, which counts where its album is none.
  mutating func family(of album: AlbumID, else own: String) -> String {
    if let known = ofAlbums[album] { return known }
    let group = before.albums[album]?.group
    if let group { ofAlbums[album] = group.family }
    all.insert(group?.family ?? own)
    return group?.family ?? own
  }
}
