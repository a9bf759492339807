import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// A folder of playlists that is crated's and a real MPD's, with a crate Music of five albums and a
/// crate Jazz of one.
protocol SharingPlaylists {
  var home: Home { get }
  var files: PlaylistFiles { get }
  var mpd: RunningMPD { get }
}

extension SharingPlaylists {
  static func shared() throws -> (Home, PlaylistFiles, RunningMPD) {
    let home = try Home()
    try SmallLibrary.write(albums: 6, to: home.music)
    try home.folder.makeFolder("Music/Playlists")
    let files = try PlaylistFiles(home)
    let mpd = try RunningMPD(home, playlists: files.directory)
    try home.configure(
      """
      music_folders = ["\(home.music)"]
      playlists = "\(files.directory)"
      playlists_ending = "m3u"
      playlists_edited = "taken"
      mpd = "\(mpd.socket)"

      """)
    return (home, files, mpd)
  }

  /// The songs of a list as MPD reads it, as absolute paths.
  func listed(_ crate: String) throws -> [[UInt8]] {
    let lines = try readFile(files.path("\(crate).m3u")).split(separator: 0x0A)
    return lines.filter { $0.first != UInt8(ascii: "#") }.map { line in
      let path = line.starts(with: "../".utf8) ? line.dropFirst(3) : line
      return path.first == 0x2F ? Array(path) : Array("\(home.music)/".utf8) + path
    }
  }

  func songs(_ client: CratesClient, _ crate: String) throws -> [[UInt8]] {
    try client.songs().filter { $0.crate == crate }.map(\.pathBytes)
  }

  func albums(_ client: CratesClient, _ crate: String) throws -> [String] {
    try client.albums().filter { $0.crate == crate }.map(\.title)
  }

  /// Waits until list and crate say the same.
  func agree(
    _ client: CratesClient, _ crate: String = "Music", _ location: SourceLocation = #_sourceLocation
  ) throws {
    try files.wait(location) {
      if access(files.path("\(crate).m3u"), F_OK) != 0 { return false }
      // MPD may be writing it.
      guard let listed = try? listed(crate) else { return false }
      return try listed == songs(client, crate)
    }
  }

  /// Waits for changes of the order.
  func wait(
    for changes: ChangeStream, _ location: SourceLocation = #_sourceLocation,
    until isDone: () throws -> Bool
  ) throws {
    while try !isDone() { _ = try #require(try changes.next(), sourceLocation: location) }
  }

  /// The crate Music of five albums, and Jazz of one.
  func start() throws -> (RunningDaemon, CratesClient) {
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    if try albums(client, "Jazz").isEmpty {
      try client.move(albums: [try client.albums()[5].id], .top, to: "Jazz")
    }
    try agree(client)
    try agree(client, "Jazz")
    return (daemon, client)
  }
}
