import CratesInterface
import Glibc
import Platform
import TestSupport
import Testing
import VarlinkClient
import VarlinkServer

@Suite("Where the server listens", .limited)
struct ListeningTests {
  private func server() -> VarlinkServer {
    VarlinkServer(
      identity: ServiceIdentity(vendor: "", product: "", version: "", url: ""),
      answering: ServerFixture.echo)
  }

  private func mode(_ path: String) -> UInt32? {
    var found = stat()
    return lstat(path, &found) == 0 ? found.st_mode & 0o7777 : nil
  }

  private func refusal(at path: String) -> ServerError? {
    let server = server()
    do throws(ServerError) {
      try server.start(path: path)
      server.stop()
      return nil
    } catch {
      return error
    }
  }

  @Test("socket and directory are for their user alone, and the socket goes with the server")
  func modes() throws {
    let directory = try ServerFixture.temporaryDirectory()
    defer { ServerFixture.remove(directory) }
    let path = "\(directory)/crated/org.crated.Crates"
    let server = server()
    try server.start(path: path)
    #expect(mode(path) == 0o600)
    #expect(mode("\(directory)/crated") == 0o700)
    #expect(mode(path + ".new") == nil)
    server.stop()
    #expect(mode(path) == nil)
    server.stop()
    ServerFixture.remove("\(directory)/crated")
  }

  @Test("hundreds of connections wait in the kernel while the server's thread is busy")
  func backlog() throws {
    let directory = try ServerFixture.temporaryDirectory()
    defer { ServerFixture.remove(directory) }
    let path = "\(directory)/socket"
    var connected: [Int32] = []
    defer { for descriptor in connected { close(descriptor) } }
    let server = server()
    try server.start(path: path)
    // Whether the thread is kept busy; nil: not yet.
    let isBusy = Monitor<Bool?>(nil)
    server.repeat(every: 50_000_000) {
      isBusy.withLock { if $0 == nil { $0 = true } }
      isBusy.wait { $0 == false ? () : nil }
    }
    _ = isBusy.wait { $0 }
    defer {
      isBusy.withLock { $0 = false }
      server.stop()
    }
    // More than the library behind it asks the kernel for by itself.
    for _ in 0..<300 { connected.append(try RawListener.connect(to: path)) }
  }

  @Test("a socket that was left over is replaced")
  func stale() throws {
    let directory = try ServerFixture.temporaryDirectory()
    defer { ServerFixture.remove(directory) }
    let path = "\(directory)/socket"
    for name in [path, path + ".new"] {
      let (file, descriptor) = try RawListener.make(at: name)
      // Also for a process that another test starts just then.
      shutdown(descriptor, Int32(SHUT_RDWR))
      close(descriptor)
      #expect(mode(file) != nil)
    }
    #expect(refusal(at: path) == nil)
  }

  @Test("what is not a socket is left alone")
  func occupied() throws {
    let directory = try ServerFixture.temporaryDirectory()
    defer { ServerFixture.remove(directory) }
    let file = "\(directory)/file"
    close(open(file, O_CREAT | O_WRONLY, 0o644))
    mkdir("\(directory)/folder", 0o700)
    symlink("nowhere", "\(directory)/link")
    for name in ["file", "folder", "link"] {
      guard case .occupied(let path) = refusal(at: "\(directory)/\(name)") else {
        Issue.record("\(name) was not refused")
        continue
      }
      #expect(path == "\(directory)/\(name)")
      #expect(mode(path) != nil)
    }
  }

  @Test("a daemon that answers is not pushed aside")
  func answering() throws {
    let fixture = try ServerFixture()
    guard case .answering = refusal(at: fixture.path) else {
      Issue.record("the second server started")
      return
    }
    let client = try fixture.connect()
    client.sendEcho("mine")
    #expect(client.receive().text == "mine")
  }

  @Test("a path of 103 bytes works, a longer one is refused")
  func longPath() throws {
    let directory = try ServerFixture.temporaryDirectory()
    defer { ServerFixture.remove(directory) }
    let longest = directory + "/" + String(repeating: "s", count: 102 - directory.utf8.count)
    #expect(longest.utf8.count == 103)
    #expect(refusal(at: longest) == nil)
    guard case .pathTooLong = refusal(at: longest + "s") else {
      Issue.record("104 bytes were not refused")
      return
    }
  }

  @Test("a directory that others may write into is refused")
  func openDirectory() throws {
    let directory = try ServerFixture.temporaryDirectory()
    defer { ServerFixture.remove(directory) }
    chmod(directory, 0o777)
    guard case .directoryOpenToOthers = refusal(at: "\(directory)/socket") else {
      Issue.record("it was not refused")
      return
    }
  }

