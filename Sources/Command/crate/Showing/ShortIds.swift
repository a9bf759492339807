import CratesInterface

/// How much of ids has to be shown: on a terminal as much of each as nothing else begins with, four
/// letters at least; elsewhere all of it.
struct ShortIds {
  private var lengths: [String: Int] = [:]

  /// Ids in one call.
  private static let atOnce = 2_000
  private static let shortest = 4

  /// - Parameter ids: those that will be shown, of albums or songs.
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
          // What has been dropped meanwhile is shown whole.
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
