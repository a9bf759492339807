import CratesInterface

/// How far the last changes are looked through for those that name a thing, the newest first. Pure.
struct LookBack {
  /// Changes that are looked through, and how many are asked for at once: until many were small a
  /// few, for those of a first scan name a thousand songs each.
  private static let lookedMost = 100
  private static let stepMost = 4
  /// Albums, songs and crates that the changes name, after which no more are looked through: 4 KiB
  /// of ids.
  private static let namedMost = 256
  static let foundMost = 10

  private let since: Int
  private var looked = 0
  private var named = 0
  private var isOver = false
  /// The number of the oldest change that was looked through.
  private(set) var oldest: Int?

  /// - Parameter since: the number of the change with which the thing came: none before names it.
  init(since: Int) { self.since = since }

  /// How many to look through next, before the oldest; nil: it was enough.
  var step: Int? {
    // A quarter of those that were looked through.
    isOver ? nil : min(max(looked / 4, 1), Self.stepMost, Self.lookedMost - looked)
  }

  /// - Parameters:
  ///   - changes: as many as were asked for, or all that are left.
  ///   - found: how many have been found that name the thing.
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
