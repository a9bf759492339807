/// How many things an answer gives of a list that may be long.
struct AnswerCount: Sendable {
  /// Where nobody says how many.
  let usual: Int
  let most: Int

  func of(_ asked: Int?) -> Int { min(asked ?? usual, most) }

  /// Changes that History gives.
  static let history = AnswerCount(usual: 100, most: 1_000)
  /// Albums, and songs, that Search gives.
  static let search = AnswerCount(usual: 100, most: 5_000)
  /// Candidates, and names spelt alike, that Resolve gives.
  static let resolve = AnswerCount(usual: 20, most: 1_000)

  /// How many of the newest changes are read from the journals for a client that wants some of
  /// them. They are read in one go and kept: who looks back bit by bit comes again.
  ///
  /// - Parameter newer: than those that it wants.
  static func read(_ wanted: Int, newer: Int) -> Int {
    let needed = newer + wanted
    return min(max(2 * needed, 4), max(needed, history.most))
  }
}