  @Test("a directory of another user is refused, and one that lies in such")
  func anothersDirectory() throws {
    let directory = try ServerFixture.temporaryDirectory()
    defer { ServerFixture.remove(directory) }
    let inner = "\(directory)/crated"
    mkdir(inner, 0o755)
    for owned in [inner, directory] {
      try #require(chown(owned, 1234, 1234) == 0, "this test needs root")
      guard case .directoryOfAnother(owned, 1234) = refusal(at: "\(inner)/socket") else {
        Issue.record("\(owned) was not refused")
        continue
      }
      chown(owned, geteuid(), getegid())
      #expect(refusal(at: "\(inner)/socket") == nil)
    }
  }

  @Test("a socket that systemd made is served, and stays")
  func inherited() throws {
    let directory = try ServerFixture.temporaryDirectory()
    defer { ServerFixture.remove(directory) }
    let (path, descriptor) = try RawListener.make(at: "\(directory)/socket")
    let server = server()
    try server.start(inheriting: descriptor)
    let client = try RawClient(path: path)
    client.sendEcho("activated")
    #expect(client.receive().text == "activated")
    server.stop()
    #expect(mode(path) != nil)
  }

  @Test("a descriptor that is no listening socket is refused")
  func notListening() throws {
    let server = server()
    #expect(throws: ServerError.self) { try server.start(inheriting: 0) }
    #expect(throws: ServerError.self) { try server.start(inheriting: 9_999) }
  }

  @Test("a socket that is taken away comes back, with its directory if need be")
  func restored() throws {
    let directory = try ServerFixture.temporaryDirectory()
    defer { ServerFixture.remove(directory) }
    let path = "\(directory)/crated/socket"
    let server = server()
    try server.start(path: path)
    let early = try RawClient(path: path)
    early.sendEcho("before")
    #expect(early.receive().text == "before")
    for _ in 0..<5 {
      ServerFixture.remove("\(directory)/crated")
      let late = try ServerFixture.connectInTime(to: path)
      late.sendEcho("after")
      #expect(late.receive().text == "after")
      #expect(mode(path) == 0o600)
    }
    early.sendEcho("still here")
    #expect(early.receive().text == "still here")
    server.stop()
    #expect(mode(path) == nil)
    ServerFixture.remove("\(directory)/crated")
  }

  @Test("stopping lets the answer in flight arrive, and lets subscribers go at once")
  func stopping() throws {
    let waiting = Waiting()
    var limits = ServerLimits()
    limits.stopMilliseconds = 600_000
    let fixture = try ServerFixture(limits: limits, answering: waiting.take)
    let subscriber = try fixture.connect()
    subscriber.send(["method": "org.crated.Crates.Watch", "more": true])
    let watch = try waiting.next()
    let client = try fixture.connect()
    client.sendEcho("present")
    client.sendEcho("next")
    let present = try waiting.next()
    let server = fixture.server
    let stopper = BlockingThread("stopper") { server.stop() }
    #expect(subscriber.receive() == .end)
    present.answer.reply(.text("answered", sequence: 1))
    #expect(client.receive().text == "answered")
    #expect(client.receive() == .end)
    stopper.join()
    #expect(waiting.isEmpty)
    #expect(throws: SystemCallError.self) { try fixture.connect() }
    #expect(watch.answer.isAbandoned)
  }

  @Test("stopping does not wait for ever")
  func stoppingInVain() throws {
    var limits = ServerLimits()
    limits.stopMilliseconds = 50
    let waiting = Waiting()
    let fixture = try ServerFixture(limits: limits, answering: waiting.take)
    let client = try fixture.connect()
    client.sendEcho("never answered")
    let request = try waiting.next()
    fixture.server.stop()
    #expect(client.receive() == .end)
    #expect(request.answer.isAbandoned)
  }
}

enum RawListener {
  /// Fails where the connection would have to wait.
  static func connect(to path: String) throws -> Int32 {
    let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(AF_UNIX, Int32(kind), 0)
    let result = withAddress(of: path) { Glibc.connect(descriptor, $0, $1) }
    if result == 0 { return descriptor }
    let error = SystemCallError("connect", path)
    close(descriptor)
    throw error
  }

  private static func withAddress(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  static func make(
    at path: String, backlog: Int32 = 5
  ) throws -> (path: String, descriptor: Int32) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let bound = withAddress(of: path) { bind(descriptor, $0, $1) }
    guard bound == 0, listen(descriptor, backlog) == 0 else { throw SystemCallError("bind", path) }
    return (path, descriptor)
  }
}
