import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing
import VarlinkServer

/// The real `crate` against a server with a small library that changes nothing and remembers what
/// it was asked.
final class CommandFixture {
  private let folder: TemporaryFolder
  private let server: VarlinkServer
  private let asked = Asked()
  let socket: String

  private final class Asked: Sendable {
    let calls = Monitor<[Call]>([])
    /// Answers that never come: one that is let go of closes its connection.
    let held = Monitor<[Answer]>([])

    var songListings: Int {
      calls.withLock { $0.count { if case .listSongs = $0 { true } else { false } } }
    }

    /// Holds a sync back until so often was asked how far it is.
    func hold(_ request: Request, until looks: Int) {
      if request.call == .sync { return held.withLock { $0.append(request.answer) } }
      let count = calls.withLock { calls in calls.count { $0 == .status } }
      if count < looks { return }
      let answers = held.withLock { held in
        defer { held = [] }
        return held
      }
      for answer in answers { answer.reply(.progress(sequence: 8, scanned: nil, toScan: nil)) }
    }
  }

  /// - Parameter changing: so many of the first lookups are of a library that has changed.
  init(
    _ library: FakeLibrary = FakeLibrary(),
    refusing error: InterfaceError? = nil, changing: Int = 0
  ) throws {
    let asked = asked
    folder = try TemporaryFolder()
    socket = folder.path("socket")
    server = VarlinkServer(
      identity: ServiceIdentity(vendor: "", product: "", version: "", url: "")
    ) { request in
      let (lookups, rescans) = asked.calls.withLock { calls in
        calls.append(request.call)
        return (
          calls.count { if case .match = $0 { true } else { false } },
          calls.count { if case .rescan = $0 { true } else { false } }
        )
      }
      var library = library
      if rescans > 0 {
        for place in 0..<library.goneByRescan { library.songs[place].presence = .gone }
      }
      if lookups <= changing { library.sequence += lookups }
      if library.isMoving { library.sequence += asked.songListings - 1 }
      library.answer(request, refusing: error)
      if library.isWatched { asked.held.withLock { $0.append(request.answer) } }
      if let most = library.looksAwaited { asked.hold(request, until: most) }
    }
    try server.start(path: socket)
  }

  deinit {
    asked.held.withLock { $0 = [] }
    server.stop()
  }

  /// The calls that change something, in order.
  var changes: [Call] {
    asked.calls.withLock { calls in
      calls.filter {
        switch $0 {
        case .listAlbums, .listCrates, .listSongs, .status, .resolve, .search, .history: false
        default: true
        }
      }
    }
  }

  /// The looks at the history, in order.
  var lookedBack: [Call] {
    asked.calls.withLock { $0.filter { if case .history = $0 { true } else { false } } }
  }

  /// What was searched for, in order.
  var searches: [Call] {
    asked.calls.withLock { $0.filter { if case .search = $0 { true } else { false } } }
  }

  /// The names that were asked for, call by call.
  var resolved: [[[String]]] {
    asked.calls.withLock { calls in
      calls.compactMap { if case .resolve(let words, _, _, _) = $0 { words } else { nil } }
    }
  }

  /// The listings that were asked for, in order.
  var listings: [Call] {
    asked.calls.withLock { calls in
      calls.filter {
        switch $0 {
        case .listAlbums, .listCrates, .listSongs: true
        default: false
        }
      }
    }
  }

  struct Outcome: Equatable {
    var status: Int32
    var output: String
    var errors: String
    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  func run(
    _ arguments: String..., input: String = "", environment: [String] = []
  ) throws -> Outcome {
    try Self.run(arguments + ["--socket", socket], input: input, environment: environment)
  }

  /// What a shell is told to offer, however long that takes.
  static func completed(_ shell: String, _ typed: [String]) throws -> Outcome {
    try run(["--complete", shell] + typed, blocking: [SIGALRM])
  }

  /// - Parameter blocking: signals of which it never hears.
  static func run(
    _ arguments: [String], input: String = "", environment: [String] = [], blocking: [Int32] = []
  ) throws -> Outcome {
    let folder = try TemporaryFolder()
    let names = ["input", "output", "errors"].map { folder.path($0) }
    try folder.write(input, to: "input")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, name) in names.enumerated() {
      let flags = descriptor == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
      posix_spawn_file_actions_addopen(&actions, Int32(descriptor), name, flags, 0o600)
    }
    closeOthers(&actions)
    let program = try self.program
    var child = pid_t()
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let settings =
      (["PATH=/usr/bin:/bin", "TZ=UTC"] + environment + passedOn.map { "\($0.key)=\($0.value)" })
      .map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    let code = withSpawnAttributes(blocking: blocking) {
      posix_spawn(&child, program, &actions, &$0, words, settings)
    }
    guard code == 0 else { throw SystemCallError("posix_spawn", program, code: code) }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    let ended = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    let said = try names.dropFirst().map { String(decoding: try readFile($0), as: UTF8.self) }
    return Outcome(status: ended, output: said[0], errors: withoutWaiting(said[1]))
  }

