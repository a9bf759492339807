/// What albums can be sorted by.
package enum AlbumSorting: Hashable, Sendable {
  /// The most recently added first.
  case added
  /// The newest first.
  case released
  /// By the name that artists are sorted by, which need not be the one that is shown.
  case artist
  case title
  case reversed
  case shuffled(seed: UInt64)
}

/// What songs can be sorted by.
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
  /// By what, as people say it.
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

  /// Which way it goes where nobody says.
  package var isAscending: Bool { self == .artist || self == .title }

  var seed: UInt64 { if case .shuffled(let seed) = self { seed } else { 0 } }
}

extension SongSorting {
  /// By what, as people say it.
  var word: String {
    switch self {
    case .track: "track"
    case .added: "time of arrival"
    case .title: "title"
    case .reversed: "reversed"
    case .shuffled: "shuffled"
    }
  }

  /// Which way it goes where nobody says.
  package var isAscending: Bool { self == .track || self == .title }

  var seed: UInt64 { if case .shuffled(let seed) = self { seed } else { 0 } }
}

/// What one thing is sorted by. What is unknown comes last.
enum SortingKey: Comparable {
  case latest(Int64)
  case name(NaturalKey)
  case unknown

  /// A year or a time, the latest first.
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

/// The items by their keys; equal ones keep their order, and unknown ones are last either way.
///
/// - Parameter turned: the other way round than the keys say.
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

/// Chance that can be had again: SplitMix64.
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

  /// Any order but the one they are in, as far as people see it: where two are listed, those are
  /// in another order.
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
