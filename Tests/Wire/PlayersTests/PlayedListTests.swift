import Glibc
import TestSupport
import Testing

@testable import Players

@Suite("The list that a player is given", .limited)
struct PlayedListTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ song: PlayedSong) -> String {
    String(decoding: PlayedList.text(of: [song]), as: UTF8.self)
  }

  @Test("has lengths and names that steer nothing, and leaves out what no line can hold")
  func list() throws {
    let songs = [
      PlayedSong(path: Array("/m/1.flac".utf8), title: "A\nB", artist: "C", seconds: 61.5),
      PlayedSong(path: Array("/m/2\n.flac".utf8), title: "X"),
      PlayedSong(path: [0x2F, 0xFF], seconds: 0.1),
      PlayedSong(path: Array("/m/3".utf8), seconds: .infinity),
    ]
    let path = try PlayedList.written(songs, inRuntime: folder.path)
    #expect(path == folder.path("crated/play.m3u8"))
    let expected =
      Array("#EXTM3U\n#EXTINF:62,C - A␊B\n/m/1.flac\n#EXTINF:1,\n/".utf8) + [0xFF]
      + Array("\n#EXTINF:-1,\n/m/3\n".utf8)
    #expect(try readFile(path) == expected)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    // What somebody left half-written is in nobody's way.
    try folder.write("left", to: "crated/play.m3u8.\(getpid()).tmp")
    #expect(try PlayedList.written(Array(songs[2...]), inRuntime: folder.path) == path)
    #expect(try readFile(path) != expected)
    #expect(try names(in: folder.path("crated")) == ["play.m3u8"])
    for runtime in [nil, "", "run", folder.path("none")] {
      #expect(throws: PlayerFault.self) { try PlayedList.written(songs, inRuntime: runtime) }
    }
    #expect(throws: PlayerFault.self) {
      try PlayedList.written([songs[1]], inRuntime: folder.path)
    }
  }

  @Test("has no path with a line break or a NUL, and any other")
  func lines() {
    for byte in UInt8.min ... .max {
      let song = PlayedSong(path: [0x2F, byte, 0x61])
      #expect(song.isLine == ![0x00, 0x0A, 0x0D].contains(byte), "\(byte)")
      let line = Array("#EXTINF:-1,\n".utf8) + song.path + [0x0A]
      #expect(PlayedList.text(of: [song]) == Array("#EXTM3U\n".utf8) + (song.isLine ? line : []))
    }
  }

  @Test("has whole seconds, at least one, and -1 where there is no number for them")
  func seconds() {
    for (seconds, said) in [
      (0, -1), (-1, -1), (0.01, 1), (0.5, 1), (1.4, 1), (1.5, 2), (3599.9, 3600), (1e300, -1),
      (.infinity, -1), (.nan, -1),
    ] as [(Double, Int)] {
      let song = PlayedSong(path: [0x2F], title: "T", seconds: seconds)
      #expect(text(song) == "#EXTM3U\n#EXTINF:\(said),T\n/\n")
    }
  }
}
