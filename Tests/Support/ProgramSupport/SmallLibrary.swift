import DemoMusic
import TestSupport
import Testing

/// A few albums of three songs, made in no time: "Album 0" by "Artist 0" and so on.
package enum SmallLibrary {
  package static func write(albums: Int, to folder: String) throws {
    for album in 0..<albums {
      for track in 1...3 { try song(album, track, to: folder) }
    }
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
