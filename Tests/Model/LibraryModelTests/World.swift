import Testing

@testable import LibraryModel

/// A music folder and its library in miniature: what the tests do to the one, and see in the other.
struct World {
  /// What a file holds, as far as rules look at it.
  struct File: Hashable {
    var sound: Int
    var tags = SongTags()
    var inode: UInt64 = 0
    /// Nil: one as unique as the inode.
    var birth: Int64?
    var milliseconds = 60_000
    /// 0: none.
    var cover: UInt64 = 0
  }

  static let root = BytePath("/music")

  var library = Library()
  var lookups: Lookups
  var newAlbums: String?
  var memory = Merge.Memory()
  var files: [BytePath: File] = [:]
  /// What the merge was told of last.
  var known: [BytePath: File] = [:]
  var now: Int64 = 1_700_000_000_000
  var nextInode: UInt64 = 1

  init(roots: [BytePath] = [World.root]) {
    library.away.folders = roots
    lookups = Lookups(library, roots: roots)
  }

  // MARK: The folder

  mutating func put(
    _ path: String, sound: Int, title: String = "", album: String = "", artist: String = "",
    albumArtist: String = "", track: Int? = nil, disc: Int? = nil, release: String = "",
    recording: String = "", milliseconds: Int = 60_000
  ) {
    var tags = SongTags()
    tags.title = title
    tags.album = album
    tags.artist = artist
    tags.albumArtist = albumArtist
    tags.track = track
    tags.disc = disc
    tags.release = release
    tags.recording = recording
    files[World.path(path)] = File(
      sound: sound, tags: tags, inode: nextInode, milliseconds: milliseconds)
    nextInode += 1
  }

  /// An album of so many tracks, each with a sound of its own.
  mutating func putAlbum(
    _ title: String, by artist: String = "Artist", tracks: Int = 3, sound: Int, in folder: String?
  ) {
    for track in 1...tracks {
      put(
        "\(folder ?? title)/\(track) \(title) \(track).flac", sound: sound + track,
        title: "\(title) \(track)", album: title, artist: artist, albumArtist: artist,
        track: track)
    }
  }

  mutating func retag(_ path: String, _ change: (inout SongTags) -> Void) {
    guard var file = files[World.path(path)] else { return }
    change(&file.tags)
    files[World.path(path)] = file
  }

  /// A file or a whole directory.
  mutating func move(_ old: String, to new: String) {
    let old = World.path(old)
    for (path, file) in files where path.isInside(old) {
      guard let rest = path.relative(to: old) else { continue }
      files[path] = nil
      let target = World.path(new)
      files[target.appending(rest)] = file
    }
  }

  mutating func remove(_ path: String) -> [BytePath: File] {
    let taken = files.filter { $0.key.isInside(World.path(path)) }
    for path in taken.keys { files[path] = nil }
    return taken
  }

  mutating func restore(_ taken: [BytePath: File]) {
    files.merge(taken) { _, new in new }
  }

  static func path(_ text: String) -> BytePath { root.appending(text.utf8) }

  // MARK: The library

  /// What a look would find: the difference between the folder and what was known.
  func look(firstScan: Bool = false) -> FolderContents {
    var contents = FolderContents(root: World.root, seen: now)
    contents.isFirstScan = firstScan
    contents.endsFirstScan = firstScan
    for (path, file) in files.sorted(by: { $0.key < $1.key }) where known[path] != file {
      contents.found.append(FolderContents.Found(path: path, facts: World.facts(file)))
    }
    contents.vanished = known.keys.filter { files[$0] == nil }.sorted()
    return contents
  }

  static func facts(_ file: File) -> FileFacts {
    var audio = AudioProperties()
    audio.milliseconds = file.milliseconds
    let stamp = FileStamp(
      identity: FileIdentity(
        fileSystem: 1, inode: file.inode, birth: file.birth ?? Int64(file.inode)),
      size: 1000, modified: Int64(file.sound) &* 1_000_000, changed: 0)
    let digest =
      file.sound == 0 ? nil : AudioDigest(high: UInt64(file.sound), low: UInt64(file.sound))
    return FileFacts(
      stamp: stamp, tags: file.tags, audio: audio, digest: digest, format: "flac",
      cover: CoverDigest(number: file.cover))
  }

  /// Places went away, or came back: what the librarian does about it.
  @discardableResult
  mutating func setAway(_ places: [String]) -> Merge.Outcome {
    library.away.places = places.map(World.path)
    var contents = FolderContents(root: World.root, seen: now)
    contents.turned = lookups.turned(in: library)
    return merge(contents)
  }

  /// Looks and merges.
  @discardableResult
  mutating func merge(firstScan: Bool = false) -> Merge.Outcome {
    let outcome = merge(look(firstScan: firstScan))
    known = files
    return outcome
  }

  @discardableResult
  mutating func merge(_ contents: FolderContents) -> Merge.Outcome {
    now += 1000
    let outcome = Merge.merge(
      contents, into: library, lookups: lookups, newAlbums: newAlbums, memory: memory)
    let before = library
    checkTold(outcome)
    library = outcome.decision.library
    library.advance(to: library.sequence + outcome.decision.changes.count)
    memory = outcome.memory
    memory.follow(to: library.sequence)
    lookups.follow(
      from: before, to: library, songs: outcome.songs, albums: outcome.albums)
    if !contents.isFirstScan { checkOrderKept(since: before) }
    return outcome
  }

  @discardableResult
  mutating func edit(_ edit: Edit) throws -> Decision {
    let decision = try library.decide(edit, newAlbums: newAlbums)
    let before = library
    library = decision.library
    library.advance(to: library.sequence + decision.changes.count)
    lookups.follow(decision.changes, from: before, to: library)
    return decision
  }

  // MARK: What one sees

  /// Titles of the albums of a crate, in order.
  func albums(in crate: String = "Music") -> [String] {
    listed(in: crate).map { library.face(of: $0).title }
  }

  func listed(in crate: String = "Music") -> [Album] {
    (library.crate(named: crate)?.albums ?? []).compactMap { library.albums[$0] }
      .filter(library.isListed)
  }

  func album(_ title: String) -> Album? {
    library.crates.flatMap(\.albums).compactMap { library.albums[$0] }
      .first { library.isListed($0) && library.face(of: $0).title == title }
  }

  func id(_ title: String) throws -> AlbumID { try #require(album(title)).id }

  func songs(of title: String) -> [String] {
    album(title).map { library.listedSongs(of: $0).map(\.title) } ?? []
  }

  func song(_ title: String) throws -> Song {
    var found: Song?
    library.songs.forEach { _, song in if song.title == title, !song.isGone { found = song } }
    return try #require(found)
  }

  /// The whole order, ids and all, for comparing.
  var shape: [String] {
    library.crates.flatMap { crate in
      ["crate \(crate.name)"]
        + crate.albums.compactMap { library.albums[$0] }.flatMap { album in
          ["  \(album.id)\(album.isArranged ? "*" : "") \(library.face(of: album).title)"]
            + album.entries.map { id in
              let song = library.songs[id]
              let mark =
                song?.album != album.id ? "slot" : song?.isGone == true ? "gone" : "song"
              return "    \(mark) \(id) \(song?.path.display ?? "?")"
            }
        }
    }
  }
}
