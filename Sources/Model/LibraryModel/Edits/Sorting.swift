/// The criteria by which albums can be sorted.
package enum AlbumSorting: Hashable, Sendable {
  /// The most recently added first.
  case added
  /// The newest first.
  case released
  /// The artist's sort name, which may differ from the displayed name.
  case artist
  case title
  case reversed
  case shuffled(seed: UInt64)
}

/// The criteria by which songs can be sorted.
package enum SongSorting: Hashable, Sendable {
  /// The default order.
  case track
  /// The most recently added first.
  case added
  case title
  case reversed
  case shuffled(seed: UInt64)
}

extension AlbumSorting {
  /// The criterion in words for the user.
  var word: String {
    switch self {
    case .added: "time of arrival"
    case .released: "year"
    case .artist: "artist"
    case .title: "title"
    case .reversed: "reversed"
    case .shuffled: "shuffled"
    }
  }

  /// The default direction.
  package var isAscending: Bool { self == .artist || self == .title }

  var seed: UInt64 { if case .shuffled(let seed) = self { seed } else { 0 } }
}

extension SongSorting {
  /// The criterion in words for the user.
  var word: String {
    switch self {
    case .track: "track"
    case .added: "time of arrival"
    case .title: "title"
    case .reversed: "reversed"
    case .shuffled: "shuffled"
    }
  }

  /// The default direction.
  package var isAscending: Bool { self == .track || self == .title }

  var seed: UInt64 { if case .shuffled(let seed) = self { seed } else { 0 } }
}

/// The sort key of one item. Unknown keys come last.
enum SortingKey: Comparable {
  case latest(Int64)
  case name(NaturalKey)
  case unknown

  /// Creates a key from a year or a time, the latest first.
  init(latest number: Int64?) {
    self = number.map { .latest($0) } ?? .unknown
  }

  init(name: String) {
    self = name.isEmpty ? .unknown : .name(NaturalKey(name))
  }

  static func < (left: SortingKey, right: SortingKey) -> Bool {
    switch (left, right) {
    case (.latest(let left), .latest(let right)): left > right
    case (.name(let left), .name(let right)): left < right
    case (.unknown, _): false
    default: right == .unknown
    }
  }
}

/// Returns the items sorted by their keys. The sort is stable, and items with unknown keys are last
/// in either direction.
///
/// - Parameter turned: whether the direction of the keys is reversed.
func sorted<Item>(
  _ items: [Item], turned: Bool = false, by key: (Item) -> SortingKey
) -> [Item] {
  let keyed = items.enumerated().map { (key: key($1), place: $0, item: $1) }
  let inOrder = keyed.sorted { left, right in
    if left.key == right.key { return left.place < right.place }
    let isTurned = turned && left.key != .unknown && right.key != .unknown
    return isTurned ? right.key < left.key : left.key < right.key
  }
  return inOrder.map(\.item)
}

/// A reproducible random number generator: SplitMix64.
struct Shuffling: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns the items in any order but the current one. If at least two are listed, the listed
  /// ones are in another order.
  mutating func shuffle<Item: Hashable>(
    _ items: [Item], isListed: (Item) -> Bool
  ) -> [Item] {
    if items.count < 2 { return items }
    let listed = Set(items.filter(isListed))
    let seen = listed.count < 2 ? Set(items) : listed
    let before = items.filter(seen.contains)
    var shuffled = items
    while shuffled.filter(seen.contains) == before { shuffled = items.shuffled(using: &self) }
    return shuffled
  }
}
