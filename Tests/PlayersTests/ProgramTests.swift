import Glibc
import TestSupport
import Testing

@testable import Players

@Suite("Players that are programs", .limited)
struct ProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a setting is one of three")
  func settings() {
    #expect(Player(setting: "mpd") == .mpd)
    #expect(Player(setting: "mpv:/run/s") == .mpv(socket: "/run/s"))
    #expect(Player(setting: "mpv {}") == .command("mpv {}"))
    #expect(Player.mpd.adds && Player.mpv(socket: "").adds && !Player.command("{}").adds)
    let names = ["/usr/bin/strawberry --load {}", "A=1 mpv {}", "cmus-remote -q {}", "{}"]
    #expect(
      names.map { Player.command($0).name } == ["strawberry", "mpv", "cmus-remote", "{}"])
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

  @Test("a list has lengths and names that steer nothing, and leaves out what no line can hold")
  func list() throws {
    let songs = [
      PlayedSong(path: Array("/m/1.flac".utf8), title: "A\nB", artist: "C", seconds: 61.5),
      PlayedSong(path: Array("/m/2\n.flac".utf8), title: "X"),
      PlayedSong(path: [0x2F, 0xFF], seconds: 0.1),
      PlayedSong(path: Array("/m/3".utf8), seconds: .infinity),
    ]
    let text = try PlayedList.written(songs, inRuntime: folder.path)
    #expect(text == folder.path("crated/play.m3u8"))
    let expected =
      Array("#EXTM3U\n#EXTINF:62,C - A␊B\n/m/1.flac\n#EXTINF:1,\n/".utf8) + [0xFF]
      + Array("\n#EXTINF:-1,\n/m/3\n".utf8)
    #expect(try readFile(text) == expected)
    var status = stat()
    #expect(stat(text, &status) == 0 && status.st_mode & 0o777 == 0o600)
    for runtime in [nil, "run", folder.path("none")] {
      #expect(throws: PlayerFault.self) { try PlayedList.written(songs, inRuntime: runtime) }
    }
    #expect(throws: PlayerFault.self) {
      try PlayedList.written([songs[1]], inRuntime: folder.path)
    }
  }
}
