import CratesInterface
import Glibc
import LibraryIndex
import LibraryModel
import LogSupport
import Platform
import ProgramSupport
import Synchronization
import TagReading
import TestSupport
import Testing

@testable import DaemonCore

@Suite("The daemon's start and end", .serialized, .limited)
struct DaemonStartTests {
  private let home: Home

  init() throws {
    home = try Home()
    try SmallLibrary.write(albums: 2, to: home.music)
  }

  /// What a start fails with.
  private func failure(
    _ environment: [String: String] = [:], _ location: SourceLocation = #_sourceLocation
  ) throws -> DaemonFailure {
    try #require(throws: DaemonFailure.self, sourceLocation: location) {
      _ = try LivingDaemon(home, environment: environment)
    }
  }

  @Test("It tells its service manager and its log what it does, and reads no song twice")
  func told() throws {
    var living = try LivingDaemon(home)
    #expect(living.passedNews == [])
    #expect(living.log.all.contains("notice: the store is new"))
    living.log.wait(for: "notice: ready")
    try CratesClient(home).sync()
    #expect(try living.daemon.status().songs == 6)
    let readers = try living.daemon.folders.readers
    try living.stop()
    // Whoever asks is refused at once.
    let file = OpenFile(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
    let isRefused = Monitor(false)
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: 1, birth: 1), size: 1, modified: 1, changed: 1)
    readers.share(of: BytePath(home.music)).readPicture(
      file.descriptor, stamp: stamp, pathExtension: ""
    ) { _ in
      isRefused.withLock { $0 = true }
    }
    #expect(isRefused.withLock { $0 })
    let told = living.news()
    // A slow machine may speak of the scan first.
    let first = told.first { !$0.hasPrefix("STATUS=Scanning") }
    #expect(first == "STATUS=Watching 1 folder")
    #expect(told.last == "STOPPING=1")
    #expect(living.log.all.last == "notice: stopped")
    // The next one has the outline to begin with.
    living = try LivingDaemon(home)
    #expect(living.passedNews == ["STATUS=Reading the songs"])
    // From then on it would tell of the past.
    #expect(access(home.folder.path("cache/crated/outline"), F_OK) != 0)
    #expect(living.log.all.contains("notice: the store has 6 songs in 1 crates"))
    try CratesClient(home).sync()
    #expect(!living.news().contains { $0.hasPrefix("STATUS=Scanning") })
    try living.stop()
    // Nor is there a scan where the outline is lost.
    unlink(home.folder.path("cache/crated/outline"))
    living = try LivingDaemon(home)
    #expect(living.passedNews == [])
    try CratesClient(home).sync()
    #expect(!living.news().contains { $0.hasPrefix("STATUS=Scanning") })
    try living.stop()
  }

  @Test("Crates, albums and counts are there before the songs, and who asks for songs waits")
  func outline() throws {
    var living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let albums = try client.albums()
    try client.move(albums: [albums[1].id], .top, to: "Late")
    let (order, status) = (try client.order(), try client.status())
    try living.stop()
    do {
      let index = try lockedIndex()
      living = try LivingDaemon(home, until: "STATUS=Reading the songs")
      let early = try CratesClient(home)
      #expect(try early.albums().map(\.title) == ["Album 1", "Album 0"])
      let now = try early.status()
      #expect(now.sequence == status.sequence && now.songs == 6 && now.crates == 2)
      #expect(now.folders.map(\.songs) == [6])
      #expect(now.newAlbums == status.newAlbums)
      #expect(try living.daemon.published.atHand.isOutline)
      #expect(living.news() == [])
      _ = consume index
    }
    #expect(try CratesClient(home).order() == order)
    try living.wait(for: "READY=1")
    try living.stop()
  }

  @Test("A store that can't be read behind its outline ends the start, and stays as it is")
  func unreadable() throws {
    let living = try LivingDaemon(home)
    try CratesClient(home).sync()
    try living.stop()
    let outline = home.folder.path("cache/crated/outline")
    let seen = try readFile(outline)
    let name = try #require(try names(in: home.store).first { $0.hasPrefix("crates.") })
    var snapshot = try readFile("\(home.store)/\(name)")
    try #require(snapshot.starts(with: Array("crated ".utf8)))
    // A later version, with the end that the outline is of.
    snapshot[7] = 0x39
    try writeFile(snapshot, to: "\(home.store)/\(name)")
    #expect(try failure().status == DaemonFailure.configuration)
    #expect(try readFile("\(home.store)/\(name)") == snapshot)
    #expect(try readFile(outline) == seen)
    // Nobody is left who answers.
    #expect(throws: SystemCallError.self) { _ = try RawClient(home) }
  }

  @Test("A store that is lost once its outline was read ends the start, and nobody waits for songs")
  func lost() throws {
    let living = try LivingDaemon(home)
    try CratesClient(home).sync()
    try living.stop()
    let paths = Array(try home.storeContents().keys)
    let failure = try #require(throws: DaemonFailure.self) {
      _ = try LivingDaemon(
        home,
        beforeStart: { for path in paths { try? writeFile([], to: path) } })
    }
    #expect(failure.status == DaemonFailure.unusableStore)
    #expect(throws: SystemCallError.self) { _ = try RawClient(home) }
  }

  @Test(
    "A folder that was scanned is not scanned again, where the records of folders are lost, too")
  func bookLost() throws {
    var living = try LivingDaemon(home)
    try CratesClient(home).sync()
    try living.stop()
    let knownFolders = try #require(try names(in: home.store).first { $0.contains("folder") })
    for isLost in [false, true] {
      if isLost { unlink("\(home.store)/\(knownFolders)") }
      living = try LivingDaemon(home)
      let sequence = try living.daemon.published.library.sequence
      let folder = try #require(try living.daemon.folders.all.first)
      #expect(folder.progress == nil)
      try CratesClient(home).sync()
      #expect(try living.daemon.published.library.sequence == sequence)
      try living.stop()
    }
    // Nothing else would tell, but the records do.
    removeTree(home.music)
    try home.folder.makeFolder("Music")
    let empty = try LivingDaemon(home)
    try CratesClient(home).sync()
    try empty.stop()
    living = try LivingDaemon(home)
    #expect(try living.daemon.folders.all.first?.progress == nil)
    try living.stop()
  }

  @Test("The startup grace is over where a client waits for the folders")
  func startupGrace() throws {
    let first = try LivingDaemon(home)
    try CratesClient(home).sync()
    try first.stop()
    for isRescan in [false, true] {
      let index = try lockedIndex()
      let living = try LivingDaemon(home, until: "STATUS=Reading the songs")
      let daemon = try living.daemon
      #expect(!daemon.startupGrace.isOver)
      let answered = Monitor(false)
      let answer: MergeWaiters.Completion = { _ in answered.withLock { $0 = true } }
      if isRescan {
        let isTaken = daemon.rescan(nil, progress: { _ in }, answer)
        #expect(isTaken)
      } else {
        daemon.synchronize(answer)
      }
      #expect(daemon.startupGrace.isOver)
      _ = consume index
      try living.wait(for: "READY=1")
      #expect(answered.wait(until: Patience.end) { $0 ? () : nil } != nil)
      try living.stop()
    }
  }

  @Test("Lists, and what is remembered of them, are made where there was no directory")
  func listsMade() throws {
    let lists = home.folder.path("lists")
    try home.configure("music_folders = [\"\(home.music)\"]\nplaylists = \"\(lists)\"\n")
    home.environment["XDG_STATE_HOME"] = home.folder.path("state")
    let living = try LivingDaemon(home)
    try CratesClient(home).sync()
    let playlists = try living.daemon.playlists
    playlists.wait(forRounds: 1)
    try living.stop()
    #expect(playlists.problems.all.map(\.problem.message) == [])
    #expect(try names(in: lists) == ["Music.m3u8"])
    #expect(try !names(in: home.folder.path("state/crated/playlists")).isEmpty)
  }

  /// Keeps SQLite from the index until it is closed (sqlite.org/lockingv3.html), by a process of
  /// its own: locks of this one keep none of its threads from anything.
  private func lockedIndex() throws -> RunningProgram {
    let script = """
      import fcntl, struct, sys
      file = open(sys.argv[1], "r+b")
      fcntl.lockf(file, fcntl.LOCK_EX, 512, 0x40000000)
      print("locked", flush=True)
      sys.stdin.read()
      """
    let program = try RunningProgram(
      "/usr/bin/python3", ["-c", script, home.index], environment: home.environment,
      errors: home.log,
      takesInput: true)
    #expect(try program.nextLine() == "locked")
    return program
  }

  @Test("Nobody else has its store, and who tries is told who has")
  func owned() throws {
    let living = try LivingDaemon(home)
    let refused = try failure()
    #expect(refused.status == DaemonFailure.owned)
    #expect(
      refused.description
        == "the crated with process id \(getpid()) owns the store \(home.store): use that one, or"
        + " stop it first")
    try CratesClient(home).sync()
    // One whose lock file goes is told of it.
    let told = "the lock file of the store was removed: restart crated"
    #expect(try !living.daemon.status().warnings.contains(told))
    unlink("\(home.store)/lock")
    #expect(try living.daemon.status().warnings.contains(told))
    try living.stop()
  }

  @Test("Each thing that it can't be without ends the start, with what to do")
  func refused() throws {
    try home.folder.write("no directory", to: "data/crated")
    let store = try failure()
    #expect(store.status == DaemonFailure.unusableStore)
    #expect(store.description.hasPrefix("the store can't be opened ("))
    #expect(store.description.hasSuffix("): check the directory and the disk"))
    unlink(home.store)

    let file = try home.folder.write("no directory", to: "run/file")
    let runtime = try failure(["XDG_RUNTIME_DIR": file])
    #expect(runtime.status == DaemonFailure.system)
    #expect(runtime.description.hasSuffix(": check XDG_RUNTIME_DIR"))

    let inherited = try failure(["LISTEN_FDS": "2", "LISTEN_PID": "\(getpid())"])
    #expect(inherited.status == DaemonFailure.configuration)

    try home.folder.write("no directory", to: "run/crated/org.crated.Crates/x")
    let socket = try failure()
    #expect(socket.status == DaemonFailure.system)
    removeTree(home.socket)

    let living = try LivingDaemon(home)
    try CratesClient(home).sync()
    try living.stop()
    for name in try names(in: home.store) where name.hasPrefix("crates.") {
      try writeFile(Array("crated 9\n".utf8), to: "\(home.store)/\(name)")
    }
    #expect(try failure().status == DaemonFailure.configuration)
  }

  @Test("A damaged store is shown as far as it is good, takes nothing, and says what to do")
  func damaged() throws {
    var living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let order = try client.order()
    try living.stop()
    try home.storeContents().keys.filter { !$0.contains("/backups/") }.forEach { path in
      try writeFile([], to: path)
    }
    living = try LivingDaemon(home)
    let warnings = living.log.all.filter { $0.hasPrefix("warning: crates.") }
    #expect(warnings.count == 1 && warnings.first?.contains("crated restore") == true)
    let later = try CratesClient(home)
    #expect(try later.order() == order)
    let status = try later.status()
    #expect(status.store == .readOnly)
    let reason = try #require(status.storeReason)
    #expect(reason.contains("crated restore") && status.problems == 1)
    let problems = try later.problems()
    #expect(problems.map(\.kind) == [.damagedStore] && problems.map(\.message) == [reason])
    #expect(problems.map(\.path) == [home.store] && problems.map(\.since) == [status.started])
    #expect(throws: InterfaceError.self) {
      try later.move(albums: [order.albums[0].id], .bottom)
    }
    try SmallLibrary.song(5, 1, to: home.music)
    #expect(throws: InterfaceError.self) { try later.sync() }
    #expect(try later.order() == order)
    try living.stop()
    // The newest that is good is the store's beginning.
    try home.storeContents().keys.filter { $0.contains("/backups/journal.") }.forEach { path in
      try writeFile([], to: path)
    }
    living = try LivingDaemon(home)
    #expect(try CratesClient(home).status().songs == 0)
    #expect(!living.log.all.contains("notice: the store is new"))
    try living.stop()
    // Nothing at all that is good.
    try home.storeContents().keys.forEach { try writeFile([], to: $0) }
    #expect(try failure().status == DaemonFailure.unusableStore)
  }

  @Test("What watches it hears that it lives, twice as often as it wants")
  func watchdog() throws {
    // From before its start: what it has told by the time that it is ready waits to be heard.
    let begun = Clock.system.monotonic()
    let living = try LivingDaemon(home, environment: ["WATCHDOG_USEC": "200000"])
    for _ in 0..<4 { try living.wait(for: "WATCHDOG=1") }
    #expect(Clock.system.monotonic() - begun >= 300_000_000)
    try living.stop()
    let other = try LivingDaemon(home, environment: ["WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"])
    try CratesClient(home).sync()
    try other.stop()
    #expect(!other.news().contains("WATCHDOG=1"))
  }

  @Test("Nothing is left of the daemon at its end")
  func remains() throws {
    var remains = Remains()
    do {
      let living = try LivingDaemon(home)
      let client = try CratesClient(home)
      try client.sync()
      _ = try client.albums()
      let daemon = try living.daemon
      remains.note(daemon, as: "daemon")
      let (server, answering) = daemon.parts.withLock { ($0.server, $0.answering) }
      remains.note(try #require(server), as: "server")
      remains.note(try #require(answering), as: "answering")
      for folder in daemon.folders.all { remains.note(folder, as: "folder") }
      try living.stop()
    }
    #expect(remains.count > 25)
    #expect(remains.left == [])
  }

  @Test("What the index says of files that no song has is dropped from it")
  func strangers() throws {
    var living = try LivingDaemon(home)
    try CratesClient(home).sync()
    let sequence = try living.daemon.published.library.sequence
    try living.stop()
    let path = home.folder.path("cache/crated/index.sqlite")
    var index = try LibraryIndex.open(at: path, newest: sequence).index
    let known = try index.files()
    try #require(known.count == 6)
    var batch = LibraryIndex.Batch()
    batch.files = [
      IndexedFile(
        path: BytePath("\(home.music)/none.flac"), song: known[0].song, facts: known[1].facts)
    ]
    try index.write(batch)
    try index.close()
    living = try LivingDaemon(home)
    try CratesClient(home).sync()
    try living.stop()
    index = try LibraryIndex.open(at: path, newest: sequence).index
    #expect(try index.files().map(\.path) == known.map(\.path))
    try index.close()
  }
}
