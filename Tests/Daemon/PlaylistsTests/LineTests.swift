import LibraryModel
import TestSupport
import Testing

@testable import Playlists

@Suite("The lines of lists that players wrote", .limited)
struct LineTests {
  private var music = Music(folders: ["/home/ada/Music", "/usb"])
  private let place = PlaylistPlace(
    directory: BytePath("/disk/music/Lists"),
    roots: [
      .init(named: BytePath("/home/ada/Music"), real: BytePath("/disk/music")),
      .init(named: BytePath("/usb"), real: BytePath("/usb")),
    ])
  private let album: AlbumID

  init() throws {
    try music.add("Jazz")
    album = try music.add(album: "Album", by: "Artist", to: "Jazz")
    let inMusic = [
      "A/1 b.flac", "A/Caf\u{E9}.flac", "Pok\u{E9}mon/\u{161}1.flac", "Pok\u{E9}mon/2.flac",
    ]
    for path in inMusic {
      try add(BytePath("/home/ada/Music/\(path)"))
    }
    for path in ["100%.flac", "100%25.flac", "50%.flac"] { try add(BytePath("/usb/\(path)")) }
  }

  private mutating func add(_ path: BytePath) throws {
    try music.add(
      song: path, "Title \(path.display)", by: "Artist", album: "Album", albumArtist: "Artist",
      to: album)
  }

  /// The paths of the songs that a list means; nil for lines that mean none.
  private func meant(_ bytes: [UInt8]) throws -> [String?] {
    let lookup = ListLookup(music.library, place, named: BytePath("/home/ada/Music/Lists"))
    return try lookup.lines(in: bytes).map { line in
      guard case .song(let id) = line else { return nil }
      return music.library.songs[id]?.path.display
    }
  }

  private func meant(_ text: String) throws -> [String?] { try meant(Array(text.utf8)) }

  @Test(
    "Each program's way to write a path leads to the song",
    arguments: [
      // Ours, and MPD's of it.
      "../A/1 b.flac", "A/1 b.flac", "/home/ada/Music/A/1 b.flac", "/disk/music/A/1 b.flac",
      // Where MPD's own folder of playlists is elsewhere: it drops what leads out.
      "../../A/1 b.flac", "./../A//./1 b.flac",
      // VLC: an address, or percent-encoded in its folder. Elisa: an address with blanks.
      "file:///home/ada/Music/A/1%20b.flac", "../A/1%20b.flac", "file:///home/ada/Music/A/1 b.flac",
      "FILE://localhost/disk/music/A/1%20b.flac",
      // Windows and what came from there.
      "..\\A\\1 b.flac", "A\\1 b.flac", "D:\\Music\\A\\1 b.flac",
      // Phones.
      "/storage/emulated/0/Music/A/1 b.flac",
    ])
  func found(line: String) throws {
    #expect(try meant(line) == ["/home/ada/Music/A/1 b.flac"])
  }

