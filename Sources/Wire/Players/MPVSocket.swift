import CratesInterface
import Platform

/// An mpv that runs, by its socket: JSON in lines, as "JSON IPC" in mpv(1) has it. For one thread.
package final class MPVSocket {
  /// For each answer; mpv reads a list of thousands in less.
  static let patience: Int64 = 10_000_000_000
  /// Lines about other things that may come before an answer.
  private static let mostEvents = 10_000

  private var lines: LineConnection
  private let path: String
  private var number: Int64 = 0

  /// Nil where no mpv listens.
  init?(_ path: String) {
    guard let lines = LineConnection(local: Array(path.utf8)) else { return nil }
    self.lines = lines
    self.path = path
  }

  /// - Parameters:
  ///   - list: the path of a list of the songs.
  ///   - adding: whether they follow what it plays, or take its place.
  func play(list: String, adding: Bool) throws(PlayerFault) {
    if !adding {
      _ = try demand(["loadlist", .string(list), "replace"])
      // What played before may have been paused.
      _ = try demand(["set_property", "pause", false])
      return
    }
    let count = try demand(["get_property", "playlist-count"])
    let isIdle = try demand(["get_property", "idle-active"])
    _ = try demand(["loadlist", .string(list), "append"])
    if isIdle == true { _ = try demand(["set_property", "playlist-pos", count]) }
  }

  /// The value of a property; nil where there is none now.
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

  /// Has mpv report each change of these properties as an event, beginning with their values now.
  ///
  /// - Returns: whether mpv was told.
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

  /// Waits for the next line that is no answer; nil: mpv has gone.
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
