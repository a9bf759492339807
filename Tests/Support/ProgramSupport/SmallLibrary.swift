import DemoMusic
import Glibc
import TestSupport
import Testing

/// A few albums of three songs, made in no time: "Album 0" by "Artist 0" and so on.
package enum SmallLibrary {
  /// Each album is younger than the one before: in the order of a first scan it is above it.
  package static func write(albums: Int, to folder: String) throws {
    for album in 0..<albums {
      for track in 1...3 { try song(album, track, to: folder) }
      let written = milliseconds(of: CLOCK_REALTIME)
      // Files are dated by a clock that ticks some hundred times a second, or later by what was
      // asked for more exactly in between.
      while milliseconds(of: CLOCK_REALTIME_COARSE) <= written { sched_yield() }
    }
  }

  private static func milliseconds(of clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  package static func song(_ album: Int, _ track: Int, to folder: String) throws {
    let song = DemoSong(
      title: "Song \(track)", artist: "Artist \(album)", album: "Album \(album)", track: track,
      seconds: 1, seed: UInt64(album * 10 + track))
    try writeFile(song.encoded(), to: "\(folder)/\(album)-\(track).flac")
  }
}

/// Copies a file or a folder with all it holds, as a person does.
package func copy(_ source: String, to target: String) throws {
  let result = try run("cp", ["-r", source, target])
  try #require(result.status == 0, "\(result.errors)")
}
