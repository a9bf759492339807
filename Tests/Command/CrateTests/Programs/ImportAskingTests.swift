import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// `crate import` on a terminal, which script(1) makes.
@Suite("Importing with a person who answers", .serialized, .limited)
struct ImportAskingTests {
  let home: Home
  let daemon: RunningDaemon
  private let list: String

  init() throws {
    home = try Home()
    try copy(try SampleMusic.albums([.flac, .mp3, .ogg, .opus]), to: "\(home.music)/Here")
    daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("sort", "Music", "by", "title")
    list = try home.folder.write(
      "Album ogg/1 First ogg.ogg\nAlbum ogg/2 Second ogg.ogg\n", to: "Music/Here/Late.m3u")
  }

  /// Types lines, each when so many questions were asked; before a line something may be done.
  private func answer(_ lines: [(before: String, line: String)]) throws -> ProgramResult {
    let crate = try Home.program("crate")
    let screen = home.folder.path("screen")
    var script = "CRATE='\(crate)'\nSCREEN='\(screen)'\n: > \"$SCREEN\"\n{\n"
    for (number, (before, line)) in lines.enumerated() {
      script +=
        "while [ \"$(grep -ao 'Import it?' \"$SCREEN\" | wc -l)\" -le \(number) ]; do :; done\n"
      script += "\(before) >&2\nprintf '%s\\n' '\(line)'\n"
    }
    script += "} | "
    script +=
      "script --quiet --flush --return --command \"'$CRATE' import '\(list)'\" \"$SCREEN\"\n"
    let variables = ["COLUMNS": "120", "NO_COLOR": "", "TERM": "xterm"]
    return try run(
      "timeout", Home.limit + ["bash", "-c", script],
      environment: home.environment.merging(variables) { $1 })
  }

  @Test("A yes does what was shown, anything else nothing")
  func answers() throws {
    let before = try home.listings()
    let no = try answer([(before: ":", line: "no")])
    #expect(no.status == 1, "\(no.output)")
    #expect(no.output.contains("would") && no.output.contains("nothing was imported"))
    // The headings are bold, and nothing says so in letters.
    #expect(no.output.contains("\u{1B}[1m") && !no.output.contains("\u{241B}"))
    #expect(try home.listings() == before)
    let yes = try answer([(before: ":", line: "y")])
    #expect(yes.status == 0, "\(yes.output)")
    #expect(try home.albums("Late") == ["Album ogg"])
    #expect(try home.crate("import", list).output.contains("nothing to do"))
  }

  @Test("Where the plan changes before the answer, the new one is shown and asked about again")
  func changed() throws {
    let other = "\"$CRATE\" move 'Album ogg' to Late"
    let said = try answer([(before: other, line: "y")])
    // Another hand did it meanwhile: nothing is left to do.
    #expect(said.status == 0, "\(said.output)")
    #expect(said.output.contains("changed meanwhile"))
    #expect(said.output.contains("nothing to do: all that was found is there"))

    try home.crate("undo")
    let new = "\"$CRATE\" move 'Album flac' to Late"
    let again = try answer([(before: new, line: "y"), (before: ":", line: "n")])
    #expect(again.status == 1, "\(again.output)")
    #expect(again.output.contains("the new crate Late") && again.output.contains("the crate Late"))
    #expect(try home.albums("Late") == ["Album flac"])
  }

  @Test("What has nothing to do with the plan may change")
  func unrelated() throws {
    let said = try answer([(before: "\"$CRATE\" move 'Album mp3' top", line: "y")])
    #expect(said.status == 0, "\(said.output)")
    #expect(!said.output.contains("changed meanwhile"))
    #expect(try home.albums("Late") == ["Album ogg"])
    #expect(try home.albums("Music").first == "Album mp3")
  }
}