  @Test("A path is taken as it is first, a percent sign may be one, and accents are spelt two ways")
  func order() throws {
    #expect(try meant("/usb/100%25.flac") == ["/usb/100%25.flac"])
    #expect(try meant("/usb/100%.flac") == ["/usb/100%.flac"])
    #expect(
      try meant("/usb/50%25.flac\nfile:///usb/100%25.flac")
        == ["/usb/50%.flac", "/usb/100%.flac"])
    #expect(try meant("../A/Cafe\u{301}.flac") == ["/home/ada/Music/A/Caf\u{E9}.flac"])
    #expect(try meant("http://radio/A/1 b.flac\n1 b.flac\n../..") == [nil, nil, nil])
  }

  @Test("The end of a path leads to a song unless the list says otherwise; names alone never do")
  func ends() throws {
    let known = "/home/ada/Music/A/1 b.flac"
    let title = "Artist - Title \(known)"
    let phone = "/phone/A/1 b.flac\n"
    #expect(try meant("#EXTINF:62,\(title)\n\(phone)") == [known])
    #expect(try meant("#EXTINF:120,\(title)\n\(phone)") == [nil])
    #expect(try meant("#EXTINF:60,Artist - Another\n\(phone)") == [nil])
    #expect(try meant("#EXTALB:Other\n#EXTINF:60,\(title)\n\(phone)") == [nil])
    let about = "#EXTALB:Album\n#EXTART:Artist\n#EXTINF:60,\(title)\n"
    #expect(try meant(about + phone) == [known])
    // A line that nothing is said of: MPD adds them to lists of ours.
    #expect(try meant("#EXTALB:Other\n#EXTINF:9,Other\n/x\nA/1 b.flac\n") == [nil, known])
    // A player that shows the name in the place of a title says nothing.
    #expect(try meant("#EXTINF:-1,1 b\n\(phone)") == [known])
    // What says nothing may be anything, in a list of which little is found.
    #expect(try meant("/x/1.flac\n/x/2.flac\n/x/3.flac\n\(phone)") == [nil, nil, nil, nil])
    #expect(try meant("#EXTALB:Album\n#EXTINF:60,\(title)\n/x/y/z.flac\n") == [nil])
    // Where the path is right, whatever is said of it.
    #expect(try meant("#EXTALB:Other\n#EXTINF:9,Other\n../A/1 b.flac") == [known])
  }

  @Test("A list that is no UTF-8 is read in the code page in which most of its songs are there")
  mutating func codePages() throws {
    let line = Array("/home/ada/Music/Pok".utf8) + [0xE9] + Array("mon/".utf8)
    let (first, second) = (line + [0x9A] + Array("1.flac\n".utf8), line + Array("2.flac\n".utf8))
    let paths = ["1", "2"].map {
      "/home/ada/Music/Pok\u{E9}mon/" + ($0 == "1" ? "\u{161}1" : $0) + ".flac"
    }
    let ascii = "/home/ada/Music/A/1 b.flac"
    #expect(try meant(first + second) == paths)
    #expect(try meant(first + Array("/a\n/b\n".utf8)) == [paths[0], nil, nil])
    // However many of its lines are ASCII, which every page finds.
    let plain = Array("../A/1 b.flac\n".utf8)
    #expect(
      try meant(plain + plain + plain + first) == Array(repeating: ascii, count: 3) + [paths[0]])
    // Names of files need not be text.
    let odd = BytePath(Array("/usb/".utf8) + [0xE9])
    try add(odd)
    #expect(try meant(odd.bytes) == [odd.display])
  }

  @Test(
    "Comments, blank lines, a byte order mark and other ends of line are no part of a name",
    arguments: [
      ("#EXTM3U\na\nb\n", ["a", "b"]), ("\u{FEFF}#EXTM3U\r\na\r\n\r\nb", ["a", "b"]),
      ("\u{FEFF}a\n#EXTINF:1,x\n b \n\t\n", ["a", " b "]), ("", []), ("\n\n#\n", []),
      ("#a\nb#\n#c\n", ["b#"]),
      ("[playlist]\nFile1=a\n", nil), ("<?xml version=\"1.0\"?>\n", nil),
      ("\n [playlist]\n", nil),
    ] as [(String, [String]?)])
  func lines(text: String, expected: [String]?) {
    let found = PlaylistLines.wanted(in: Array(text.utf8))
    #expect(found?.map { String(decoding: $0.path, as: UTF8.self) } == expected)
    #expect(PlaylistLines.count(in: Array(text.utf8)) == expected?.count)
  }

  @Test("A list that has far more lines than there are songs is none that a player made of ours")
  func endless() throws {
    let most = 2 * music.library.songs.count + 1_000
    #expect(try meant(String(repeating: "#\na\n", count: most)).count == most)
    #expect(throws: ListLookup.Unlikely.endless) {
      _ = try meant(String(repeating: "a\n", count: most + 1))
    }
    #expect(throws: ListLookup.Unlikely.otherKind) { _ = try meant("[playlist]\n") }
  }
}

