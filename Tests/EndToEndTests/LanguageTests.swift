import CratesInterface
import Glibc
import TestSupport
import Testing

/// What people read has names and places in it, and no word of the journal, no id and no name of a
/// rule.
@Suite("The language", .limited)
struct LanguageTests {
  /// Words of the journal, of the interface and of the rules, which mean nothing to people.
  private static let foreign = [
    "merge", "regroup", "followed", "anchor", "arranged", "presence", "sequence", "took over",
    "group by", "lose song", "add song", "add album", "digest", "gather", "invalid", "parameter",
    "org.crated", "snapshot", "journal", "evidence", "alias", "nil", "Optional",
  ]

  private let home: Home

  init() throws {
    home = try Home()
    home.environment["XDG_STATE_HOME"] = home.folder.path("state")
    try SmallLibrary.write(albums: 8, to: home.music)
  }

  /// What a command says on both ends, whatever its status.
  private func said(_ words: [String]) throws -> String {
    let result = try run(Home.program("crate"), words, environment: home.environment)
    return result.output + result.errors
  }

  private func ids(_ client: CratesClient) throws -> Set<String> {
    Set(try client.albums().map(\.id) + client.songs().map(\.id))
  }

  @Test("every change, every answer and every refusal is told in words for people")
  func words() throws {
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    var ids = try ids(client)
    // The folder's changes: what comes, goes, comes back, is renamed and is retagged.
    try SmallLibrary.song(9, 1, to: home.music)
    try client.sync()
    ids.formUnion(try self.ids(client))
    try #require(rename("\(home.music)/0-1.flac", "\(home.music)/renamed.flac") == 0)
    for track in 1...3 { #expect(unlink("\(home.music)/1-\(track).flac") == 0) }
    try client.sync()
    try SmallLibrary.song(1, 1, to: home.music)
    let tags = ["title": "Other", "artist": "Artist 2", "album": "Other album", "tracknumber": "1"]
    for track in 1...3 { try Tagger().write(tags, to: "\(home.music)/2-\(track).flac") }
    try client.sync()
    ids.formUnion(try self.ids(client))

    let songs = "\(home.music)/5-1.flac\n\(home.music)/nowhere.flac\n"
    let list = try home.folder.write(songs, to: "ten.m3u")
    let commands: [[String]] = [
      ["move", "Album 3", "Album 5", "top"], ["move", "Music", "2", "down"],
      ["move", "Music", "1-2", "to", "Jazz"], ["move", "Album 4", "to", "Jaz"],
      ["move", "Jaz", "top"], ["move", "Jaz", "top"], ["move", "Album 3", "2", "top"],
      ["move", "Album 3", "before", "Album 3"], ["move", "Album 3", "Album 6", "top"],
      ["move", "Album 3", "up", "to", "Music"], ["move", "Album 3", "Album 3", "1", "top"],
      ["move", "Album 3", "to", "Music", "after", "Album 5"], ["move", "Nothing", "top"],
      ["move", "Jazz", "9", "top"], ["move", "Album 9", "1", "to", "Jazz"],
      ["sort", "Music", "by", "title"], ["sort", "Music", "by", "title"],
      ["sort", "Jazz", "by", "year", "oldest"], ["sort", "Album 3", "by", "track"],
      ["sort", "Music", "shuffled"], ["sort", "Album 3", "by", "artist"],
      ["sort", "Music", "by", "size"], ["rename", "Jazz", "Blues"], ["rename", "Blues", "Music"],
      ["rename", "Jazz", " "], ["undo"], ["undo", "3", "--dry-run"], ["undo", "3"],
      ["undo", "99"], ["redo"], ["redo", "99"], ["undo", "--to", "999999"], ["edit"],
      ["forget"], ["forget", "--yes", "--dry-run"], ["forget", "--yes"], ["forget", "--yes"],
      ["forget", "--yes", "Album 3"], ["list"], ["list", "Nothing"], ["list", "Song 1"],
      ["find", "nowhere"], ["find", "colour:red"], ["art", "Music"], ["art", "Album 3"],
      ["paths", "Nothing"], ["rescan", "/nowhere"], ["sync"], ["status"], ["problems"],
      ["history", "-n", "100", "--all"], ["move", "Album 3", "up", "--if-sequence", "1"],
      ["help"], ["help", "move"], ["help", "edit"], ["help", "show"], ["help", "import"],
      ["play", "Nothing"], ["browse"], ["import", list, "--dry-run"], ["import", "/nowhere"],
      ["import", list, "--as", "Ten", "--yes"], ["undo"], ["paths", "Album 3"],
      ["watch", "--lost"],
    ]
    home.environment["EDITOR"] = "true"
    for words in commands {
      let text = try said(words)
      #expect(!text.isEmpty, "\(words)")
      for id in ids where text.contains(id) { Issue.record("\(words) says \(id): \(text)") }
      // What is to be typed, and where things are, is not told in sentences.
      let prose = text.replacing("--if-sequence", with: "").replacing(home.folder.path, with: "")
      for word in Self.foreign where prose.contains(word) {
        Issue.record("\(words) says “\(word)”: \(text)")
      }
    }
    // Ids are what they tell, too.
    for words in [["show", "Album 3"], ["show", "Album 3", "1"], ["show", "Music"]] {
      let text = try said(words).replacing(home.folder.path, with: "")
      #expect(text.contains("history"), "\(words)")
      for word in Self.foreign where text.contains(word) {
        Issue.record("\(words) says “\(word)”: \(text)")
      }
    }
    let orders = try run(Home.program("crated"), ["restore"], environment: home.environment)
    #expect(orders.status == 0)
    for word in Self.foreign where orders.output.contains(word) {
      Issue.record("restore says “\(word)”: \(orders.output)")
    }
    try daemon.stop()
  }
}
