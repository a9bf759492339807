import TestSupport
import Testing

@testable import LibraryModel

/// The seconds that an import takes are a row of the benchmarks.
@Suite("What looking up costs", .limited, .nightly)
struct MatchingCostTests {
  @Test(
    "Four times as many songs in a library four times as large",
    arguments: [
      ForeignMusic.Style(tags: .none, paths: .windows, ending: "mp3"),
      ForeignMusic.Style(tags: .all, paths: .encoded, ending: "mp3"),
    ])
  func speed(_ style: ForeignMusic.Style) throws {
    let ratio = try Cost.ratio(2_500, 10_000) { count in
      var foreign = try ForeignMusic(songs: 5 * count, SeededGenerator(usually: 8_004))
      let library = foreign.music.library
      try #require(library.songs.count >= 5 * count)
      let list = foreign.list(style, albums: count / 5).prefix(count).map(\.wanted)
      try #require(list.count == count)
      var found: [Match] = []
      let cost = Cost.time { found = ListMatching(SongLookup(library)).matches(of: list) }
      try #require(found.count { $0.song != nil } > count * 3 / 4)
      return cost
    }
    #expect(ratio < Cost.mostOfFourTimes)
  }

  @Test("Names that all songs have cost no more than others")
  func alike() throws {
    let ratio = try Cost.ratio(2_500, 10_000) { count in
      var music = try MatchingLibrary()
      let rows = (1...count).map { number in
        MatchingLibrary.Row(
          "/home/ada/Music/\(number)/Album/01 Intro.flac", "Intro", by: "Ada", on: "Album",
          seconds: 60)
      }
      try music.add(rows)
      let wanted = (1...count).map {
        Wanted(
          "/x/\($0 + count)/Album/01 Intro.mp3", "Intro", by: "Ada", on: "Album", seconds: 60)
      }
      var found: [Match] = []
      let cost = Cost.time { found = ListMatching(SongLookup(music.library)).matches(of: wanted) }
      try #require(found.allSatisfy { $0.song == nil })
      return cost
    }
    #expect(ratio < Cost.mostOfFourTimes)
  }
}
