import Glibc
import Platform
import TestSupport
import Testing

/// The files of an album, and what its songs' tags say.
struct TaggedAlbum {
  var title: String
  var artist: String
  var format: SampleFormat
  /// In the order of their tracks.
  var paths: [String]

  /// Makes it of the sounds, in a folder that is there. Each song begins with a picture, so that
  /// there is something to lose.
  init(
    _ title: String, by artist: String, _ format: SampleFormat, of sounds: some Sequence<String>,
    in folder: String, _ tagger: Tagger
  ) throws {
    self.title = title
    self.artist = artist
    self.format = format
    paths = []
    for (index, sound) in sounds.enumerated() {
      let path = "\(folder)/\(index + 1) \(title).\(format.pathExtension)"
      try writeFile(try readFile(sound), to: path)
      paths.append(path)
      try tagger.write(tags(of: index), picture: 10_000, to: path)
    }
  }

  /// The tags of the song of this place, from 0.
  func tags(of index: Int) -> [String: String] {
    [
      "title": "\(title) \(index + 1)", "artist": artist, "album": title, "album_artist": artist,
      "track": "\(index + 1)", "date": "1999",
    ]
  }
}

/// Moves a file or a folder within the file system, over what is there.
func move(_ source: String, to target: String) throws {
  guard rename(source, target) == 0 else { throw SystemCallError("rename", source) }
}
