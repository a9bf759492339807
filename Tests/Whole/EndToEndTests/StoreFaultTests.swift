import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// The kernel answers with errors while the daemon runs.
@Suite("Faults under a running daemon", .serialized, .limited)
struct StoreFaultTests {
  let home: Home
  let daemon: RunningDaemon
  let client: CratesClient
  let journal: String

  init() throws {
    home = try Home()
    try SmallLibrary.write(albums: 3, to: home.music)
    daemon = try RunningDaemon(home)
    client = try CratesClient(home)
    try client.sync()
    journal = try #require(try home.newestJournal())
  }

  private func edit() throws {
    let albums = try client.albums()
    try client.move(albums: [albums[albums.count - 1].id], .top)
  }

  /// What keeps the edit from being made.
  private func refusal(_ location: SourceLocation = #_sourceLocation) throws -> InterfaceError {
    let before = try client.order()
    let error = #expect(throws: InterfaceError.self, sourceLocation: location) { try edit() }
    #expect(try client.order() == before, "reading goes on", sourceLocation: location)
    return try #require(error)
  }

  private func isRefused(_ error: InterfaceError) -> Bool {
    if case .changesRefused = error { true } else { false }
  }

  private func isUnknown(_ error: InterfaceError) -> Bool {
    if case .outcomeUnknown = error { true } else { false }
  }

  /// The edit goes through, and is there after a kill.
  private func expectHealed() throws {
    try edit()
    #expect(try client.status().store == .ready)
    #expect(try client.status().storeReason == nil)
    let order = try client.order()
    try daemon.kill()
    let again = try RunningDaemon(home)
    expectSame(try CratesClient(home).order(), order)
    try again.stop()
  }

