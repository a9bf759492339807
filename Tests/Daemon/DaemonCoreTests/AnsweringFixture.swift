import CratesInterface
import FolderWatching
import LibraryIndex
import LibraryModel
import LibraryStore
import Logging
import Platform
import TagReading
import TestSupport
import Testing
import VarlinkClient
import VarlinkServer

@testable import DaemonCore

/// What answers need, without the daemon: a store on the disk, an index, and a socket to call.
final class AnsweringFixture: Sendable {
  /// What the daemon would say of itself, as told by the test.
  final class Source: AnsweringSource {
    struct State {
      var problems: [Interface.Problem] = []
      var warnings: [String] = []
      var scanned: Int?
      var toScan: Int?
      /// Why the store takes nothing.
      var refusal: String?
      var rescanned: [BytePath?] = []
      /// The most that history was read of in one go.
      var read: [Int] = []
      /// Why the past can't be read.
      var pastFault: String?
      /// Whether the state is not told before this is over, and how often it was asked for.
      var hangs = false
      var asked = 0
    }

    let state = Monitor(State())
    let past: PastLibrary<DiskFiles>
    let music: BytePath

    init(_ past: PastLibrary<DiskFiles>, _ music: BytePath) {
      self.past = past
      self.music = music
    }

    func status() -> Interface.LibraryStatus {
      state.withLock { $0.asked += 1 }
      return state.wait { state in
        if state.hangs { return nil }
        var folder = Interface.MusicFolder(
          path: music.display, state: .watching, directories: 1, songs: 1)
        (folder.scanned, folder.toScan) = (state.scanned, state.toScan)
        return Interface.LibraryStatus(
          version: "9", pid: 1, started: "", sequence: 7, folders: [folder, folder], store: .ready,
          storeReason: nil, storePath: "/store", crates: 1, albums: 2, songs: 3, gone: 4,
          problems: state.problems.count, warnings: state.warnings)
      }
    }

    func trace() -> [Interface.TraceEntry] {
      [Interface.TraceEntry(folder: music.display, time: "", text: "full scan")]
    }

    func listProblems() -> [Interface.Problem] { state.withLock { $0.problems } }

    /// Of two folders.
    var progress: (scanned: Int?, toScan: Int?) {
      state.withLock { state in (state.scanned.map { 2 * $0 }, state.toScan.map { 2 * $0 }) }
    }

    func pastChanges(before: Int, most: Int) throws(UnreadablePast) -> [Interface.Change] {
      let fault = state.withLock { state in
        state.read.append(most)
        return state.pastFault
      }
      if let fault { throw UnreadablePast(reason: fault) }
      return try past.changes(before: before, most: most)
    }

    func synchronize(_ done: @escaping MergeWaiters.Completion) {
      done(state.withLock { $0.refusal })
    }

    func rescan(
      _ path: BytePath?, progress: @escaping @Sendable (WatchState.Progress) -> Void,
      _ done: @escaping MergeWaiters.Completion
    ) -> Bool {
      if let path, !path.isInside(music) { return false }
      state.withLock { $0.rescanned.append(path) }
      progress(WatchState.Progress(scanned: 5, toScan: 6))
      done(state.withLock { $0.refusal })
      return true
    }
  }

  let folder: TemporaryFolder
  let music: BytePath
  let published: PublishedLibrary
  let source: Source
  let covers = FolderCovers()
  let coverFolders: CoverFolders
  let librarian: Librarian
  private let index: IndexService
  private let answering: Answering
  private let server: VarlinkServer
  var socket: String { folder.path("socket") }

  /// - Parameters:
  ///   - folder: of a life before it.
  ///   - reader: the program that reads covers.
  ///   - covering: the clock by which covers are waited for.
  init(
    in folder: TemporaryFolder? = nil, reader: String = "/nowhere/reader",
    covering: Clock = .system
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    music = BytePath(folder.path("music"))
    let clock = Clock.system
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let files = try DiskFiles(directory: BytePath(folder.path("store")))
    let opened = try Recovery.open(files)
    var library = opened.library
    library.away.folders = [music]
    published = PublishedLibrary(library)
    source = Source(PastLibrary(files), music)
    let feed = ChangeFeed(sequence: library.sequence) { "now" }
    let path = folder.path("index.sqlite")
    index = IndexService(path: BytePath(path), published: published, clock: clock, logger: logger)
    index.start(try LibraryIndex.open(at: path, newest: library.sequence).index, library)
    let naming = Naming(published: published)
    librarian = Librarian(
      Librarian.Followers(
        published: published, feed: feed, index: index,
        playlists: PlaylistService(published: published, clock: clock, logger: logger),
        naming: naming),
      clock: clock, logger: logger)
    librarian.start(library: library, store: opened.store, newAlbums: nil)
    let readers = try ReaderPool(program: BytePath(reader), clock: clock)
    let pools = Answering.Pools(clock)
    coverFolders = CoverFolders(readers: readers, on: pools.memory.lane(), clock: covering)
    answering = Answering(
      on: pools, daemon: source, published: published, librarian: librarian, feed: feed,
      pictures: Answering.Pictures(
        on: pools, published: published, folders: coverFolders, covers: covers,
        cache: BytePath(folder.path("covers")), clock: covering),
      searching: Searching(
        on: pools.disk.lane(), index: index, published: published, isScanning: { false },
        logger: logger),
      naming: naming, covers: covers, clock: clock, logger: logger)
    server = VarlinkServer(
      identity: ServiceIdentity(vendor: "Crated", product: "crated", version: "0", url: "")
    ) { [answering] in answering.take($0) }
    try server.start(path: socket)
  }

