import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// Tags where one doesn't look for them first.
@Suite("Tags of kinds that a format needn't have", .limited)
struct OddTagsTests {
  private static let script = """
    import sys
    from mutagen.apev2 import APEv2
    from mutagen.id3 import ID3, TIT2, COMM

    def ape(path):
        tags = APEv2()
        tags["Comment"] = "said " * 5000
        tags.save(path)

    def id3(path, **options):
        tags = ID3()
        tags.add(COMM(encoding=3, lang="eng", desc="", text="said " * 5000))
        tags.add(TIT2(encoding=3, text="In front"))
        tags.save(path, **options)

    for path in sys.argv[1:]:
        if path.endswith(".mp3"):
            tags = ID3(path)
            tags.update_to_v23()
            tags.save(path, v1=2, v2_version=3, padding=lambda info: 99_999)
            ape(path)
        elif path.endswith(".flac"):
            id3(path)
        elif path.endswith(".wv"):
            with open(path, "ab") as file:
                file.write(b"TAG" + b"Behind".ljust(30, b"\\0") + bytes(94) + b"\\xff")
    """

  @Test("They change no sound, in front of it or behind it")
  func kinds() throws {
    let home = try Home()
    let tagger = try Tagger()
    let formats: [SampleFormat] = [.mp3, .flac, .wv, .aac, .alac]
    let albums = try formats.map { format in
      try TaggedAlbum(
        "Album \(format)", by: "Artist", format, of: try SampleMusic.sounds(format).prefix(3),
        in: try home.folder.makeFolder("Music/\(format)"), tagger)
    }
    let session = try Session(home)
    for album in albums {
      let id = try session.client.album(album.title).id
      let songs = try session.client.songs().filter { $0.album == id }.map(\.id)
      try session.client.move(songs: [songs[2]], .top)
    }
    let order = try session.client.order()
    let first = try session.client.status().sequence
    try session.restart {
      for album in albums {
        for (index, path) in album.paths.enumerated() {
          // A new file under a new name: only the sound is left to know it by.
          let new = "\(home.music)/\(index) \(album.format).\(album.format.pathExtension)"
          if album.format.pathExtension == "m4a" {
            // What leads to the sound goes from behind it to the front.
            let words = ["-c", "copy", "-map", "0:a", "-movflags", "+faststart", new]
            let result = try run("ffmpeg", ["-nostdin", "-v", "error", "-i", path] + words)
            try #require(result.status == 0, "\(result.errors)")
          } else {
            try copy(path, to: new)
            let result = try run("/usr/bin/python3", ["-c", Self.script, new])
            try #require(result.status == 0, "\(result.errors)")
          }
          #expect(try readFile(new) != readFile(path))
          removeTree(path)
        }
      }
    }
    expectSame(try session.client.order(), order)
    #expect(try session.client.status().gone == 0)
    let notes = try session.client.changes(after: first).flatMap(\.notes)
    #expect(notes.count == 15)
    #expect(notes.allSatisfy { $0.contains("the same sound") }, "\(notes)")
    try session.stop()
  }
}
