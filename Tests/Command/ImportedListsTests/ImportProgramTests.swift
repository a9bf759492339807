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
}
