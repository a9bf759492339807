import Platform
import TestSupport

@testable import Players

/// An MPD that takes what there is room for, and answers lists of commands as the real one does.
struct FakeMPD {
  /// What it is like.
  struct Nature: Sendable {
    /// How many songs it takes.
    var room = 100_000
    /// How many it takes once its queue was cleared.
    var clearedRoom = 2
    /// What it says of itself.
    var status = "state: stop\n"
    /// What it says of a song's place in its queue.
    var place = "Pos: 3\n"
    /// The code with which it refuses a song, by its name.
    var refusal: @Sendable (String) -> Int? = { _ in nil }
  }

  private struct State {
    var nature: Nature
    var list: [String]?
    var lengths: [Int] = []
    var taken: [String] = []

    mutating func answer(_ line: String) -> String {
      if line == "command_list_end" { return answers(to: list.take() ?? []) }
      if list != nil {
        list?.append(line)
        return ""
      }
      if line.hasPrefix("addid ") {
        let (said, isDone) = added(line, at: 0)
        return isDone ? said + "OK\n" : said
      }
      if line.hasPrefix("playlistid ") { return "file: x\n\(nature.place)Id: 8\nOK\n" }
      switch line {
      case "command_list_begin":
        list = []
        return ""
      case "clear":
        nature.room = nature.clearedRoom
        return "OK\n"
      case "status": return nature.status + "OK\n"
      default: return "OK\n"
      }
    }

    private mutating func answers(to list: [String]) -> String {
      lengths.append(list.count)
      var answer = ""
      for (place, line) in list.enumerated() {
        let (said, isDone) = added(line, at: place)
        answer += said
        if !isDone { return answer }
      }
      return answer + "OK\n"
    }

    private mutating func added(_ line: String, at place: Int) -> (said: String, isDone: Bool) {
      let name = String(line.dropFirst("addid \"".count).dropLast())
      let code = nature.refusal(name) ?? (nature.room == 0 ? 51 : nil)
      if let code { return ("ACK [\(code)@\(place)] {addid} refusal \(code)\n", false) }
      nature.room -= 1
      taken.append(name)
      return ("Id: \(taken.count + 7)\n", true)
    }
  }

  private let state: Monitor<State>
  private let folder: TemporaryFolder
  private let server: FakeServer

  init(_ nature: Nature = Nature()) throws {
    let state = Monitor(State(nature: nature))
    self.state = state
    folder = try TemporaryFolder()
    server = try FakeServer(in: folder, greeting: "OK MPD 0.23.5\n") { line in
      state.withLock { $0.answer(line) }
    }
  }

  var path: String { server.path }

  /// The names of the songs that it took.
  var taken: [String] { state.withLock { $0.taken } }

  /// How many commands were in each list.
  var lengths: [Int] { state.withLock { $0.lengths } }

  /// What it was asked, once its client has gone.
  func end() -> [String] { server.end() }
}
