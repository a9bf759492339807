import Platform

/// A connection to MPD (protocol: mpd.readthedocs.io). Not thread-safe.
struct MPDConnection: ~Copyable {
  /// The timeout for connecting and for the greeting, in nanoseconds.
  static let greetingPatience: Int64 = 2_000_000_000
  /// The most lines in one answer. Answers to our commands have a handful, and one for each command
  /// of a command list.
  private static let mostLines = 10_000

  /// An `ACK` of MPD, with the index of the refused command in its list.
  struct Refusal: Error, Hashable {
    var code: Int
    var place: Int
    var message: String

    static let permission = 4
    static let full = 51

    init?(_ line: [UInt8]) {
      let text = String(decoding: line, as: UTF8.self)
      guard let found = text.wholeMatch(of: /ACK \[(\d+)@(\d+)\] \{[^}]*\} ?(.*)/),
        let code = Int(found.1), let place = Int(found.2)
      else { return nil }
      (self.code, self.place, message) = (code, place, String(found.3))
    }
  }

  enum Answer {
    /// The names and values, in order.
    case done([(name: String, value: [UInt8])])
    case refused(Refusal, before: [(name: String, value: [UInt8])])
  }

  let address: MPDAddress
  private let patience: Int64
  private var lines: LineConnection

  /// Connects to the first address that answers; returns nil if none does.
  init?(_ addresses: [MPDAddress], patience: Int64 = MPDQueue.patience) {
    self.patience = patience
    for address in addresses {
      let until = Clock.system.monotonic() + Self.greetingPatience
      guard var lines = address.connected(until: until),
        lines.line(until: until)?.starts(with: "OK MPD ".utf8) == true
      else { continue }
      self.address = address
      self.lines = lines
      return
    }
    return nil
  }

  /// Sends one command.
  mutating func ask(_ words: [[UInt8]]) throws(PlayerFault) -> Answer {
    try send(Self.line(words))
  }

  mutating func ask(_ words: String...) throws(PlayerFault) -> Answer {
    try ask(words.map { Array($0.utf8) })
  }

  /// Sends one command and throws if MPD refuses it.
  mutating func demand(
    _ words: String...
  ) throws(PlayerFault) -> [(name: String, value: [UInt8])] {
    switch try ask(words.map { Array($0.utf8) }) {
    case .done(let values): return values
    case .refused(let refusal, _): throw Self.fault(refusal)
    }
  }

  /// Sends a command list. MPD stops at the first command that it refuses.
  mutating func ask(inOne commands: [[[UInt8]]]) throws(PlayerFault) -> Answer {
    let begin = Array("command_list_begin\n".utf8)
    let end = Array("command_list_end\n".utf8)
    return try send(begin + commands.flatMap(Self.line) + end)
  }

  static func fault(_ refusal: Refusal) -> PlayerFault {
    let advice = refusal.code == Refusal.permission ? "; MPD_HOST may have PASSWORD@HOST" : ""
    return PlayerFault("MPD refuses: \(refusal.message)\(advice)")
  }

  private mutating func send(_ bytes: [UInt8]) throws(PlayerFault) -> Answer {
    let until = Clock.system.monotonic() + patience
    guard lines.send(bytes, until: until) else { throw silence }
    var values: [(name: String, value: [UInt8])] = []
    while values.count < Self.mostLines, let line = lines.line(until: until) {
      if line.elementsEqual("OK".utf8) { return .done(values) }
      if line.starts(with: "ACK ".utf8) {
        guard let refusal = Refusal(line) else { break }
        return .refused(refusal, before: values)
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { break }
      let name = String(decoding: line[..<colon], as: UTF8.self)
      values.append((name, Array(line[colon...].dropFirst(2))))
    }
    throw silence
  }

  private var silence: PlayerFault {
    PlayerFault("MPD at \(address.text) did not answer to the end; see its log")
  }

  /// Formats a command. Arguments are quoted, with a backslash before quotes and backslashes.
  private static func line(_ words: [[UInt8]]) -> [UInt8] {
    var line = words[0]
    for word in words.dropFirst() {
      line += " \"".utf8
      for byte in word {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
          line.append(UInt8(ascii: "\\"))
        }
        line.append(byte)
      }
      line.append(UInt8(ascii: "\""))
    }
    line.append(0x0A)
    return line
  }
}