  /// What is to go with it.
  var remains: Remains {
    var remains = Remains()
    remains.note(answering, as: "answering")
    remains.note(librarian, as: "librarian")
    remains.note(index, as: "index")
    remains.note(server, as: "server")
    return remains
  }

  deinit {
    server.stop()
    answering.stop()
    librarian.stop()
    index.stop()
  }

  // MARK: Music

  /// Finds Blue Train, Giant Steps and Kind of Blue.
  func findThree() throws -> (train: String, steps: String, blue: String) {
    (
      try find(
        "Blue Train", by: "John Coltrane", year: 1957, [("Blue Train", 643), ("Locomotion", 434)]),
      try find("Giant Steps", by: "John Coltrane", [("Giant Steps", 286), ("Naima", 261)]),
      try find("Kind of Blue", by: "Miles Davis", year: 1959, [("So What", 562)])
    )
  }

  /// A look that found an album: its titles, with so many seconds each, in a directory of its name.
  @discardableResult
  func find(
    _ album: String, by artist: String, year: Int = 1960, cover: CoverDigest? = nil,
    bitRate: Int = 320, _ songs: [(title: String, seconds: Int)]
  ) throws -> String {
    var contents = FolderContents(root: music, seen: Clock.system.wall() / 1_000_000)
    for (place, song) in songs.enumerated() {
      var tags = SongTags()
      (tags.title, tags.artist, tags.album, tags.albumArtist) = (song.title, artist, album, artist)
      (tags.track, tags.date, tags.genre) = (place + 1, "\(year)", "Jazz")
      var audio = AudioProperties()
      (audio.milliseconds, audio.bitRate, audio.sampleRate) = (
        song.seconds * 1000, bitRate, 44_100
      )
      let number = UInt64(published.library.songs.count + place + 1)
      let stamp = FileStamp(
        identity: FileIdentity(fileSystem: 1, inode: number, birth: 1), size: 1, modified: 1,
        changed: 1)
      contents.found.append(
        FolderContents.Found(
          path: self.path(album, place + 1),
          facts: FileFacts(
            stamp: stamp, tags: tags, audio: audio,
            digest: AudioDigest(high: number, low: 1), format: "flac",
            cover: place == 0 ? cover : nil)))
    }
    librarian.merge(contents)
    return try #require(
      published.library.albums.values.first { published.library.face(of: $0).title == album }
    ).id.description
  }

  func path(_ album: String, _ number: Int) -> BytePath {
    music.appending("\(album)/\(number).flac".utf8)
  }

  func lose(_ album: String, _ number: Int) {
    var contents = FolderContents(root: music, seen: Clock.system.wall() / 1_000_000)
    contents.vanished = [path(album, number)]
    librarian.merge(contents)
  }

  /// The ids of an album's songs, in order.
  func songs(_ album: String) throws -> [String] {
    let id = try #require(AlbumID(album))
    return try #require(published.library.albums[id]).entries.map(\.description)
  }

  // MARK: Calling

  func connect() throws -> VarlinkClient { try VarlinkClient(path: socket) }

  func reply(_ call: Call) throws -> Reply {
    var client = try connect()
    return try client.reply(to: call)
  }

  /// What it is refused with; nil where it is not.
  func refusal(_ call: Call) throws -> InterfaceError? {
    do {
      _ = try reply(call)
      return nil
    } catch ClientError.refused(let error) {
      return error
    }
  }

  /// All replies, or so many of a call that goes on.
  func replies(_ call: Call, most: Int = .max) throws -> [JSON] {
    var client = try connect()
    var found: [JSON] = []
    try client.eachReply(to: call) { reply in
      found.append(reply)
      return found.count < most
    }
    return found
  }

  func albums(
    in crate: String? = nil, _ ids: [String]? = nil, gone: Bool = false, first: Int? = nil,
    count: Int? = nil
  ) throws -> (shown: [Interface.Album], total: Int?) {
    let call = Call.listAlbums(crate: crate, albums: ids, gone: gone, first: first, count: count)
    guard case .albums(let albums, let total, _) = try reply(call) else { return ([], nil) }
    return (albums, total)
  }

  func songs(
    in crate: String? = nil, of album: String? = nil, _ ids: [String]? = nil, gone: Bool = false,
    first: Int? = nil, count: Int? = nil
  ) throws -> (shown: [Interface.Song], total: Int?) {
    let call = Call.listSongs(
      crate: crate, album: album, songs: ids, gone: gone, first: first, count: count)
    guard case .songs(let songs, let total, _) = try reply(call) else { return ([], nil) }
    return (songs, total)
  }

  @discardableResult
  func change(_ call: Call) throws -> Interface.Change? {
    guard case .change(let change) = try reply(call) else { return nil }
    return change
  }
}
