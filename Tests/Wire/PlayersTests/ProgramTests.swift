import Glibc
import TestSupport
import Testing

@testable import Players

@Suite("Players that are programs", .limited)
struct ProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a setting is one of four")
  func settings() {
    #expect(Player(setting: "mpd") == .mpd)
    #expect(Player(setting: "mpv:/run/s") == .mpv(socket: "/run/s"))
    #expect(Player(setting: "vlc {}") == .command("vlc {}"))
    // An mpv by any line can be controlled.
    for line in ["mpv {}", "A=1 /usr/bin/mpv --no-video {}"] {
      #expect(Player(setting: line) == .ownMPV(line))
    }
    #expect(Player.mpd.adds && Player.mpv(socket: "").adds && !Player.command("{}").adds)
    let names = ["/usr/bin/strawberry --load {}", "A=1 mpv {}", "cmus-remote -q {}", "{}"]
    #expect(
      names.map { Player.command($0).name } == ["strawberry", "mpv", "cmus-remote", "{}"])
    #expect(["A=1", "", "/ {}"].map { Player.command($0).name } == ["sh", "sh", "/"])
    #expect(Player.mpd.name == "MPD" && Player.mpv(socket: "").name == "mpv")
    #expect(Player.ownMPV("").name == "mpv" && Player.ownMPV("").adds)
  }

  @Test("where none is set, an MPD that answers is it, or else the first program that is there")
  func usual() throws {
    let mpd = try FakeMPD()
    let there = MPDAddress.all(set: mpd.path) { _ in nil }
    let none = MPDAddress.all(set: folder.path("none")) { _ in nil }
    for name in ["both/mpv", "both/xdg-open", "one/xdg-open", "other/mpv"] {
      try folder.write("", to: name)
      #expect(chmod(folder.path(name), 0o755) == 0)
    }
    // One that can't be run is none.
    try folder.write("", to: "one/mpv")
    func path(_ names: String...) -> String {
      names.map { folder.path($0) }.joined(separator: ":")
    }
    #expect(try Player.usual(mpd: there, path: path("both")) == .mpd)
    _ = mpd.end()
    let mpv = Player.ownMPV("mpv --playlist={}")
    for (path, expected) in [
      (path("both"), mpv), (path("none", "one"), .command("xdg-open {}")),
      (path("one", "other"), mpv),
    ] {
      #expect(try Player.usual(mpd: none, path: path) == expected, "\(path)")
    }
    #expect(throws: PlayerFault.self) { try Player.usual(mpd: none, path: path("none", "")) }
  }

  @Test("what means something to a shell stands in quotes, and nothing else does")
  func quotes() {
    for code in UInt8(1)...127 {
      let letter = Character(Unicode.Scalar(code))
      let isPlain = letter.isLetter || letter.isNumber || "-./_".contains(letter)
      let quoted = letter == "'" ? "''\\'''" : "'\(letter)'"
      #expect(PlayerProgram.word("\(letter)") == (isPlain ? "\(letter)" : quoted))
    }
    #expect(PlayerProgram.word("") == "''" && PlayerProgram.word("a b") == "'a b'")
  }

  @Test("an option follows the program's name, and what stands before it stays there")
  func options() throws {
    let said = folder.path("said")
    for line in ["echo x", "A=1  echo x", "A=1 B=2 /bin/echo x"] {
      try PlayerProgram(line: "\(line) > \(said); : {}", list: "/l", option: "--o=1")
        .start(patience: 60_000)
      #expect(String(decoding: try readFile(said), as: UTF8.self) == "--o=1 x\n", "\(line)")
    }
  }

  @Test("it reads nothing, and what it says is not heard")
  func descriptors() throws {
    let answer = folder.path("answer")
    // The shell keeps its own descriptors while others are in a pipe.
    let line = "for i in 0 1 2; do readlink /proc/$$/fd/$i; done | cat > \(answer); : {}"
    try PlayerProgram(line: line, list: "/l").start(patience: 60_000)
    #expect(try readFile(answer) == Array("/dev/null\n/dev/null\n/dev/null\n".utf8))
  }

  @Test("the place of the list is one word for a shell, in quotes and without")
  func words() throws {
    for path in ["/run/user/1/play.m3u8", "/a b/it's $HOME `x`/\"1\"", "/\n"] {
      for line in ["printf %s {}", "printf %s '{}'", "printf %s \"{}\""] {
        let isPlain = path.hasPrefix("/run")
        if !isPlain, line.hasSuffix("'") || line.hasSuffix("\"") { continue }
        let said = folder.path("said")
        try PlayerProgram(line: "\(line) > \(said)", list: path).start(patience: 60_000)
        #expect(String(decoding: try readFile(said), as: UTF8.self) == path, "\(line)")
      }
    }
  }

  @Test("one that ends at once, or is not there, is told of")
  func failing() throws {
    for (line, words) in [
      ("exit 3; : {}", "with status 3"), ("nosuchplayer {}", "with status 127"),
      ("kill -9 $$; : {}", "by signal 9"),
    ] {
      let fault = #expect(throws: PlayerFault.self) {
        try PlayerProgram(line: line, list: "/l").start(patience: 60_000)
      }
      #expect(fault?.message.contains(words) == true, "\(line)")
    }
    try PlayerProgram(line: "true {}", list: "/l").start(patience: 60_000)
  }

  @Test("one that goes on is waited for no longer, apart from this session")
  func goingOn() throws {
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let answer = folder.path("answer")
    #expect(mkfifo(answer, 0o600) == 0)
    let line = "read word < \(pipe); ps -o sid= -p $$ > \(answer); : {}"
    try PlayerProgram(line: line, list: "/l").start()
    let writing = open(pipe, O_WRONLY | O_CLOEXEC)
    #expect(writing >= 0 && write(writing, "go\n", 3) == 3)
    close(writing)
    let session = String(decoding: try readFile(answer), as: UTF8.self)
    #expect(pid_t(session.filter(\.isNumber)) != getsid(0))
  }
}
