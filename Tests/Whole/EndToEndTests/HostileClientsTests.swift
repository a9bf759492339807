import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

@Suite("Hostile clients", .serialized, .limited)
struct HostileClientsTests {
  private let home: Home

  init() throws {
    home = try Home()
    try SmallLibrary.write(albums: 3, to: home.music)
  }

  @Test("Beside 1,000 of them 64 clients are served in time, and memory stays flat")
  func thousand() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let clients = try GoodClients(home, count: 64)
    try clients.ask(rounds: 5)
    let quiet = try clients.ask(rounds: 30)
    let before = try daemon.memory().resident

    let hostile = try RunningProgram(
      "python3", ["-c", Self.script, home.socket], environment: home.environment,
      errors: home.folder.path("hostile"), takesInput: true)
    #expect(try hostile.nextLine() == "1000 connections")
    let lateness = Lateness()
    let times = try clients.ask(rounds: 30)
    let noise = lateness.end()
    try hostile.tell("end")
    let told = try #require(try hostile.nextLine())
    #expect(try hostile.end() == 0)
    // The visit was as bad as it was meant to be.
    let counts = told.split(separator: " ").compactMap { Int($0) }
    #expect(counts.count == 5 && counts.allSatisfy { $0 >= 200 }, "\(told)")

    #expect(times.count == 64 * 30)
    let (usual, late) = (quiet[quiet.count * 99 / 100], times[times.count * 99 / 100])
    // A sanitizer is slow, and keeps memory that was given back.
    if !isSanitized {
      #expect(
        late <= max(250_000_000, 10 * max(usual, noise)),
        """
        the 99th percentile is \(late / 1000) µs, and \(usual / 1000) µs without them; who waits \
        for a time is \(noise / 1000) µs late
        """)
      // The last of their messages may be in work.
      var growth = 0
      let isFlat = try happensInTime {
        growth = try daemon.memory().resident - before
        return growth < 32 << 20
      }
      #expect(isFlat, "grown by \(growth >> 20) MiB")
    }
    try clients.ask(rounds: 1)
    try daemon.stop()
  }

  @Test("Descriptors that are sent along are closed, and the calls are answered")
  func sentDescriptors() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let client = try CratesClient(home)
    try client.ask(.status)
    let before = try names(in: "/proc/\(daemon.pid)/fd").count
    let sent = try run(
      "python3", ["-c", Self.sendingDescriptors, home.socket], environment: home.environment)
    #expect(sent.output == "100 answers\n", "\(sent.errors)")
    // The connection's own may take a moment.
    let deadline = Patience.end
    func count() throws -> Int { try names(in: "/proc/\(daemon.pid)/fd").count }
    while try count() > before, Clock.system.monotonic() < deadline { try client.ask(.status) }
    #expect(try count() <= before)
    try daemon.stop()
  }

  /// A hundred calls, each with ten files.
  private static let sendingDescriptors = """
    import array, os, socket, sys
    files = [os.open('/dev/null', os.O_RDONLY) for _ in range(10)]
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(30)
    s.connect(sys.argv[1])
    answers = 0
    for _ in range(100):
        socket.send_fds(s, [b'{"method":"org.crated.Crates.Status"}\\0'], files)
        answer = b''
        while not answer.endswith(b'\\0'):
            piece = s.recv(65536)
            if not piece: raise EOFError
            answer += piece
        answers += b'"error"' not in answer
    print(answers, 'answers')
    """

  @Test(
    "Connections that can't be accepted are accepted later, at the latest at the next attempt",
    arguments: ["ECONNABORTED", "ENOBUFS", "EMFILE", "EPERM"])
  func refusedByKernel(_ error: String) throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let tracer = try Tracer(
      daemon, thread: "clients", home, faults: ["accept4:error=\(error):when=1"])
    var reply: JSON?
    _ = happensInTime {
      // The socket may be about to be made again, and this one reset.
      guard let connection = try? RawClient(home) else { return false }
      connection.call("org.crated.Crates.ListCrates")
      reply = try? connection.reply()
      return reply != nil
    }
    #expect(reply?["parameters"]?["crates"]?.array?.count == 1)
    #expect(try tracer.end().contains { $0.isInjected })
    try daemon.stop()
  }

  @Test("Without descriptors nobody is kept waiting who is there, and no processor busy")
  func descriptors() throws {
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let list = "ls /proc/\(daemon.pid)/fd | wc -l"
    let open = try run("sh", ["-c", list]).output.filter(\.isNumber)
    func limit(_ count: String) throws {
      let words = ["--pid", "\(daemon.pid)", "--nofile=\(count):"]
      try #require(try run("prlimit", words).status == 0)
    }
    try limit(open)
    let tracer = try Tracer(daemon, thread: "clients", home)
    let start = Clock.system.monotonic()
    // More than there may be holes in what is open.
    let waiting = try (0..<20).map { _ in try CratesClient(home) }
    for _ in 0..<300 { #expect(try client.status().songs == 9) }
    let failures = try tracer.end().filter { $0.text.contains("EMFILE") }.count
    // Ten in a second, after a few at once.
    let seconds = Int((Clock.system.monotonic() - start) / 1_000_000_000)
    #expect((1...30 + 10 * seconds).contains(failures), "\(failures) attempts")
    try limit("1024")
    for waiting in waiting { #expect(try waiting.status().songs == 9) }
    try daemon.stop()
  }

  /// 200 connections of each kind: silent ones, slow ones, endless ones, such that send what is
  /// nested too deep, and such that ask and never read. Who is dropped comes again. At the end it
  /// says how often each kind connected or sent.
  private static let script = """
    import os, select, socket, sys, time
    path, kinds = sys.argv[1], 5
    call = b'{"method":"org.crated.Crates.ListSongs","parameters":{},"more":true}\\0'
    pieces = [b'', b'{', b'x' * 65536, b'[' * 100000 + b'\\0', call * 100]
    counts, sockets = [0] * kinds, {}
    def connect(kind):
        s = socket.socket(socket.AF_UNIX)
        s.setblocking(False)
        try:
            s.connect(path)
        except BlockingIOError:
            s.close()
            return
        sockets[s] = kind
        counts[kind] += 1
    def missing():
        have = [0] * kinds
        for kind in sockets.values(): have[kind] += 1
        return [kind for kind in range(kinds) for _ in range(200 - have[kind])]
    while missing():
        for kind in missing(): connect(kind)
        time.sleep(0.01)
    print('1000 connections', flush=True)
    turn = 0
    while not select.select([sys.stdin], [], [], 0.005)[0]:
        turn += 1
        for s, kind in list(sockets.items()):
            if kind == 1 and turn % 50: continue
            try:
                if kind == 0:
                    if s.recv(1) == b'': raise OSError
                    continue
                s.send(pieces[kind])
                counts[kind] += 1
            except BlockingIOError:
                continue
            except OSError:
                s.close()
                del sockets[s]
                connect(kind)
    print(*counts, flush=True)
    """
}

/// Clients that ask what clients ask.
private final class GoodClients {
  private let connections: [CratesClient]

  private static let calls: [Call] = [
    .status, .listCrates, .listAlbums(crate: nil, gone: false, first: nil, count: nil),
  ]

  init(_ home: Home, count: Int) throws {
    connections = try (0..<count).map { _ in try CratesClient(home) }
  }

  /// One after the other, each client as often, so that none is left out. How long the answers
  /// took, in nanoseconds, the shortest first.
  @discardableResult
  func ask(rounds: Int) throws -> [Int64] {
    let clock = Clock.system
    var times: [Int64] = []
    for round in 0..<rounds {
      for (number, client) in connections.enumerated() {
        let start = clock.monotonic()
        try client.ask(Self.calls[(round + number) % Self.calls.count])
        times.append(clock.monotonic() - start)
      }
    }
    return times.sorted()
  }
}
