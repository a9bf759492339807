import CratesInterface
import LibraryModel
import LibraryStore
import TestSupport
import Testing

@testable import ImportedLists

/// Lists in a shorthand: a word is a song, its first letter the album, `a1` the first song of `a`;
/// `-` is not found.
struct PlanMaker {
  var file = ListFile()
  var albums: [String: KnownAlbum] = [:]

  /// - Parameter albums: songs of each by its letter, such as `a: 4`.
  init(_ albums: KeyValuePairs<String, Int>, in crate: String = "Music") {
    for (number, (letter, count)) in albums.enumerated() {
      var album = KnownAlbum(
        id: letter, title: "Album \(letter)", artist: "Ada", added: "2026-01-0\(number + 1)",
        crate: crate, songs: count)
      album.order = (1...count).map { "\(letter)\($0)" }
      self.albums[letter] = album
    }
  }

  mutating func add(
    _ name: String, _ songs: String, in folders: [String] = [], isOrdered: Bool = true
  ) {
    var list = ImportedList(name: name)
    list.folders = folders
    list.isOrdered = isOrdered
    list.songs = songs.split(separator: " ").map { word in
      var song = WantedSong()
      song.path = String(word)
      return song
    }
    file.lists.append(list)
  }

  func plan(_ change: (inout ImportChoice) -> Void = { _ in }) throws(ImportRefusal) -> ImportPlan {
    var choice = ImportChoice()
    change(&choice)
    let importing = try Importing(file, choice: choice)
    return importing.plan(found(importing.lists), albums: albums)
  }

  /// What became of each song.
  func found(_ lists: [ImportedList]) -> [[FoundSong]] {
    lists.map { list in
      list.songs.map { song -> FoundSong in
        song.path.hasPrefix("-")
          ? .missing("no song has this path")
          : .found(song: song.path, album: String(song.path.prefix(1)))
      }
    }
  }
}

extension ImportPlan {
  /// `Jazz: a b, House: c`, albums that are there in brackets.
  var short: String {
    lists.map { list in
      let albums = list.albums.map { $0.isInCrate ? "(\($0.album.id))" : $0.album.id }
      return "\(list.crate):" + albums.map { " \($0)" }.joined()
    }.joined(separator: ", ")
  }
}

@Suite("The plan of an import", .limited)
struct PlanTests {
  @Test(
    "An album joins when at least half of its songs are in the list, or one with --any",
    arguments: [
      ("a1 a2", false, "L: a"), ("a1", false, "L:"), ("a1", true, "L: a"),
      ("b1 b2", false, "L: b"), ("b1", false, "L:"), ("b1 b1 b1", false, "L:"),
      ("c1", false, "L: c"), ("a1 a2 b1 c1", false, "L: a c"), ("a1 a2 b1 c1", true, "L: a b c"),
    ])
  func half(songs: String, any: Bool, expected: String) throws {
    var maker = PlanMaker(["a": 4, "b": 3, "c": 1])
    maker.add("L", songs)
    let plan = try maker.plan { $0.any = any }
    #expect(plan.short == expected)
    let moved = Set(plan.lists[0].albums.map(\.album.id))
    let listed = Set(songs.split(separator: " ").map { String($0.prefix(1)) })
    #expect(Set(plan.lists[0].left.map(\.album.id)) == listed.subtracting(moved))
  }

  @Test("The list with most of its songs wins an album, then the shorter list, then the first")
  func claims() throws {
    for (first, second, winner) in [
      ("a1 a2", "a1 a2 a3", "Two"), ("a1 a2 a3", "a1 a2", "One"),
      ("a1 a2 b1 b2", "a3 a4 b1", "Two"), ("a1 a2 b1", "a3 a4 b1 b2", "One"),
      ("a1 a2", "a3 a4", "One"), ("a1", "a2 a3", ""),
    ] {
      var maker = PlanMaker(["a": 4, "b": 9])
      maker.add("One", first)
      maker.add("Two", second)
      let plan = try maker.plan()
      let owners = plan.lists.filter { $0.albums.contains { $0.album.id == "a" } }.map(\.name)
      #expect(owners == [winner.isEmpty ? "Two" : winner], "\(first) | \(second)")
      let claims = plan.lists.map { $0.claimed.filter { $0.album.id == "a" } }
      if winner.isEmpty {
        #expect(claims == [[], []])
      } else {
        #expect(claims[0] == claims[1])
        #expect(claims[0].map(\.winner) == [winner])
        #expect(claims[0].map(\.lists) == [["One", "Two"]])
      }
    }
  }

