import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing

@testable import VarlinkServer

@Suite("What waits to be sent to one client", .limited)
struct OutletTests {
  @Test("what the kernel takes is not queued, and of a last reply the connection learns by asking")
  func direct() throws {
    let line = try Line()
    line.outlet.send([1, 2, 3], isLast: false)
    #expect(!line.outlet.takeAnswered(isAwaited: false))
    line.outlet.send([4], isLast: true)
    #expect(line.received() == [1, 2, 3, 4])
    #expect(line.outlet.pendingBytes == 0)
    #expect(line.outlet.takeAnswered(isAwaited: false))
    #expect(!line.outlet.takeAnswered(isAwaited: false))
    #expect(line.wire.done == [])
  }

  @Test("a connection that awaits the answer is told of the last reply, and of no other")
  func turn() throws {
    let line = try Line()
    #expect(!line.outlet.takeAnswered(isAwaited: true))
    line.outlet.send([1], isLast: false)
    #expect(line.wire.done == [])
    line.outlet.send([2], isLast: true)
    #expect(line.wire.done == [.told])
    // What was answered already is not awaited any longer.
    #expect(line.outlet.takeAnswered(isAwaited: true))
    line.outlet.send([3], isLast: true)
    #expect(line.wire.done == [.told])
    #expect(line.outlet.takeAnswered(isAwaited: false))
  }

  @Test("an answer without bytes is one")
  func nothingToSend() throws {
    let line = try Line()
    #expect(!line.outlet.takeAnswered(isAwaited: false))
    line.outlet.send([], isLast: true)
    #expect(line.outlet.takeAnswered(isAwaited: false))
    #expect(line.wire.done == [])
  }

  @Test("without a descriptor of its own everything goes through the channel, in order")
  func channel() {
    let (wire, time) = (NotedWire(), Monitor<Int64>(100))
    let outlet = Outlet(wire: wire, limits: ServerLimits(), clock: time.clock)
    #expect(outlet.standstill == 0)
    outlet.send([1, 2, 3], isLast: false)
    outlet.send([4], isLast: true)
    #expect(wire.done == [.sent(pieces: 1, isLast: false), .sent(pieces: 1, isLast: true)])
    #expect(outlet.pendingBytes == 4)
    #expect(!outlet.takeAnswered(isAwaited: false))
  }

  @Test("what the kernel does not take goes through the channel, and what follows it, too")
  func rest() throws {
    let line = try Line()
    let long = [UInt8](repeating: 7, count: 4 << 20)
    line.outlet.send(long, isLast: false)
    let taken = long.count - line.outlet.pendingBytes
    #expect(taken > 0 && taken < long.count)
    #expect(line.received().count == taken)
    // There is room again, but it would come too soon.
    line.outlet.send([8], isLast: false)
    #expect(line.received() == [])
    #expect(line.outlet.pendingBytes == long.count - taken + 1)
    line.outlet.sent(long.count - taken + 1)
    line.outlet.send([9], isLast: false)
    #expect(line.received() == [9])
  }

  @Test("of pieces that come until the kernel takes no more none is lost, and none comes twice")
  func full() throws {
    let line = try Line()
    var sent: [UInt8] = []
    while line.outlet.pendingBytes == 0, sent.count < 64 << 20 {
      let piece = (0..<250).flatMap { _ in withUnsafeBytes(of: UInt32(sent.count), Array.init) }
      line.outlet.send(piece, isLast: false)
      sent += piece
    }
    let received = line.received()
    #expect(line.outlet.pendingBytes + received.count == sent.count)
    #expect(sent.starts(with: received))
    #expect(line.outlet.pendingBytes > 0)
  }

  @Test("a queue stands still from when it began, or from when something last left it")
  func standstill() {
    let (wire, time) = (NotedWire(), Monitor<Int64>(100))
    let outlet = Outlet(wire: wire, limits: ServerLimits(), clock: time.clock)
    outlet.send([1], isLast: false)
    time.withLock { $0 = 150 }
    #expect(outlet.standstill == 50)
    outlet.send([2, 3], isLast: false)
    #expect(outlet.standstill == 50)
    time.withLock { $0 = 160 }
    outlet.sent(1)
    time.withLock { $0 = 161 }
    #expect(outlet.standstill == 1)
    outlet.sent(2)
    #expect(outlet.standstill == 0)
  }

  @Test("a queue has room and is drained up to its limits, and no further")
  func limits() {
    let limits = ServerLimits()
    #expect((limits.drainedBytes, limits.queueBytes) == (64 << 10, 1 << 20))
    let outlet = Outlet(wire: NotedWire(), limits: limits, clock: .system)
    let drained = Counter()
    outlet.send([UInt8](repeating: 0, count: 1 << 20), isLast: false)
    #expect(outlet.hasRoom)
    outlet.send([0], isLast: false)
    #expect(!outlet.hasRoom)
    outlet.whenDrained(drained.add)
    outlet.whenDrained(drained.add)
    outlet.sent((1 << 20) - (64 << 10))
    #expect(!outlet.isDrained)
    #expect(drained.count == 0)
    outlet.sent(1)
    #expect(outlet.isDrained)
    #expect(drained.count == 2)
    outlet.whenDrained(drained.add)
    #expect(drained.count == 3)
    outlet.sent(1)
    #expect(drained.count == 3)
  }

