import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("Searching", .limited)
struct SearchTests {
  private static func jazz() throws -> SearchedLibrary {
    var library = try SearchedLibrary()
    try library.add(
      "Blue Train", by: "John Coltrane", year: 1958, in: "Jazz/Blue Train",
      songs: [("Blue Train", "John Coltrane"), ("Moment's Notice", "John Coltrane")])
    try library.add(
      "Kind of Blue", by: "Miles Davis", year: 1959, in: "Jazz/Kind of Blue",
      songs: [
        ("So What", "Miles Davis"), ("Blue in Green", "Miles Davis"),
        ("All Blues", "Miles Davis feat. Bill Evans"),
      ])
    try library.add(
      "Blue", by: "Joni Mitchell", year: 1971, in: "Folk/Blue",
      songs: [("All I Want", "Joni Mitchell"), ("Blue", "Joni Mitchell")])
    return library
  }

  @Test("Every word must begin a word of artist, album or title, whatever the case")
  func words() throws {
    let library = try Self.jazz()
    #expect(try library.find("mil blu").albums == ["Kind of Blue"])
    #expect(try library.find("MIL BLU").songs == ["Blue in Green", "All Blues"])
    #expect(try library.find("blue coltrane notice").songs == ["Moment's Notice"])
    #expect(try library.find("lue").albums == [])
    #expect(try library.find("blue xyz").songs == [])
  }