  /// What a terminal shows while it runs there.
  func shown(
    _ arguments: String..., columns: UInt16 = 100, rows: UInt16 = 60,
    environment: [String: String] = [:], answers: String = "", status: Int32 = 0
  ) throws -> String {
    let settings = ["PATH": "/usr/bin:/bin", "TZ": "UTC", "TERM": "xterm", "NO_COLOR": "1"]
    let terminal = try PseudoTerminal(
      try Self.program, arguments + ["--socket", socket],
      environment: settings.merging(environment) { $1 }, columns: columns, rows: rows)
    terminal.answers = { bytes in
      bytes.firstRange(of: Array("\u{1B}[c".utf8)) == nil ? [] : Array(answers.utf8)
    }
    #expect(try terminal.end() == status << 8)
    let shown = String(decoding: terminal.shown, as: UTF8.self).replacing("\r\n", with: "\n")
    return withoutWaiting(shown)
  }

  /// Built beside the tests.
  static var program: String {
    get throws {
      var room = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink("/proc/self/exe", &room, room.count)
      let tests = String(
        decoding: room.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let end = try #require(tests.lastIndex(of: "/"))
      return tests[..<end] + "/crate"
    }
  }
}

/// A few crates, albums and songs.
struct FakeLibrary: Sendable {
  var crates: [Interface.Crate] = []
  var albums: [Interface.Album] = []
  var songs: [Interface.Song] = []
  /// What an edit would move.
  var moves: [Interface.Move] = []
  /// What happened, the newest first.
  var history: [Interface.Change]?
  var problems: [Interface.Problem] = []
  /// The number of songs that a rescan finds to be gone.
  var goneByRescan = 0
  /// Whether one of two songs is read.
  var isScanning = false
  /// Why nothing can be changed, where that is so.
  var storeReason: String?
  /// Whether those who watch hear that it goes on, and nothing else.
  var isWatched = false
  /// How often it is asked how far a sync is before that is over; nil: it is at once.
  var looksAwaited: Int?
  /// Whether edits are never answered.
  var isStuck = false
  /// Whether it changes after each listing of songs.
  var isMoving = false
  /// Whether no songs are listed, but refused.
  var refusesSongs = false
  /// The player that is set.
  var player: String?
  /// The number of what songs are looked up in.
  var sequence = 7

  /// `Jazz` with five albums, `Rock  Music` with two, `Both` with one called `Jazz Club`.
  init() {
    add(
      "Jazz",
      [
        ("kind2222aaaa", "Kind of Blue"), ("bath2222aaaa", "Both"), ("tapp2222aaaa", "top"),
        ("kind3333bbbb", "Greatest Hits"), ("wide2222aaaa", "東京の夜 🎷"),
      ])
    add("Rock  Music", [("hits2222aaaa", "Greatest Hits"), ("nine2222aaaa", "1979")])
    add("Both", [("jazz2222aaaa", "Jazz Club")])
  }

  init(crate: String, albums: [(id: String, title: String)]) {
    add(crate, albums)
  }

  private mutating func add(_ crate: String, _ titles: [(id: String, title: String)]) {
    for (number, album) in titles.enumerated() {
      albums.append(
        Interface.Album(
          id: album.id, crate: crate, position: number + 1, title: album.title, artist: "Someone",
          year: 1959, songs: 3, seconds: 185, added: "2026-01-02T03:04:05Z", arranged: false,
          presence: .present))
      for song in 1...3 {
        songs.append(
          Interface.Song(
            id: songId(of: album.id, song), album: album.id, albumTitle: album.title,
            albumArtist: "Someone", crate: crate, position: song, title: "Song \(song)",
            artist: "Someone", disc: nil, track: song, seconds: 61.5, format: "flac",
            added: "2026-01-02T03:04:05Z", presence: .present,
            path: "/music/\(album.title)/\(song)\u{FFFD}.flac",
            uri: "file:///music/\(album.id)/\(song)%FF%20x.flac"))
      }
    }
    crates.append(
      Interface.Crate(
        name: crate, position: crates.count + 1, albums: titles.count, songs: titles.count * 3,
        seconds: 3_700))
  }

