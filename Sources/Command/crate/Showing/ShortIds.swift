import CratesInterface

/// Abbreviates ids. On a terminal, to the shortest unambiguous prefix of at least four letters;
/// elsewhere ids stay whole.
struct ShortIds {
  private var lengths: [String: Int] = [:]

  /// The most ids in one call.
  private static let atOnce = 2_000
  private static let shortest = 4

  /// - Parameter ids: The ids of albums or songs to show.
  init(_ ids: [String], _ daemon: DaemonConnection, for terminal: Terminal) throws(Failure) {
    guard terminal.isTerminal else { return }
    var left = Array(Set(ids.filter { !$0.isEmpty }))
    var length = Self.shortest
    while !left.isEmpty {
      var ambiguous: [String] = []
      var rest = left[...]
      while !rest.isEmpty {
        let some = Array(rest.prefix(Self.atOnce))
        rest = rest.dropFirst(some.count)
        let words = some.map { ["id:\($0.prefix(length))"] }
        let call = Call.resolve(words: words, wanted: [.album, .song], count: 1)
        guard case .meanings(let meanings, _) = try daemon.reply(to: call),
          meanings.count == some.count
        else { return }
        for (id, meaning) in zip(some, meanings) {
          // Ids that no longer exist are shown in full.
          if meaning.what.count == 1 { lengths[id] = length }
          if !meaning.candidates.isEmpty { ambiguous.append(id) }
        }
      }
      left = ambiguous
      length += 1
    }
  }

  func shown(_ id: String) -> String { lengths[id].map { String(id.prefix($0)) } ?? id }
}
