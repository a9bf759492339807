/// The families of the files in a folder in which something was found or vanished, after the scan.
struct FolderFamilies {
  enum Files {
    case one(BytePath)
    /// The own files of songs of one kind. They include changed files, which have to be skipped.
    case own([SongID])
  }

  private(set) var families: [(files: Files, family: String)] = []
  /// The families that have to be judged.
  private(set) var concerned: Set<String> = []

  /// Files that are judged together.
  private struct Member {
    let files: Files
    let count: Int
    /// The files' tags. Nil after the index was lost: the file keeps its family until it has been
    /// read again.
    let tags: Grouping.Tags?
    /// The family of the song that had the file.
    let earlier: String?
    /// The family in which the file stays without an album tag.
    let untagged: String?
    /// Whether nothing happened to it. Its family has to be judged only if it changes.
    var isAsItWas = false
  }

  /// - Parameters:
  ///   - touched: the files of the folder that were found or vanished.
  ///   - known: the files that were known before.
  init(
    _ folder: AlbumFolder, _ observation: Observation, touched: [BytePath], known: FolderFiles
  ) {
    let (before, lookups) = (observation.before, observation.lookups)
    // In a first scan no file arrives before another.
    let isFirstScan = observation.contents.isFirstScan
    var members: [Member] = []
    var all: Set<String> = []
    var changed: [FolderFiles.Kind: Int] = [:]
    for path in touched {
      let song = observation.song(at: path)
      let family = song.map { observation.group(of: $0).family }
      if let family { concerned.insert(family) }
      if let kind = song.flatMap({ FolderFiles.Kind(of: $0, before) }) {
        changed[kind, default: 0] += 1
      }
      guard let facts = observation.found[path] else { continue }
      let isUntagged = facts.album.isEmpty && !isFirstScan
      let untagged = isUntagged ? Self.untagged(facts, at: path, observation) : nil
      if let untagged { all.insert(untagged) }
      members.append(
        Member(
          files: .one(path), count: 1, tags: Grouping.Tags(facts), earlier: family,
          untagged: untagged))
    }
    for (path, song) in lookups.files(of: known.several, in: folder, before) {
      let family = observation.group(of: song).family
      all.insert(family)
      if observation.isNews(path) || before.away.isOutside(path) { continue }
      members.append(
        Member(
          files: .one(path), count: 1,
          tags: before.facts(of: song, at: path).map(Grouping.Tags.init), earlier: family,
          untagged: isFirstScan ? nil : family))
    }
    for (kind, songs) in known.alike {
      let family = before.albums[kind.album]?.group.family ?? kind.family
      all.insert(family)
      let count = songs.count - changed[kind, default: 0]
      // A folder is in a music folder as a whole, or not at all.
      if count == 0 || before.away.isOutside(folder.root) { continue }
      members.append(
        Member(
          files: .own(songs), count: count, tags: kind.tags, earlier: family,
          untagged: isFirstScan ? nil : family,
          isAsItWas: kind.tags != nil && family == kind.family))
    }
    let isAlbum = !isFirstScan && lookups.hasAlbum(ofFolder: folder)
    judge(members, in: folder, isAlbum: isAlbum)
    // Files in other folders may decide over an album, too.
    concerned.formUnion(all.filter { lookups.hasFolder(ofFamily: $0, besides: folder) })
  }

  private mutating func judge(_ members: [Member], in folder: AlbumFolder, isAlbum: Bool) {
    var counts: [Grouping.Tags: Int] = [:]
    for member in members { if let tags = member.tags { counts[tags, default: 0] += member.count } }
    let judged = Grouping.families(of: counts, in: folder, isAlbum: isAlbum)
    for member in members {
      let now =
        member.tags.map { judged.family(of: $0, former: member.untagged) } ?? member.earlier
      guard let now else { continue }
      families.append((member.files, now))
      if !member.isAsItWas || now != member.earlier {
        concerned.formUnion([now, member.earlier ?? now])
      }
    }
  }

  /// Returns the former family of a file without an album tag. It is that of the file's song, else
  /// that of a song in the folder with the same sound, else that of a song beside the file that it
  /// was converted from.
  private static func untagged(
    _ facts: FileFacts, at path: BytePath, _ observation: Observation
  ) -> String? {
    var songs = observation.song(at: path).map { [$0] } ?? []
    if let alike = facts.digest.flatMap({ observation.songsOfFound[$0] }) {
      let folder = observation.albumFolder(of: path)
      let all = alike.present + alike.gone
      songs += all.filter { observation.albumFolder(of: $0.path) == folder }
    }
    let own = songs.first { $0.albumTitle.isEmpty }
    return (own ?? original(of: facts, at: path, observation)).map {
      observation.group(of: $0).family
    }
  }

  private static func original(
    of facts: FileFacts, at path: BytePath, _ observation: Observation
  ) -> Song? {
    let stem = path.withoutExtension.bytes + [UInt8(ascii: ".")]
    return AudioExtensions.all.lazy.map { BytePath(stem + $0.utf8) }.filter { $0 != path }
      .compactMap { observation.song(at: $0) }
      .first { abs($0.milliseconds - facts.milliseconds) <= Likeness.sameLength }
  }
}
