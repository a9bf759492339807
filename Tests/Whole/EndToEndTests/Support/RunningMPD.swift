import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// The real Music Player Daemon on a home's music folder, with a database of its own and nothing to
/// be heard. It ends with this value at the latest.
final class RunningMPD {
  /// MPD's local socket.
  let socket: String
  private let folder: TemporaryFolder
  private let program: RunningProgram
  private let connection: OpenFile
  private var received: [UInt8] = []

  /// Returns when it has taken in everything in the music folder.
  ///
  /// - Parameters:
  ///   - music: its music folder, where that is not the home's.
  ///   - playlists: what it shall take for the folder of its own playlists; nil: it has none.
  ///   - port: of this machine, where it listens too.
  ///   - settings: more lines for its configuration.
  init(
    _ home: Home, music: String? = nil, playlists: String? = nil, port: Int? = nil,
    settings more: String = ""
  ) throws {
    folder = try TemporaryFolder()
    socket = folder.path("socket")
    let settings = try folder.write(
      """
      music_directory "\(music ?? home.music)"
      \(playlists.map { "playlist_directory \"\($0)\"" } ?? "")
      db_file "\(folder.path("database"))"
      bind_to_address "\(socket)"
      \(port.map { "bind_to_address \"127.0.0.1\"\nport \"\($0)\"" } ?? "")
      \(more)
      zeroconf_enabled "no"
      connection_timeout "3600"
      audio_output {
        type "null"
        name "nothing"
      }

      """, to: "mpd.conf")
    let address = folder.path("notify")
    let manager = OpenFile(owning: try datagramSocket(boundTo: address))
    var environment = home.environment
    environment["NOTIFY_SOCKET"] = address
    program = try RunningProgram(
      "mpd", ["--no-daemon", "--stderr", settings], environment: environment,
      errors: folder.path("log"))
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    connection = OpenFile(owning: Glibc.socket(AF_UNIX, type, 0))
    let isReady = try program.waits(for: manager.descriptor)
    let log = String(decoding: try readFile(folder.path("log")), as: UTF8.self)
    try #require(isReady, "\(log)")
    let connected = withSocketAddress(socket) { connect(connection.descriptor, $0, $1) }
    guard connected == 0 else { throw SystemCallError("connect", socket) }
    var limit = timeval(tv_sec: Patience.seconds, tv_usec: 0)
    setsockopt(
      connection.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit,
      socklen_t(MemoryLayout<timeval>.size))
    #expect(try line().starts(with: "OK MPD".utf8))
    // MPD says when it has finished, unless it had before it was asked.
    try send("update")
    _ = try answer()
    while try ask("status").contains(where: { $0.starts(with: "updating_db".utf8) }) {
      _ = try ask("idle update")
    }
  }

  /// The lines of an answer; fails where it is a refusal.
  func ask(_ command: String) throws -> [[UInt8]] {
    try send(command)
    return try answer()
  }

  /// What the lines with this name have behind it.
  func ask(_ command: String, for name: String) throws -> [[UInt8]] {
    let beginning = Array("\(name): ".utf8)
    return try ask(command).filter { $0.starts(with: beginning) }.map {
      Array($0.dropFirst(beginning.count))
    }
  }

  /// A name within a command.
  static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }

  private func send(_ command: String) throws {
    let bytes = Array((command + "\n").utf8)
    let sent = Glibc.send(
      connection.descriptor, bytes, bytes.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
    guard sent == bytes.count else { throw SystemCallError("send", "to mpd") }
  }

  private func answer() throws -> [[UInt8]] {
    var lines: [[UInt8]] = []
    while true {
      let line = try line()
      if line == Array("OK".utf8) { return lines }
      if line.starts(with: "ACK".utf8) {
        throw MPDRefusal(message: String(decoding: line, as: UTF8.self))
      }
      lines.append(line)
    }
  }

  private func line() throws -> [UInt8] {
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        defer { received.removeFirst(end + 1) }
        return Array(received[..<end])
      }
      var room = [UInt8](repeating: 0, count: 1 << 16)
      let count = retrying { recv(connection.descriptor, &room, room.count, 0) }
      guard count > 0 else { throw SystemCallError("recv", "from mpd") }
      received += room[..<count]
    }
  }
}

struct MPDRefusal: Error {
  var message: String
}