@Suite("What lists of players say of songs", .limited)
struct SaidTests {
  private func said(_ text: String) throws -> [String] {
    try #require(PlaylistLines.wanted(in: Array(text.utf8))).map { one in
      let path = String(decoding: one.path, as: UTF8.self)
      return [path, one.title, "\(one.milliseconds)", one.album, one.albumArtist]
        .joined(separator: "|")
    }
  }

  @Test(
    "A length is one that music has, and what follows its comma is the title",
    arguments: [
      ("123,Ada - Song", "Ada - Song|123000"), ("1.5,Song", "Song|1500"), ("0,Song", "Song|0"),
      ("-1,Song", "Song|0"), ("x,Song", "Song|0"), (",Song", "Song|0"), ("60", "|60000"),
      ("60,", "|60000"), ("0.5,Song", "Song|500"), ("nan,Song", "Song|0"),
      ("60 logo=1,Song", "Song|60000"), ("9999999,a,b", "a,b|9999999000"),
      ("10000000,Song", "Song|0"),
    ])
  func lengths(text: String, expected: String) throws {
    #expect(try said("#EXTINF:\(text)\nb/c.mp3\n") == ["b/c.mp3|\(expected)||"])
  }

  @Test("The name of its file, with its ending or without, is no title")
  func names() throws {
    for title in ["c.mp3", "c", "c.d.mp3", "c.d"] {
      for path in ["b/c.d.mp3", "b\\c.d.mp3", "c.d.mp3"] {
        let isName = title.hasPrefix("c.d")
        #expect(
          try said("#EXTINF:1,\(title)\n\(path)\n") == ["\(path)|\(isName ? "" : title)|1000||"])
      }
    }
    #expect(try said("#EXTINF:1,c\nb/c\n") == ["b/c||1000||"])
  }

  @Test("Album and artist are those of all songs below that are told of, and of no other")
  func albums() throws {
    let text = """
      #EXTALB:First
      #EXTART:Ada
      #EXTINF:1,One
      a
      b
      #EXTINF:2,Two
      c
      #EXTALB:
      #EXTINF:3,
      d
      """
    #expect(
      try said(text) == ["a|One|1000|First|Ada", "b||0||", "c|Two|2000|First|Ada", "d||3000||Ada"])
    #expect(try said("#EXTALB:First\na\n") == ["a||0||"])
  }
}

@Suite("Lists as players write them", .limited)
struct PlayerListTests {
  private static let folder = TextTests.folder + "/Players"
  private static let files: [String] =
    ((try? names(in: folder)) ?? []).filter { $0 != "README.md" }

  @Test("Each is of the same songs, in the same order", arguments: files)
  func golden(file: String) throws {
    let root = BytePath("/home/ada/Music")
    let place = PlaylistPlace(
      directory: root.appending("Playlists".utf8), roots: [.init(named: root, real: root)])
    var music = Music(folders: ["/home/ada/Music"])
    try music.add("Jazz")
    let album = try music.add(album: "Album", by: "Artist", to: "Jazz")
    let songs = try [
      "Bj\u{F6}rk/Vespertine/01 Hidden Place.flac", "Bj\u{F6}rk/Vespertine/02 100% #1.flac",
      "AC;DC/Back in Black/06 Back in Black.flac",
    ].enumerated().map { number, path in
      try music.add(
        song: root.appending(path.utf8), "Title", by: "Artist",
        milliseconds: 200_000 + 1_000 * number, album: "Album", albumArtist: "Artist", to: album)
    }
    let lookup = ListLookup(music.library, place, named: root.appending("Playlists".utf8))
    let lines = try lookup.lines(in: try readFile("\(Self.folder)/\(file)"))
    #expect(lines == songs.map { .song($0) }, "\(file)")
  }

  @Test("They are there")
  func count() { #expect(Self.files.count == 18) }
}