  @Test("a client that goes is told of once, and nothing waits for it any longer")
  func abandoned() throws {
    let line = try Line()
    let (gone, drained) = (Counter(), Counter())
    line.outlet.send([UInt8](repeating: 7, count: 4 << 20), isLast: false)
    line.outlet.onAbandon { Issue.record("another one replaces it") }
    line.outlet.onAbandon(gone.add)
    line.outlet.whenDrained(drained.add)
    #expect(!line.outlet.isAbandoned && !line.outlet.isDrained)
    _ = line.received()
    line.outlet.abandon()
    #expect((gone.count, drained.count) == (1, 1))
    #expect(line.outlet.isAbandoned && line.outlet.isDrained)
    #expect(line.outlet.pendingBytes == 0)
    #expect(line.isClosed)
    let before = line.wire.done
    line.outlet.send([1], isLast: true)
    #expect(line.wire.done == before)
    line.outlet.abandon()
    #expect((gone.count, drained.count) == (1, 1))
    line.outlet.onAbandon(gone.add)
    line.outlet.whenDrained(drained.add)
    #expect((gone.count, drained.count) == (2, 2))
  }

  @Test("a client that goes after the last reply abandons nothing; one after another reply does")
  func answered() throws {
    for isLast in [false, true] {
      let line = try Line()
      let gone = Counter()
      line.outlet.onAbandon(gone.add)
      line.outlet.send([1], isLast: isLast)
      line.outlet.abandon()
      #expect(gone.count == (isLast ? 0 : 1))
    }
  }

  @Test("one descriptor is taken, and only while the client is there; others are closed")
  func descriptors() throws {
    let line = try Line()
    let (second, other) = try Line.pair()
    defer { close(other) }
    line.outlet.sendDirectly(over: second)
    #expect(Line.isEnd(of: other))
    line.outlet.send([1], isLast: false)
    #expect(line.received() == [1])
    line.outlet.abandon()
    let (late, end) = try Line.pair()
    defer { close(end) }
    line.outlet.sendDirectly(over: late)
    #expect(Line.isEnd(of: end))
  }

  @Test("a long message leaves in pieces of 64 KiB")
  func pieces() {
    for (count, pieces) in [(0, 0), (1, 1), (64 << 10, 1), ((64 << 10) + 1, 2), (128 << 10, 2)] {
      let bytes = [UInt8](repeating: 0, count: count + 3)
      #expect(OutgoingMessage(bytes[3...], isLast: true).pieces.count == pieces)
    }
  }
}

@Suite("The answer to one call", .limited)
struct AnswerTests {
  /// How many bytes wait after a reply of a text with so many.
  private func sent(_ count: Int, more: Bool, atMost most: Int) -> Int {
    var limits = ServerLimits()
    limits.singleReplyBytes = most
    let outlet = Outlet(wire: NotedWire(), limits: limits, clock: .system)
    let answer = Answer(outlet: outlet, more: more, oneway: false)
    answer.reply(.string(String(repeating: "x", count: count)))
    return outlet.pendingBytes
  }

  @Test("one reply may be as long as the limit says, and no longer unless more is asked for")
  func longest() {
    let around = sent(0, more: true, atMost: 0)
    let refusal = ReplyMessage.failure(.expectedMore).count
    #expect(sent(900, more: false, atMost: around + 900) == around + 900)
    #expect(sent(901, more: false, atMost: around + 900) == refusal)
    #expect(sent(901, more: true, atMost: around + 900) == around + 901)
  }

  @Test("one that is let go of closes the connection, unless it was answered, however that was")
  func letGo() {
    let answers: [(Answer) -> Void] = [
      { $0.reply([:]) }, { $0.fail(.nothingToUndo()) }, { $0.prepared(.text("", sequence: 1))() },
      { _ in }, { $0.reply([:], continues: true) },
    ]
    for (number, body) in answers.enumerated() {
      let wire = NotedWire()
      body(
        Answer(
          outlet: Outlet(wire: wire, limits: ServerLimits(), clock: .system), more: true,
          oneway: false))
      #expect(wire.done.contains(.closed) == (number > 2))
    }
  }
}

/// An outlet over one end of a pair of sockets.
private final class Line {
  let wire = NotedWire()
  let outlet: Outlet
  private let end: Int32

  init() throws {
    let (ours, end) = try Self.pair()
    self.end = end
    outlet = Outlet(wire: wire, limits: ServerLimits(), clock: .system)
    outlet.sendDirectly(over: ours)
  }

  deinit {
    outlet.abandon()
    close(end)
  }

  static func pair() throws -> (Int32, Int32) {
    var both: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &both) == 0 else {
      throw SystemCallError("socketpair", "")
    }
    return (both[0], both[1])
  }

  /// Whether the other end of a socket is closed.
  static func isEnd(of socket: Int32) -> Bool {
    var byte = UInt8()
    // A process that another test starts just then has the other end open for a moment more.
    return happensInTime { recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) == 0 }
  }

  var isClosed: Bool { Self.isEnd(of: end) }

  /// What has come.
  func received() -> [UInt8] {
    var all: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(end, &room, room.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return all }
      all += room[..<count]
    }
  }
}

/// Notes what an outlet asks of it.
final class NotedWire: Wire {
  enum Purpose: Equatable {
    case told, closed
    case sent(pieces: Int, isLast: Bool)
  }

  private let deeds = Monitor<[Purpose]>([])
  var done: [Purpose] { deeds.withLock { $0 } }

  func tell(_ event: Connection.Event) { deeds.withLock { $0.append(.told) } }
  func send(_ message: OutgoingMessage) {
    deeds.withLock { $0.append(.sent(pieces: message.pieces.count, isLast: message.isLast)) }
  }
  func close() { deeds.withLock { $0.append(.closed) } }
}

/// How often something happened.
final class Counter: Sendable {
  private let number = Monitor(0)
  @Sendable func add() { number.withLock { $0 += 1 } }
  var count: Int { number.withLock { $0 } }
}

extension Monitor<Int64> {
  /// A clock that stands at the value until that is changed.
  var clock: Clock { Clock(monotonic: { self.withLock { $0 } }, wall: Clock.system.wall) }
}
