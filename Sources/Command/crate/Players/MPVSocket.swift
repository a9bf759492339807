import CratesInterface
import Platform

/// An mpv that runs, by its socket: JSON in lines, as "JSON IPC" in mpv(1) has it.
package struct MPVSocket: ~Copyable {
  /// For each answer; mpv reads a list of thousands in less.
  static let patience: Int64 = 10_000_000_000
  /// Lines about other things that may come before an answer.
  private static let mostEvents = 10_000

  private var lines: LineConnection
  private let path: String
  private var number: Int64 = 0

  private init(_ path: String) throws(PlayerFault) {
    guard let lines = LineConnection(local: Array(path.utf8)) else {
      throw PlayerFault(
        "no mpv listens at \(path); start one with --idle --input-ipc-server=\(path), or have both"
          + " in mpv.conf")
    }
    self.lines = lines
    self.path = path
  }

  /// - Parameters:
  ///   - list: the path of a list of the songs.
  ///   - adding: whether they follow what it plays, or take its place.
  package static func play(
    list: String, adding: Bool, at socket: String
  ) throws(PlayerFault) {
    var mpv = try MPVSocket(socket)
    if !adding {
      _ = try mpv.demand(["loadlist", .string(list), "replace"])
      // What played before may have been paused.
      _ = try mpv.demand(["set_property", "pause", false])
      return
    }
    let count = try mpv.demand(["get_property", "playlist-count"])
    let isIdle = try mpv.demand(["get_property", "idle-active"])
    _ = try mpv.demand(["loadlist", .string(list), "append"])
    if isIdle == true { _ = try mpv.demand(["set_property", "playlist-pos", count]) }
  }

  private mutating func demand(_ words: [JSON]) throws(PlayerFault) -> JSON {
    number += 1
    let until = Clock.system.monotonic() + Self.patience
    let request: JSON = ["command": .array(words), "request_id": .integer(number)]
    guard lines.send(request.bytes + [0x0A], until: until) else { throw silence }
    var events = 0
    while events < Self.mostEvents, let line = lines.line(until: until) {
      events += 1
      guard let answer = try? JSON(parsing: String(decoding: line, as: UTF8.self)),
        answer["request_id"] == .integer(number)
      else { continue }
      let error = answer["error"]?.string ?? "nothing that is an answer"
      guard error == "success" else {
        throw PlayerFault("mpv at \(path) says: \(error.harmless)")
      }
      return answer["data"] ?? .null
    }
    throw silence
  }

  private var silence: PlayerFault {
    PlayerFault("what listens at \(path) did not answer as mpv does; see player in config.toml")
  }
}
