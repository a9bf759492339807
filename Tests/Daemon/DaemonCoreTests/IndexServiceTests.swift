import Databases
import Glibc
import LibraryModel
import LogSupport
import Logging
import ModelSupport
import Platform
import TestSupport
import Testing

@testable import DaemonCore
@testable import LibraryIndex

@Suite("The index's thread", .limited)
struct IndexServiceTests {
  private let folder: TemporaryFolder
  private let warnings = SaidLines(.warning)
  private let path: String
  private let service: IndexService
  /// Another program that has the index open.
  private let other: IndexConnection

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("index.sqlite")
    service = IndexService(
      path: BytePath(path), published: PublishedLibrary(Library()), clock: .system,
      logger: warnings.logger)
    service.start(try LibraryIndex.open(at: path, newest: 0).index, Library())
    other = try Self.open(path)
  }

  private static func open(_ path: String) throws -> IndexConnection {
    try IndexConnection(path, busySeconds: 30)
  }

  /// Changes one after the other, as fast as the librarian ever could.
  private func burst(_ library: inout Library) throws {
    if library.crates.isEmpty { try change(&library, .crateAdded("Music", after: nil)) }
    for _ in 0..<200 {
      let number = UInt64(library.sequence)
      let group = GroupKey(family: "\(number)", edition: "")
      try change(
        &library,
        .albumAdded(
          AlbumID(number: number), crate: "Music", after: library.crates.first?.albums.last,
          group: group, isFresh: false, seen: 0))
      try change(
        &library,
        .songAdded(
          SongID(number: number), album: AlbumID(number: number), after: nil,
          path: BytePath("/m/\(number)"), digest: nil, added: 0, seen: 0))
    }
  }

  private func change(_ library: inout Library, _ change: Change) throws {
    let before = library
    try library.apply(change, by: .folder)
    library.advance(to: library.sequence + 1)
    service.note([change], from: before, to: library)
  }

  /// The number, then the albums, then their songs.
  private func order(_ index: IndexConnection? = nil) throws -> [String] {
    try (index ?? other).read { database in
      try [
        "SELECT sequence FROM library", "SELECT id FROM albums ORDER BY position",
        """
        SELECT songs.id FROM songs JOIN albums ON songs.album = albums.id
        ORDER BY albums.position, songs.position
        """,
      ].flatMap { try database.statement($0).rows { $0.text(0) } }
    }
  }

  private func expected(_ library: Library) -> [String] {
    let albums = library.crates.flatMap(\.albums)
    let songs = albums.compactMap { library.albums[$0] }.flatMap(\.entries)
    return ["\(library.sequence)"] + albums.map(\.description) + songs.map(\.description)
  }

  @Test("a burst of changes ends in the newest library before the thread does")
  func bursts() throws {
    var library = Library()
    for _ in 0..<3 { try burst(&library) }
    service.stop()
    let order = try order()
    #expect(order.count == expected(library).count)
    #expect(order == expected(library))
  }

  @Test("during a scan no search waits until everything is written")
  func searchInScan() throws {
    var library = Library()
    try burst(&library)
    let pool = WorkPool("search", threads: 1)
    let searching = Searching(
      on: pool.lane(), index: service, published: PublishedLibrary(library), isScanning: { true },
      logger: Logger(label: "test"))
    let answers = Monitor(0)
    // Nothing is written so long as this transaction lasts.
    try other.write { _ in
      searching.find(SearchQuery("anything"), limit: 10) { _, _ in
        answers.withLock { $0 += 1 }
      }
      let deadline = Clock.system.monotonic() + 4_000_000_000
      #expect(answers.wait(until: deadline) { $0 == 1 ? () : nil } != nil)
    }
    pool.stop()
    service.stop()
  }

  @Test("what a scan holds back lies beside the index until that has it")
  func unwritten() throws {
    var library = Library()
    try burst(&library)
    let before = library
    let file = try indexedFile(of: library)
    service.note(
      [], files: [file.path: .song(file.song, facts: file.facts)], isScanning: true, from: before,
      to: library)
    // The index as a daemon finds it that starts after this one was killed.
    let next = try LibraryIndex.open(at: path, newest: library.sequence)
    #expect(next.unwritten.map(\.path) == [file.path])
    try next.index.close()
    service.note([], files: [:], from: before, to: library)
    service.stop()
    let last = try LibraryIndex.open(at: path, newest: library.sequence)
    #expect(last.unwritten.isEmpty)
    #expect(try last.index.files().map(\.path) == [file.path])
    try last.index.close()
  }

  private func indexedFile(of library: Library) throws -> IndexedFile {
    let id = try #require(library.crates.first?.albums.first)
    let song = try #require(library.albums[id].map(library.songs(of:))?.first)
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: 2, birth: 3), size: 4, modified: 5, changed: 6)
    return IndexedFile(
      path: song.path, song: song.id,
      facts: FileFacts(
        stamp: stamp, tags: SongTags(), audio: AudioProperties(), digest: nil, format: "mp3"))
  }

  @Test("tags are searched for that changed nothing, and a change without albums has its number")
  func tagsAlone() throws {
    var library = Library()
    try burst(&library)
    func written() throws -> LibraryIndex {
      guard case .wholly(let index) = service.written(within: 60_000_000_000) else {
        throw NotWritten()
      }
      return index
    }
    _ = try written()
    let file = try indexedFile(of: library)
    var tags = SongTags()
    tags.title = "Heliotrope"
    let facts = FileFacts(
      stamp: file.facts.stamp, tags: tags, audio: AudioProperties(), digest: nil, format: "mp3")
    let before = library
    library.attach(facts, to: file.song)
    service.note([], files: [file.path: .song(file.song, facts: facts)], from: before, to: library)
    let found = try written().search(
      SearchQuery("heliotrope"), in: library, AlbumPlaces(in: library), crate: nil, limit: 9)
    #expect(found.songs == [file.song])
    try change(&library, .crateAdded("Empty", after: nil))
    _ = try written()
    #expect(try order().first == "\(library.sequence)")
    service.stop()
  }

  private struct NotWritten: Error {}

  @Test("what is told is in the index soon, though nobody asks")
  func soon() throws {
    var library = Library()
    try burst(&library)
    let isIndexed = try happensInTime { try order() == expected(library) }
    #expect(isIndexed)
    let file = try indexedFile(of: library)
    func files() throws -> Int? {
      try other.read { try $0.integer("SELECT count(*) FROM file") }
    }
    service.note(
      [], files: [file.path: .song(file.song, facts: file.facts)], from: library, to: library)
    let isAdded = try happensInTime { try files() == 1 }
    #expect(isAdded)
    service.note(
      [], files: [file.path: .noSong], from: library, to: library)
    let isGone = try happensInTime { try files() == 0 }
    #expect(isGone)
    service.note(
      [], files: [file.path: .song(file.song, facts: file.facts)], from: library, to: library)
    service.drop([file.path])
    service.stop()
    #expect(try files() == 0)
    // Nobody waits for one that has ended.
    guard case .wholly = service.written(within: 3_600_000_000_000) else {
      Issue.record("it is not there")
      return
    }
  }

  @Test("one that is behind the library at its start is brought to it")
  func behind() throws {
    var library = Library()
    try burst(&library)
    service.stop()
    let before = library
    let path = folder.path("other.sqlite")
    let started = IndexService(
      path: BytePath(path), published: PublishedLibrary(before), clock: .system,
      logger: warnings.logger)
    let file = try indexedFile(of: library)
    started.start(
      try LibraryIndex.open(at: path, newest: before.sequence).index, unwritten: [file], before)
    started.stop()
    let opened = try Self.open(path)
    #expect(try order(opened) == expected(before))
    let index = try LibraryIndex.open(at: path, newest: before.sequence).index
    #expect(try index.files().map(\.path) == [file.path])
    #expect(index.isCurrent(before))
    try index.close()
    #expect(warnings.all.count == 0)
  }

  @Test("a damaged one is told of and made anew")
  func damaged() throws {
    var library = Library()
    try burst(&library)
    service.stop()
    try other.close()
    var bytes = try readFile(path)
    for place in bytes.count / 2..<bytes.count - 8_192 { bytes[place] = 0x55 }
    try writeFile(bytes, to: path)
    let index = try LibraryIndex.open(at: path, newest: library.sequence).index
    let started = IndexService(
      path: BytePath(path), published: PublishedLibrary(library),
      startupGrace: StartupGrace(isOver: false), clock: .system, logger: warnings.logger)
    started.start(index, library)
    // Not in the startup grace.
    let soon = Clock.system.monotonic() + 20_000_000
    while Clock.system.monotonic() < soon { sched_yield() }
    #expect(warnings.all == [])
    guard case .wholly = started.written(within: 60_000_000_000) else {
      Issue.record("it was not made anew")
      return
    }
    started.stop()
    #expect(try order(try Self.open(path)) == expected(library))
    #expect(warnings.all.count == 1)
  }

  @Test("deleted with its directory while it is open, it is there again, and whole")
  func deleted() throws {
    var library = Library()
    try burst(&library)
    removeTree(folder.path)
    try burst(&library)
    service.stop()
    let order = try order(try Self.open(path))
    #expect(order.count == expected(library).count)
    #expect(order == expected(library))
    #expect(warnings.all.count == 0)
  }

  @Test("an index that is written anew holds what the files say that are there")
  func anew() throws {
    var library = Library()
    try burst(&library)
    let songs = library.songs.values.map(\.id).sorted()
    for id in songs[..<3] {
      var tags = SongTags()
      tags.title = "Title \(id)"
      let stamp = FileStamp(
        identity: FileIdentity(fileSystem: 1, inode: id.number, birth: 3), size: 4, modified: 5,
        changed: 6)
      library.attach(
        FileFacts(
          stamp: stamp, tags: tags, audio: AudioProperties(), digest: nil, format: "mp3"), to: id)
    }
    let gone = try #require(library.songs[songs[1]])
    try change(&library, .songGone(gone.id, gone.lasting))
    removeTree(folder.path)
    try burst(&library)
    service.stop()
    let index = try LibraryIndex.open(at: path, newest: library.sequence).index
    #expect(try index.files().map(\.song).sorted() == [songs[0], songs[2]])
    try index.close()
  }

  @Test("what could not be written is made good, though nobody tells of it again")
  func failure() throws {
    var library = Library()
    try other.write { database in
      try database.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON songs BEGIN SELECT RAISE(ABORT, 'refused'); END")
    }
    try burst(&library)
    warnings.wait(for: "warning")
    try other.write { try $0.execute("DROP TRIGGER refuse") }
    service.stop()
    let order = try order()
    #expect(order.count == expected(library).count)
    #expect(order == expected(library))
  }
}
