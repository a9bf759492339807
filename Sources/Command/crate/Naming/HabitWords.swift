import Arguments
import CratesInterface

/// Verbs of other programs that users type by habit. The harmless ones are executed; for others the
/// message names the right command.
enum HabitWords {
  private static let commands = ["ls": "list", "search": "find"]

  private static let answers: [(words: Set<String>, answer: String)] = [
    (["mv"], "to move albums write: crate move ALBUM to CRATE, or top, bottom, before or after"),
    (
      ["rm", "delete", "remove"],
      "Crated deletes no music; a crate goes with its last album, and crate forget drops the places"
        + " of what is gone"
    ),
    (
      ["new", "create", "mkdir"],
      "a new crate is made for its first album: crate move ALBUM to NAME"
    ),
    (
      ["merge", "join"],
      "to join two crates move all albums of one into the other: crate move A to B"
    ),
    (["check", "restore"], "it is one of the daemon's: crated check, crated restore"),
    (["stop", "pause", "next"], "for the player write: crate play --stop, --pause or --next"),
    (["version"], "crate --version tells it"),
    (
      ["add"],
      "new music comes in by itself; to put an album into a crate write: crate move ALBUM to CRATE"
    ),
  ]

  /// Returns the request for a command line with an unknown verb; nil if it can't be interpreted.
  static func request(_ verb: String, _ words: [String]) throws -> CommandRequest? {
    guard let place = words.firstIndex(of: verb) else { return nil }
    var meant = words
    if let command = commands[verb] {
      meant[place] = command
      return try Crate.request(meant)
    }
    if let answer = answers.first(where: { $0.words.contains(verb) })?.answer {
      throw Failure.wrongUse("there is no command “\(verb)”; \(answer)")
    }
    guard isCrate(Array(words[place...].prefix { !isOptionWord($0) }), words) else { return nil }
    meant.insert("list", at: place)
    return try Crate.request(meant)
  }

  /// Whether the words name a crate or something in it. False if no daemon answers.
  private static func isCrate(_ what: [String], _ words: [String]) -> Bool {
    let socket = words.drop { $0 != "--socket" }.dropFirst().first
    guard let options = try? CommonOptions.parse(socket.map { ["--socket", $0] } ?? []),
      let daemon = try? DaemonConnection(options)
    else { return false }
    return (try? Finder(daemon: daemon, wanted: [.crate]).found(what)) != nil
  }
}
