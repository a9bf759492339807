import TestSupport
import Testing

@testable import ImportedLists

@Suite("Details of formats", .limited)
struct FormatDetailTests {
  private func file(_ text: String, _ name: String) throws -> ListFile {
    try ListFile(of: Array(text.utf8), named: name)
  }

  private func songs(_ text: String, _ name: String) throws -> [String] {
    try file(text, name).lists.flatMap { $0.songs.map(rendered) }
  }

  @Test("Numbers of PLS are the order, and what has no file is none")
  func pls() throws {
    let text = """
      ; a remark
      [PLAYLIST]
      file10=c
      Title2=Ada - b
      FILE2 = b
      Length2=61
      File0=x
      File=x
      Title7=Nothing
      Length10=-1
      Filex=x
      """
    #expect(try songs(text, "a.pls") == ["b | title b | artist Ada | 61000 ms", "c"])
    #expect(try file("[playlist]\n", "a.pls").lists.map(\.songs) == [[]])
    #expect(try songs("File1=a\n", "a.pls") == ["a"])
  }

  @Test("A title that a player shows has its artist before a dash with blanks around it")
  func shown() throws {
    for (text, expected) in [
      ("a - b", "x | title b | artist a"), (" - ", "x | title -"), ("a -", "x | title a -"),
      ("- b", "x | title - b"), ("a-b", "x | title a-b"),
      ("a - b - c", "x | title b - c | artist a"),
      ("x", "x"), ("", "x"), ("a - ", "x | title a -"),
    ] { #expect(try songs("#EXTINF:0,\(text)\nx\n", "a.m3u") == [expected], "\(text)") }
    #expect(try songs("#EXTINF:0,b\na\\b.c\n", "a.m3u") == ["a\\b.c"])
    #expect(try songs("#EXTINF:0,b.c\na/b.c\n", "a.m3u") == ["a/b.c"])
    #expect(try songs("#EXTINF:0,b\na/b\n", "a.m3u") == ["a/b"])
    #expect(try songs("#EXTINF:0,a\na/b.c\n", "a.m3u") == ["a/b.c | title a"])
  }

  @Test("Of several places of a song the first counts that is a file")
  func places() throws {
    func path(_ locations: String..., base: String = "") throws -> String {
      let all = locations.map { "<location>\($0)</location>" }.joined()
      let text =
        "<playlist xml:base=\"\(base)\"><trackList><track>\(all)</track></trackList></playlist>"
      return try songs(text, "a.xspf")[0]
    }
    #expect(try path("a", "b") == "a")
    #expect(try path("http://x/a", "b", "c") == "b")
    #expect(try path("http://x/a", "file:///b") == "file:///b")
    #expect(try path("http://x/a", "https://x/b") == "http://x/a")
    #expect(try path("http://x/a", "C:\\b") == "C:\\b", "one letter is a drive")
    #expect(try path("a", base: "file:///m/x.xspf") == "file:///m/a")
    #expect(try path("/a", base: "file:///m/") == "/a" && path("a", base: "m") == "a")
    #expect(try path("http:a", base: "file:///m/") == "http:a")
    #expect(try path("a:b c", base: "file:///m/") == "file:///m/a:b c")
    #expect(try path("", base: "file:///m/a") == "file:///m/a")
    #expect(try path("x+y-z.1:a", "b") == "b" && path("x_y:a", "b") == "x_y:a")
  }

  @Test("An order of ours says what a song is, for people, and a snapshot for us")
  func crated() throws {
    let long = String(repeating: "n", count: 197) + "…"
    let order = """
      crate 100%25
      album* bkqv7m2a3x4e Ada - Blue - Live (1970)
      song aaaaaaaaaaaa 2-01 One
      offline aaaaaaaaaaab 12 Bob - Two
      gone aaaaaaaaaaac 3-4-5 Three
      song aaaaaaaaaaad 7Four
      song aaaaaaaaaaae 0 Five
      song aaaaaaaaaaah 00 Eight
      song aaaaaaaaaaai 2-00 Nine
      song aaaaaaaaaaaf \(long)
      song aaaaaaaaaaag x\(long)
      slot a8 elsewhere
      album bbbbbbbbbbbb Alone
      song bbbbbbbbbbba
      """
    let found = try file(order, "a.txt")
    #expect(found.lists.map(\.name) == ["100%"])
    #expect(
      found.lists[0].songs.map(\.id).prefix(3) == [
        "aaaaaaaaaaaa", "aaaaaaaaaaab", "aaaaaaaaaaac",
      ])
    // The year that is shown is no part of the title.
    let about = "album Blue - Live | albumartist Ada"
    #expect(
      found.lists[0].songs.map(rendered) == [
        " | title One | artist Ada | \(about) | disc 2 | track 1",
        " | title Two | artist Bob | \(about) | track 12",
        " | title 3-4-5 Three | artist Ada | \(about)", " | title 7Four | artist Ada | \(about)",
        " | title 0 Five | artist Ada | \(about)",
        // A track of 0 is written as one of 1 is.
        " | title Eight | artist Ada | \(about) | track 0",
        " | title Nine | artist Ada | \(about) | disc 2 | track 0",
        " | title \(long) | artist Ada | \(about)",
        // More than two hundred bytes that were cut.
        " | artist Ada | \(about)", " | album Alone",
      ])
    let snapshot = """
      crated 2 sequence 7
      # a remark
      crate A
      \talbum bbbbbbbbbbbb group=by%09ada%09blue touched=all Ada - Blue
      \t\tsong ssssssssssss added=x title=So%20What disc=2 track=3 seconds=61.500 artist=Bob \
      /m/a=b %25.mp3 
      \t\tgone tttttttttttt album=Other albumartist=Eve release=r recording=q x=y=z /m/%FF
      \talbum cccccccccccc group=folder%09x Ada - Red
      \t\tsong uuuuuuuuuuuu track=0 /m/u
      \talbum dddddddddddd group=by%09%09red Red
      \t\tsong vvvvvvvvvvvv title=V /m/v
      end 1 lines

      """
    let stored = try file(snapshot, "a.txt").lists[0].songs.map(rendered)
    #expect(
      stored == [
        "/m/a=b %.mp3  | title So What | artist Bob | album blue | albumartist ada | disc 2"
          + " | track 3 | 61500 ms",
        "/m/%FF | album Other | albumartist Eve | recording q | release r", "/m/u | track 0",
        "/m/v | title V | album red",
      ])
  }

  @Test("A text of ours that is none is refused at its line")
  func badOrders() {
    for (text, place) in [
      ("crate A\ncrate %\n", .line(2)), ("crate A\ncrate %+1\n", .line(2)),
      ("crate %FF\n", .line(1)), ("# sequence 1\nalbum bbbbbbbbbbbb\n", .line(2)),
      ("crate A\nalbum bbbbbbbbbbbb\nsong ssssssssssss x\ncrate B\nsong tttttttttttt\n", .line(5)),
      ("crate A\nalbum bbbbbbbbbbbb\n", .file), ("crate A\ncrated 2 sequence 1\n", .line(2)),
      ("crated 2 sequence 1\nend 0 lines\ncrate A\n", .line(3)), ("crate A\nend\n", .line(2)),
      (
        "crated 2 sequence 1\ncrate A\nalbum bbbbbbbbbbbb\nsong ssssssssssss title=x\nend\n",
        .line(4)
      ),
      (
        "crated 2 sequence 1\ncrate A\nalbum bbbbbbbbbbbb\nsong ssssssssssss title=% /a\nend\n",
        .line(4)
      ),
      ("crated 2 sequence 1\ncrated 2 sequence 1\nend\n", .line(2)),
    ] as [(String, ListFault.Place)] {
      let fault = #expect(throws: ListFault.self, "\(text)") {
        try ListFile(of: Array(text.utf8), named: "a.txt")
      }
      #expect(fault?.place == place, "\(text)")
    }
  }

  @Test("JSON is read as deep as XML, and no deeper")
  func depth() throws {
    func read(_ depth: Int) throws -> ListFile {
      // The object and the list around it are two.
      let nested =
        String(repeating: "[", count: depth - 2) + String(repeating: "]", count: depth - 2)
      let text = "{\"playlist\":{\"track\":[]},\"more\":[\(nested)]}"
      return try ListFile(of: Array(text.utf8), named: "a.jspf")
    }
    #expect(try read(ListLimits.depth).lists.count == 1)
    #expect(throws: ListFault.self) { _ = try read(ListLimits.depth + 1) }
  }

  @Test("A list of iTunes with a kind of its own, whatever it is, is none of the person's")
  func kinds() throws {
    for (kind, isTheirs) in [("", true), ("0", true), ("1", false), ("4", false)] {
      let told = kind.isEmpty ? "" : "<key>Distinguished Kind</key><integer>\(kind)</integer>"
      let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>Tracks</key><dict/><key>Playlists</key><array>
        <dict><key>Name</key><string>Late</string>\(told)</dict>
        </array></dict></plist>
        """
      let found = try file(text, "Library.xml")
      #expect(found.lists.map(\.name) == (isTheirs ? ["Late"] : []), "\(kind)")
      #expect(found.leftOut.map(\.reason) == (isTheirs ? [] : [.automatic]), "\(kind)")
    }
  }

  @Test("Folders of iTunes that lie in each other are a path as long as the longest")
  func circle() throws {
    let lists = [("A", "1", "2", true), ("B", "2", "1", true), ("Late", "3", "2", false)]
    let entries = lists.map { name, id, parent, isFolder in
      """
      <dict><key>Name</key><string>\(name)</string>
      <key>Playlist Persistent ID</key><string>\(id)</string>
      <key>Parent Persistent ID</key><string>\(parent)</string>
      \(isFolder ? "<key>Folder</key><true/>" : "")</dict>
      """
    }
    let text = """
      <plist version="1.0"><dict><key>Tracks</key><dict/><key>Playlists</key><array>
      \(entries.joined())</array></dict></plist>
      """
    let found = try file(text, "Library.xml")
    #expect(found.lists.map(\.name) == ["Late"])
    #expect(found.lists[0].folders.count == ListLimits.depth)
    #expect(found.lists[0].folders.suffix(3) == ["B", "A", "B"])
  }

  @Test("A song's number in JSPF is one from 1 on, as a number or a text")
  func numbers() throws {
    for (number, track) in [("0", nil), ("1", 1), ("2", 2), ("-1", nil), ("\"3/9\"", 3)] {
      let text = "{\"playlist\":{\"track\":[{\"location\":\"a\",\"trackNum\":\(number)}]}}"
      #expect(try file(text, "a.jspf").lists[0].songs[0].track == track, "\(number)")
    }
  }

  @Test("A text of ours is known by its first line that is neither blank nor a remark")
  func knownTexts() {
    for (text, isOne) in [
      ("crate A\n", true), ("\n \t\n# a remark\n\n  crate A\n", true), ("# sequence 7\n", true),
      ("\n# sequence 7\nx\n", true), ("crated 2 sequence 1\n", true), ("crated 2 x\n", false),
      ("# a remark\n", false), ("", false), ("crates A\ncrate B\n", false), ("x\ncrate A\n", false),
    ] { #expect(CratedText.isOne(Array(text.utf8)) == isOne, "\(text)") }
  }

  @Test("Each word of a song of Rekordbox's has its place")
  func rekordbox() throws {
    let text = """
      <DJ_PLAYLISTS><COLLECTION><TRACK TrackID="1" Location="file:///a" Name="T" Artist="A"
      Album="L" DiscNumber="2" TrackNumber="3" TotalTime="61"/></COLLECTION>
      <PLAYLISTS><NODE Type="0" Name="ROOT"><NODE Type="0" Name="F">
      <NODE Type="1" Name="One" KeyType="0"><TRACK Key="1"/><TRACK Key="2"/></NODE>
      <NODE Type="1" Name="Two" KeyType="1"><TRACK Key="file:///a"/><TRACK Key="file:///b"/></NODE>
      </NODE><NODE Type="1" Name="Three" KeyType="0"/></NODE></PLAYLISTS></DJ_PLAYLISTS>
      """
    let song = "file:///a | title T | artist A | album L | disc 2 | track 3 | 61000 ms"
    let lists = try file(text, "a.xml").lists
    #expect(lists.map(\.name) == ["One", "Two", "Three"])
    #expect(lists.map(\.folders) == [["F"], ["F"], []])
    #expect(lists.map { $0.songs.map(rendered) } == [[song, ""], [song, "file:///b"], []])
  }
}
