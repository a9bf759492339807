import CratesInterface
import ImportedLists
import TestSupport
import Testing

@testable import crate

@Suite("The plan of an import, as it is shown", .limited)
struct ShownPlanTests {
  private let pipe = Terminal(columns: nil, hasStyles: false)
  private var terminal: Terminal {
    var terminal = pipe
    terminal.isTerminal = true
    return terminal
  }

  private static func album(_ id: String, in crate: String = "Music") -> KnownAlbum {
    var album = KnownAlbum(
      id: id, title: "Title \(id)", artist: id == "none" ? "" : "Ada", added: "", crate: crate,
      songs: 3)
    album.order = (1...3).map { "\(id)-\($0)" }
    return album
  }

  /// What the lists mean: songs begin with the ids of their albums, and paths with a slash, which
  /// are missing.
  private func lines(
    _ lists: [(name: String, songs: [String])], on terminal: Terminal,
    leftOut: [LeftOutList] = [], neighbours: [String: String] = [:], isDecoded: Bool = true
  ) throws -> [String] {
    var file = ListFile()
    file.leftOut = leftOut
    file.lists = lists.map { name, songs in
      var list = ImportedList(name: name)
      list.isDecoded = isDecoded
      list.songs = songs.map { song in
        var wanted = WantedSong()
        if song.hasPrefix("/") { wanted.path = song } else { wanted.title = song }
        return wanted
      }
      return list
    }
    let found = lists.map { list in
      list.songs.map { song -> FoundSong in
        let id = song.split(separator: "-").first.map(String.init) ?? ""
        let isThere = song.contains("-") && !song.hasPrefix("/")
        return isThere ? .found(song: song, album: id) : .missing("no such path\u{1B}")
      }
    }
    var albums: [String: KnownAlbum] = [:]
    for id in ["a", "b", "c", "none"] { albums[id] = Self.album(id) }
    albums["there"] = Self.album("there", in: "late")
    let importing = try Importing(file, choice: ImportChoice())
    let plan = importing.plan(found, albums: albums, crates: ["Late"])
    return ShownPlan(plan: plan, neighbours: neighbours).lines(for: terminal)
  }

