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
}
