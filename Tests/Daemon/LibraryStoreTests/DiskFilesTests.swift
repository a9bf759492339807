import CLinuxShims
import Glibc
import LibraryModel
import ModelSupport
import Platform
import Synchronization
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Files of the store on a real disk", .limited)
struct DiskFilesTests {
  let folder: TemporaryFolder
  let path: BytePath

  init() throws {
    folder = try TemporaryFolder()
    path = BytePath(folder.path("data/crated"))
  }

  @Test("A store is made, changed, closed, opened again and killed, and keeps everything")
  func roundTrip() throws {
    var maker = LibraryMaker(seed: 41)
    for round in 0..<4 {
      let opened = try Recovery.open(DiskFiles(directory: path))
      #expect(opened.notes.isEmpty)
      expectSame(opened.library, maker.library, "round \(round)")
      for _ in 0..<5 {
        let before = maker.library
        let change = try maker.committed()
        let numbered = try opened.store.commit([change], to: before)
        maker.library.advance(to: numbered[0].sequence)
      }
      if round % 2 == 0 { #expect(opened.store.close(maker.library) == nil) }
    }
    let names = try DiskFiles(directory: path).names(in: .backups)
    #expect(names.count > 4)
    #expect(names.allSatisfy { $0.hasPrefix("crates.") || $0.hasPrefix("journal.") })
  }

  @Test("Only the person can read the store")
  func permissions() throws {
    _ = try Recovery.open(DiskFiles(directory: path))
    var status = stat()
    for (name, mode) in [("", 0o700), ("/backups", 0o700), ("/crates.1.txt", 0o600)]
      as [(String, mode_t)]
    {
      #expect(stat(path.display + name, &status) == 0)
      #expect(status.st_mode & 0o777 == mode, "\(name)")
    }
  }

  @Test("A directory that is removed or replaced is not taken for the one that was opened")
  func replaced() throws {
    let files = try DiskFiles(directory: path)
    let opened = try Recovery.open(files)
    #expect(files.isIntact)
    var maker = LibraryMaker(seed: 1)
    let first = try opened.store.commit([try maker.committed()], to: Library())
    maker.library.advance(to: first[0].sequence)
    let journal = try #require(try files.names(in: .store).last { $0.hasPrefix("journal.") })
    let written = try files.read(StoreName(journal))
    let moved = folder.path("moved")
    try #require(rename(path.display, moved) == 0)
    #expect(!files.isIntact)
    try #require(mkdir(path.display, 0o700) == 0)
    #expect(!files.isIntact)
    let before = maker.library
    let change = try maker.committed()
    let refusal = #expect(throws: StoreRefusal.self) {
      try opened.store.commit([change], to: before)
    }
    #expect(refusal?.isUnknown == false)
    // What went to the old journal before that was noticed is taken out of it.
    #expect(try files.read(StoreName(journal)) == written)
    #expect(try DiskFiles(directory: path).names(in: .store) == ["backups"])
    // Put back, it is the same again; but this store has said that it is over.
    removeTree(path.display)
    try #require(rename(moved, path.display) == 0)
    #expect(files.isIntact)
    #expect(throws: StoreRefusal.self) { try opened.store.commit([change], to: before) }
    #expect(try files.read(StoreName(journal)) == written)
  }