  @Test("Albums are told with where they go and come from, and what is left out with why")
  func whole() throws {
    #expect(
      try lines(
        [
          (
            "late",
            ["a-1", "a-2", "a-3", "there-1", "there-2", "b-3", "b-2", "b-1", "c-1", "none-1", "/x"]
          ),
          ("Other\u{1B}", ["b-1", "b-2"]),
        ],
        on: pipe, leftOut: [LeftOutList(name: "Queue", reason: .queue)]) == [
          "“late” becomes the crate Late: 10 of 11 songs found",
          "   Album        Artist  Songs",
          "1  Title a      Ada       3/3  from Music",
          "   Title there  Ada       2/3  is there, and stays",
          "2  Title b      Ada       3/3  from Music, its songs in the list's order",
          "  also in other lists:",
          "    Title b by Ada: goes with “late”, not with “Other␛”",
          "  left out, since the list has less than half of it (--any takes it):",
          "    Title c by Ada: 1 of 3 songs",
          "    Title none: 1 of 3 songs",
          "  not found:",
          "    /x: no such path␛",
          "",
          "“Other␛” brings no album in: 2 of 2 songs found",
          "  also in other lists:",
          "    Title b by Ada: goes with “late”, not with “Other␛”",
          "",
          "“Queue” stays out (a queue)",
        ])
  }

  @Test("A list of which hardly anything is found is shown with paths of theirs and ours")
  func standstill() throws {
    let said = "none of its songs is found; the music probably lies in another folder"
    let lines = try lines(
      [("Old", ["/a", "/b"]), ("None", [])], on: pipe, neighbours: ["/a": "/music/a\u{1B}"])
    #expect(lines.count == 6 && lines[0].hasPrefix("“Old” stays out (0 of 2 songs found): \(said)"))
    #expect(
      lines[1...] == [
        "  theirs: /a", "  ours:   /music/a␛", "  theirs: /b", "",
        "“None” stays out: it has no songs",
      ])
    let left = LeftOutList(name: "Q", reason: .queue)
    #expect(try self.lines([], on: pipe, leftOut: [left]) == ["“Q” stays out (a queue)"])
  }

  @Test("Where hardly anything is found the advice is one that helps")
  func advice() throws {
    let none = "none of its songs is found"
    #expect(
      try lines([("Old", ["nowhere"])], on: pipe)
        == ["“Old” stays out (0 of 1 song found): \(none)"])
    #expect(
      try lines([("Old", ["/Ã©"])], on: pipe, isDecoded: false) == [
        "“Old” stays out (0 of 1 song found): \(none); the list is not in UTF-8, and no encoding"
          + " that is known here leads to more: save it as UTF-8, and try again",
        "  theirs: /Ã©",
      ])
  }

  @Test(
    "A missing song is told by its title where the list has one, and by a path that can be read",
    arguments: [
      ("file:///m/Sigur%20R%C3%B3s/99%20Gone.mp3", "", "", "/m/Sigur Rós/99 Gone.mp3"),
      ("FILE://nas/m/a%25.mp3", "", "", "/m/a%.mp3"), ("file:/m/a", "", "", "/m/a"),
      ("file:///D:/Musik/a%20b", "T", "", "T (D:/Musik/a b)"),
      ("file:///%FF", "", "", "file:///%FF"), ("http://x/a%20b", "", "", "http://x/a%20b"),
      ("/m/100%25.mp3", "Gone", "Sigur Rós", "Gone by Sigur Rós (/m/100%25.mp3)"),
      ("/m/a.mp3", "", "Ada", "/m/a.mp3"),
    ])
  func missing(path: String, title: String, artist: String, shown: String) throws {
    var song = WantedSong()
    (song.path, song.title, song.artist) = (path, title, artist)
    var list = ImportedList(name: "L")
    list.songs = [song]
    var choice = ImportChoice()
    choice.only = ["L"]
    let plan = try Importing(ListFile(list), choice: choice).plan([[.missing("no")]], albums: [:])
    #expect(ShownPlan(plan: plan, neighbours: [:]).lines(for: pipe).last == "    \(shown): no")
    #expect(plan.objects[0]["missing"]?.array?.first?["path"]?.string == path)
  }

  @Test("A terminal shows nine lines of one kind, and of ten the first eight")
  func many() throws {
    func missing(_ count: Int, on terminal: Terminal) throws -> [String] {
      let songs = ["a-1", "a-2", "a-3"] + (0..<count).map { "/\($0)" }
      let lines = try lines([("L", songs)], on: terminal)
      return Array(lines.drop { !$0.contains("not found") }.dropFirst())
    }
    #expect(try missing(9, on: terminal).count == 9)
    let ten = try missing(10, on: terminal)
    #expect(ten.count == 9 && ten[8] == "    and 2 more (--json tells all)")
    #expect(try missing(10, on: pipe).count == 10)
    let leftOut = (0..<10).map { LeftOutList(name: "\($0)", reason: .hidden) }
    #expect(try lines([], on: terminal, leftOut: leftOut).count == 9)
  }

  @Test("A song without a path is called by its title and who made it, or nothing is known of it")
  func nameless() throws {
    var list = ImportedList(name: "L")
    list.songs = [("T", "A", "B"), ("T", "", "B"), ("T", "", ""), ("", "", "")].map { song in
      var wanted = WantedSong()
      (wanted.title, wanted.artist, wanted.albumArtist) = song
      return wanted
    }
    list.songs.append(WantedSong())
    var choice = ImportChoice()
    choice.only = ["L"]
    let importing = try Importing(ListFile(list), choice: choice)
    let found = [FoundSong](repeating: .missing("no"), count: 5)
    let plan = importing.plan([found], albums: [:])
    #expect(
      ShownPlan(plan: plan, neighbours: [:]).lines(for: pipe) == [
        "“L” brings no album in: 0 of 5 songs found", "  not found:", "    T by A: no",
        "    T by B: no", "    T: no", "    a song of which the list says nothing: no",
        "    a song of which the list says nothing: no",
      ])
  }
}
