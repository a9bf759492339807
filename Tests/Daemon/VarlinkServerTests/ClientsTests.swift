import Glibc
import LogSupport
import Logging
import Platform
import TestSupport
import Testing

@testable import VarlinkServer

@Suite("Who is connected", .limited)
struct ClientsTests {
  private let time = Monitor<Int64>(0)

  private func clients(_ change: (inout ServerLimits) -> Void = { _ in }) -> Clients {
    var limits = ServerLimits()
    change(&limits)
    return Clients(limits: limits)
  }

  /// An outlet of which so many bytes wait.
  private func outlet(_ bytes: Int = 0) -> Outlet {
    let outlet = Outlet(wire: NotedWire(), limits: ServerLimits(), clock: time.clock)
    if bytes > 0 { outlet.send([UInt8](repeating: 0, count: bytes), isLast: false) }
    return outlet
  }

  @Test("the oldest silent connection makes room for one beyond the limit")
  func silent() {
    let clients = clients { $0.silentConnections = 2 }
    let outlets = (0..<4).map { _ in outlet() }
    let arrivals = outlets.map(clients.arrive)
    #expect(arrivals.map(\.number) == [1, 2, 3, 4])
    #expect(
      arrivals.map { $0.evicted.map(ObjectIdentifier.init) }
        == [nil, nil, ObjectIdentifier(outlets[0]), ObjectIdentifier(outlets[1])])
    #expect(!clients.admit(2))
    #expect(clients.admit(3))
    #expect(clients.arrive(outlet()).evicted == nil)
    #expect(clients.arrive(outlet()).evicted === outlets[3])
  }

  @Test("of silent connections there are 128 as long as nothing else is said")
  func usualSilent() {
    let clients = clients()
    let evicted = (0..<129).map { _ in clients.arrive(outlet()).evicted != nil }
    #expect(evicted.firstIndex(of: true) == 128)
  }

  @Test("who calls is admitted once, until there are as many as may be")
  func admitted() {
    let clients = clients { $0.clients = 2 }
    let numbers = (0..<3).map { _ in clients.arrive(outlet()).number }
    #expect(numbers.map(clients.admit) == [true, true, false])
    #expect(!clients.admit(99))
    #expect(clients.all.count == 3)
    clients.leave(numbers[0])
    #expect(!clients.admit(numbers[0]))
    #expect(clients.admit(numbers[2]))
    #expect(!clients.admit(numbers[2]))
    #expect(clients.all.count == 2)
  }

  @Test("it is waited until nobody is there, neither a silent one nor one that has called")
  func gone() {
    let clients = clients()
    let numbers = (0..<2).map { _ in clients.arrive(outlet()).number }
    #expect(clients.admit(numbers[0]))
    #expect(!clients.waitUntilGone(until: 0))
    clients.leave(numbers[0])
    #expect(!clients.waitUntilGone(until: 0))
    clients.leave(numbers[1])
    #expect(clients.waitUntilGone(until: 0))
    let number = clients.arrive(outlet()).number
    #expect(clients.admit(number))
    #expect(!clients.waitUntilGone(until: 0))
  }

  @Test("nobody is welcome any more after closing")
  func closed() {
    let clients = clients()
    #expect(!clients.isClosed)
    clients.close()
    #expect(clients.isClosed)
  }

  @Test("no queue is too long as long as all together just fit")
  func fitting() {
    let clients = clients()
    let outlets = [24 << 20, 0].map(outlet)
    for outlet in outlets { #expect(clients.admit(clients.arrive(outlet).number)) }
    #expect(clients.mostStuck().isEmpty)
    outlets[1].send([0], isLast: false)
    #expect(clients.mostStuck().count == 1)
  }

  @Test("of queues that don't fit as many go as have to, those first that stood still longest")
  func stuck() {
    let clients = clients { $0.allQueuesBytes = 100 }
    // In whatever order a dictionary has them.
    let outlets = [10, 40, 30, 61, 2].map { bytes in
      time.withLock { $0 += 1 }
      return outlet(bytes)
    }
    for outlet in outlets.reversed() { #expect(clients.admit(clients.arrive(outlet).number)) }
    // 43 too many: the first two have 50.
    #expect(
      clients.mostStuck().map(ObjectIdentifier.init)
        == outlets[..<2].map(ObjectIdentifier.init))
    // 50 too many: just these.
    outlets[4].send([UInt8](repeating: 0, count: 7), isLast: false)
    #expect(clients.mostStuck().count == 2)
    outlets[4].send([0], isLast: false)
    #expect(clients.mostStuck().count == 3)
    // Silent connections have no queues.
    _ = clients.arrive(outlet(1_000))
    #expect(clients.mostStuck().count == 3)
  }

  @Test("a client of whom nothing waits is not among the stuck")
  func empty() {
    let clients = clients { $0.allQueuesBytes = 4 }
    let long = outlet(5)
    for outlet in (0..<30).map({ _ in outlet() }) + [long] {
      #expect(clients.admit(clients.arrive(outlet).number))
    }
    #expect(clients.mostStuck().map(ObjectIdentifier.init) == [ObjectIdentifier(long)])
  }

  @Test("a client of whom one byte waits may be, where that is too much")
  func oneByte() {
    let clients = clients { $0.allQueuesBytes = 0 }
    let short = outlet(1)
    #expect(clients.admit(clients.arrive(short).number))
    #expect(clients.mostStuck().map(ObjectIdentifier.init) == [ObjectIdentifier(short)])
  }

  @Test("messages may hold 64 KiB each in any case, and 16 MiB together")
  func held() {
    let clients = clients()
    #expect(clients.hold(8 << 20, insteadOf: 0))
    #expect(clients.hold(8 << 20, insteadOf: 0))
    #expect(clients.hold(64 << 10, insteadOf: 0))
    #expect(!clients.hold((64 << 10) + 1, insteadOf: 64 << 10))
    #expect(clients.hold(0, insteadOf: (64 << 10) + 1))
    #expect(!clients.hold((8 << 20) + 1, insteadOf: 8 << 20))
    #expect(clients.hold(8 << 20, insteadOf: (8 << 20) + 1))
  }
}

@Suite("Connections that cannot be accepted", .limited)
struct AcceptRestTests {
  @Test("a lasting want takes one line and one rest at a time; a new one takes another line")
  func want() {
    var want = AcceptRest.Want()
    #expect(want.isFelt() == (true, true))
    #expect(want.isFelt() == (false, false))
    want.restEnds()
    #expect(want.isFelt() == (false, true))
    want.ends()
    #expect(want.isFelt() == (true, false))
    want.restEnds()
    want.ends()
    #expect(want.isFelt() == (true, true))
  }

  @Test("nobody is accepted in a rest, and who waits is after it, each time")
  func rests() {
    let said = SaidLines()
    let rest = AcceptRest(logger: said.logger) { _ in }
    let told = Monitor<[Bool]>([])
    var ends: [@Sendable (AcceptRest) -> Void] = []
    func feel() -> [Bool] {
      told.withLock { $0 = [] }
      rest.rest(because: SystemCallError("accept", "", code: EMFILE)) { accepts in
        told.withLock { $0.append(accepts) }
      } later: {
        ends.append($0)
      }
      return told.withLock { $0 }
    }
    for round in 1...2 {
      #expect(feel() == [false] && feel() == [])
      #expect(ends.count == round)
      ends.last?(rest)
      #expect(told.withLock { $0 } == [true])
    }
    #expect(said.all == ["warning: a connection cannot be accepted"])
  }
}