  @Test("Names are taken once, and files are read whole, or not there, or not files")
  func files() throws {
    let files = try DiskFiles(directory: path)
    let name = StoreName("journal.1.txt")
    #expect(try files.read(name) == nil)
    let file = try files.create(name)
    #expect(throws: SystemCallError.self) { try files.create(name) }
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    try files.append(bytes, to: file)
    try files.append([1, 2, 3], to: file)
    try files.truncate(file, to: bytes.count + 1)
    try files.append([4], to: file)
    try files.synchronize(file)
    try files.close(file)
    #expect(try files.read(name) == bytes + [1, 4])
    let other = try files.create(StoreName("other"))
    try files.close(other)
    let taken = #expect(throws: SystemCallError.self) {
      try files.rename(StoreName("other"), to: name)
    }
    #expect(taken?.code == EEXIST)
    try files.rename(name, to: StoreName(name.name, in: .backups))
    try files.remove(StoreName("other"))
    #expect(try files.names(in: .store) == ["backups"])
    #expect(try files.names(in: .backups) == ["journal.1.txt"])
    #expect(throws: SystemCallError.self) { try files.remove(name) }
  }

  @Test(
    "A pipe, a directory or a link in the place of a file is an error, and nothing is waited for")
  func oddFiles() throws {
    let files = try DiskFiles(directory: path)
    try #require(mkfifo(path.display + "/pipe", 0o600) == 0)
    try #require(symlink("/dev/zero", path.display + "/link") == 0)
    for (name, code) in [("pipe", EINVAL), ("backups", EISDIR), ("link", ELOOP)] {
      let error = #expect(throws: SystemCallError.self) { try files.read(StoreName(name)) }
      #expect(error?.code == code, "\(name)")
    }
  }

  @Test(
    "A file that has less in it than its size says is read as far as it goes",
    .enabled(if: access("/sys/devices/system/cpu/online", R_OK) == 0))
  func shorter() throws {
    // The kernel gives these files the size of a page.
    let bytes = try #require(try DiskFiles.read(BytePath("/sys/devices/system/cpu/online")))
    #expect(bytes.first == UInt8(ascii: "0") && bytes.last == 0x0A && bytes.count < 4096)
  }

  @Test("An empty snapshot, a directory and a pipe in its place stop the start")
  func oddSnapshots() throws {
    for make in ["file", "directory", "pipe"] {
      removeTree(path.display)
      let files = try DiskFiles(directory: path)
      let name = path.display + "/crates.1.txt"
      switch make {
      case "file": try writeFile([], to: name)
      case "directory": try #require(mkdir(name, 0o700) == 0)
      default: try #require(mkfifo(name, 0o600) == 0)
      }
      #expect(throws: StoreFailure.self, "\(make)") { try Recovery.open(files) }
      #expect(try files.names(in: .store) == ["backups", "crates.1.txt"])
    }
  }

  /// How often a signal was handled.
  private static let cutShort = Atomic(0)

  @Test("A write that a signal cuts short goes on with what is left, and ends there")
  func interruptedWrite() throws {
    let cutShort = Self.cutShort.load(ordering: .relaxed)
    var handling = sigaction()
    handling.__sigaction_handler.sa_handler = { _ in
      DiskFilesTests.cutShort.add(1, ordering: .relaxed)
    }
    var former = sigaction()
    try #require(sigaction(SIGUSR2, &handling, &former) == 0)
    // The threads that tests run on block what they can.
    var (signals, blocked) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR2)
    pthread_sigmask(SIG_UNBLOCK, &signals, &blocked)
    defer {
      pthread_sigmask(SIG_SETMASK, &blocked, nil)
      sigaction(SIGUSR2, &former, nil)
    }
    var ends: [Int32] = [-1, -1]
    // No program that another test starts holds it open.
    try #require(crated_pipe2(&ends, O_CLOEXEC) == 0)
    let (from, to, writer) = (ends[0], ends[1], pthread_self())
    let found = Mutex<[UInt8]>([])
    let reader = BlockingThread("reader") {
      // The write waits as soon as the pipe is full, and nothing is read until it has ended.
      var room = pollfd(fd: to, events: Int16(POLLOUT), revents: 0)
      while poll(&room, 1, 0) != 0 { sched_yield() }
      pthread_kill(writer, SIGUSR2)
      while Self.cutShort.load(ordering: .relaxed) == cutShort { sched_yield() }
      var part = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = read(from, &part, part.count), count > 0 {
        found.withLock { $0 += part.prefix(count) }
      }
    }
    let files = try DiskFiles(directory: path)
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    try files.append(bytes, to: to)
    try files.close(to)
    reader.join()
    close(from)
    let whole = found.withLock(\.self)
    #expect(whole.count == bytes.count)
    #expect(whole.elementsEqual(bytes))
  }

  @Test("A write beyond what is allowed fails")
  func fullDevice() throws {
    let file = open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(file >= 0)
    let files = try DiskFiles(directory: path)
    let failure = #expect(throws: SystemCallError.self) { try files.append([1, 2, 3], to: file) }
    #expect(failure?.code == ENOSPC)
    try files.close(file)
  }
}