  @Test(
    "Albums stand in the order of first appearance of their largest blocks",
    arguments: [
      ("a1 a2 a3 b1 b2 b3", "L: a b"), ("b1 b2 b3 a1 a2 a3", "L: b a"),
      ("a1 b1 b2 b3 a2 a3", "L: b a"), ("a1 a2 b1 b2 b3 a3", "L: a b"),
      ("a1 b1 a2 b2 a3 b3", "L: a b"), ("a1 -x a2 b1 b2 a3", "L: a b"),
      ("a1 c1 a2 b1 b2", "L: a b"), ("a1 b1 b2 a2", "L: a b"), ("b1 a1 a1 a1 b2 b3", "L: a b"),
    ])
  func order(songs: String, expected: String) throws {
    var maker = PlanMaker(["a": 3, "b": 3, "c": 9])
    maker.add("L", songs)
    // A single song of three is less than half.
    let plan = try maker.plan { $0.any = true }
    let wanted = Set(["a", "b"])
    let order = plan.lists[0].albums.map(\.album.id).filter(wanted.contains)
    #expect("L: " + order.joined(separator: " ") == expected)
  }

  @Test(
    "Songs are ordered only where a list holds all of an album's songs in one block",
    arguments: [
      ("a3 a1 a2", ["a3", "a1", "a2"]), ("a1 a2 a3", []), ("a3 a2", []), ("a3 a1 b1 a2", []),
      ("a3 -x a1 a2", ["a3", "a1", "a2"]), ("a3 a3 a1 a2 a1", ["a3", "a1", "a2"]),
    ])
  func songs(songs: String, expected: [String]) throws {
    var maker = PlanMaker(["a": 3, "b": 9])
    maker.add("L", songs)
    let album = try #require(try maker.plan().lists[0].albums.first)
    #expect(album.songs == expected)
  }

