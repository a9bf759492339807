import LibraryModel
import TestSupport
import Testing

@testable import Settings

@Suite("Settings", .limited)
struct SettingsTests {
  let home: ScratchHome

  init() throws {
    home = try ScratchHome()
  }

  func inHome(_ relative: String) -> BytePath {
    BytePath("\(home.path)/\(relative)")
  }

  @Test("Without a file, and with an empty one, everything has its default")
  func defaults() throws {
    let usual = Settings(musicFolders: [inHome("Music")])
    #expect(try home.read() == usual)
    #expect(try home.read("") == usual)
    #expect(try home.read("# nothing but a comment\n") == usual)
    #expect(usual.newAlbums == nil)
    #expect(usual.playlists == nil)
    #expect(usual.ignore.isEmpty)
  }

  @Test("Every key is read")
  func everyKey() throws {
    let settings = try home.read(
      """
      music_folders = ["~/Music", '/mnt/Grüße "2"/./Musik//']
      new_albums = "Fresh"
      playlists = "~/Music/Playlists"
      ignore = ["*.cue", "/Samples/"]
      """)
    #expect(
      settings
        == Settings(
          musicFolders: [inHome("Music"), BytePath("/mnt/Grüße \"2\"/Musik")],
          newAlbums: "Fresh", playlists: inHome("Music/Playlists"), ignore: ["*.cue", "/Samples/"]))
  }

  @Test("What players may do with playlists, and which player plays, is read")
  func players() throws {
    let settings = try home.read(
      """
      playlists_ending = "m3u"
      playlists_edited = "taken"
      player = "mpv:~/.cache/mpv.socket"
      mpd = "~/.mpd/socket"
      """)
    #expect(settings.playlistsEnding == .m3u && settings.playlistsEdited == .taken)
    #expect(settings.player == .mpv(inHome(".cache/mpv.socket")))
    #expect(settings.mpd == inHome(".mpd/socket"))
    #expect(settings.player?.text == "mpv:\(home.path)/.cache/mpv.socket")
    let usual = try home.read("")
    #expect(usual.playlistsEnding == .m3u8 && usual.playlistsEdited == .ignored)
    #expect(usual.player == nil && usual.mpd == nil)
    #expect(try home.read("player = \"mpd\"").player == .mpd)
    #expect(try home.read("player = 'vlc --enqueue {}'").player == .command("vlc --enqueue {}"))
  }

  @Test(
    "What no player can be meant by is refused, with what can",
    arguments: [
      ("playlists_ending = \".m3u\"", "write \"m3u8\" or \"m3u\""),
      ("playlists_ending = \"pls\"", "playlists_ending can't be “pls”"),
      ("playlists_edited = \"yes\"", "write \"ignored\" or \"taken\""),
      ("playlists_edited = true", "playlists_edited is true or false"),
      ("player = \"vlc\"", "a command with {}"), ("player = \"a\\n{}\"", "player can't be"),
      ("player = \"mpv:socket\"", "player: “socket” is not an absolute path"),
      ("player = \"\"", "player can't be “”"), ("mpd = \"localhost:6600\"", "no network"),
      ("mpd = \"192.168.1.2\"", "bind_to_address"), ("mpd = \"/run/../mpd\"", "goes up"),
      ("mpd = [\"/run/mpd\"]", "mpd is a list"),
    ])
  func wrongPlayers(text: String, expected: String) throws {
    let message = try home.refusal("# first line\n" + text)
    #expect(message.contains(expected), "\(message)")
    #expect(message.contains("line 2"))
  }

  @Test("A file with CRLF and a byte order mark is read")
  func windowsLines() throws {
    let settings = try home.read("\u{FEFF}# note\r\nnew_albums = \"Fresh\"\r\n")
    #expect(settings.newAlbums == "Fresh")
  }

  @Test("An unknown key is refused by name and line")
  func unknownKeys() throws {
    let message = try home.refusal("ignore = []\n\n  music_folder = [\"~/Music\"]\n")
    #expect(message.contains("“music_folder”"))
    #expect(message.contains("config.toml, line 3:"))
    #expect(message.contains("music_folders, new_albums, playlists, "))
    #expect(try home.refusal("[playlists.more]\na = 1").contains("playlists is a table"))
    #expect(try home.refusal("ignore=[]\n[\"server\"]\nport = 1").contains("line 2"))
    #expect(try home.refusal("\"\" = 1").contains("“”"))
  }

  @Test(
    "What was meant is guessed where it is near",
    arguments: [
      ("music_folder", "music_folders"), ("musicfolders", "music_folders"),
      ("Ignore", "ignore"), ("ingore", "ignore"), ("playlist", "playlists"),
      ("new-album", "new_albums"), ("folder_of_playlists", nil), ("ig", nil), ("é", nil), ("", nil),
    ])
  func nearest(name: String, meant: String?) throws {
    let message = try home.refusal("\"\(name)\" = []")
    #expect(message.contains("there is no setting “\(name)”"))
    #expect(message.contains("did you mean") == (meant != nil))
    if let meant { #expect(message.contains("did you mean \(meant)?")) }
  }

  @Test(
    "A value of another type is refused, and the message says which was found",
    arguments: [
      ("music_folders = \"~/Music\"", "music_folders is a text"),
      ("music_folders = [\"/a\", 7]", "music_folders holds a whole number as item 2"),
      ("music_folders = []", "music_folders is empty"),
      ("new_albums = 1.5", "new_albums is a number"),
      ("playlists = true", "playlists is true or false"),
      ("playlists = [\"~/a\"]", "playlists is a list"),
      ("ignore = 2026-01-01", "ignore is a date or time"),
      ("ignore = 2026-01-01 ", "ignore is a date or time"),
      ("ignore = 2026-01-01 07:32:00Z\n", "ignore is a date or time"),
      ("ignore = 2026-01-01 9\n", "“2026-01-01 9” is neither"),
      ("ignore = 2026-01-01 0\n", "“2026-01-01 0” is neither"),
      ("ignore = {a = 1}", "no setting is a table"),
      ("ignore = [[\"a\"]]", "ignore holds a list as item 1"),
      ("ignore = [\"\"]", "ignore holds an empty pattern"),
      ("ignore = [\"a\\nb\"]", "ignore holds a control character"),
    ])
  func wrongTypes(text: String, expected: String) throws {
    let message = try home.refusal("# first line\n" + text)
    #expect(message.contains(expected))
    #expect(message.contains("line 2"))
  }

  @Test(
    "A syntax error is told with line and column",
    arguments: [
      ("new_albums = \"a\"\nignore = [\"b\" \"c\"]", 2, 15),
      ("new_albums = \"a\nb\"", 1, 16),
      ("ignore = []\nignore = []", 2, 10),
      ("= 1", 1, 1),
      ("# é\n\t\"é\" 1", 2, 6),
      ("\u{FEFF}?", 1, 1),
      ("ignore = []\rnew_albums = 'a'", 1, 12),
      ("ignore = ['a\u{1}b']", 1, 13),
      ("ignore = [\n'a',,'b']", 2, 5),
      ("ignore = [\n'a'\n# ]", 3, 4),
      ("ignore", 1, 7),
      ("new_albums = 'a' 'b'", 1, 18),
      ("new_albums = Fresh", 1, 14),
      ("new_albums = \"a\\qb\"", 1, 17),
      ("new_albums = \"a\\ud800\"", 1, 17),
      ("new_albums = '''a\nb''", 2, 4),
    ])
  func syntaxErrors(text: String, line: Int, column: Int) throws {
    #expect(try home.refusal(text).contains("config.toml, line \(line), column \(column): "))
  }

  @Test(
    "What stands in the wrong place is told as a person sees it",
    arguments: [
      ("ignore", "between a name and the end of the file"),
      ("ignore \n", "between a name and the end of the line"),
      ("ignore\r\n", "between a name and the end of the line"),
      ("ignore xy", "between a name and “x”"), ("ignore 🎵e", "between a name and “🎵”"),
      ("ignore e\u{301}", "between a name and “e”"), ("!", "a name can't begin with “!”"),
    ])
  func found(text: String, expected: String) throws {
    let message = try home.refusal(text)
    #expect(message.contains(expected), "\(message)")
  }

  @Test("A table is known by its name, whether it is one of many or not")
  func tables() throws {
    for text in ["[tab]\n", "[[tab]]\n", "[ tab.b ]", "tab.b = 1"] {
      let read = try TOMLReader.entries(of: text)
      #expect(read == [TOMLReader.Entry(name: "tab", value: .table, line: 1)], "\(text)")
    }
  }

  @Test(
    "The crate for new albums needs a name that a crate can have",
    arguments: ["", " Fresh", "Fresh\u{2003}", "A\u{7}B", String(repeating: "é", count: 128)])
  func crateNames(name: String) throws {
    let escaped = name.replacing("\u{7}", with: "\\u0007")
    #expect(try home.refusal("new_albums = \"\(escaped)\"").contains("new_albums can't be"))
  }

  @Test("A crate's name may have 255 bytes and blanks inside")
  func longCrateName() throws {
    let name = "A " + String(repeating: "b", count: 253)
    #expect(try home.read("new_albums = \"\(name)\"").newAlbums == name)
  }

  @Test("An escaped NUL is refused")
  func escapedNul() throws {
    #expect(try home.refusal("\n\nnew_albums = \"a\\u0000b\"").contains("line 3: "))
    #expect(try home.refusal("\"ignore\\U00000000b\" = []").contains("escaped NUL"))
  }

  @Test(
    "What is no value is refused with its line",
    arguments: [
      "ignore = ['a',}", "ignore = [}", "a = 1979-05-27T", "a = 1979-05-27T7", "a = 1:", "a = 0x",
      "ignore = [\"a\", {b = 1}]", "a = 12:0", "a = 1__", "a = +",
    ])
  func survived(line: String) throws {
    let before = "# it's {fine}\nnew_albums = \"{\\\"\"\nplaylists = '/{'\n"
    #expect(try home.refusal(before + line + "\n").contains("line 4"))
  }

  @Test(
    "A text is what TOML says it is",
    arguments: [
      (#""a\"b\\c\u00e9\U0001F3B5""#, #"a"b\cé🎵"#), (#"'a\"b\u00e9'"#, #"a\"b\u00e9"#),
      ("''", ""), ("\"\"", ""),
    ])
  func texts(written: String, expected: String) throws {
    let read = try TOMLReader.entries(of: "a = \(written)\n")
    #expect(read == [TOMLReader.Entry(name: "a", value: .text(expected), line: 1)])
  }

  @Test("A text in three quotes has lines, two quotes at its end, and lines that are joined")
  func longTexts() throws {
    let text = "a = \"\"\"\r\nb\r\n\\\n \n  c\\t\"\"\"\"\"\nd = \'\'\'\\\n\'\'\'"
    let read = try TOMLReader.entries(of: text)
    #expect(read.map(\.value) == [.text("b\nc\t\"\""), .text("\\\n")])
    #expect(read.map(\.line) == [1, 6])
  }

  @Test("A setting that stands there twice is refused, and both lines are told")
  func twice() throws {
    let message = try home.refusal("ignore = []\n\n'ignore' = [\n]")
    #expect(message.contains("line 3, column 12: "))
    #expect(message.contains("ignore is set already, on line 1"))
    for text in ["ignore.b = 1\nignore = []", "ignore = []\nignore.b = 1"] {
      #expect(try home.refusal(text).contains("line 2, "))
      #expect(try home.refusal(text).contains("ignore is set already, on line 1"))
    }
    for text in ["ignore.b = 1\nignore.c = 1", "ignore = []\n[ignore]\na = 1"] {
      #expect(try home.refusal(text).contains("line 2: ignore is a table"))
    }
  }

  @Test("Braces, colons and quotes in texts are no concern")
  func oddTexts() throws {
    let settings = try home.read(
      """
      ignore = [ # }
        "{a}", '1979-05-27T', "\\"}", '''
      '{' ''}''', \"\"\"b"}\"\"\" ]
      """)
    #expect(settings.ignore.count == 5)
  }

  @Test(
    "A table without a name is refused",
    arguments: [
      "[.a]", "[", "[]", "[[", "[[]]", "[[[", "\u{FEFF} [=]", "[\u{A0}a]", "[\u{301}", "[é]",
    ])
  func namelessTables(line: String) throws {
    #expect(try home.refusal(line + "\na = 1").contains("line 1"))
  }

  @Test("Deep nesting and endless lines end in a message")
  func deepNesting() throws {
    let deep = String(repeating: "a.", count: 100_000) + "a = 1\n?"
    #expect(try home.refusal(deep).contains("line 1: the line is longer than"))
    let within = String(repeating: "a.", count: 4000) + "a = 1\n?"
    #expect(try home.refusal(within).contains("line 2"))
    _ = try home.refusal("ignore = " + String(repeating: "[\n", count: 100_000))
    _ = try home.refusal("ignore = " + String(repeating: "{a=", count: 2000))
  }

  @Test("A line may have 8192 bytes")
  func longestLine() throws {
    let longest = "#" + String(repeating: "é", count: 4095) + "."
    #expect(try home.read(longest + "\n").ignore.isEmpty)
    let message = try home.refusal("\n" + longest + ".\n")
    #expect(message.contains("line 2: the line is longer than 8192 bytes"))
  }

  @Test("There may be 64 music folders and 1000 patterns")
  func mostItems() throws {
    func list(_ count: Int) -> String {
      "[" + (1...count).map { "'/\($0)'" }.joined(separator: ",\n") + "]"
    }
    #expect(try home.read("music_folders = " + list(64)).musicFolders.count == 64)
    #expect(try home.read("ignore = " + list(1000)).ignore.count == 1000)
    let folders = try home.refusal("music_folders = " + list(65))
    #expect(folders.contains("names 65 folders, and 64 is the most"))
    let patterns = try home.refusal("ignore = " + list(1001))
    #expect(patterns.contains("holds 1001 patterns, and 1000 is the most"))
  }

  @Test("A program that can't use its settings says so by sysexits' number")
  func exitStatus() {
    #expect(SettingsError.exitStatus == 78)
  }

  @Test("Every beginning of a good file is read or refused")
  func truncation() throws {
    let text =
      "music_folders = [\"~/Müsic\"]\nnew_albums = 'a'\n[x]\nb = 1979-05-27T07:32:00Z # c\n"
    let bytes = Array(text.utf8)
    for end in bytes.indices {
      try home.write(Array(bytes[..<end]), to: ".config/crated/config.toml")
      _ = Result { try home.read() }
    }
  }
}
