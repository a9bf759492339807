import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing

@testable import VarlinkServer

@Suite("A server whose socket something happens to", .limited)
struct WatchedSocketTests {
  @Test("where the socket's file was made again, nobody listens at the old one")
  func oldOne() throws {
    let fixture = try ServerFixture()
    let old = fixture.directory + "/old"
    #expect(link(fixture.path, old) == 0)
    unlink(fixture.path)
    try ServerFixture.connectInTime(to: fixture.path).sendEcho("again")
    #expect(ServerFixture.isRefusedInTime(at: old))
  }

  @Test("a directory that is made anew with its socket is watched, though the old one lives on")
  func anew() throws {
    let directory = try ServerFixture.temporaryDirectory()
    defer { rmdir(directory) }
    let calls = Monitor(0)
    let held = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(held) }
    let watch = try SocketWatch(directory: directory, retryMilliseconds: 1_000_000_000) {
      calls.withLock { calls in
        calls += 1
        if calls == 1 { #expect(rmdir(directory) == 0 && mkdir(directory, 0o700) == 0) }
      }
      return true
    }
    defer { watch.stop() }
    #expect(calls.wait(until: Patience.end) { $0 >= 2 ? true : nil } == true)
    #expect(rmdir(directory) == 0)
    #expect(calls.wait(until: Patience.end) { $0 >= 3 ? true : nil } == true)
  }

  @Test("where another daemon took the socket's place, it is taken back when that one has gone")
  func takenBack() throws {
    var limits = ServerLimits()
    limits.retryMilliseconds = 10
    let fixture = try ServerFixture(limits: limits)
    let (other, listening) = try RawListener.make(at: fixture.directory + "/other")
    #expect(rename(other, fixture.path) == 0)
    // It is asked again and again whether it is still there, though nothing happens to its file.
    for _ in 0..<6 {
      var arrival = pollfd(fd: listening, events: Int16(POLLIN), revents: 0)
      try #require(poll(&arrival, 1, Int32(Patience.seconds) * 1_000) == 1)
      close(accept(listening, nil, nil))
    }
    close(listening)
    let client = try ServerFixture.connectInTime(to: fixture.path)
    client.sendEcho("back")
    #expect(client.receive().text == "back")
  }

  @Test("a server that was stopped watches over nothing any more")
  func unwatched() throws {
    let fixture = try ServerFixture()
    var directory = stat()
    #expect(stat(fixture.directory, &directory) == 0)
    #expect(happensInTime { watches(over: directory.st_ino) == 1 })
    fixture.server.stop()
    #expect(watches(over: directory.st_ino) == 0)
  }

  /// How many of the process's watches are of the file with this number.
  private func watches(over inode: UInt) -> Int {
    let wanted = "ino:" + String(inode, radix: 16)
    return (3..<4_096).count { descriptor in
      guard let file = fopen("/proc/self/fdinfo/\(descriptor)", "r") else { return false }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 512)
      while fgets(&line, Int32(line.count), file) != nil {
        let text = String(
          decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        if text.hasPrefix("inotify"), text.split(separator: " ").contains(where: { $0 == wanted }) {
          return true
        }
      }
      return false
    }
  }
}

@Suite("A server that is stopped", .limited)
struct StoppingTests {
  private func limits() -> ServerLimits {
    var limits = ServerLimits()
    limits.stopMilliseconds = 600_000
    return limits
  }

  @Test("nobody else is accepted while it lets an answer go on, which arrives")
  func refusing() throws {
    let waiting = Waiting()
    let folder = try TemporaryFolder()
    let (path, descriptor) = try RawListener.make(at: folder.path + "/socket")
    let server = VarlinkServer(
      limits: limits(),
      identity: ServiceIdentity(vendor: "", product: "", version: "", url: ""),
      answering: waiting.take)
    try server.start(inheriting: descriptor)
    let client = try RawClient(path: path)
    client.sendEcho("present")
    let present = try waiting.next()
    let stopper = BlockingThread("stopper") { server.stop() }
    #expect(ServerFixture.isRefusedInTime(at: path))
    present.answer.reply(.text("answered", sequence: 1))
    #expect(client.receive().text == "answered")
    stopper.join()
  }

  @Test("a call that is there when it stops, and has not begun, is not begun")
  func notBegun() throws {
    let waiting = Waiting()
    let fixture = try ServerFixture(limits: limits(), answering: waiting.take)
    let client = try fixture.connect()
    client.send(["method": "org.varlink.service.GetInfo"])
    #expect(client.receive().error == nil)
    // Whether the server's thread is kept busy; nil: not yet.
    let isBusy = Monitor<Bool?>(nil)
    fixture.server.repeat(every: 1_000_000) {
      isBusy.withLock { if $0 == nil { $0 = true } }
      isBusy.wait { $0 == false ? () : nil }
    }
    _ = isBusy.wait { $0 }
    client.sendEcho("too late")
    let server = fixture.server
    let stopper = BlockingThread("stopper") { server.stop() }
    // It takes no calls any more when its file is gone.
    var found = stat()
    #expect(happensInTime { lstat(fixture.path, &found) != 0 })
    isBusy.withLock { $0 = false }
    #expect(client.receive() == .end)
    stopper.join()
    #expect(waiting.isEmpty)
  }

  @Test("nothing is done every so often after it has ended")
  func repeating() throws {
    let times = (Monitor(0), Monitor(0))
    let (first, second) = (try ServerFixture(), try ServerFixture())
    first.server.repeat(every: 1_000_000) { times.0.withLock { $0 += 1 } }
    let hasBegun: Bool? = times.0.wait(until: Patience.end) { $0 > 0 ? true : nil }
    #expect(hasBegun == true)
    first.server.stop()
    let before = times.0.withLock { $0 }
    second.server.repeat(every: 1_000_000) { times.1.withLock { $0 += 1 } }
    let hasPassed: Bool? = times.1.wait(until: Patience.end) { $0 > 20 ? true : nil }
    #expect(hasPassed == true)
    #expect(times.0.withLock { $0 } == before)
  }
}
