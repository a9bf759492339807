import DemoMusic
import Glibc
import TestSupport

/// Songs with paths as odd as paths can be: nine albums of two songs, "Album 0" with "Song 0" and
/// so on.
enum OddSongs {
  /// Paths below the music folder, two of an album.
  static let paths: [[UInt8]] =
    [
      "#folder/#1 song.flac", "#folder/2 100% song%41.flac", "a b  c/\"1\".flac", "a b  c/'2'.flac",
      "http:/1: song.flac", "http:/-2 song.flac", "-dash/1\\song.flac", "-dash/2?song*.flac",
      "ünï 後で/1 e\u{301}.flac", "ünï 後で/2 🎷.flac", "x/y/1\tsong.flac", "x/y/2 $HOME.flac",
      "plain/1.flac", "plain/2.flac",
    ].map { Array($0.utf8) } + [
      Array("bad".utf8) + [0xFF, 0x2F, 0xC3] + Array(".flac".utf8),
      Array("bad".utf8) + [0xFF, 0x2F] + Array("2 \u{FFFD}.flac".utf8),
      Array("~/1;song&.flac".utf8), Array("~/2|song .flac".utf8),
    ]

  static func write(to music: String) throws {
    for (index, path) in paths.enumerated() {
      var folder = music.utf8.map { CChar(bitPattern: $0) }
      for part in path.split(separator: 0x2F).dropLast() {
        folder += [0x2F] + part.map { CChar(bitPattern: $0) }
        mkdir(folder + [0], 0o755)
      }
      let song = DemoSong(
        title: "Song \(index)", artist: "Artist", album: "Album \(index / 2)", track: index % 2 + 1,
        seconds: 1, seed: UInt64(index))
      try writeFile(song.encoded(), to: Array("\(music)/".utf8) + path)
    }
  }
}
