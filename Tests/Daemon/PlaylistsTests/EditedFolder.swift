import Glibc
import LibraryModel
import ModelSupport
import Platform
import TestSupport
import Testing

@testable import Playlists

/// A directory of playlists that players edit, a library, and a clock that is turned by hand. What
/// the daemon has the librarian decide is decided here at once.
struct EditedFolder {
  let lists: ListFolder
  /// The music folder.
  let root: String
  var music: Music
  var keeper: PlaylistKeeper
  private(set) var now: Int64 = 1_000_000_000_000
  /// The verdicts since they were last asked for: who asked, what it comes to and notes, or a
  /// refusal.
  private(set) var told: [String] = []
  private(set) var problems: [String] = []
  /// What was written over, and why.
  private(set) var notices: [String] = []
  private(set) var written = 0
  private var number = 0
  private var history = UndoHistory()
  private static let second = 1_000_000_000.0

  /// With these albums' sizes in the one crate.
  init(sizes: [Int]) throws { try self.init([("Jazz", sizes)]) }

  /// Crates of albums of these sizes.
  ///
  /// - Parameter isInside: whether the lists lie in the music folder.
  init(
    _ crates: [(String, sizes: [Int])], _ ending: PlaylistEnding = .m3u8, isInside: Bool = false
  ) throws {
    lists = try ListFolder()
    root = isInside ? BytePath(lists.directory).parent.display : "/m"
    music = Music(folders: [root])
    var album = 0
    for (crate, sizes) in crates {
      try music.add(crate)
      for size in sizes {
        let id = try music.add(album: "Album \(album)", by: "Artist", to: crate)
        for track in 1...size {
          try music.add(
            song: BytePath("\(root)/\(album)/\(track).flac"), "Song \(track)", by: "Artist",
            album: "Album \(album)", albumArtist: "Artist", to: id)
        }
        album += 1
      }
    }
    keeper = PlaylistKeeper(lists.settings(ending, takesEdits: true))
  }

  /// Turns the clock, and looks.
  mutating func look(after seconds: Double = 0) throws {
    now += Int64(seconds * Self.second)
    let outcome = keeper.update(to: music.library, touched: music.takeTouched(), now: now)
    written += outcome.written
    notices += outcome.notices.map { "\($0.file.display): \($0.reason)" }
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

  mutating func turn(to time: Int64) { now = time }

  private mutating func decide(_ edit: FoundEdit) throws {
    let lookup = try #require(keeper.lookup(in: music.library))
    guard let lines = try? lookup.lines(in: edit.bytes) else {
      _ = keeper.decline(edit, "another kind", music.library)
      told.append("another kind")
      return
    }
    let list = EditedList(
      name: edit.file.display, crate: edit.crate, lines: lines, bases: edit.bases, edit.reading)
    switch music.library.decide(list, newAlbums: nil) {
    case .taken(let decision, let problem):
      told.append(
        ([
          (decision.transaction.origin.map { "by \($0): " } ?? "") + decision.transaction.sentence
        ] + decision.transaction.notes).joined(separator: "; "))
      try apply(decision)
      var seen: Set<SongID> = []
      var known: [SongID] = []
      for case .song(let id) in lines where seen.insert(id).inserted { known.append(id) }
      let fault = keeper.accept(
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

  /// Looks for as long as the keeper wants to, and takes the verdicts.
  mutating func verdicts() throws -> [String] {
    try settle()
    return takeTold()
  }

  // MARK: The person

  /// Moves an album as `crate move` does, and looks for as long as that takes.
  mutating func move(_ album: AlbumID, _ place: Place<AlbumID>, to crate: String? = nil) throws {
    try apply(try music.library.decide(.moveAlbums([album], place, crate: crate), newAlbums: nil))
    try settle()
  }

  /// Takes back the last change, if there is one.
  mutating func undo() throws {
    if let undo = music.library.decideUndo(history, newAlbums: nil) { try apply(undo) }
    try settle()
  }

  mutating func redo() throws {
    if let redo = music.library.decideRedo(history, newAlbums: nil) { try apply(redo) }
    try settle()
  }

  private mutating func apply(_ decision: Decision) throws {
    try music.apply(decision.changes)
    if decision.changes.isEmpty { return }
    var transaction = decision.transaction
    transaction.sequence = music.library.sequence
    history.follow(transaction)
  }

  func albums(_ crate: String) -> [AlbumID] {
    music.library.crate(named: crate).map { Array($0.albums) } ?? []
  }

  func songIDs(_ crate: String) -> [SongID] {
    let library = music.library
    return albums(crate).compactMap { library.albums[$0] }
      .flatMap { library.listedSongs(of: $0).map(\.id) }
  }

  /// The paths of an album's songs.
  func songs(of album: AlbumID) -> [String] {
    let library = music.library
    return library.albums[album].map { library.listedSongs(of: $0).map(\.path.display) } ?? []
  }

  // MARK: Lists

  func name(_ crate: String) -> String { "\(crate).\(keeper.settings.ending.rawValue)" }

  /// The lines of a list that are songs.
  func songs(in crate: String) throws -> [String] {
    let text = String(decoding: try readFile(lists.path(name(crate))), as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }

  /// The same as absolute paths, as MPD understands them.
  func listed(in crate: String) throws -> [String] {
    try songs(in: crate).map { line in
      if line.hasPrefix("/") { return line }
      return "\(root)/" + (line.hasPrefix("../") ? String(line.dropFirst(3)) : line)
    }
  }

  /// An order of a crate's songs that is no edit: albums are mixed.
  func mixed(_ crate: String) throws -> [String] {
    let songs = try crateSongs(crate).sorted()
    var mixed = songs
    for (index, song) in songs.enumerated() { mixed[(index * 7) % songs.count] = song }
    return mixed
  }

  func crateSongs(_ crate: String) throws -> [String] {
    music.library.listedPaths(of: try #require(music.library.crate(named: crate))).map(\.display)
  }

  /// Writes a list as MPD does that changes it, which leaves the paths as they are in it; its queue
  /// and what it adds have theirs from the music folder.
  mutating func saveInMPD(_ songs: [String], to crate: String, isQueue: Bool = false) throws {
    let lines = Set(try self.songs(in: crate))
    try writeAsMPD(
      songs.map { song in
        let path = String(song.dropFirst(root.utf8.count + 1))
        return !isQueue && lines.contains("../" + path) ? "../" + path : path
      }, to: crate)
  }

  /// Writes as MPD does: the list is not there for a moment, and then is another file.
  mutating func writeAsMPD(_ lines: [String], to crate: String) throws {
    number += 1
    let text = lines.map { $0 + "\n" }.joined()
    unlink(lists.path(name(crate)))
    try lists.write(text, to: ".new\(number)")
    #expect(link(lists.path(".new\(number)"), lists.path(name(crate))) == 0)
    unlink(lists.path(".new\(number)"))
  }
}
