import CratesInterface
import Platform

/// A connection to a running mpv over its socket, with one JSON object a line ("JSON IPC" in
/// mpv(1)). Not thread-safe.
package final class MPVSocket {
  /// The timeout of each answer, in nanoseconds. mpv loads a playlist of thousands in less.
  static let patience: Int64 = 10_000_000_000
  /// The most events that may come before an answer.
  private static let mostEvents = 10_000

  private var lines: LineConnection
  private let path: String
  private var number: Int64 = 0

  /// Returns nil if no mpv listens at the path.
  init?(_ path: String) {
    guard let lines = LineConnection(local: Array(path.utf8)) else { return nil }
    self.lines = lines
    self.path = path
  }

  /// Plays a playlist.
  ///
  /// - Parameters:
  ///   - list: The path of the playlist.
  ///   - adding: Whether the songs are appended to mpv's playlist instead of replacing it.
  func play(list: String, adding: Bool) throws(PlayerFault) {
    if !adding {
      _ = try demand(["loadlist", .string(list), "replace"])
      // mpv may have been paused.
      _ = try demand(["set_property", "pause", false])
      return
    }
    let count = try demand(["get_property", "playlist-count"])
    let isIdle = try demand(["get_property", "idle-active"])
    _ = try demand(["loadlist", .string(list), "append"])
    if isIdle == true { _ = try demand(["set_property", "playlist-pos", count]) }
  }

  /// Returns the value of a property; nil if it has none now.
  func property(_ name: String) throws(PlayerFault) -> JSON? {
    let answer = try answer(to: ["get_property", .string(name)])
    return answer["error"]?.string == "success" ? answer["data"] : nil
  }

  func demand(_ words: [JSON]) throws(PlayerFault) -> JSON {
    let answer = try answer(to: words)
    let error = answer["error"]?.string ?? "nothing that is an answer"
    guard error == "success" else { throw PlayerFault("mpv at \(path) says: \(error.harmless)") }
    return answer["data"] ?? .null
  }

  /// Has mpv report the values of these properties as events, now and whenever they change.
  ///
  /// - Returns: Whether the request was sent.
  func observe(_ names: [String]) -> Bool {
    let until = Clock.system.monotonic() + Self.patience
    for (number, name) in names.enumerated() {
      let words: JSON = ["observe_property", .integer(Int64(number + 1)), .string(name)]
      guard lines.send((["command": words] as JSON).bytes + [0x0A], until: until) else {
        return false
      }
    }
    return true
  }

  /// Waits for the next event. Returns nil when mpv has ended.
  func nextEvent() -> JSON? {
    while let line = lines.line(until: .max) {
      if let event = try? JSON(parsing: String(decoding: line, as: UTF8.self)),
        event["event"] != nil
      {
        return event
      }
    }
    return nil
  }

  private func answer(to words: [JSON]) throws(PlayerFault) -> JSON {
    number += 1
    let until = Clock.system.monotonic() + Self.patience
    let request: JSON = ["command": .array(words), "request_id": .integer(number)]
    guard lines.send(request.bytes + [0x0A], until: until) else { throw silence }
    var events = 0
    while events < Self.mostEvents, let line = lines.line(until: until) {
      events += 1
      if let answer = try? JSON(parsing: String(decoding: line, as: UTF8.self)),
        answer["request_id"] == .integer(number)
      {
        return answer
      }
    }
    throw silence
  }

  private var silence: PlayerFault {
    PlayerFault("what listens at \(path) did not answer as mpv does; see player in config.toml")
  }
}
