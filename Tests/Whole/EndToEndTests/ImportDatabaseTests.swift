import CratesInterface
import Databases
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// `crate import` of a database that its program has open, or left in the middle of something.
@Suite("Importing databases", .serialized, .limited)
struct ImportDatabaseTests {
  private let home: Home
  private let daemon: RunningDaemon
  /// The database as Mixxx has it, by a connection that stays.
  private let database: Database

  init() throws {
    home = try Home()
    home.environment["TMPDIR"] = try home.folder.makeFolder("temporary")
    try copy(try SampleMusic.albums([.flac, .mp3, .ogg]), to: "\(home.music)/Here")
    daemon = try RunningDaemon(home)
    try daemon.sync()
    try home.crate("sort", "Music", "by", "title")
    try home.folder.makeFolder(".mixxx")
    database = try Database(
      home.folder.path(".mixxx/mixxxdb.sqlite"), canWrite: true, busySeconds: 5)
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    try database.execute(
      """
      CREATE TABLE track_locations (id INTEGER PRIMARY KEY, location TEXT);
      CREATE TABLE library (id INTEGER PRIMARY KEY, location INTEGER, title TEXT, artist TEXT,
        album TEXT, album_artist TEXT, tracknumber TEXT, duration REAL);
      CREATE TABLE Playlists (id INTEGER PRIMARY KEY, name TEXT, position INTEGER, hidden INTEGER);
      CREATE TABLE PlaylistTracks (id INTEGER PRIMARY KEY, playlist_id INTEGER, track_id INTEGER,
        position INTEGER);
      CREATE TABLE crates (id INTEGER PRIMARY KEY, name TEXT, show INTEGER DEFAULT 1);
      CREATE TABLE crate_tracks (crate_id INTEGER, track_id INTEGER);
      INSERT INTO Playlists VALUES (1, 'Warm-up', 0, 0), (2, 'Auto DJ', 1, 1);
      INSERT INTO crates VALUES (1, 'Peak', 1);
      """)
    try fill()
  }

  /// The album in ogg in a playlist, the one in MP3 in a crate.
  private func fill() throws {
    for (number, format) in ["ogg", "mp3"].enumerated() {
      for (track, title) in ["First", "Second", "Third"].enumerated() {
        let id = number * 10 + track + 1
        // From another machine.
        let path = "/media/dj/Album \(format)/\(track + 1) \(title) \(format).\(format)"
        try database.execute(
          """
          INSERT INTO track_locations VALUES (\(id), '\(path)');
          INSERT INTO library (id, location, title) VALUES (\(id), \(id), '\(title) \(format)');
          """)
      }
    }
    try database.execute(
      """
      INSERT INTO PlaylistTracks (playlist_id, track_id, position)
        VALUES (1, 2, 1), (1, 1, 2), (1, 3, 3), (2, 11, 1);
      INSERT INTO crate_tracks VALUES (1, 12), (1, 11);
      """)
  }

  private func names(_ folder: String) throws -> [String] {
    try TestSupport.names(in: home.folder.path(folder))
  }

  private func expectImported(_ location: SourceLocation = #_sourceLocation) throws {
    #expect(try home.albums("Warm-up") == ["Album ogg"], sourceLocation: location)
    #expect(try home.albums("Peak") == ["Album mp3"], sourceLocation: location)
    let songs = try home.json("list", "Album ogg").compactMap { $0["title"]?.string }
    #expect(songs == ["Second ogg", "First ogg", "Third ogg"], sourceLocation: location)
  }

  @Test("What a running program has not put into its database yet comes in, too")
  func running() throws {
    let file = home.folder.path(".mixxx/mixxxdb.sqlite")
    let before = try readFile(file)
    // None of it is in the database itself.
    #expect(!String(decoding: before, as: UTF8.self).contains("Warm-up"))
    let beside = try names(".mixxx")
    let said = try home.crate("import", "mixxx", "--yes")
    #expect(said.output.contains("“Auto DJ” stays out (a queue)"))
    try expectImported()
    #expect(try names(".mixxx") == beside)
    #expect(try readFile(file) == before)
    // The program goes on.
    try database.execute("INSERT INTO crates VALUES (2, 'Late', 1)")
    try home.crate("undo")
    #expect(try home.albums("Music") == ["Album flac", "Album mp3", "Album ogg"])
  }

  @Test("Of one that was left with its log a copy is read, and nothing stays of it")
  func left() throws {
    for ending in ["", "-wal"] {
      let bytes = try readFile(home.folder.path(".mixxx/mixxxdb.sqlite\(ending)"))
      try home.folder.write(bytes, to: "left/mixxxdb.sqlite\(ending)")
    }
    let before = try readFile(home.folder.path("left/mixxxdb.sqlite"))
    try home.crate("import", home.folder.path("left/mixxxdb.sqlite"), "--yes")
    try expectImported()
    #expect(try names("left") == ["mixxxdb.sqlite", "mixxxdb.sqlite-wal"])
    #expect(try readFile(home.folder.path("left/mixxxdb.sqlite")) == before)
    #expect(try names("temporary").isEmpty)
  }

  @Test(
    "Nothing can be opened any more when what strangers wrote is read",
    .enabled(if: !isSanitized), arguments: ["mixxx", "left", "list"])
  func confined(kind: String) throws {
    var source = kind
    switch kind {
    case "left":
      for ending in ["", "-wal"] {
        let bytes = try readFile(home.folder.path(".mixxx/mixxxdb.sqlite\(ending)"))
        source = try home.folder.write(bytes, to: "left/mixxxdb.sqlite\(ending)")
      }
      source = home.folder.path("left/mixxxdb.sqlite")
    case "list":
      source = try home.folder.write("Album ogg/1 First ogg.ogg\n", to: "Music/Here/List.m3u")
    default: break
    }
    let trace = home.folder.path("trace")
    let result = try run(
      "strace",
      ["-f", "-s", "200", "-o", trace, try Home.program("crate"), "import", source, "--dry-run"],
      environment: home.environment)
    #expect(result.status == 0, "\(result.errors)")
    let calls = try TracedCall.read(trace)
    let seal = try #require(calls.firstIndex { $0.name == "landlock_restrict_self" })
    #expect(!calls[seal].hasFailed)
    let filter = try #require(calls.firstIndex { $0.name == "seccomp" })
    #expect(!calls[filter].hasFailed && filter > seal)
    let later = calls[(filter + 1)...]
    let opened = later.filter { $0.name.hasPrefix("open") && !$0.hasFailed }
    #expect(opened.isEmpty, "\(opened.map(\.text))")
    // What it needs is among what is left, but for what Landlock refuses, too.
    let refused = later.filter { $0.text.contains("EPERM") }.map(\.name)
    let paths = ["openat", "access", "faccessat", "newfstatat", "unlink", "rmdir"]
    #expect(Set(refused).isSubset(of: paths), "\(refused)")
    // The songs are looked up afterwards.
    #expect(later.contains { $0.name == "sendto" && $0.text.contains("Match") })
  }
}
