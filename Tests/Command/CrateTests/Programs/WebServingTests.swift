import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// A `crated` beside `crate` that is none, and writes down how it is called and what signals come.
@Suite("crate web, where it serves the page itself", .limited)
struct WebServingTests {
  private let home: Home
  private let bin: String

  init() throws {
    home = try Home()
    bin = try home.folder.makeFolder("bin")
    try copy(try Home.program("crate"), to: "\(bin)/crate")
    try home.folder.makeFolder("run/crated")
    home.environment["BROWSER"] = "true"
  }

  private func write(_ program: String, to name: String) throws {
    try home.folder.write(program, to: name)
    #expect(chmod(home.folder.path(name), 0o755) == 0)
  }

  /// Answers one call with a link, and ends with 7 by the first signal that it is told of.
  private static let serving = """
    #!/usr/bin/env python3
    import os, signal, socket, sys, time
    numbers = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    server = socket.socket(socket.AF_UNIX)
    server.bind(os.environ['XDG_RUNTIME_DIR'] + '/crated/org.crated.Web')
    server.listen()
    client = server.accept()[0]
    call = b''
    while not call.endswith(b'\\0'): call += client.recv(4096)
    client.sendall(b'{"parameters":{"url":"http://127.0.0.1:8337/#secret"}}\\0')
    number = signal.sigwait(numbers)
    print(*sys.argv[1:], signal.Signals(number).name, flush=True)
    sys.exit(7)
    """

  private func started() throws -> RunningProgram {
    try RunningProgram(
      "\(bin)/crate", ["web"], environment: home.environment, errors: home.log)
  }

  @Test(
    "It starts crated web, says how long that serves, passes signals on and ends as that does",
    arguments: [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGTERM")])
  func serves(number: Int32, passedOn: String) throws {
    try write(Self.serving, to: "bin/crated")
    let program = try started()
    #expect(
      try program.nextLine()
        == "The page is served at http://127.0.0.1:8337/ until you press ^C")
    program.signal(number)
    #expect(try program.nextLine() == "web \(passedOn)")
    #expect(try program.end() == 7)
  }

  @Test("Without one beside it, the one in PATH is started")
  func inPath() throws {
    try write(Self.serving, to: "other/crated")
    home.environment["PATH"] = "\(home.folder.path("other")):\(home.environment["PATH"] ?? "")"
    let program = try started()
    #expect(try program.nextLine()?.hasPrefix("The page is served") == true)
    program.signal(SIGINT)
    #expect(try program.nextLine() == "web SIGINT")
    #expect(try program.end() == 7)
  }

  @Test("One that ends at once has said why, and its status is that of the command")
  func endsAtOnce() throws {
    try write("#!/bin/sh\necho 'crated: the port is taken' >&2\nexit 78\n", to: "bin/crated")
    home.programs = bin + "/"
    let result = try home.crate("web", status: 78)
    #expect(result.output == "" && result.errors == "crated: the port is taken\n")
  }

  @Test("What answers nonsense is ended")
  func nonsense() throws {
    try write(
      Self.serving.replacing("\"url\":\"http://127.0.0.1:8337/#secret\"", with: ""),
      to: "bin/crated")
    let program = try started()
    #expect(try program.nextLine() == "web SIGTERM")
    #expect(try program.end() == 69)
  }
}
