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
      for _ in 0..<5 { try change(opened.store, &maker) }
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
    try change(opened.store, &maker)
    let journal = try #require(try files.names(in: .store).last { $0.hasPrefix("journal.") })
    let written = try files.read(StoreName(journal))
    let moved = folder.path("moved")
    try #require(rename(path.display, moved) == 0)
    #expect(!files.isIntact)
    try #require(mkdir(path.display, 0o700) == 0)
    #expect(!files.isIntact)
    let before = maker.library
    let next = try maker.committed()
    let refusal = #expect(throws: StoreRefusal.self) {
      try opened.store.commit([next], to: before)
    }
    #expect(refusal?.isUnknown == false)
    // What went to the old journal before that was noticed is taken out of it.
    #expect(try files.read(StoreName(journal)) == written)
    #expect(try DiskFiles(directory: path).names(in: .store) == ["backups"])
    // Put back, it is the same again; but this store has said that it is over.
    removeTree(path.display)
    try #require(rename(moved, path.display) == 0)
    #expect(files.isIntact)
    #expect(throws: StoreRefusal.self) { try opened.store.commit([next], to: before) }
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
    #expect(try files.read(name) == bytes + [1, 4])
    let nothing = #expect(throws: SystemCallError.self) {
      try files.rename(StoreName("nothing"), to: StoreName("new"))
    }
    #expect(nothing?.code == ENOENT)
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

  // MARK: Names and modes

  private func mode(_ name: String, _ mode: mode_t) throws {
    try #require(chmod(name.isEmpty ? path.display : "\(path.display)/\(name)", mode) == 0)
  }

  @Test("What others may read or write is told of both folders, and of the store's files alone")
  func openToOthers() throws {
    let files = try DiskFiles(directory: path)
    for name in [
      "lock", "crates.1.txt", "crates.2.txt.new", "folders.txt", "notes.txt", "backups/torn.1.x",
      "backups/damaged.1.x", "backups/lock", "backups/journal.1.txt",
    ] {
      try folder.write([], to: "data/crated/\(name)")
      try mode(name, 0o600)
    }
    func told() throws -> [String] {
      try DiskFiles(reading: path).openToOthers().map { "\($0.name) \($0.mode)" }
    }
    #expect(try told().isEmpty && files.openToOthers().isEmpty)
    for name in ["lock", "crates.1.txt", "backups/journal.1.txt"] { try mode(name, 0o640) }
    for name in ["crates.2.txt.new", "folders.txt", "backups/torn.1.x"] { try mode(name, 0o602) }
    for name in ["notes.txt", "backups/lock"] { try mode(name, 0o666) }
    try mode("backups/damaged.1.x", 0o601)
    try mode("backups", 0o710)
    #expect(
      try told() == [
        "backups/damaged.1.x 600", "backups/journal.1.txt 600", "backups/torn.1.x 600",
        "backups 700", "crates.1.txt 600", "crates.2.txt.new 600", "folders.txt 600", "lock 600",
      ])
    try mode("", 0o701)
    #expect(try told().first == ". 700")
  }

  @Test("Files and directories that are there already are not made anew, and those above are made")
  func madeOnce() throws {
    let deep = BytePath(folder.path("a/b/c"))
    let files = try DiskFiles(directory: deep)
    let file = try files.create(.journal(1))
    try files.close(file)
    #expect(try DiskFiles(directory: deep).names(in: .store) == ["backups", "journal.1.txt"])
    #expect(try DiskFiles(again: files).names(in: .store) == ["backups", "journal.1.txt"])
    #expect(try DiskFiles(again: files).names(in: .backups).isEmpty)
    try folder.write([], to: "file")
    let error = #expect(throws: SystemCallError.self) {
      try DiskFiles(directory: BytePath(folder.path("file/store")))
    }
    #expect(error?.code == ENOTDIR)
    // The directory of the backups may be missing where a store is only read, and be no file.
    try #require(rmdir("\(deep.display)/backups") == 0)
    #expect(try DiskFiles(reading: deep).names(in: .backups).isEmpty)
    try folder.write([], to: "a/b/c/backups")
    #expect(throws: SystemCallError.self) { try DiskFiles(reading: deep) }
  }

  @Test("A file has its size and its bytes, and one that is not there has none")
  func sizes() throws {
    let files = try DiskFiles(directory: path)
    #expect(try files.size(of: .journal(1)) == nil)
    for count in [0, 1, 70_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
      try folder.write(bytes, to: "data/crated/backups/journal.1.txt")
      let name = StoreName("journal.1.txt", in: .backups)
      #expect(try files.size(of: name) == count)
      #expect(try files.read(name) == bytes)
      #expect(try DiskFiles.read(path.appending("backups/journal.1.txt".utf8)) == bytes)
      try files.synchronizeFound(name)
    }
    #expect(try DiskFiles.read(path.appending("nothing".utf8)) == nil)
    #expect(throws: SystemCallError.self) { try files.synchronizeFound(.journal(1)) }
    try folder.write([], to: "data/crated/file")
    let inFile = StoreName("file/x")
    #expect(throws: SystemCallError.self) { try files.size(of: inFile) }
    #expect(throws: SystemCallError.self) { try files.read(inFile) }
  }

  @Test("A file that is larger than any of the store's is not read")
  func tooLarge() throws {
    let path = BytePath(try folder.write([1, 2, 3], to: "file"))
    #expect(try DiskFiles.read(path, most: 3) == [1, 2, 3])
    let error = #expect(throws: SystemCallError.self) { try DiskFiles.read(path, most: 2) }
    #expect(error?.code == EFBIG)
  }

  @Test("Whether there is room is tried without a trace")
  func probe() throws {
    let files = try DiskFiles(directory: path)
    try files.probe()
    // What an earlier call left says nothing of the names.
    errno = EIO
    #expect(try files.names(in: .store) == ["backups"])
  }
}
