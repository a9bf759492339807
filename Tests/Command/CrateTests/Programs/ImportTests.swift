import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// `crate import` with the real programs, and lists as others write them.
@Suite("Importing", .serialized, .limited)
struct ImportTests {
  let home: Home
  let daemon: RunningDaemon

  init() throws {
    home = try Home()
    try copy(try SampleMusic.albums([.flac, .mp3, .ogg, .opus]), to: "\(home.music)/Here")
    daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("sort", "Music", "by", "title")
  }

  private func order() throws -> [[String]] {
    try home.json("list").compactMap { $0["name"]?.string }.map { [$0] + (try home.albums($0)) }
  }

  private func path(_ number: Int, _ format: String) -> String {
    let title = ["First", "Second", "Third"][number - 1]
    return "Album \(format)/\(number) \(title) \(format).\(format)"
  }

  /// A list beside the albums.
  private func list(_ lines: [String], name: String = "Evening.m3u") throws -> String {
    try home.folder.write(lines.joined(separator: "\n") + "\n", to: "Music/Here/\(name)")
  }

  /// The album in ogg backwards, two of three songs of that in flac, one of that in mp3.
  private func evening() throws -> String {
    try list([
      "#EXTM3U", path(3, "ogg"), path(2, "ogg"), path(1, "ogg"), path(1, "mp3"), "gone/x.flac",
      path(3, "flac"), path(1, "flac"),
    ])
  }

  @Test("A list becomes a crate when that is confirmed, and undo takes it back exactly")
  func wholeWay() throws {
    let evening = try evening()
    let before = try home.listings()
    let sequence = try home.status().sequence
    let refused = try home.crate("import", evening, status: 1)
    #expect(refused.errors.contains("nothing was imported"))
    #expect(refused.output.contains("“Evening” becomes the new crate Evening: 6 of 7 songs found"))
    #expect(refused.output.contains("Album mp3 by Artist mp3: 1 of 3 songs"))
    #expect(refused.output.contains("gone/x.flac: no song has this path"))
    #expect(refused.output.contains("in the list's order"))
    let trial = try home.crate("import", evening, "--dry-run")
    #expect(trial.output == refused.output)
    #expect(trial.output.contains("would"))
    #expect(try home.listings() == before)
    #expect(try home.status().sequence == sequence)

    let done = try home.crate("import", evening, "--yes")
    #expect(done.output.contains("Evening"))
    let after = [
      ["Music", "Album mp3", "Album opus"], ["Evening", "Album ogg", "Album flac"],
    ]
    #expect(try order() == after)
    let ogg = try home.json("list", "Album ogg").compactMap { $0["title"]?.string }
    #expect(ogg == ["Third ogg", "Second ogg", "First ogg"])
    let flac = try home.json("list", "Album flac").compactMap { $0["title"]?.string }
    #expect(flac == ["First flac", "Second flac", "Third flac"])
    let newest = try #require(try home.json("history").first)
    #expect(newest["origin"]?.string == "import of Evening.m3u")
    let imported = try home.status().sequence
    #expect(newest["sequence"]?.integer == imported)

    let again = try home.crate("import", evening, "--yes")
    #expect(again.output.contains("nothing to do: all that was found is there"))
    #expect(try home.status().sequence == imported)
    try home.crate("undo")
    #expect(try home.listings() == before)
    try home.crate("redo")
    #expect(try order() == after)
  }

