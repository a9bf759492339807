package import CratesInterface
import Glibc
import Platform
package import TestSupport
package import Testing

/// A scratch home directory with a music folder. The programs that run in it know nothing else.
package final class Home {
  package let folder: TemporaryFolder
  package let music: String
  package var environment: [String: String]
  /// The command line that programs are put behind, to run them as somebody else.
  package let prefix: [String]
  /// Where `crate` is, where that is not beside the tests. Ends in a slash.
  package var programs: String?

  /// - Parameter prefix: such as setpriv with its options.
  package init(folder: TemporaryFolder? = nil, prefix: [String] = []) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    self.prefix = prefix
    for name in ["run", "data", "cache", "config/crated", "Music"] { try folder.makeFolder(name) }
    chmod(folder.path("run"), 0o700)
    music = folder.path("Music")
    environment = [
      "PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin", "HOME": folder.path,
      "TZ": "UTC", "XDG_RUNTIME_DIR": folder.path("run"), "XDG_DATA_HOME": folder.path("data"),
      "XDG_CACHE_HOME": folder.path("cache"), "XDG_CONFIG_HOME": folder.path("config"),
      "XDG_CONFIG_DIRS": "/nowhere",
    ]
    // What `make sanitize` wants of sanitizers, it wants of the programs, too.
    for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] {
      if let options = getenv(name) { environment[name] = String(cString: options) }
    }
    try configure("music_folders = [\"\(music)\"]\n")
  }

  package var settings: String { folder.path("config/crated/config.toml") }
  package var store: String { folder.path("data/crated") }
  package var socket: String { folder.path("run/crated/\(Interface.name)") }
  package var index: String { folder.path("cache/crated/index.sqlite") }
  package var log: String { folder.path("crated.log") }

  package func configure(_ text: String) throws { try writeFile(Array(text.utf8), to: settings) }

  /// Built beside the tests.
  package static func program(_ name: String) throws -> String {
    let found = try #require(realpath("/proc/self/exe", nil))
    defer { free(found) }
    let tests = String(cString: found)
    let end = try #require(tests.lastIndex(of: "/"))
    let path = String(tests[...end]) + name
    try #require(access(path, X_OK) == 0, "\(path) is not built")
    return path
  }

  // MARK: The command line

  /// For timeout(1).
  package static let limit = ["--kill-after=1", "\(Patience.seconds)"]

  /// Runs `crate` and expects its exit status. One that never ends is ended in time (124).
  @discardableResult
  package func crate(
    _ arguments: String..., status: Int32 = 0, _ location: SourceLocation = #_sourceLocation
  ) throws -> ProgramResult {
    try crate(arguments, status: status, location)
  }

  @discardableResult
  package func crate(
    _ arguments: [String], status: Int32 = 0, _ location: SourceLocation = #_sourceLocation
  ) throws -> ProgramResult {
    let program = try programs.map { $0 + "crate" } ?? Self.program("crate")
    let words = Self.limit + prefix + [program] + arguments
    var result = try run("timeout", words, environment: environment)
    result.errors = withoutWaiting(result.errors)
    #expect(
      result.status == status, "crate \(arguments): \(result.errors)", sourceLocation: location)
    return result
  }

  /// Runs `crated` with a subcommand, which ends by itself.
  @discardableResult
  package func crated(
    _ arguments: String..., status: Int32 = 0, _ location: SourceLocation = #_sourceLocation
  ) throws -> ProgramResult {
    let words = Self.limit + prefix + [try Self.program("crated")] + arguments
    let result = try run("timeout", words, environment: environment)
    #expect(
      result.status == status, "crated \(arguments): \(result.output)\(result.errors)",
      sourceLocation: location)
    return result
  }

  /// What `crate … --json` prints, a value for each line.
  package func json(
    _ arguments: String..., location: SourceLocation = #_sourceLocation
  ) throws -> [JSON] {
    try crate(arguments + ["--json"], location).output.split(separator: "\n").map {
      try JSON(parsing: String($0))
    }
  }

  package func status() throws -> Interface.LibraryStatus {
    try Interface.LibraryStatus(json: try #require(try json("status").first))
  }

  package func problems() throws -> [Interface.Problem] {
    try json("problems").map { json in try Interface.Problem(json: json) }
  }

  /// The bytes of the store's files by their paths.
  package func storeContents() throws -> [String: [UInt8]] {
    let found = try run("find", [store, "-type", "f", "-name", "*.txt*"])
    let paths = found.output.split(separator: "\n").map(String.init)
    try #require(!paths.isEmpty)
    return try Dictionary(uniqueKeysWithValues: paths.map { ($0, try readFile($0)) })
  }

  /// The path of the journal that changes go to.
  package func newestJournal() throws -> String? {
    try storeContents().keys.filter { $0.hasPrefix("\(store)/journal.") }
      .max { ($0.count, $0) < ($1.count, $1) }
  }

  // MARK: The order

  /// Every listing, byte for byte, but for what no undo takes back and no snapshot keeps.
  package func listings(_ location: SourceLocation = #_sourceLocation) throws -> String {
    var text = try crate(["list", "--json"], location).output
    for crate in try json("list", location: location) {
      let name = "crate:" + (crate["name"]?.string ?? "")
      text += try self.crate(["list", name, "--json"], location).output
      text += try self.crate(["paths", name, "--json"], location).output
    }
    return try text.split(separator: "\n").map { line in
      guard var object = try JSON(parsing: String(line)).object else { return "\(line)\n" }
      for name in ["moved", "came", "evidence"] { object[name] = nil }
      return JSON.object(object).text + "\n"
    }.joined()
  }

  /// Every listed song in the order of the crates, and where it is.
  package func places(_ location: SourceLocation = #_sourceLocation) throws -> [Place] {
    try Self.places(try listings(location).split(separator: "\n"))
  }

  /// The same with the places that are kept for what is gone.
  package func keptPlaces(
    of crates: [String], _ location: SourceLocation = #_sourceLocation
  ) throws -> [Place] {
    try crates.flatMap { crate in
      try json("list", "crate:\(crate)", "--gone", location: location).flatMap { album in
        let id = "id:" + (album["id"]?.string ?? "")
        let songs = try self.crate(["list", id, "--gone", "--json"], location).output
        return try Self.places(songs.split(separator: "\n"))
      }
    }
  }

  private static func places(_ lines: [Substring]) throws -> [Place] {
    try lines.compactMap { line in
      let song = try JSON(parsing: String(line))
      guard let album = song["album"]?.string else { return nil }
      return Place(
        crate: song["crate"]?.string ?? "", album: album, position: song["position"]?.integer,
        song: song["id"]?.string ?? "", title: song["title"]?.string ?? "")
    }
  }

  /// The titles of a crate's albums in their order.
  package func albums(_ crate: String) throws -> [String] {
    try json("list", "crate:\(crate)").compactMap { $0["title"]?.string }
  }
}

/// Where a song is. Everything that the person may have decided, and nothing else.
package struct Place: Equatable {
  package var crate: String
  package var album: String
  package var position: Int?
  package var song: String
  package var title: String
}

/// Says which song is where, not what is wrong with 27 of them.
package func expectSame(
  _ found: [Place], _ expected: [Place], _ location: SourceLocation = #_sourceLocation
) {
  #expect(found.count == expected.count, sourceLocation: location)
  for (found, expected) in zip(found, expected) where found != expected {
    Issue.record("\(found) is where \(expected) was", sourceLocation: location)
    return
  }
}

/// What `crate` said, without that crated doesn't answer yet, which a slow machine makes it say.
package func withoutWaiting(_ said: String) -> String {
  said.replacing("crate: crated does not answer yet\n", with: "")
}