  @Test("The best come first: the name itself, its beginning, its words, then the rest")
  func best() throws {
    let library = try Self.jazz()
    #expect(try library.find("blue").albums == ["Blue", "Blue Train", "Kind of Blue"])
    #expect(
      try library.find("blue").songs == ["Blue", "Blue Train", "Blue in Green", "All Blues"])
    #expect(try library.find("blue", limit: 2).songs == ["Blue", "Blue Train"])
    #expect(try library.find("blue", limit: 0).songs == [])
  }

  @Test("Fields confine a word, and quotes make a phrase")
  func fields() throws {
    let library = try Self.jazz()
    #expect(try library.find("title:blue").albums == [])
    #expect(try library.find("title:all artist:miles").songs == ["All Blues"])
    #expect(try library.find("artist:evans").songs == ["All Blues"])
    // From its own artist into the album's.
    #expect(try library.find("artist:\"evans miles\"").songs == [])
    #expect(try library.find("artist:blue").songs == [])
    #expect(try library.find("album:train").songs == [])
    #expect(try library.find("album:train -title:blue").songs == ["Moment's Notice"])
    #expect(try library.find("album:\"kind of\"").albums == ["Kind of Blue"])
    #expect(try library.find("album:\"of kind\"").albums == [])
    #expect(try library.find("“blue in gr”").songs == ["Blue in Green"])
    #expect(try library.find("\"miles blue\"").songs == [])
    #expect(try library.find("year:1959").albums == ["Kind of Blue"])
    #expect(try library.find("year:195 blue").albums == ["Blue Train", "Kind of Blue"])
    #expect(try library.find("year:1971").songs == ["All I Want", "Blue"])
    #expect(try library.find("path:folk").albums == ["Blue"])
    #expect(try library.find("path:\"jazz kind\"").albums == ["Kind of Blue"])
    #expect(try library.find("path:\"jazz of\"").albums == [])
    // From one song's path into the next one's.
    #expect(try library.find("path:\"1 flac\"").albums.count == 3)
    #expect(try library.find("path:\"flac music\"").albums == [])
    #expect(try library.find("path:jazz notice").songs == ["Moment's Notice"])
    #expect(try library.find("ARTIST:joni").albums == ["Blue"])
    // No field of that name, so it is searched for.
    #expect(try library.find("mood:jazz").songs == [])
  }

  @Test("Composers and genres are looked for only where they are asked for")
  func rareFields() throws {
    var library = try Self.jazz()
    let ids = try library.add(
      "Goldberg Variations", by: "Glenn Gould", in: "Bach",
      songs: [("Aria", "Glenn Gould"), ("Variatio 1", "Glenn Gould")])
    library.tag(ids[0]) { ($0.composer, $0.genre) = ("Johann Sebastian Bach", "Classical") }
    library.tag(ids[1]) { ($0.composer, $0.genre) = ("J. S. Bach", "Classical; Baroque") }
    try library.index.rebuild(from: library.library)
    #expect(try library.find("composer:bach").albums == ["Goldberg Variations"])
    #expect(try library.find("composer:bach").songs == ["Aria", "Variatio 1"])
    #expect(try library.find("composer:\"sebastian bach\"").songs == ["Aria"])
    #expect(try library.find("genre:baro gould").songs == ["Variatio 1"])
    #expect(try library.find("genre:classical -title:aria").songs == ["Variatio 1"])
    #expect(try library.find("genre:classical -artist:gould").albums == [])
    #expect(try library.find("gould -genre:baroque").songs == ["Aria"])
    #expect(try library.find("bach").albums == [])
    // From one composer into the next one's.
    #expect(try library.find("composer:\"bach j\"").albums == [])
  }

  @Test("What has a word with a dash before it is left out, albums and songs")
  func dashes() throws {
    let library = try Self.jazz()
    #expect(try library.find("blue -miles").albums == ["Blue", "Blue Train"])
    #expect(try library.find("-miles blue").songs == ["Blue", "Blue Train"])
    #expect(try library.find("blue -\"kind of\" -joni").albums == ["Blue Train"])
    #expect(try library.find("blue -train").songs == ["Blue", "Blue in Green", "All Blues"])
    #expect(try library.find("-miles").albums == [])
    #expect(try library.find("blue - train").albums == ["Blue Train"])
  }

  @Test("Songs that match by nothing but title and artist of their album are left out beside it")
  func byAlbum() throws {
    var library = try Self.jazz()
    try library.add(
      "Soul of Jazz", by: "Various Artists",
      songs: [("Summertime", "Miles Davis"), ("Miles", "Nina Simone")])
    #expect(try library.find("miles").albums == ["Kind of Blue"])
    #expect(try library.find("miles").songs == ["Miles", "Summertime"])
    #expect(try library.find("artist:miles").songs == ["Summertime"])
    #expect(try library.find("joni").songs == [])
    #expect(try library.find("joni blue").songs == ["Blue"])
    #expect(try library.find("kind of").albums == ["Kind of Blue"])
    #expect(try library.find("kind of").songs == [])
    // Where something else is asked for, the album may not be found.
    #expect(try library.find("miles year:1959").songs.count == 3)
    #expect(try library.find("miles path:kind").songs.count == 3)
  }

  @Test("What is found comes in the order of how much of the query its name has")
  func ranks() throws {
    let ranked = [
      // The name, what begins with it, what has its words, and artists that have.
      ("So What", "x"), ("So What Else", "x"), ("What So", "x"), ("Album", "So What"),
      // The same with a word that is not at its end yet.
      ("So Whatever", "x"), ("Whatever So", "x"),
      // One of the words is in the name, or none.
      ("So", "Whatever"), ("Other", "So Whatever"),
    ]
    var library = try SearchedLibrary()
    for (title, artist) in ranked.reversed() {
      try library.add(title, by: artist, songs: [("Song", artist)])
    }
    #expect(try library.find("so what").albums == ranked.map(\.0))
    #expect(try library.find("so what album").albums == ["Album"])
  }

  @Test("Whole words come before beginnings, and titles before artists")
  func wholeWords() throws {
    var library = try SearchedLibrary()
    try library.add("Bluesology", by: "Gil", songs: [("Blues", "Gil"), ("The Blues", "Gil")])
    try library.add("Parklife", by: "Blue", songs: [("Girls", "x")])
    try library.add("True Blue", by: "Madonna", songs: [("Jimmy", "Madonna")])
    try library.add("Blue Lines", by: "Massive", songs: [("Five", "Massive")])
    #expect(
      try library.find("blue").albums == ["Blue Lines", "True Blue", "Parklife", "Bluesology"])
    #expect(try library.find("blue").songs == ["Blues", "The Blues"])
    // While a word is typed, names that begin with it come first.
    #expect(try library.find("blu").albums.first == "Bluesology")
  }

  @Test(
    "Names are found by what people type for them",
    arguments: [
      ("Sigur Rós", "sigur ros"), ("Sigur Rós", "rós"), ("Røyksopp", "royksopp"),
      ("Motörhead", "MOTORHEAD"), ("Beyoncé", "beyonce\u{301}"), ("Die Ärzte", "arzte"),
      ("Straße", "strasse"), ("Straße", "straße"), ("ŁÓDŹ", "lodz"), ("AC/DC", "acdc"),
      ("AC/DC", "ac dc"), ("AC/DC", "ac/dc"), ("R.E.M.", "rem"), ("R.E.M.", "r.e.m"),
      ("Don't", "dont"), ("Dont", "don't"), ("Don’t", "don't"), ("L'amour", "amour"),
      ("Jay-Z", "jay z"), ("Ｆｕｌｌ", "full"), ("Ⅻ", "xii"), ("ﬁre", "fire"),
      ("真夜中のドア", "ドア"), ("真夜中のドア", "真夜"), ("宇多田ヒカル", "ヒカル"),
      ("ｶﾞﾝﾀﾞﾑ", "ガンダム"), ("周杰倫", "杰倫"), ("사랑", "사"), ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
      ("Мумий Тролль", "мумии"), ("שָׁלוֹם", "שלום"), ("ไทย", "ทย"), ("!!!", "!!!"), ("★", "★"),
      ("( )", "( )"), ("÷", "÷"), ("Simon & Garfunkel", "simon garfunkel"),
      ("Simon Garfunkel", "simon & garfunkel"), ("Love - Hate", "\"love hate\""),
      ("🎵 tune", "tune"), ("Ke$ha", "ke$ha"), ("100%", "100"), ("4'33\"", "4'33\""),
    ])
  func typed(_ name: String, _ query: String) throws {
    var library = try SearchedLibrary()
    try library.add(name, by: "x", songs: [("y", "x")])
    try library.add("Other", by: "z", songs: [("Else", "z")])
    #expect(try library.find(query).albums == [name])
  }

  @Test("What is one word in Japanese is not found by characters that don't stand together")
  func unspaced() throws {
    var library = try SearchedLibrary()
    try library.add("真夜中のドア", by: "x", songs: [("y", "x")])
    #expect(try library.find("真中").albums == [])
  }

  @Test(
    "Years are looked for from one to another, both among them, four hundred at most",
    arguments: [
      ("1958-1959", ["Blue Train", "Kind of Blue"]), ("1959-1971", ["Blue", "Kind of Blue"]),
      ("1959-1959", ["Kind of Blue"]), ("1960-1970", []), ("1959-1958", []), ("1971-1958", []),
      ("0000-1971", []), ("958-1959", []), ("1957-", ["Blue", "Blue Train", "Kind of Blue"]),
      ("1957-1958-1959", []),
      ("1559-9999", ["Blue Train", "Kind of Blue"]), ("1558-9999", ["Blue Train"]),
      ("1960-", ["Blue"]), ("-1958", ["Blue Train"]), ("-", []), ("1959-19600", []),
      ("195x-1960", []),
    ])
  func years(range: String, albums: [String]) throws {
    #expect(try Self.jazz().find("year:\(range)").albums.sorted() == albums)
  }

  @Test("a query that is one character of many marks costs what it is long")
  func marks() {
    let ratio = Cost.ratio(8_000, 32_000) { count in
      let text = "x" + String(repeating: "\u{301}\u{323}", count: count / 2)
      return Cost.time { for _ in 0..<4 { _ = try? SearchQuery(checking: text) } }
    }
    #expect(ratio < Cost.mostOfFourTimes, "\(ratio)")
  }

  @Test(
    "No query is an error",
    arguments: [
      "", " ", "\"", "\"\"", "artist:", "artist:\"", "year:", ":", "::", "AND", "OR NOT",
      "NEAR(a b)",
      "a*", "*", "^a", "a\u{0}b", "{artist} : x", "-x", "(", "a AND (", "'; DROP TABLE songs; --",
      "\u{E100}", "\u{FFFD}", "year:nineteen", "path:/", String(repeating: "a ", count: 5000),
      String(repeating: "\"", count: 5000), String(repeating: "é", count: 10_000),
      String(repeating: "a/", count: 3000),
    ])
  func odd(_ query: String) throws {
    _ = try Self.jazz().find(query)
  }

  @Test("What is searched follows tags, and what is gone is not found")
  func following() throws {
    var library = try Self.jazz()
    let album = try #require(library.library.crates[0].albums.dropFirst(2).first)
    let song = try #require(library.library.albums[album]?.entries[1])
    library.tag(song) { $0.title = "River" }
    try library.index.rebuild(from: library.library)
    #expect(try library.find("river").songs == ["River"])
    #expect(try library.find("title:blue artist:joni").songs == [])
    try library.apply(.songGone(song, Traits()))
    // The index may be behind.
    #expect(try library.search(SearchQuery("river"), limit: 9) == SearchResult())
    try library.index.rebuild(from: library.library)
    #expect(try library.find("river").songs == [])
    try library.apply(.songFollowed(song, path: BytePath("/music/x.flac"), digest: nil, by: .path))
    library.tag(song) { $0.title = "River" }
    try library.index.rebuild(from: library.library)
    #expect(try library.find("river").songs == ["River"])
  }

  @Test("A name comes first even where thousands match")
  func many() throws {
    var library = try SearchedLibrary()
    let songs = (0..<2000).map { ("Love \($0)", "Somebody") }
    try library.add("Hours", by: "Somebody", songs: songs + [("Love", "Somebody")])
    try library.add("Love", by: "Nobody", songs: [("A Love", "Nobody"), ("Hate", "Nobody")])
    let found = try library.find("love", limit: 20)
    #expect(found.songs.first == "Love")
    #expect(found.songs.count == 20)
    #expect(found.albums == ["Love"])
    #expect(try library.find("nobody love").songs == ["A Love"])
    // A filter leaves nothing out.
    #expect(try library.find("lov path:love", limit: 3).songs == ["A Love", "Hate"])
  }
}
