import CratesInterface
import ImportedLists
import TestSupport
import Testing

@testable import crate

@Suite("Songs of a list, as the daemon is asked for them", .limited)
struct SongFindingTests {
  @Test(
    "No call has few songs of a long list",
    arguments: [
      (0, []), (1, [1]), (1_000, [1_000]), (1_001, [501, 500]), (2_001, [667, 667, 667]),
    ])
  func parts(count: Int, expected: [Int]) {
    var list = ImportedList(name: "Late")
    list.songs = (0..<count).map { number in
      var song = WantedSong()
      song.path = "\(number)"
      return song
    }
    let parts = SongFinding.parts(of: list)
    #expect(parts.map(\.count) == expected)
    #expect(parts.joined().map(\.path) == (0..<count).map { "\($0)" as String? })
  }

  @Test("Nor has one more than a message may have")
  func bytes() {
    var list = ImportedList(name: "Late")
    var song = WantedSong()
    song.path = String(repeating: "a", count: 10_000)
    list.songs = [WantedSong](repeating: song, count: 300)
    let parts = SongFinding.parts(of: list)
    #expect(parts.map(\.count).reduce(0, +) == 300)
    #expect(parts.allSatisfy { $0.count <= 104 })
  }

  @Test("A part is filled with as many bytes as one message may have")
  func filled() {
    var list = ImportedList(name: "Late")
    var song = WantedSong()
    song.path = String(repeating: "a", count: 1 << 14)
    list.songs = [WantedSong](repeating: song, count: 65)
    // 64 of them are exactly a MiB.
    #expect(SongFinding.parts(of: list).map(\.count) == [64, 1])
    list.songs += [WantedSong](repeating: song, count: 64)
    #expect(SongFinding.parts(of: list).map(\.count) == [64, 64, 1])
  }

  @Test("All that tells anything of a song is asked for, and nothing that tells nothing")
  func wanted() {
    var song = WantedSong()
    (song.path, song.title, song.artist, song.album) = ("/a", "T", "A", "L")
    (song.albumArtist, song.recording, song.release) = ("B", "r", "s")
    (song.id, song.disc, song.track, song.milliseconds) = ("abcd2345wxyz", 1, 2, 61_500)
    var list = ImportedList(name: "Late")
    list.songs = [song, WantedSong()]
    var expected = Interface.Wanted(path: "/a", title: "T")
    (expected.artist, expected.album, expected.albumArtist) = ("A", "L", "B")
    (expected.recording, expected.release) = ("r", "s")
    (expected.song, expected.disc, expected.track) = ("abcd2345wxyz", 1, 2)
    expected.seconds = 61.5
    #expect(SongFinding.parts(of: list) == [[expected, Interface.Wanted()]])
    list.songs[1].milliseconds = 1
    #expect(SongFinding.parts(of: list)[0][1].seconds == 0.001)
  }

  @Test("No name is asked for that is longer than any is, or has a zero in it")
  func odd() {
    func asked(_ path: String, _ title: String) -> Interface.Wanted {
      var song = WantedSong()
      (song.path, song.title) = (path, title)
      var list = ImportedList(name: "Late")
      list.songs = [song]
      return SongFinding.parts(of: list)[0][0]
    }
    let (path, name) = (String(repeating: "p", count: 16_384), String(repeating: "n", count: 4_096))
    #expect(asked(path, name) == Interface.Wanted(path: path, title: name))
    #expect(asked(path + "p", name + "n") == Interface.Wanted())
    #expect(asked("a\0", "b") == Interface.Wanted(path: nil, title: "b"))
  }
}
