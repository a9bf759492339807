import CratesInterface

/// The number of items that an answer gives of a list that may be long.
struct AnswerCount: Sendable {
  /// The count for a call that names none.
  let usual: Int
  let most: Int

  func of(_ asked: Int?) -> Int { min(asked ?? usual, most) }

  /// The number of changes that History gives.
  static let history = AnswerCount(usual: 100, most: 1_000)
  /// The number of albums, and of songs, that Search gives.
  static let search = AnswerCount(usual: 100, most: 5_000)
  /// The number of candidates, and of similar names, that Resolve gives.
  static let resolve = AnswerCount(usual: 20, most: 1_000)

  /// The most problems of one kind that are listed. A copy of a music folder in itself is a problem
  /// for each of its songs, and a reply has at most 8 MiB.
  private static let problemsOfKind = 500
  /// The most things that all words of a call may mean together. More don't fit into a reply.
  static let meant = 100_000
  /// The most characters of an entry of the trace.
  static let traceText = 1_000

  /// Returns the first problems of each kind, the last of them with the number of those left out.
  static func problems(_ all: [Interface.Problem]) -> [Interface.Problem] {
    var listed: [Interface.Problem] = []
    var counts: [Interface.ProblemKind: Int] = [:]
    for problem in all {
      let count = counts[problem.kind, default: 0]
      counts[problem.kind] = count + 1
      if count < problemsOfKind { listed.append(problem) }
    }
    for (kind, count) in counts where count > problemsOfKind {
      guard let last = listed.lastIndex(where: { $0.kind == kind }) else { continue }
      listed[last].others = count - problemsOfKind
    }
    return listed
  }

  /// The most bytes, approximately, of the items of a reply that is sent as a whole. A message has
  /// at most 8 MiB, and escapes take some of it.
  static let replyBytes = 4 << 20

  /// Returns the first items, as many as fit into a reply.
  ///
  /// - Parameter left: the bytes that the reply has left.
  static func fitting<Item>(
    _ items: [Item], in left: inout Int, _ bytes: (Item) -> Int
  ) -> [Item] {
    Array(
      items.prefix { item in
        left -= bytes(item)
        return left >= 0
      })
  }

  /// Returns changes that fit into a reply. Those for which there is no room left come without
  /// their notes and without what they touched, which is said of them.
  static func fitting(
    _ changes: [Interface.Change], in bytes: Int = replyBytes
  ) -> [Interface.Change] {
    var left = bytes
    return changes.map { change in
      let ids = change.albums.count + change.songs.count + change.crates.count
      let size = change.notes.reduce(16 * ids) { $0 + $1.utf8.count }
      if size <= left {
        left -= size
        return change
      }
      var short = change
      (short.notes, short.albums, short.songs, short.crates) = ([], [], [], [])
      short.complete = false
      return short
    }
  }

  /// Returns how many of the newest changes to read from the journals for a client that wants some
  /// of them. They are read at once and cached, since a client that pages back asks again.
  ///
  /// - Parameter newer: The number of changes that are newer than the wanted ones.
  static func read(_ wanted: Int, newer: Int) -> Int {
    let needed = newer + wanted
    return min(max(2 * needed, 4), max(needed, history.most))
  }
}