  /// A song's id; those of wide2222aaaa begin as its own id does.
  private func songId(of album: String, _ song: Int) -> String {
    (album.hasPrefix("wide") ? album.prefix(10) : "s" + album.prefix(9)) + "s\(song + 1)"
  }

  private static let change = Interface.Change(
    changed: true, sequence: 8, time: "2026-01-02T03:04:05Z", author: .person,
    summary: "move album to top of Jazz", notes: ["a note"])

  private static let trace = [
    ("/music", "full scan: it is there again"), ("/music", "a\u{1B}b"), ("/nas", "c"),
  ].map { Interface.TraceEntry(folder: $0.0, time: "2026-01-02T03:04:05.678Z", text: $0.1) }

  /// One music folder is there, and one is away.
  static let status = Interface.LibraryStatus(
    version: "1", pid: 1, started: "2026-01-02T03:04:05Z", sequence: 7,
    folders: [
      Interface.MusicFolder(path: "/music", state: .watching, directories: 1, songs: 1),
      Interface.MusicFolder(
        path: "/nas", state: .offline, reason: "it isn't mounted", directories: 0, songs: 5),
    ], store: .ready, storeReason: nil, storePath: "/store", crates: 1, albums: 1, songs: 1,
    gone: 0, problems: 0, warnings: [])

  func answer(_ request: Request, refusing error: InterfaceError?) {
    let answer = request.answer
    switch request.call {
    case .status:
      var status = Self.status
      status.gone = songs.count { $0.presence == .gone }
      status.songs = songs.count - status.gone
      (status.problems, status.player) = (problems.count, player)
      if let storeReason { (status.store, status.storeReason) = (.readOnly, storeReason) }
      if isScanning { (status.folders[0].scanned, status.folders[0].toScan) = (1, 2) }
      answer.reply(.status(status))
    case .resolve(let words, let wanted, let beginning, let count):
      let naming = FakeNaming(library: self, wanted: wanted ?? Interface.Kind.allCases)
      let meanings = words.map { naming.meaning(of: $0, beginning: beginning, most: count ?? 20) }
      answer.reply(.meanings(meanings, sequence: 7))
    case .listCrates: answer.reply(.crates(crates, sequence: 7))
    case .listAlbums(let crate, let ids, _, let first, let count):
      // In two replies, as a long listing comes.
      let all = albums.filter {
        (crate == nil || $0.crate == crate) && ids?.contains($0.id) ?? true
      }
      let found = Array(all.dropFirst((first ?? 1) - 1).prefix(count ?? .max))
      let half = found.count / 2
      if request.more {
        answer.reply(.albums(Array(found[..<half]), total: all.count, sequence: 7), continues: true)
        answer.reply(.albums(Array(found[half...]), total: all.count, sequence: 7))
      } else {
        answer.reply(.albums(found, total: all.count, sequence: 7))
      }
    case .listSongs where refusesSongs: answer.fail(.noSuchAlbum(id: "x"))
    case .listSongs(let crate, let album, let ids, let gone, let first, let count):
      let all = songs.filter {
        (crate == nil || $0.crate == crate) && (album == nil || $0.album == album)
          && (gone || $0.position != nil) && ids?.contains($0.id) ?? true
      }
      let found = Array(all.dropFirst((first ?? 1) - 1).prefix(count ?? .max))
      answer.reply(.songs(found, total: all.count, sequence: sequence))
    case .moveAlbums, .moveSongs, .moveCrate, .renameCrate, .sortAlbums, .sortSongs, .forget,
      .applyText, .undo:
      if isStuck { return }
      var change = Self.change
      change.moves = moves
      if let error { answer.fail(error) } else { answer.reply(.change(change)) }
    case .watch:
      if let error { return answer.fail(error) }
      var first = Self.change
      first.changed = false
      if isWatched { first.sequence = 7 }
      answer.reply(.change(first), continues: true)
      if isWatched { return }
      answer.reply(.change(Self.change), continues: true)
      answer.reply(.change(Self.change))
    case .sync, .rescan:
      if request.more {
        answer.reply(.progress(sequence: 7, scanned: 1, toScan: 2), continues: true)
      }
      if looksAwaited != nil { return }
      answer.reply(.progress(sequence: 8, scanned: nil, toScan: nil))
    case .trace: answer.reply(.trace(Self.trace))
    case .history(let limit, let before):
      let older = (history ?? []).filter { $0.sequence < before ?? .max }
      answer.reply(.changes(Array(older.prefix(limit ?? 100))))
    default: if !answerMore(request) { answer.fail(error ?? .nothingToUndo()) }
    }
  }
}
