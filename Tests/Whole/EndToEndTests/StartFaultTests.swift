import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// The kernel answers with errors while the daemon starts, or kills it there.
@Suite("Faults at the start", .serialized, .limited)
struct StartFaultTests {
  let home: Home
  /// What has to be there after everything.
  let order: Order
  let store: [String: [UInt8]]

  /// A store that was killed in the middle of a batch.
  init() throws {
    home = try Home()
    try SmallLibrary.write(albums: 3, to: home.music)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    for _ in 0..<3 { try client.move(albums: [try client.albums()[2].id], .top) }
    order = try client.order()
    // The daemon is killed so that nothing is seen or read before the first look, as after a real
    // start.
    try daemon.kill()
    let journal = try #require(try home.newestJournal())
    let torn = Array("0badc0de 999 2026-11-21T05:11:02.123Z person move al".utf8)
    try writeFile(try readFile(journal) + torn, to: journal)
    store = try home.storeContents()
  }

  private func putBack() throws {
    try #require(home.store.hasSuffix("/crated"))
    removeTree(home.store)
    for (path, bytes) in store {
      try home.folder.write(bytes, to: String(path.dropFirst(home.folder.path.count + 1)))
    }
  }

  /// Nothing of what was there was altered; it may have moved to the backups.
  private func expectInputs(_ comment: String) throws {
    let now = try home.storeContents()
    for (path, bytes) in store where !path.hasSuffix("folders.txt") {
      let backup = path.replacing("\(home.store)/", with: "\(home.store)/backups/")
      #expect(now[path] == bytes || now[backup] == bytes, "\(path) \(comment)")
    }
  }

  private func expectWhole(_ comment: String) throws {
    try expectInputs(comment)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    expectSame(try client.order(), order, comment)
    #expect(try client.status().store == .ready, "\(comment)")
    try daemon.stop()
  }

  private static let calls = [
    "openat", "read", "write", "fdatasync", "fsync", "renameat2", "getdents64", "close",
  ]

  private var paths: [String] {
    let old = store.keys
    // The generation that a start begins.
    let newest = (1...3).flatMap {
      ["\(home.store)/journal.\($0).txt", "\(home.store)/crates.\($0).txt.new"]
    }
    return [home.store, "\(home.store)/backups"] + old + newest
  }

  /// Starts it with the fault at the first call of each kind, the second, and so on.
  ///
  /// - Parameter start: what is made of a start. False where the fault was not met any more.
  private func atEveryCall(
    _ fault: String, _ start: (_ tracer: [String], _ comment: String) throws -> Bool
  ) throws -> Int {
    var count = 0
    for call in Self.calls {
      for number in 1...100 {
        try putBack()
        let words = "\(call):\(fault):when=\(number)"
        let tracer = Tracer.inFront(home, paths: paths, faults: [words])
        guard try start(tracer, words) else { break }
        try #require(number < 100)
        count += 1
        try expectWhole(words)
      }
    }
    return count
  }

  @Test("Whatever fails at the start, the store stays as it was, and the next start has all of it")
  func everyCall() throws {
    var refused = 0
    let faults = try atEveryCall("error=EIO") { tracer, comment in
      do {
        let daemon = try RunningDaemon(home, behind: tracer)
        // What is shown is all there is, or less where a note says so.
        let client = try CratesClient(home)
        if try client.status().store == .ready {
          expectSame(try client.order(), order, comment)
        }
        try daemon.kill()
      } catch let early as RunningDaemon.EndedEarly {
        refused += 1
        #expect(early.status == 65, "\(comment) \(early)")
      }
      return try TracedCall.read(home.folder.path("trace")).contains { $0.isInjected }
    }
    #expect(faults > 20, "\(faults) faults")
    #expect(refused > 0)
  }

  @Test("Killed at any call of the start, it has all of it at the next one")
  func killed() throws {
    let kills = try atEveryCall("signal=KILL") { tracer, comment in
      do {
        try RunningDaemon(home, behind: tracer).kill()
        return false
      } catch let early as RunningDaemon.EndedEarly {
        #expect(early.status == 128 + SIGKILL, "\(comment) \(early)")
        return true
      }
    }
    #expect(kills > 20, "\(kills) kills")
  }

  @Test("Started without standard descriptors, it never writes its complaints to the store")
  func closedDescriptors() throws {
    // The end of the daemon shows by its standard output.
    let closing = ["/bin/sh", "-c", "exec \"$0\" <&- 2>&-"]
    let daemon = try RunningDaemon(home, behind: closing)
    for descriptor in [0, 2] {
      let link = try run("readlink", ["/proc/\(daemon.pid)/fd/\(descriptor)"])
      #expect(link.output == "/dev/null\n")
    }
    // Each is a notice in the log.
    for _ in 0..<3 { try daemon.reload() }
    try daemon.stop()
    try expectWhole("without descriptors")
  }
}
