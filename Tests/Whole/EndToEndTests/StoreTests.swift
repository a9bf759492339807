import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

@Suite("Stores that can't be used", .serialized, .limited)
struct StoreTests {
  let home: Home

  init() throws {
    home = try Home()
    try copy(try SampleMusic.albums([.mp3, .flac]), to: "\(home.music)/Here")
  }

  @Test("A second daemon says who owns the store, and leaves the first alone")
  func second() throws {
    let daemon = try RunningDaemon(home)
    let refusal = try RunningDaemon.refusal(home)
    #expect(refusal.status == 3)
    try #require(refusal.lines.count == 1, "\(refusal.lines)")
    #expect(refusal.lines[0].contains("\(daemon.pid)"))
    try daemon.sync()
    #expect(try home.status().songs == 6)
    // One that was killed owns nothing any more.
    try daemon.kill()
    try RunningDaemon(home).stop()
  }

  @Test("A process that was forked and not yet another program holds up a start, and refuses none")
  func lockOutlivesOwner() throws {
    try RunningDaemon(home).stop()
    // Python takes the lock as a daemon would, forks, and ends; its child keeps the lock until the
    // next daemon was seen to be refused.
    let script = """
      import fcntl, os, sys
      lock = os.open(sys.argv[1], os.O_RDWR)
      fcntl.flock(lock, fcntl.LOCK_EX)
      if os.fork(): sys.exit(0)
      os.close(1); os.close(2)
      while True:
        try:
          if "EAGAIN" in open(sys.argv[2]).read(): os._exit(0)
        except FileNotFoundError: pass
      """
    let lock = "\(home.store)/lock"
    let trace = home.folder.path("trace")
    let result = try run("python3", ["-c", script, lock, trace])
    try #require(result.status == 0, "\(result.errors)")
    let daemon = try RunningDaemon(home, behind: Tracer.inFront(home, paths: [lock], faults: []))
    try daemon.stop()
    let locking = try TracedCall.read(trace).filter { $0.name == "flock" }
    #expect(locking.first?.hasFailed == true && locking.contains { !$0.hasFailed })
  }

  @Test("A tag reader that outlives a killed daemon keeps nothing of the store from the next one")
  func readerOutlives() throws {
    // crated starts the reader beside it. This one says which process it is, and stays.
    try home.folder.makeFolder("bin")
    let crated = home.folder.path("bin/crated")
    try copy(try Home.program("crated"), to: crated)
    // Where programs that the daemon starts may write.
    let fifo = home.folder.path("cache/reader")
    try #require(mkfifo(fifo, 0o600) == 0)
    let script = "#!/bin/sh\necho $$ > '\(fifo)'\nexec sleep 600\n"
    let reader = try home.folder.write(script, to: "bin/crate-tag-reader")
    #expect(chmod(reader, 0o755) == 0)
    let words = try RunningProgram(
      "cat", [fifo], environment: home.environment, errors: home.log)
    let daemon = try RunningDaemon(home, program: crated)
    let pid = try #require(try words.nextLine().flatMap { pid_t($0) })
    defer { kill(pid, SIGKILL) }
    try daemon.kill()
    let lock = try FileLock(path: Array("\(home.store)/lock".utf8))
    #expect(lock.isIntact)
    _ = consume lock
    let again = try RunningDaemon(home)
    try again.sync()
    #expect(try home.status().songs == 6)
    // The process was there all the time.
    #expect(String(decoding: try readFile("/proc/\(pid)/comm"), as: UTF8.self) == "sleep\n")
    let open = try run("sh", ["-c", "readlink /proc/\(pid)/fd/*"]).output
    #expect(open.contains("socket:"), "\(open)")
    #expect(!open.contains(home.folder.path("data")) && !open.contains(home.music), "\(open)")
    try again.stop()
  }

  @Test("Where nothing good is left, the start ends with 65 and alters nothing")
  func damaged() throws {
    try fill()
    try change { bytes in bytes[bytes.count / 2] ^= 1 }
    let before = try home.storeContents()
    let refusal = try RunningDaemon.refusal(home)
    #expect(refusal.status == 65)
    #expect(refusal.lines.last?.contains("crates.") == true, "\(refusal.lines)")
    #expect(try home.storeContents() == before)
  }

  @Test("Files that have become empty are no empty store")
  func truncated() throws {
    try fill()
    try change { $0 = [] }
    let before = try home.storeContents()
    #expect(try RunningDaemon.refusal(home).status == 65)
    #expect(try home.storeContents() == before)
  }

  @Test("A store of a later version ends the start with 78 and stays as it is")
  func later() throws {
    try fill()
    try change { bytes in
      // "crated 1 …", "crated-journal 1 …"
      if let blank = bytes.firstIndex(of: UInt8(ascii: " ")) {
        bytes[blank + 1] = UInt8(ascii: "3")
      }
    }
    let before = try home.storeContents()
    let refusal = try RunningDaemon.refusal(home)
    #expect(refusal.status == 78)
    #expect(refusal.lines.count == 1, "\(refusal.lines)")
    #expect(try home.storeContents() == before)
  }

  @Test("A damaged journal: what is before is shown, and nothing is changed until it is mended")
  func readOnly() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("rename", "Music", "Jazz")
    try home.crate("rename", "Jazz", "Music")
    let order = try home.places()
    // Killed, so that the journal is all there is.
    try daemon.kill()
    let before = try home.storeContents()
    let journals = before.filter { $0.key.contains("journal.") }
    let journal = try #require(journals.max { $0.value.count < $1.value.count }).key
    var bytes = try readFile(journal)
    // In the last record but one: the last has a line before and one after its change.
    let ends = bytes.indices.filter { bytes[$0] == 10 }
    bytes[ends[ends.count - 4] - 20] ^= 1
    try writeFile(bytes, to: journal)
    let damagedContents = try home.storeContents()

    let again = try RunningDaemon(home)
    try again.sync()
    #expect(try home.places().count == order.count)
    let status = try home.status()
    #expect(status.store == .readOnly)
    #expect(status.storeReason?.isEmpty == false)
    #expect(try home.problems().map(\.kind) == [.damagedStore])
    let refusal = try home.crate("rename", "Music", "Jazz", status: 75)
    #expect(refusal.errors.split(separator: "\n").count == 1)
    try again.stop()
    #expect(try home.storeContents() == damagedContents)
  }

  /// A store with two crates in it, closed in order.
  private func fill() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("move", "Album flac", "to", "Evening")
    try daemon.stop()
  }

  private func change(_ body: (inout [UInt8]) -> Void) throws {
    for (path, bytes) in try home.storeContents() {
      var bytes = bytes
      body(&bytes)
      try writeFile(bytes, to: path)
    }
  }
}
