import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// A program that gets no memory or no thread ends. What was answered is in the journal.
@Suite("Too little memory, too few threads", .serialized, .limited)
struct MemoryLimitTests {
  let home: Home
  let order: Order
  let store: [String: [UInt8]]

  init() throws {
    home = try Home()
    // Saying where it ends would take seconds.
    home.environment["SWIFT_BACKTRACE"] = "enable=no"
    try SmallLibrary.write(albums: 3, to: home.music)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    try client.move(albums: [try client.albums()[2].id], .top)
    order = try client.order()
    try daemon.stop()
    store = try home.storeContents()
  }

  /// Whether it was answered before the daemon ended, as it may before anybody calls.
  private func isAnswered(_ call: Call) throws -> Bool {
    guard let connection = try? RawClient(home) else { return false }
    connection.send(
      (["method": .string(call.method.fullName), "parameters": call.parameters] as JSON).bytes + [0]
    )
    return try connection.reply() != nil
  }

  @Test(
    "A daemon that gets none at its start ends, and one that gets enough has everything",
    .enabled(if: !isSanitized, "no program under a sanitizer fits into these limits"))
  func starting() throws {
    var (ended, limit, isEnough) = (0, 24 << 20, false)
    while limit < 4 << 30 {
      var status: Int32
      do {
        let daemon = try RunningDaemon(home, behind: ["prlimit", "--as=\(limit)"])
        let isAnswered = try isAnswered(.status)
        // The daemon starts more when it can be asked already, and may end for that.
        if isAnswered { daemon.program.signal(SIGTERM) }
        status = try daemon.program.end()
        #expect(isAnswered || status != 0, "\(limit)")
      } catch let early as RunningDaemon.EndedEarly {
        status = early.status
        #expect(status != 0, "\(limit)")
      }
      #expect(try home.storeContents() == store, "\(limit)")
      #expect(status == 0 || !isEnough, "\(status) with \(limit), and less was enough")
      if status == 0 { isEnough = true } else { ended += 1 }
      limit += limit / 2
    }
    #expect(isEnough)
    #expect(ended > 3, "\(ended) ended")
    let daemon = try RunningDaemon(home, behind: ["prlimit", "--as=\(limit)"])
    expectSame(try CratesClient(home).order(), order)
    try daemon.stop()
  }

  @Test(
    "A daemon that gets no thread at its start ends with 71 and says what to do",
    .enabled(if: !isSanitized, "a sanitizer starts threads of its own"))
  func threads() throws {
    var ended: [Int32] = []
    for number in 1...100 {
      let fault = "clone3:error=EAGAIN:when=\(number)"
      let status: Int32
      do {
        let tracer = Tracer.inFront(home, paths: [], faults: [fault])
        let daemon = try RunningDaemon(home, behind: tracer)
        daemon.program.signal(SIGTERM)
        status = try daemon.program.end()
      } catch let early as RunningDaemon.EndedEarly {
        status = early.status
      }
      let calls = try TracedCall.read(home.folder.path("trace"))
      guard calls.contains(where: { $0.isInjected }) else {
        #expect(status == 0)
        break
      }
      ended.append(status)
      let log = String(decoding: try readFile(home.log), as: UTF8.self)
      #expect((status == 71) == log.hasSuffix("raise the limits of memory and of processes\n"))
      // NIO starts one of its own, and ends as programs do in Swift: with a trap. A start after a
      // start that failed begins with others, so that more than one of the numbers may be its.
      #expect([71, 128 + SIGILL, 128 + SIGTRAP].contains(status), "\(fault): \(status)\n\(log)")
      unlink(home.log)
      #expect(try home.storeContents() == store, "\(fault)")
    }
    #expect(ended.count { $0 == 71 } > 3 && ended.count { $0 != 71 } < 4, "\(ended)")
    let daemon = try RunningDaemon(home)
    expectSame(try CratesClient(home).order(), order)
    try daemon.stop()
  }

  @Test("A daemon that gets no more while it runs loses nothing that it answered")
  func running() throws {
    let daemon = try RunningDaemon(home)
    let words = ["--pid", "\(daemon.pid)", "--as=\(try daemon.memory().mapped):unlimited"]
    try #require(try run("prlimit", words).status == 0)
    // A move is small: there may be some memory left for it.
    let moved = Call.moveAlbums(
      albums: [order.albums[2].id], place: .top, crate: nil, sequence: nil)
    let isMoved = try isAnswered(moved)
    // There is none for messages that go on and on. What the start needed for a moment may be left.
    var unfinished: [Unfinished] = []
    let message = Array(repeating: UInt8(ascii: " "), count: 6 << 20)
    while unfinished.count < 16, let client = try? RawClient(home) {
      client.send(message)
      unfinished.append(Unfinished(client: client))
    }
    #expect(try daemon.program.end() != 0)
    let after = Order(albums: [order.albums[2], order.albums[0], order.albums[1]])
    let again = try RunningDaemon(home)
    let found = try CratesClient(home).order()
    #expect(found == after || !isMoved && found == order)
    try again.stop()
  }
}

/// A message that never ends.
private final class Unfinished {
  let client: RawClient

  init(client: consuming RawClient) { self.client = client }
}
