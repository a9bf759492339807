import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("Forgetting with a person who answers", .serialized, .limited)
struct ForgetAskingTests {
  @Test("What would go is shown with the question, and goes by a yes alone")
  func asked() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 3, to: home.music)
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    for song in ["1-2", "2-1", "2-2", "2-3"] {
      try #require(unlink("\(home.music)/\(song).flac") == 0)
    }
    try daemon.sync()
    let settings = home.environment.merging(["TERM": "dumb"]) { $1 }
    for (answer, status, gone) in [("n", 1, 4), ("", 1, 4), ("Yes", 0, 0)] as [(String, Int32, Int)]
    {
      let terminal = try PseudoTerminal(
        try Home.program("crate"), ["forget"], environment: settings)
      try terminal.wait(for: "Forget the places of 4 songs? [y/N] ")
      terminal.type("\(answer)\n")
      #expect(try terminal.end() == status << 8)
      let shown = String(decoding: terminal.shown, as: UTF8.self)
      #expect(shown.contains("Song 2  Album 1  Music  gone"), "\(shown)")
      #expect(shown.contains("nothing was forgotten") == (status != 0))
      #expect(try home.status().gone == gone)
    }
    try daemon.stop()
  }
}