  /// No file was written to or synced again after a failed sync of it.
  private func expectNeverUsedAgain(_ calls: [TracedCall]) {
    var failed: Set<Substring> = []
    for call in calls where ["write", "fdatasync", "fsync", "ftruncate"].contains(call.name) {
      guard let path = call.text.firstMatch(of: /^\(\d+<([^>]*)>/)?.1 else { continue }
      #expect(!failed.contains(path), "\(call)")
      if call.hasFailed, call.name.hasSuffix("sync") { failed.insert(path) }
    }
  }

  @Test(
    "A journal that can't be written is cut back, said, and written again when that is over",
    arguments: [
      ("ENOSPC", Interface.StoreState.full, "make room"), ("EDQUOT", .full, "make room"),
      ("EROFS", .readOnly, "make it writable"),
    ])
  func heals(code: String, state: Interface.StoreState, advice: String) throws {
    let before = try readFile(journal)
    // Writes of this file alone fail: the thread wakes others by writing, too.
    let tracer = try Tracer(
      daemon, thread: "librarian", home, faults: ["write:error=\(code)"], paths: [journal])
    for _ in 0..<3 {
      #expect(try isRefused(refusal()))
      let status = try client.status()
      #expect(status.store == state)
      #expect(status.storeReason?.contains(advice) == true, "\(status.storeReason ?? "")")
    }
    #expect(try home.crate("move", "Music", "1", "bottom", status: 75).errors.contains(advice))
    let calls = try tracer.end()
    #expect(calls.count { $0.name == "write" && $0.isOf(journal) && $0.isInjected } == 4)
    #expect(try readFile(journal) == before)
    try expectHealed()
  }

  /// Lets the journal grow by ten bytes more, which is less than any batch; nil: as it likes.
  private func limitFiles(to size: Int?) throws {
    let limit = size.map { "\($0 + 10)" } ?? "unlimited"
    let words = ["--pid", "\(daemon.pid)", "--fsize=\(limit):unlimited"]
    let result = try run("prlimit", words)
    try #require(result.status == 0, "\(result.errors)")
  }

  @Test("A limit that lets half a batch through leaves none of it")
  func shortWrite() throws {
    let before = try readFile(journal)
    try limitFiles(to: before.count)
    let tracer = try Tracer(daemon, thread: "librarian", home)
    #expect(try isRefused(refusal()))
    #expect(try client.status().store == .full)
    let calls = try tracer.end()
    #expect(calls.contains { $0.name == "write" && $0.isOf(journal) && $0.text.hasSuffix("= 10") })
    #expect(calls.contains { $0.name == "ftruncate" && $0.isOf(journal) })
    #expect(try readFile(journal) == before)
    try limitFiles(to: nil)
    try expectHealed()
  }

  @Test(
    "Where half a batch can't be cut back, the journal is replaced, or left until the restart",
    arguments: [[], ["openat:error=ENOSPC"]])
  func noCutBack(further: [String]) throws {
    // What takes its place must be shorter, or would not fit either.
    while try readFile(journal).count < 8192 { try edit() }
    let before = try readFile(journal)
    let order = try client.order()
    try limitFiles(to: before.count)
    let faults = ["ftruncate:error=EIO"] + further
    let tracer = try Tracer(daemon, thread: "librarian", home, faults: faults)
    #expect(try isRefused(refusal()))
    let calls = try tracer.end()
    #expect(calls.contains { $0.name == "write" && $0.isOf(journal) && $0.text.hasSuffix("= 10") })
    for name in faults.map({ $0.prefix { $0 != ":" } }) {
      #expect(calls.contains { $0.name == name && $0.isInjected }, "\(name)")
    }
    try limitFiles(to: nil)
    if further.isEmpty {
      #expect(try home.newestJournal() != journal)
      return try expectHealed()
    }
    #expect(try client.status().storeReason?.contains("restart crated") == true)
    #expect(try isRefused(refusal()))
    try daemon.stop()
    #expect(try readFile(journal).count == before.count + 10)
    let again = try RunningDaemon(home)
    let next = try CratesClient(home)
    expectSame(try next.order(), order)
    try next.move(albums: [order.albums[1].id], .top)
    #expect(try next.status().store == .ready)
    try again.stop()
  }

  @Test(
    "After a fault that says nothing of what is on the disk, a new generation takes the place",
    arguments: [
      "write:error=EIO", "fdatasync:error=EIO", "fdatasync:error=ENOSPC",
      "fdatasync:error=EDQUOT", "fdatasync:error=EROFS",
    ])
  func replaced(fault: String) throws {
    let call = fault.prefix { $0 != ":" }
    let tracer = try Tracer(daemon, thread: "librarian", home, faults: ["\(fault):when=1"])
    #expect(try isRefused(refusal()), "the new generation says that it did not happen")
    #expect(try client.status().store == .ready)
    try edit()
    let calls = try tracer.end()
    let failed = try #require(calls.firstIndex { $0.isInjected })
    #expect(calls[failed].name == call && calls[failed].isOf(journal), "\(calls[failed])")
    #expect(calls.count { $0.isInjected } == 1)
    let later = calls[(failed + 1)...].filter { $0.isOf(journal) }
    #expect(later.allSatisfy { $0.name == "close" || $0.name.contains("stat") }, "\(later)")
    #expect(try home.newestJournal() != journal)
    try expectHealed()
  }

  @Test(
    "Where it can't be written anew either, the store is read-only and says so until the restart",
    arguments: [
      ["fdatasync:error=EIO"],
      ["fdatasync:error=EIO:when=1", "fsync:error=EIO"],
      ["fdatasync:error=EIO:when=1", "renameat2:error=EIO"],
      ["fdatasync:error=EIO:when=1", "openat:error=EMFILE"],
      ["fdatasync:error=EIO:when=1", "write:error=ENOSPC:when=2"],
    ])
  func stuck(faults: [String]) throws {
    let before = try client.order()
    let sequence = try client.status().sequence
    let tracer = try Tracer(daemon, thread: "librarian", home, faults: faults)
    #expect(try isUnknown(refusal()))
    let calls = try tracer.end()
    for fault in faults {
      let name = fault.prefix { $0 != ":" }
      #expect(calls.contains { $0.name == name && $0.isInjected }, "\(fault) was never made")
    }
    expectNeverUsedAgain(calls)
    // The disk is well again, but what it has kept is not known.
    let files = try home.storeContents()
    #expect(try isRefused(refusal()))
    let status = try client.status()
    #expect(status.store == .readOnly)
    #expect(status.storeReason?.contains("restart crated") == true)
    #expect(try client.order() == before)
    try daemon.stop()
    #expect(try home.storeContents() == files)

    // Wholly or not at all; here the kernel has kept it.
    let again = try RunningDaemon(home)
    let next = try CratesClient(home)
    let order = try next.order()
    #expect(order == before || order.albums == moved(before).albums)
    #expect(try next.status().store == .ready)
    #expect((try next.status().sequence == sequence) == (order == before))
    try next.move(albums: [order.albums[1].id], .top)
    try again.stop()
  }

  private func moved(_ order: Order) -> Order {
    Order(albums: [order.albums[order.albums.count - 1]] + order.albums.dropLast())
  }

  @Test(
    "A last checkpoint that fails takes nothing away: the journal has it",
    arguments: [
      "openat:error=ENOSPC", "openat:error=EMFILE", "write:error=EIO", "fdatasync:error=EIO",
      "fdatasync:error=EIO:when=2", "fsync:error=EIO", "fsync:error=EIO:when=2",
      "renameat2:error=EIO", "renameat2:error=EXDEV", "renameat2:error=EACCES",
      "renameat2:error=EROFS", "close:error=EIO",
    ])
  func lastCheckpoint(fault: String) throws {
    try edit()
    let order = try client.order()
    let tracer = try Tracer(daemon, thread: "librarian", home, faults: [fault])
    try daemon.stop()
    let calls = try tracer.end()
    #expect(calls.contains { $0.isInjected })
    expectNeverUsedAgain(calls)
    let again = try RunningDaemon(home)
    expectSame(try CratesClient(home).order(), order)
    #expect(try CratesClient(home).status().store == .ready)
    try again.stop()
  }

  @Test(
    "A file system that only knows the plain renaming gets its checkpoint as well",
    arguments: ["renameat2:error=EINVAL", "renameat2:error=ENOSYS"])
  func plainRenaming(fault: String) throws {
    try edit()
    let order = try client.order()
    let before = try snapshots()
    let tracer = try Tracer(daemon, thread: "librarian", home, faults: [fault])
    try daemon.stop()
    #expect(try tracer.end().contains { $0.isInjected })
    let after = try snapshots()
    #expect(!after.isEmpty && after.isDisjoint(with: before), "\(before) \(after)")
    let again = try RunningDaemon(home)
    expectSame(try CratesClient(home).order(), order)
    #expect(try CratesClient(home).status().store == .ready)
    try again.stop()
  }

  private func snapshots() throws -> Set<String> {
    Set(try home.storeContents().keys.filter { $0.contains("crated/crates.") })
  }
}
