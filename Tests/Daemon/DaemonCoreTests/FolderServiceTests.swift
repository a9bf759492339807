import FolderWatching
import Glibc
import LibraryModel
import LibraryStore
import LogSupport
import Logging
import Platform
import TagReading
import TestSupport
import Testing

@testable import DaemonCore

@Suite("A music folder's service", .limited)
struct FolderServiceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func service(isScanned: Bool) throws -> FolderService {
    let published = PublishedLibrary(Library())
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let librarian = Librarian(
      Librarian.Followers(
        published: published, feed: ChangeFeed(sequence: 0) { "" },
        index: IndexService(
          path: BytePath("/nowhere/index.sqlite"), published: published, clock: .system,
          logger: logger),
        playlists: PlaylistService(published: published, clock: .system, logger: logger),
        naming: Naming(published: published)),
      clock: .system, logger: logger)
    return FolderService(
      root: BytePath(folder.path), isScanned: isScanned, librarian: librarian,
      knownFolders: KnownFolders(
        try DiskFiles(directory: BytePath(folder.path("store"))), logger: logger),
      problems: ProblemList(), covers: FolderCovers(), clock: .system, logger: logger,
      stateChanged: {})
  }

  @Test("names what the store never takes among the problems, until it is mended or gone")
  func rejected() throws {
    let fixture = LibrarianFixture()
    let (problems, covers, log) = (ProblemList(), FolderCovers(), SaidLines())
    let knownFolders = KnownFolders(
      try DiskFiles(directory: BytePath(folder.path("store"))), logger: log.logger)
    let root = BytePath("/music")
    let service = FolderService(
      root: root, isScanned: false, librarian: fixture.librarian, knownFolders: knownFolders,
      problems: problems,
      covers: covers, clock: .system, logger: log.logger, stateChanged: {})
    var state = WatchState(mode: .watching)
    state.rootIdentity = FileIdentity(fileSystem: 1, inode: 2, birth: 3)
    service.folderState(state)
    #expect(knownFolders[root]?.isScanned == false)
    let paths = (0..<3).map { BytePath("/music/\($0)/x.flac") }
    fixture.gate.withLock { $0.unfit = [paths[0], paths[2]] }
    service.merge(LibrarianFixture.contents(albums: 3))
    #expect(problems.all.map(\.path) == [paths[0], paths[2]])
    #expect(
      problems.all.allSatisfy { $0.problem.message == "can't be kept in the order: too long" })
    #expect(fixture.order.count == 1)
    #expect(log.all.contains("debug: /music/0/x.flac: can't be kept in the order: too long"))
    #expect(
      log.all.contains("debug: a scan found 3 files, 0 vanished, 0 absent, 0 renamed"))
    // What is not looked at stays as it was.
    var contents = FolderContents(root: root, seen: 2)
    contents.vanished = [paths[2]]
    service.merge(contents)
    #expect(problems.all.map(\.path) == [paths[0]])
    fixture.gate.withLock { $0.unfit = [] }
    contents = LibrarianFixture.contents(albums: 1)
    contents.endsFirstScan = true
    service.merge(contents)
    #expect(problems.all.isEmpty && fixture.order.count == 2)
    #expect(knownFolders[root]?.isScanned == true)
    let digest = CoverDigest(number: 7)
    service.cover(digest, in: BytePath("/music/0"))
    let library = fixture.published.library
    let album = try #require(
      library.songs.values.first { $0.path == paths[0] }.flatMap { library.albums[$0.album] })
    #expect(covers.cover(of: album, in: library) == digest)
    service.stop()
    fixture.librarian.stop()
  }

  @Test("says each problem that it is told, among files that have none any longer")
  func reported() throws {
    let (log, problems) = (SaidLines(), ProblemList())
    let fixture = LibrarianFixture()
    let service = FolderService(
      root: BytePath("/music"), isScanned: true, librarian: fixture.librarian,
      knownFolders: KnownFolders(
        try DiskFiles(directory: BytePath(folder.path("store"))), logger: log.logger),
      problems: problems, covers: FolderCovers(), clock: .system, logger: log.logger,
      stateChanged: {})
    var told: [BytePath: FileProblem?] = [:]
    for number in 10..<30 {
      told[BytePath("/music/\(number)")] =
        number < 20 ? .some(nil) : FileProblem(.unreadable, "no music")
    }
    service.report(told)
    #expect(log.all.sorted() == (20..<30).map { "debug: /music/\($0): no music" })
    #expect(problems.count == 10)
    fixture.librarian.stop()
  }

  @Test("lets go of a merge that the store refuses when it stops, without a further try")
  func stopsWhileRefused() throws {
    let clock = Clock(
      monotonic: { Clock.system.monotonic() + 3_600_000_000_000 }, wall: Clock.system.wall)
    let fixture = LibrarianFixture(clock: clock)
    fixture.gate.withLock { $0.refusals = .max }
    let service = FolderService(
      root: BytePath("/music"), isScanned: true, librarian: fixture.librarian,
      knownFolders: KnownFolders(
        try DiskFiles(directory: BytePath(folder.path("store"))), logger: fixture.log.logger),
      problems: ProblemList(), covers: FolderCovers(), clock: .system, logger: fixture.log.logger,
      stateChanged: {})
    let isLetGo = Monitor(false)
    let watcher = BlockingThread("watcher") {
      service.merge(LibrarianFixture.contents(albums: 1))
      isLetGo.withLock { $0 = true }
    }
    #expect(happensInTime { fixture.librarian.mergeRefusal != nil })
    #expect(!isLetGo.withLock { $0 })
    service.stop()
    #expect(isLetGo.wait(until: Patience.end) { $0 ? () : nil } != nil)
    #expect(fixture.librarian.mergeRefusal == nil && fixture.order == [])
    fixture.librarian.stop()
    watcher.join()
  }

  @Test("says how it is watched when that is another way, or other places are away")
  func states() throws {
    let (log, changes) = (SaidLines(), Monitor(0))
    let fixture = LibrarianFixture()
    let root = BytePath("/music")
    let service = FolderService(
      root: root, isScanned: false, librarian: fixture.librarian,
      knownFolders: KnownFolders(
        try DiskFiles(directory: BytePath(folder.path("store"))), logger: log.logger),
      problems: ProblemList(), covers: FolderCovers(), clock: .system, logger: log.logger,
      stateChanged: { changes.withLock { $0 += 1 } })
    func said(_ mode: WatchState.Mode, away: String? = nil, watched: Int) -> [String] {
      let before = (log.all.count, changes.withLock { $0 })
      service.folderState(
        WatchState(
          mode: mode, foldersWatched: watched,
          offlineSubtrees: away.map { [root.appending(Array($0.utf8))] } ?? []))
      // What has changed may be anything.
      #expect(changes.withLock { $0 } == before.1 + 1)
      #expect(service.watchState.mode == mode && service.watchState.foldersWatched == watched)
      return Array(log.all.dropFirst(before.0))
    }
    #expect(said(.watching, watched: 1) == [])
    #expect(said(.polling(reason: "a"), watched: 1) == ["warning: /music is polled: a"])
    #expect(said(.polling(reason: "a"), watched: 2) == [])
    #expect(said(.polling(reason: "b"), watched: 2) == ["warning: /music is polled: b"])
    #expect(said(.offline(reason: "c"), watched: 0) == ["warning: /music is offline: c"])
    #expect(said(.watching, watched: 3) == ["notice: /music is watched"])
    #expect(said(.watching, away: "x", watched: 3) == ["notice: /music is watched"])
    #expect(said(.watching, away: "x", watched: 4) == [])
    #expect(said(.watching, watched: 4) == ["notice: /music is watched"])
    fixture.librarian.stop()
  }

  /// The service of a folder that was never scanned, and the records in which that is kept.
  private func unscanned(
    _ root: BytePath, _ fixture: LibrarianFixture
  ) throws -> (FolderService, KnownFolders) {
    let logger = SaidLines().logger
    let knownFolders = KnownFolders(
      try DiskFiles(directory: BytePath(folder.path("store"))), logger: logger)
    let service = FolderService(
      root: root, isScanned: false, librarian: fixture.librarian, knownFolders: knownFolders,
      problems: ProblemList(), covers: FolderCovers(), clock: .system, logger: logger,
      stateChanged: {})
    return (service, knownFolders)
  }

  @Test("records what a scan says of it, and when a first scan began until that is over")
  func kept() throws {
    let fixture = LibrarianFixture()
    let root = BytePath("/music")
    let (service, knownFolders) = try unscanned(root, fixture)
    var state = WatchState(mode: .watching)
    state.firstScanSeen = 7
    state.innerFileSystems = [
      InnerFileSystem(.mount, at: BytePath("/music/a"), fileSystem: 2, inode: 3, isInStamps: true)
    ]
    // Nobody knows which folder it is.
    service.folderState(state)
    #expect(knownFolders[root] == nil)
    state.rootIdentity = FileIdentity(fileSystem: 1, inode: 2, birth: 3)
    service.folderState(state)
    #expect(
      knownFolders[root]?.identity == state.rootIdentity && knownFolders[root]?.isScanned == false)
    #expect(knownFolders[root]?.firstScanSeen == 7)
    #expect(knownFolders[root]?.innerFileSystems == state.innerFileSystems)
    var contents = LibrarianFixture.contents(albums: 1)
    contents.endsFirstScan = true
    service.merge(contents)
    #expect(knownFolders[root]?.isScanned == true && knownFolders[root]?.firstScanSeen == nil)
    fixture.librarian.stop()
  }

  @Test("A first scan is not over where its last part came too late for a stop to merge it")
  func cutOffByStop() throws {
    let fixture = LibrarianFixture()
    let root = BytePath("/music")
    let (service, knownFolders) = try unscanned(root, fixture)
    var state = WatchState(mode: .watching)
    state.firstScanSeen = 7
    state.rootIdentity = FileIdentity(fileSystem: 1, inode: 2, birth: 3)
    service.folderState(state)
    fixture.librarian.stop()
    var contents = LibrarianFixture.contents(albums: 1)
    contents.endsFirstScan = true
    service.merge(contents)
    // For the watcher it is over.
    state.firstScanSeen = nil
    service.folderState(state)
    #expect(fixture.order == [])
    #expect(knownFolders[root]?.isScanned == false && knownFolders[root]?.firstScanSeen == 7)
  }

  @Test("lets nobody wait for a folder that can't be watched")
  func unwatched() throws {
    let service = try service(isScanned: true)
    let answers = Monitor<[String?]>([])
    service.synchronize { refusal in answers.withLock { $0.append(refusal) } }
    service.rescan(nil, { _ in }) { refusal in answers.withLock { $0.append(refusal) } }
    #expect(answers.withLock { $0 } == [nil, nil])
    service.stop()
  }

  @Test("lets nobody wait behind a merge that the store refuses")
  func refused() throws {
    let fixture = LibrarianFixture()
    let readers = try ReaderPool(program: BytePath("/nowhere"), clock: .system)
    let service = FolderService(
      root: BytePath(folder.path), isScanned: true, librarian: fixture.librarian,
      knownFolders: KnownFolders(
        try DiskFiles(directory: BytePath(folder.path("store"))), logger: fixture.log.logger),
      problems: ProblemList(), covers: FolderCovers(), clock: .system, logger: fixture.log.logger,
      stateChanged: {})
    // Never started: it answers nobody itself.
    try service.prepare(
      settings: WatchSettings(cookies: BytePath(folder.path("run"))), known: { [] },
      scanTimes: ScanTimes(), readers: readers)
    fixture.librarian.mailbox.withLock {
      $0.mergeRefusal = Librarian.MergeRefusal(reason: "full", until: .max)
    }
    let answers = Monitor<[String?]>([])
    service.synchronize { refusal in answers.withLock { $0.append(refusal) } }
    service.rescan(nil, { _ in }) { refusal in answers.withLock { $0.append(refusal) } }
    #expect(answers.withLock { $0 } == ["full", "full"])
    service.stop()
    readers.shutDown()
    fixture.librarian.stop()
  }

  @Test("says that it is being read from before its first look begins")
  func progress() throws {
    let readers = try ReaderPool(program: BytePath("/nowhere"), clock: .system)
    for isScanned in [false, true] {
      let service = try service(isScanned: isScanned)
      // Nor will it be where it can't be watched.
      #expect(service.progress == nil)
      try service.prepare(
        settings: WatchSettings(cookies: BytePath(folder.path("run"))), known: { [] },
        scanTimes: ScanTimes(), readers: readers)
      #expect(service.progress?.scanned == (isScanned ? nil : 0))
      #expect(service.progress?.toScan == nil)
      service.folderState(WatchState(mode: .watching, progress: .init(scanned: 3, toScan: 5)))
      #expect(service.progress?.scanned == 3)
      #expect(service.progress?.toScan == 5)
      var seen = WatchState(mode: .watching)
      seen.isSeen = true
      service.folderState(seen)
      #expect(service.progress == nil)
      service.stop()
    }
    readers.shutDown()
  }
}
