/// From their folder to ours, or what a path is found by as it is.
struct Way: Hashable {
  var theirs: [UInt8] = []
  var ours: [UInt8] = []
  /// Paths are relative to the music folder.
  var isRelative = false

  static let relative = Way(isRelative: true)
  /// Paths are absolute, and right.
  static let same = Way()
}

/// A song that the end of its path led to, for now.
struct Ending {
  var file: Int
  var parts: Int
  var way: Way
  /// Nothing that the list says speaks for it.
  var isSilent: Bool
}

/// What was found by the ends of paths, together: what says nothing by itself counts where half
/// of the list was found by more, or by the same way.
struct Ways {
  /// Those with most songs, in an order that is no hash table's.
  let best: [Way]
  /// Silent ones by their way, and by their parts.
  private let silent: [Way: [Int]]
  private let silentParts: [Int]
  /// The one by which at least half of the list was found.
  let usual: Way?
  private let found: Int
  private let total: Int

  /// - Parameter paths: how those were found whose paths are right.
  init(_ endings: [Int: Ending], paths: [Way], of total: Int) {
    let none = [Int](repeating: 0, count: SongLookup.longestEnding + 1)
    var counts: [Way: Int] = [:]
    var silent: [Way: [Int]] = [:]
    var parts = none
    for ending in endings.values {
      counts[ending.way, default: 0] += 1
      guard ending.isSilent else { continue }
      silent[ending.way, default: none][ending.parts] += 1
      parts[ending.parts] += 1
    }
    self.silent = silent
    silentParts = parts
    found = paths.count + endings.count - parts.reduce(0, +)
    self.total = total
    let sorted = counts.sorted { left, right in
      if left.value != right.value { return left.value > right.value }
      return left.key.theirs == right.key.theirs
        ? left.key.ours.lexicographicallyPrecedes(right.key.ours)
        : left.key.theirs.lexicographicallyPrecedes(right.key.theirs)
    }
    best = Array(sorted.prefix(ListMatching.mostWays).map(\.key))
    let all =
      [Way.same, .relative].map { way in (way, paths.count { $0 == way }) }
      + (sorted.first.map { [($0.key, $0.value)] } ?? [])
    usual = all.first { $0.1 * 2 >= total }?.0
  }

  func isCommon(_ way: Way) -> Bool {
    (found + (silent[way]?.reduce(0, +) ?? 0)) * 2 >= total
  }

  func speak(forWay way: Way, parts: Int) -> Bool {
    if isCommon(way) { return true }
    guard let same = silent[way] else { return false }
    let longer = (parts + 1)..<silentParts.count
    let others = longer.reduce(same.reduce(0, +)) { $0 + silentParts[$1] - same[$1] }
    return (found + others) * 2 >= total
  }
}
