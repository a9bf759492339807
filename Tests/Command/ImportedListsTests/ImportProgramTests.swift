import TestSupport
import Testing

@testable import ImportedLists

@Suite("Programs whose lists are found by name", .limited)
struct ImportProgramTests {
  @Test("A program is known in any case, and keeps its lists where XDG says")
  func places() throws {
    #expect(ImportProgram(word: "Mixxx") == .mixxx)
    #expect(ImportProgram(word: "winamp") == nil)
    for program in ImportProgram.allCases {
      let usual = program.places(home: "/home/ada", config: nil, data: nil)
      #expect(usual.allSatisfy { $0.hasPrefix("/home/ada/.") || $0.hasPrefix("/var/") })
    }
    #expect(
      ImportProgram.strawberry.places(home: "/home/ada", config: "/c", data: "/d").first
        == "/d/strawberry/strawberry/strawberry.db")
    #expect(
      ImportProgram.mpd.places(home: "/home/ada", config: "/c", data: nil)
        == ["/c/mpd/playlists", "/home/ada/.mpd/playlists", "/var/lib/mpd/playlists"])
    #expect(ImportProgram.rhythmbox.beside == "rhythmdb.xml")
  }

  @Test(
    "Of several readings the first is right of which more songs are found than not",
    arguments: [
      ([(4, 0)], 0), ([(4, 3), (4, 4), (4, 4)], 0), ([(4, 2), (4, 3), (4, 4)], 1),
      ([(4, 2), (4, 2), (4, 2)], nil), ([(1, 0), (1, 0), (1, 1)], 2),
    ] as [([(Int, Int)], Int?)])
  func readings(found: [(Int, Int)], expected: Int?) {
    #expect(ListFile.right(among: found.map { (listed: $0.0, found: $0.1) }) == expected)
  }
}
