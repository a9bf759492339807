import TestSupport
import Testing

@testable import ImportedLists

@Suite("Lines of M3U", .limited)
struct LineTests {
  private func song(_ text: String, named name: String = "a.m3u") throws -> WantedSong {
    let file = try ListFile(of: Array(text.utf8), named: name)
    let list = try #require(file.lists.first)
    #expect(list.songs.count == 1)
    return try #require(list.songs.first)
  }

  @Test(
    "Ends of lines, marks and blanks are as they come",
    arguments: [
      ("a\nb\n", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\rb\r", ["a", "b"]),
      ("a\nb", ["a", "b"]), ("\n\n a\n\tb \n", [" a", "\tb "]), ("a\r\n\r\n \r\nb", ["a", "b"]),
      ("\u{FEFF}#EXTM3U\na", ["a"]), ("#a\n./#b", ["./#b"]), ("", []), ("#EXTM3U\n", []),
    ])
  func ends(text: String, expected: [String]) throws {
    let file = try ListFile(of: Array(text.utf8), named: "a.m3u8")
    #expect(paths(file) == expected)
  }

  @Test(
    "What is said of a song",
    arguments: [
      ("#EXTINF:123,Ada - Song", "Ada", "Song", 123_000),
      ("#EXTINF:123.5,Ada - Song - Live", "Ada", "Song - Live", 123_500),
      ("#EXTINF:-1,Song", "", "Song", 0),
      ("#EXTINF:0,", "", "", 0),
      ("#EXTINF:,Song", "", "Song", 0),
      ("#EXTINF", "", "", 0),
      ("#extinf: 60 , Ada-Song ", "", "Ada-Song", 60_000),
      ("#EXTINF:60 logo=\"a,b\" x=\"c\",Ada - Song", "Ada", "Song", 60_000),
      ("#EXTINF:99999999999999999999,Song", "", "Song", 0),
      ("#EXTINF:nan,Song", "", "Song", 0),
      // The name of its file in place of a title says nothing.
      ("#EXTINF:60,x - y.mp3", "", "", 60_000),
      ("#EXTINF:60,x - y", "", "", 60_000),
    ])
  func said(line: String, artist: String, title: String, milliseconds: Int) throws {
    let song = try song("\(line)\nfolder/x - y.mp3\n")
    #expect(song.artist == artist)
    #expect(song.title == title)
    #expect(song.milliseconds == milliseconds)
    #expect(song.path == "folder/x - y.mp3")
  }

  @Test("What is said of one song is not said of the next, what is said of an album is")
  func sticking() throws {
    let text = """
      #EXTINF:1,One
      #EXTALB:First
      a
      b
      #EXTALB:Second
      #EXTART:Ada
      c
      #EXTALB:
      d
      """
    let list = try #require(
      try ListFile(of: Array(text.utf8), named: "a.m3u").lists.first)
    #expect(list.songs.map(\.title) == ["One", "", "", ""])
    #expect(list.songs.map(\.album) == ["First", "First", "Second", ""])
    #expect(list.songs.map(\.albumArtist) == ["", "", "Ada", "Ada"])
  }

  @Test("A list is called as it says, else as its file")
  func names() throws {
    for (text, name, expected) in [
      ("a", "Jazz.m3u8", "Jazz"), ("#PLAYLIST: Late \na", "Jazz.m3u", "Late"),
      ("#PLAYLIST:\na", "a.b.m3u", "a.b"), ("a", ".m3u", ".m3u"), ("a", "Jazz", "Jazz"),
    ] {
      let file = try ListFile(of: Array(text.utf8), named: name)
      #expect(file.lists.first?.name == expected)
    }
  }

  @Test("Of a list that is no UTF-8 the names are left as bytes until its encoding is known")
  func undecoded() throws {
    let line = Array("Pok".utf8) + [0xE9] + Array("mon/100% ".utf8) + [0x9A] + Array(".mp3\n".utf8)
    let bytes = Array("#EXTINF:1,".utf8) + [0xE9] + Array("\n".utf8) + line
    let file = try ListFile(of: bytes, named: "a.m3u")
    #expect(paths(file) == ["Pok%E9mon/100%25 %9A.mp3"])
    #expect(file.lists.first?.songs.first?.title == "")
    #expect(try ListFile.isUndecoded(bytes, named: "a.m3u"))
    #expect(try ListFile.isUndecoded(Array("[playlist]\nFile1=".utf8) + [0xE9], named: "a"))
    #expect(try !ListFile.isUndecoded([0xFF, 0xFE, 0xE9, 0], named: "a.m3u"))
    #expect(try !ListFile.isUndecoded(Array("é".utf8), named: "a.m3u"))
    #expect(try !ListFile.isUndecoded(Array("<a>".utf8) + [0xE9], named: "a.xspf"))
  }
}