  @Test("The order of songs is asked for only of albums that a list has in one block")
  func blocks() throws {
    var maker = PlanMaker(["a": 3, "b": 2, "c": 2, "d": 1])
    maker.add("L", "a1 a2 b1 -x b2 c1 d1 c2 a3")
    maker.add("Crate", "c1 c2", isOrdered: false)
    let importing = try Importing(maker.file, choice: ImportChoice())
    #expect(
      importing.albumsInOneBlock(maker.found(maker.file.lists), albums: maker.albums) == ["b", "d"])
  }

  @Test("A crate that is there keeps its name, and one that is not is new")
  func crates() throws {
    var maker = PlanMaker(["a": 1, "b": 1])
    maker.add("jazz", "a1")
    maker.add("Soul", "b1")
    let plan = try Importing(maker.file, choice: ImportChoice())
      .plan(maker.found(maker.file.lists), albums: maker.albums, crates: ["Music", "JAZZ"])
    #expect(plan.lists.map(\.crate) == ["JAZZ", "Soul"])
    #expect(plan.lists.map(\.isNew) == [false, true])
  }

  @Test("Lists without an order put albums as new ones: what was added last on top")
  func unordered() throws {
    var maker = PlanMaker(["a": 1, "b": 1, "c": 1])
    maker.add("Crate", "a1 c1 b1", isOrdered: false)
    let plan = try maker.plan()
    #expect(plan.short == "Crate: c b a")
    #expect(plan.lists[0].albums.allSatisfy { $0.songs.isEmpty })
  }

  @Test("Albums that are in the crate stay, and the text names only those that aren't")
  func existing() throws {
    var maker = PlanMaker(["a": 2, "b": 1], in: "jazz")
    maker.albums["b"]?.crate = "Music"
    maker.add("Jazz", "a2 a1 b1")
    let plan = try maker.plan()
    #expect(plan.short == "Jazz: (a) b")
    #expect(plan.text == "crate Jazz\n\talbum b Ada - Album b\n")
    #expect(!plan.isEmpty)
    // A second time there is nothing to do.
    maker.albums["b"]?.crate = "Jazz"
    let again = try maker.plan()
    #expect(again.isEmpty && again.text.isEmpty)
  }

  @Test("Folders of lists become House / Deep, and names fit for a crate")
  func names() throws {
    for (folders, name, expected) in [
      (["House"], "Deep", "House / Deep"), (["", "A"], "B", "A / B"), ([], " x\n", "x"),
      ([], "", "Imported"), (["F"], "", "F"), ([], "tab\there", "tab here"),
      ([], String(repeating: "é", count: 200), String(repeating: "é", count: 127)),
      ([], "\u{2028}a\u{3000}", "a"), ([], "a\u{2029}b\u{2028}c", "a b c"),
      // What turns a text or hides in it goes; what words and pictures are made with stays.
      (["\u{202E}F"], "A\u{2066}B\u{200F}C\u{FEFF}D\u{E0041}", "F / ABCD"),
      ([], "क्\u{200D}ष 👩\u{200D}🎤", "क्\u{200D}ष 👩\u{200D}🎤"), ([], "\u{202E}", "Imported"),
      (
        [], "a" + String(repeating: "\u{301}", count: 40),
        "a" + String(repeating: "\u{301}", count: 30)
      ),
    ] {
      var list = ImportedList(name: name)
      list.folders = folders
      let crate = Importing.crateName(of: list)
      #expect(crate == expected)
      #expect(crateNameFault(crate) == nil)
    }
  }

  @Test("What a list leaves out and what isn't found is told")
  func told() throws {
    var maker = PlanMaker(["a": 4, "b": 4])
    maker.add("L", "a1 -x a2 b1 b1 a9 -é")
    maker.file.leftOut = [LeftOutList(name: "Recent", reason: .smart)]
    let plan = try maker.plan()
    let list = plan.lists[0]
    #expect((list.listed, list.found) == (7, 5))
    #expect(list.missing.map(\.song.path) == ["-x", "-é"])
    #expect(list.missing.map(\.tried) == ["no song has this path", "no song has this path"])
    #expect(list.left.map(\.reason) == ["1 of 4 songs"])
    #expect(plan.leftOut == maker.file.leftOut)
    #expect(plan.leftOut[0].reason.rawValue.contains("smart"))
  }

  @Test("A list of which less than a fifth is found isn't imported unless it is named")
  func hardlyFound() throws {
    for (songs, isImported) in [("a1 - - - -", true), ("a1 -1 -2 -3 -4 -5", false)] {
      var maker = PlanMaker(["a": 1])
      maker.add("L", songs)
      maker.add("M", "a1")
      let plan = try maker.plan()
      #expect(plan.lists[0].albums.isEmpty)
      #expect(plan.lists[1].claimed.isEmpty == !isImported)
      if !isImported {
        #expect(plan.lists[0].skipReason == .hardlyFound(paths: ["-1", "-2", "-3"]))
      }
      let named = try maker.plan { $0.only = ["l"] }
      #expect(named.short == "L: a")
    }
    var maker = PlanMaker([:])
    maker.add("Empty", "")
    #expect(try maker.plan().lists[0].skipReason == .empty)
  }

  @Test("Names choose lists, and one that is none is refused with those that are")
  func only() throws {
    var maker = PlanMaker(["a": 1, "b": 1])
    maker.add("Deep", "a1", in: ["House"])
    maker.add("Jazz", "b1")
    maker.file.leftOut = [LeftOutList(name: "Recent", reason: .history)]
    #expect(try maker.plan { $0.only = ["JAZZ"] }.short == "Jazz: b")
    #expect(try maker.plan { $0.only = ["house / deep"] }.short == "House / Deep: a")
    #expect(try maker.plan { $0.only = ["Jazz", "Deep"] }.short == "House / Deep: a, Jazz: b")
    #expect(try maker.plan { $0.only = ["Jazz"] }.leftOut.isEmpty)
    let refusal = try #require(throws: ImportRefusal.self) {
      try maker.plan { $0.only = ["Soul"] }
    }
    #expect(refusal.description.contains("House / Deep, Jazz"))
    let left = try #require(throws: ImportRefusal.self) {
      try maker.plan { $0.only = ["Recent"] }
    }
    #expect(left.description.contains("history"))
  }

  @Test("Of the lists that there are ten are named")
  func namedLists() throws {
    for (count, expected) in [(0, "none"), (1, "L00"), (10, "L08, L09"), (11, "L08, L09, …")] {
      var maker = PlanMaker(["a": 1])
      for number in 0..<count { maker.add("L\(number < 10 ? "0" : "")\(number)", "a1") }
      let refusal = try #require(throws: ImportRefusal.self) {
        try maker.plan { $0.only = ["Soul"] }
      }
      #expect(refusal.description.hasSuffix(expected), "\(refusal)")
    }
  }

  @Test("A crate can be named for one list, and for no more")
  func named() throws {
    var maker = PlanMaker(["a": 1, "b": 1])
    maker.add("One", "a1")
    #expect(try maker.plan { $0.crate = "Late" }.short == "Late: a")
    maker.add("Two", "b1")
    let refusal = try #require(throws: ImportRefusal.self) {
      try maker.plan { $0.crate = "Late" }
    }
    #expect(refusal.description.contains("--only"))
    let one = try maker.plan {
      $0.crate = "Late"
      $0.only = ["Two"]
    }
    #expect(one.short == "Late: b")
  }

  @Test("The text is an order: two lists of one crate are one, and names are escaped")
  func text() throws {
    var maker = PlanMaker([:])
    let ids = ["bkqv7m2a3x4e", "ckqv7m2a3x4e", "dkqv7m2a3x4e"]
    for (id, title) in zip(ids, ["100%", "two\nlines", ""]) {
      maker.albums[id] = KnownAlbum(
        id: id, title: title, artist: "Ada", added: "", crate: "Music", songs: 2)
      maker.albums[id]?.order = ["k\(id.dropLast())", "h\(id.dropLast())"]
    }
    var found: [[FoundSong]] = []
    for (name, ids) in [("100% new", [ids[0], ids[1]]), ("100% NEW", [ids[2]])] {
      var list = ImportedList(name: name)
      list.songs = ids.flatMap { _ in [WantedSong(), WantedSong()] }
      maker.file.lists.append(list)
      found.append(
        ids.flatMap { id in
          ["h", "k"].map { .found(song: "\($0)\(id.dropLast())", album: id) }
        })
    }
    let plan = try Importing(maker.file, choice: ImportChoice()).plan(found, albums: maker.albums)
    let order = try OrderText.written(plan.text)
    #expect(order.crates.map(\.name) == ["100% new"])
    let albums = try #require(order.crates.first).albums
    #expect(albums.map(\.id) == ids.compactMap { AlbumID($0) })
    #expect(
      albums.map { $0.songs.map { "\($0.id)".prefix(1) } } == [
        ["h", "k"], ["h", "k"], ["h", "k"],
      ])
  }

  @Test("As JSON a list is one object, and what is left out one more")
  func json() throws {
    var maker = PlanMaker(["a": 2, "b": 4, "c": 1])
    maker.add("L", "a2 a1 b1 -x c1", in: ["F"])
    maker.add("M", "c1")
    maker.file.leftOut = [LeftOutList(name: "Queue", reason: .queue)]
    let lines = try maker.plan().objects.map(\.text)
    try #require(lines.count == 3)
    #expect(
      lines[0] == """
        {"name":"L","crate":"F / L","found":4,"listed":5,"albums":[{"id":"a","title":"Album a",\
        "artist":"Ada","songs":2,"listed":2,"from":"Music","there":false,"order":["a2","a1"]}],\
        "claimed":[{"id":"c","title":"Album c","artist":"Ada","songs":1,"lists":["L","M"],\
        "winner":"M"}],"left":[{"id":"b","title":"Album b","artist":"Ada","songs":4,"listed":1}],\
        "missing":[{"path":"-x","tried":"no song has this path"}]}
        """)
    #expect(lines[2] == #"{"name":"Queue","leftOut":"a queue"}"#)
  }
}