  @Test("A crate that is there takes them on top, and keeps what it has")
  func existing() throws {
    try home.crate("move", "Album mp3", "Album ogg", "to", "Late")
    let list = try list([path(1, "opus"), path(2, "opus"), path(1, "ogg"), path(2, "ogg")])
    let said = try home.crate("import", list, "--as", "late", "--yes")
    #expect(said.output.contains("becomes the crate Late"))
    #expect(said.output.contains("is there, and stays"))
    #expect(
      try order() == [["Music", "Album flac"], ["Late", "Album opus", "Album mp3", "Album ogg"]])
  }

  @Test("As JSON a list is a line, and what was done one more")
  func json() throws {
    let evening = try evening()
    let refused = try home.crate("import", evening, "--json", status: 1)
    let object = try JSON(parsing: refused.output)
    #expect(object["name"]?.string == "Evening" && object["crate"]?.string == "Evening")
    #expect(object["found"]?.integer == 6 && object["listed"]?.integer == 7)
    let albums = (object["albums"]?.array ?? []).compactMap { $0["title"]?.string }
    #expect(albums == ["Album ogg", "Album flac"])
    #expect(object["left"]?.array?.count == 1 && object["missing"]?.array?.count == 1)
    #expect(try home.crate("import", evening, "--json", "--dry-run").output == refused.output)
    let lines = try home.crate("import", evening, "--json", "--yes").output
      .split(separator: "\n").map { try JSON(parsing: String($0)) }
    try #require(lines.count == 2)
    #expect(lines[0] == object)
    #expect(try Interface.Change(json: lines[1]).changed)
  }

  @Test("Damaged, missing and wrongly named files change nothing, and the status says which it is")
  func refusals() throws {
    let before = try home.listings()
    let damaged = try home.folder.write(
      "<?xml version=\"1.0\"?>\n<playlist version=\"1\">\n<trackList><track></trackList>",
      to: "a.xspf")
    let said = try home.crate("import", damaged, "--yes", status: 65)
    #expect(said.errors.contains("a.xspf: line 3"))
    let database = try home.folder.write(
      Array("SQLite format 3\u{0}".utf8) + [UInt8](repeating: 7, count: 5_000), to: "b.db")
    #expect(try home.crate("import", database, "--yes", status: 65).errors.contains("b.db"))
    let missing = try home.crate("import", home.folder.path("no.m3u"), "--yes", status: 66)
    #expect(missing.errors.contains("No such file"))
    #expect(try home.crate("import", "/dev/zero", "--yes", status: 66).errors.contains("neither"))
    let mixxx = try home.crate("import", "mixxx", "--yes", status: 66)
    #expect(mixxx.errors.contains(".mixxx/mixxxdb.sqlite"))
    try home.folder.makeFolder("none")
    #expect(
      try home.crate("import", home.folder.path("none"), status: 1).errors.contains("no list"))
    try home.crate("import", damaged, "--yes", "--dry-run", status: 64)
    try home.crate("import", damaged, "--root", "nonsense", status: 64)
    try home.crate("import", status: 64)
    let evening = try evening()
    let named = try home.crate("import", evening, "--only", "Morning", "--yes", status: 1)
    #expect(named.errors.contains("there is no list “Morning”; there are Evening"))
    #expect(try home.listings() == before)
  }

  @Test("Where hardly any song is found the list stays out, and a root of theirs brings it in")
  func roots() throws {
    let theirs =
      (1...2).map { "E:\\Musik\\\($0).flac" } + [
        "file:///E:/Musik/Third%20ogg.wav", "E:\\Musik\\3.flac",
      ]
    let list = try list(theirs, name: "Late.m3u")
    let refused = try home.crate("import", list, "--yes", status: 1)
    #expect(refused.output.contains("stays out (0 of 4 songs found)"))
    #expect(refused.output.contains("theirs: E:\\Musik\\1.flac"))
    // What is called alike is shown beside.
    #expect(refused.output.contains("ours:   \(home.music)/Here/\(path(3, "ogg"))"))
    for (number, name) in zip(1...3, ["1", "2", "3"]) {
      try copyFile("\(home.music)/Here/\(path(number, "flac"))", to: "New/\(name).flac")
    }
    try home.configure("music_folders = [\"\(home.folder.path("New"))\"]\n")
    try daemon.reload()
    try daemon.sync()
    try home.crate(
      "import", list, "--yes", "--root", "E:\\Musik=\(home.folder.path("New"))")
    #expect(try order().last == ["Late", "Album flac"])
  }

  @Test("Serato's songs are looked for from the root of the drive that its crates are on")
  func drive() throws {
    func field(_ tag: String, _ content: [UInt8]) -> [UInt8] {
      Array(tag.utf8) + [0, 0, 0, UInt8(content.count)] + content
    }
    func text(_ text: String) -> [UInt8] { text.utf8.flatMap { [0, $0] } }
    var crate = field("vrsn", text("1.0/Serato ScratchLive Crate"))
    for number in [3, 1, 2] {
      let name = "\(number).flac"
      try copyFile("\(home.music)/Here/\(path(number, "flac"))", to: "Music/\(name)")
      crate += field("otrk", field("ptrk", text(name)))
    }
    try daemon.sync()
    let file = try home.folder.write(crate, to: "Music/_Serato_/Subcrates/Late.crate")
    let said = try home.crate("import", file, "--yes")
    #expect(said.output.contains("3 of 3 songs found"))
    #expect(try order().last == ["Late", "Album flac"])
    // Elsewhere nobody knows where they are.
    let other = try home.folder.write(crate, to: "Late.crate")
    let missing = try home.crate("import", other, "--dry-run")
    #expect(missing.output.contains("0 of 3 songs found"))
  }

  private func copyFile(_ source: String, to name: String) throws {
    try home.folder.write(try readFile(source), to: name)
  }

  @Test(
    "A list of Windows in a code page is read in that in which its songs are there",
    arguments: [
      ("cp1251", "Кино/Группа крови/0% Песня"), ("cp932", "荒井由実/伝言/0% 朝陽表"),
      ("cp850", "Zoë/Été/0% Noël"), ("cp1252", "Zoë/Été/0% Noël"), ("gbk", "王菲/唱游/0% 红豆"),
    ])
  func codePages(page: String, name: String) throws {
    let paths = (1...3).map { name.replacing("%", with: "\($0)") }
    for (number, path) in zip(1..., paths) {
      try copyFile("\(home.music)/Here/\(self.path(number, "flac"))", to: "Music/\(path).flac")
    }
    try daemon.sync()
    let windows = paths.map { "D:\\Musik\\\($0.replacing("/", with: "\\")).flac" }
    let gone = "D:\\Musik\\\(name.replacing("/", with: "\\")).flac"
    let list = try list(windows + [gone])
    let encoded = try run("iconv", ["--from", "UTF-8", "--to", page, "--output", list, list])
    try #require(encoded.status == 0, "\(encoded.errors)")
    let said = try home.crate("import", list, "--yes")
    #expect(said.output.contains("3 of 4 songs found"), "\(said)")
    #expect(said.output.contains("    \(gone): no song has this path"), "\(said)")
  }

  @Test("A text of `crate edit` is imported by the ids in it, and elsewhere by the names")
  func editedText() throws {
    home.environment["EDITOR"] = "cat"
    home.environment["XDG_STATE_HOME"] = home.folder.path("state")
    let text = try home.crate("edit", "--songs").output.split(separator: "\n")
      .filter { !$0.hasPrefix("nothing") }.map { "\($0)\n" }.joined()
    try home.crate("move", "Album flac", "to", "Late")
    let file = try home.folder.write(text, to: "order.txt")
    let known = try home.crate("import", file, "--dry-run")
    #expect(known.output.contains("“Music” becomes the crate Music: 12 of 12 songs found"))
    // One of a library in which they have other ids.
    let other = text.replacing(/(song|album) [a-z0-9]{12}/) { "\($0.output.1) aaaaaaaaaaaa" }
    try home.folder.write(other, to: "order.txt")
    let named = try home.crate("import", file, "--dry-run")
    #expect(named.output.contains("“Music” becomes the crate Music: 12 of 12 songs found"))
    // Of what has no path no other folder is asked for.
    try home.folder.write(other.replacing("Album", with: "Elbum"), to: "order.txt")
    let none = try home.crate("import", file, "--dry-run")
    #expect(none.output.contains("(0 of 12 songs found)") && !none.output.contains("--root"))
  }

  @Test("A folder of lists is a crate for each, and album goes to the list with most of it")
  func folder() throws {
    let lists = "\(home.music)/Here"
    _ = try list([path(1, "flac"), path(2, "flac"), path(1, "ogg"), path(2, "ogg")], name: "A.m3u")
    _ = try list([path(3, "flac"), path(1, "flac"), path(2, "flac")], name: "B.m3u8")
    let said = try home.crate("import", lists, "--yes")
    #expect(said.output.contains("Album flac by Artist flac: goes with “B”, not with “A”"))
    #expect(
      try order() == [
        ["Music", "Album mp3", "Album opus"], ["A", "Album ogg"], ["B", "Album flac"],
      ])
  }

  @Test("Names of strangers steer no terminal, and origins are short")
  func harmless() throws {
    let name = "x\u{1B}[31m\u{202E}" + String(repeating: "é", count: 100)
    let list = try list(
      ["#PLAYLIST:\u{1B}[2J\u{202E}Odd", path(1, "flac"), path(2, "flac"), "\u{1B}]0;no\u{7}.mp3"],
      name: name + ".m3u")
    let said = try home.crate("import", list, "--as", "Odd", "--yes")
    #expect(!said.output.unicodeScalars.contains { $0.isSteering && $0 != "\n" })
    let origin = try #require(try home.json("history").first?["origin"]?.string)
    #expect(origin.hasPrefix("import of x") && origin.utf8.count <= 255)
    #expect(!origin.unicodeScalars.contains { $0.isSteering })
  }
}
