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

  /// Returns how many of the newest changes to read from the journals for a client that wants some
  /// of them. They are read at once and cached, since a client that pages back asks again.
  ///
  /// - Parameter newer: The number of changes that are newer than the wanted ones.
  static func read(_ wanted: Int, newer: Int) -> Int {
    let needed = newer + wanted
    return min(max(2 * needed, 4), max(needed, history.most))
  }
}
