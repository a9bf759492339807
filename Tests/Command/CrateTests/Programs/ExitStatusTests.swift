import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("The exit status of crate", .limited)
struct ExitStatusTests {
  @Test("It is 69 where no daemon runs, with the command that starts one")
  func notRunning() throws {
    let home = try Home()
    for arguments in [
      ["list"], ["status", "--json"], ["move", "Jazz", "top"], ["sync"], ["watch"],
    ] {
      let result = try home.crate(arguments, status: 69)
      #expect(result.output.isEmpty)
      #expect(
        result.errors
          == "crate: crated is not running; start it with: systemctl --user start crated"
          + " (if that fails: journalctl --user -u crated)\n")
    }
    // A socket that a killed daemon left is none either.
    try RunningDaemon(home).kill()
    #expect(access(home.socket, F_OK) == 0)
    try home.crate("list", status: 69)
    try RunningDaemon(home).stop()
  }

  @Test("It is 0 for what is done, 1 for a refusal, 64 for wrong use, 75 for what has changed")
  func statuses() throws {
    let home = try Home()
    try copy(try SampleMusic.albums([.mp3, .flac, .ogg]), to: "\(home.music)/Here")
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let sequence = "\(try home.status().sequence)"
    try home.crate("move", "Album ogg", "to", "Evening", "--if-sequence", sequence)

    let failures: [(Int32, [String])] = [
      (75, ["move", "Album mp3", "bottom", "--if-sequence", sequence]),
      (75, ["rename", "Music", "Day", "--if-sequence", sequence]),
      (1, ["rename", "Music", "evening"]), (1, ["rename", "Music", " "]),
      (1, ["rename", "Night", "Day"]), (1, ["list", "Night"]), (1, ["paths", "Music", "3"]),
      (1, ["move", "Album ogg", "Album mp3", "top"]), (1, ["move", "zzzz", "top"]),
      (1, ["move", "Album ogg", "up", "to", "Music"]),
      (1, ["move", "Album mp3", "before", "Album mp3"]),
      (1, ["rescan", "/nowhere"]), (64, ["move", "Album mp3"]), (64, ["move", "top"]),
      (64, ["move", "Album mp3", "before"]), (64, ["list", "--nonsense"]), (64, ["nonsense"]),
      (64, ["rename", "Music"]), (64, ["paths"]),
      (64, ["move", "Album mp3", "1", "to", "Evening"]), (1, ["find", "nowhere"]),
      (64, ["find", "colour:red"]), (1, ["undo", "9"]), (64, ["undo", "0"]),
      (64, ["undo", "1", "--to", "3"]),
    ]
    let before = try home.listings()
    for (status, arguments) in failures {
      let result = try home.crate(arguments, status: status)
      #expect(result.output.isEmpty, "\(arguments)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(arguments): \(result.errors)")
      #expect(result.errors.hasPrefix("crate: "), "\(arguments): \(result.errors)")
    }
    #expect(try home.listings() == before)
    // At the end already: no change, and no error.
    let change = try home.json("move", "Evening", "bottom")
    #expect(change.first?["changed"]?.bool == false)
    // A reader that has enough ends it quietly.
    let pipe = try run(
      "sh", ["-c", "\"$0\" list Music 1- --json | head -c 1", try Home.program("crate")],
      environment: home.environment)
    #expect(pipe.output == "{" && pipe.errors.isEmpty)
    try daemon.stop()
  }

  @Test("Without standard output it fails, and writes nothing into its connection")
  func closedOutput() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 2, to: home.music)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let order = try client.order()
    func crate(_ words: String) throws -> ProgramResult {
      try run(
        "sh", ["-c", "exec \"$0\" \(words)", try Home.program("crate")],
        environment: home.environment)
    }
    for closed in [">&-", "<&- >&-", "<&- >&- 2>&-"] {
      for words in ["list", "list --json", "paths Music", "rename Music Jazz"] {
        let result = try crate("\(words) \(closed)")
        #expect(result.status == 1, "\(words) \(closed)")
        let isTold = result.errors.contains(
          "standard output cannot be written: Bad file descriptor")
        #expect(isTold == !closed.contains("2"), "\(words) \(closed): \(result.errors)")
      }
      try client.ask(.undo(sequence: nil))
    }
    #expect(try crate("list <&-").status == 0)
    #expect(try crate("list nosuch 2>&-").status == 1)
    expectSame(try client.order(), order)
    try daemon.stop()
  }

  @Test("Another user's program that listens in the place of crated is not talked to")
  func anothersSocket() throws {
    let home = try Home()
    let folder = try home.folder.makeFolder("open")
    chmod(home.folder.path, 0o755)
    chmod(folder, 0o777)
    let listener = try RunningProgram(
      "setpriv",
      ["--reuid=1234", "--regid=1234", "--clear-groups", "/usr/bin/python3", "-c", Self.listening]
        + ["\(folder)/socket"],
      environment: home.environment, errors: home.folder.path("listener.log"))
    try #require(try listener.nextLine() == "listening")
    let result = try home.crate("list", "--socket", "\(folder)/socket", status: 69)
    #expect(
      result.errors
        == "crate: cannot talk to crated: whoever listens at \(folder)/socket is another"
        + " user (uid 1234), and no crated of yours\n")
    #expect(try listener.nextLine() == "0 bytes")
  }

  private static let listening = """
    import socket, sys
    s = socket.socket(socket.AF_UNIX)
    s.bind(sys.argv[1])
    s.listen()
    print('listening', flush=True)
    print(len(s.accept()[0].recv(1000)), 'bytes', flush=True)
    """

  @Test("Whoever waits for a daemon that stands still is told so, and served when it goes on")
  func stopped() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 1, to: home.music)
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    daemon.program.signal(SIGSTOP)
    let list = try RunningProgram(
      "sh", ["-c", "exec \"$0\" list Music 2>&1", try Home.program("crate")],
      environment: home.environment, errors: home.folder.path("list.log"))
    #expect(try list.nextLine() == "crate: crated does not answer yet")
    daemon.program.signal(SIGCONT)
    #expect(try list.nextLine()?.hasPrefix("1\tAlbum 0\t") == true)
    #expect(try list.end() == 0)
    try daemon.stop()
  }
}
