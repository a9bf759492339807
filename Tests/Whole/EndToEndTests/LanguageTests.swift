import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// What people read has names and places in it, and no word of the journal, no id and no name of a
/// rule.
@Suite("The language", .limited)
struct LanguageTests {
  /// Words of the journal, of the interface and of the rules, which mean nothing to people. Most of
  /// the journal's lines have an id besides.
  private static let foreign = [
    "merge", "regroup", "followed", "anchor", "arranged", "presence", "sequence", "took over",
    "group by", "lose song", "add song", "add album", "digest", "gather", "invalid", "parameter",
    "org.crated", "snapshot", "journal", "evidence", "alias", "nil", "optional(", "follow song",
    "retag song", "retag album", "return song", "join album", "touch album", "asked by", "slot",
    "nosuch", "inode", "fingerprint",
  ]
  /// Names that people know, and that are written as the code writes its own.
  private static let brands: Set<Substring> = ["iTunes", "kHz"]

  /// The list that is imported, and the commands; those that change something have their answers
  /// told again, by the history and to who watches.
  private static let listName = "ten.m3u"
  private static let commands: [[String]] = [
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
    ["forget"], ["forget", "--yes", "Album 3"], ["forget", "--yes", "Album 3", "1"],
    ["list"], ["list", "Nothing"], ["list", "Song 1"],
    ["find", "nowhere"], ["find", "colour:red"], ["art", "Music"], ["art", "Album 3"],
    ["paths", "Nothing"], ["rescan", "/nowhere"], ["sync"], ["status"], ["problems"],
    ["history", "-n", "100", "--all"], ["move", "Album 3", "up", "--if-sequence", "1"],
    ["help"],
    ["play", "Nothing"], ["browse"], ["import", listName, "--dry-run"], ["import", "/nowhere"],
    ["import", listName, "--as", "Ten", "--yes"], ["undo"], ["paths", "Album 3"],
    ["watch", "--lost"],
  ]
  private static let verbs = [
    "art", "browse", "edit", "find", "forget", "history", "import", "list", "move", "paths", "play",
    "problems", "redo", "rename", "rescan", "show", "sort", "status", "sync", "undo", "watch",
  ]

  private let home: Home

  init() throws {
    home = try Home()
    home.environment["XDG_STATE_HOME"] = home.folder.path("state")
    try SmallLibrary.write(albums: 8, to: home.music)
  }

  /// What a program says on both ends, whatever its status.
  private func said(_ words: [String], by program: String = "crate") throws -> String {
    let result = try run(Home.program(program), words, environment: home.environment)
    return result.output + result.errors
  }

  private func ids(_ client: CratesClient) throws -> Set<String> {
    Set(try client.albums().map(\.id) + client.songs().map(\.id))
  }

  /// What means nothing to people in a text: words of ours, ids or their beginnings, and names as
  /// the code writes them.
  private func strangers(in text: String, ids: Set<String>) -> [String] {
    // What is to be typed, and where things are, is not told in sentences.
    let prose = text.replacing("--if-sequence", with: "").replacing(home.folder.path, with: "")
      .replacing(/order-\w+-\w+\.crates/, with: "")
    let lower = prose.lowercased()
    var found = Self.foreign.filter(lower.contains) + ids.filter(prose.contains)
    for word in prose.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
      let isName = word.first?.isLowercase == true && word.contains(where: \.isUppercase)
      // Words have no digits in them, so that none is an id's beginning by chance.
      let isShortID =
        word.count >= 4 && word.contains(where: \.isLetter) && word.contains(where: \.isNumber)
        && ids.contains { $0.hasPrefix(word) }
      if isName && !Self.brands.contains(word) || isShortID { found.append(String(word)) }
    }
    return found
  }

  private func expectPlain(
    _ text: String, of words: [String], ids: Set<String> = [],
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(!text.isEmpty, "\(words)", sourceLocation: location)
    for word in strangers(in: text, ids: ids) {
      Issue.record("\(words) says “\(word)”: \(text)", sourceLocation: location)
    }
  }

  /// The folder's changes: what comes, goes, comes back, is renamed and is retagged.
  ///
  /// - Returns: all ids that there were.
  private func changeFolder(_ client: CratesClient) throws -> Set<String> {
    var ids = try ids(client)
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
    return ids.union(try self.ids(client))
  }

  /// What `crate watch` tells of all changes from that one on, up to the newest.
  private func watched(since sequence: Int) throws -> String {
    let newest = try #require(try home.json("history", "-n", "1").first?["summary"]?.string)
    let watch = try RunningProgram(
      try Home.program("crate"), ["watch", "--since", "\(sequence)"],
      environment: home.environment, errors: home.folder.path("watch.log"))
    var told = ""
    while let line = try watch.nextLine() {
      told += line + "\n"
      if line.contains(newest) { break }
    }
    watch.signal(SIGTERM)
    _ = try watch.end()
    return told
  }

  @Test("every change, every answer and every refusal is told in words for people")
  func words() throws {
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    let begin = try client.sync()
    let ids = try changeFolder(client)
    let songs = "\(home.music)/5-1.flac\n\(home.music)/nowhere.flac\n"
    let list = try home.folder.write(songs, to: Self.listName)
    home.environment["EDITOR"] = "true"
    for words in Self.commands + Self.verbs.map({ ["help", $0] }) {
      let words = words.map { $0 == Self.listName ? list : $0 }
      expectPlain(try said(words), of: words, ids: ids)
    }
    expectPlain(try watched(since: begin), of: ["watch"], ids: ids)
    // Ids are what they tell, too.
    for words in [["show", "Album 3"], ["show", "Album 3", "1"], ["show", "Music"]] {
      let text = try said(words)
      #expect(text.contains("history"), "\(words)")
      expectPlain(text, of: words)
    }
    for words in [["restore"], ["--help"], ["help", "check"]] {
      expectPlain(try said(words, by: "crated"), of: ["crated"] + words, ids: ids)
    }
    try daemon.stop()
  }
}
