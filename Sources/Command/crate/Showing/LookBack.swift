import CratesInterface

/// The limits of a search through the latest changes for those that name a thing. Pure.
struct LookBack {
  /// The most changes to search, and the most in one call. The first calls are for few, since each
  /// change of a first scan names a thousand songs.
  private static let lookedMost = 100
  private static let stepMost = 4
  /// The most albums, songs and crates in the changes to search: 4 KiB of ids.
  private static let namedMost = 256
  static let foundMost = 10

  private let since: Int
  private var looked = 0
  private var named = 0
  private var isOver = false
  /// The sequence of the oldest change that was searched.
  private(set) var oldest: Int?

  /// - Parameter since: The change that added the thing; no earlier one names it.
  init(since: Int) { self.since = since }

  /// The number of changes to read next, before the oldest; nil if the search is over.
  var step: Int? {
    // A quarter of those read so far.
    isOver ? nil : min(max(looked / 4, 1), Self.stepMost, Self.lookedMost - looked)
  }

  /// - Parameters:
  ///   - changes: As many as were requested, or all that are left.
  ///   - found: The number of changes found so far.
  mutating func take(_ changes: [Interface.Change], found: Int) {
    guard let step, changes.count == step, let last = changes.last else { return isOver = true }
    looked += step
    named += changes.reduce(0) { $0 + $1.songs.count + $1.albums.count + $1.crates.count }
    oldest = last.sequence
    isOver =
      looked >= Self.lookedMost || named >= Self.namedMost || found >= Self.foundMost
      || last.sequence <= since
  }
}
