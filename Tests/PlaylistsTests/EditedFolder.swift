import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import Playlists

/// A directory of playlists that players edit, a library, and a clock that is turned by hand. What
/// the daemon has the librarian decide is decided here at once.
struct EditedFolder {
  let lists: ListFolder
  var music: Music
  var keeper: PlaylistKeeper
  private(set) var now: Int64 = 1_000_000_000_000
  /// The verdicts since they were last asked for: who asked, what it comes to and notes, or a
  /// refusal.
  private(set) var told: [String] = []
  private(set) var problems: [String] = []
  private(set) var written = 0
  private var number = 0
  private static let second = 1_000_000_000.0

  /// With these albums' sizes in the one crate.
  init(sizes: [Int]) throws {
    lists = try ListFolder()
    music = Music()
    try music.add("Jazz")
    for (album, size) in sizes.enumerated() {
      let id = try music.add(album: "Album \(album)", by: "Artist", to: "Jazz")
      for track in 1...size {
        try music.add(
          song: BytePath("/m/\(album)/\(track).flac"), "Song \(track)", by: "Artist",
          album: "Album \(album)", albumArtist: "Artist", to: id)
      }
    }
    keeper = PlaylistKeeper(lists.wish(takesEdits: true))
  }

  /// Turns the clock, and looks.
  mutating func look(after seconds: Double = 0) throws {
    now += Int64(seconds * Self.second)
    let outcome = keeper.follow(music.library, touched: music.takeTouched(), now: now)
    written += outcome.written
    for edit in outcome.edits { try decide(edit) }
    problems = outcome.problems.map { "\($0.path.display): \($0.message)" }
  }

  /// Looks for as long as the keeper wants to, as the daemon does.
  ///
  /// - Returns: seconds that it took.
  @discardableResult
  mutating func settle() throws -> Double {
    let start = now
    try look()
    var looks = 0
    while keeper.due != .max {
      now = max(now, keeper.due)
      try look()
      looks += 1
      try #require(looks < 1000, "it never comes to rest")
    }
    return Double(now - start) / Self.second
  }

  mutating func turn(_ seconds: Double) { now += Int64(seconds * Self.second) }

  private mutating func decide(_ edit: FoundEdit) throws {
    let lookup = try #require(keeper.lookup(in: music.library))
    guard let lines = lookup.lines(in: edit.bytes) else {
      _ = keeper.decline(edit, "another kind", music.library)
      told.append("another kind")
      return
    }
    let list = EditedList(
      name: edit.file.display, crate: edit.crate, lines: lines, bases: edit.bases)
    switch music.library.decide(list, newAlbums: nil) {
    case .taken(let decision, let problem):
      told.append(
        ([
          (decision.transaction.origin.map { "by \($0): " } ?? "") + decision.transaction.sentence
        ] + decision.transaction.notes).joined(separator: "; "))
      try music.apply(decision.changes)
      var seen: Set<SongID> = []
      var known: [SongID] = []
      for case .song(let id) in lines where seen.insert(id).inserted { known.append(id) }
      let fault = keeper.took(
        edit, songs: known, isPlain: list.plainSongs != nil, problem: problem, music.library)
      #expect(fault == nil)
    case .refused(let reason):
      told.append(reason)
      #expect(keeper.decline(edit, reason, music.library) == nil)
    }
  }

  mutating func takeTold() -> [String] {
    defer { told = [] }
    return told
  }

  // MARK: Lists

  func name(_ crate: String) -> String { "\(crate).\(keeper.wish.ending.rawValue)" }

  /// The lines of a list that are songs, as absolute paths.
  func songs(in crate: String) throws -> [String] {
    let text = String(decoding: try readFile(lists.path(name(crate))), as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }

  func crateSongs(_ crate: String) throws -> [String] {
    music.library.listedPaths(of: try #require(music.library.crate(named: crate))).map(\.display)
  }

  /// As MPD does: the list is not there for a moment, and then is another file.
  mutating func writeAsMPD(_ lines: [String], to crate: String) throws {
    number += 1
    let text = lines.map { $0 + "\n" }.joined()
    unlink(lists.path(name(crate)))
    try lists.write(text, to: ".new\(number)")
    #expect(link(lists.path(".new\(number)"), lists.path(name(crate))) == 0)
    unlink(lists.path(".new\(number)"))
  }
}
