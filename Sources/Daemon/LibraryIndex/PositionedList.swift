import Ordering

/// A list with a position for each item, as a table stores it. Positions ascend and have gaps, so
/// that moving an item writes one row. Where no gap is left, which takes 36 insertions at one spot,
/// the whole list gets new positions.
struct PositionedList<Item: Hashable & Sendable>: Sendable {
  /// The distance between neighbours of a new list.
  static var stride: Int64 { 1 << 36 }
  /// The highest position and, with the sign turned, the lowest. Beyond it a list gets new
  /// positions, so that no difference of two overflows. A new list of 2^25 items is within it.
  static var highest: Int64 { 1 << 61 }

  private(set) var items: [Item] = []
  /// The positions of the items, in their order.
  private(set) var positions: [Int64] = []

  init() {}

  /// Restores a stored list. Returns nil unless the items differ and their positions ascend within
  /// the bounds.
  init?(_ items: [Item], positions: [Int64]) {
    guard items.count == positions.count, Set(items).count == items.count,
      zip(positions, positions.dropFirst()).allSatisfy(<),
      positions.allSatisfy({ $0.magnitude <= Self.highest })
    else { return nil }
    (self.items, self.positions) = (items, positions)
  }

  /// Replaces the list. Linear if items were added, removed, or moved as one block; otherwise O(n
  /// log n) for the part between the first and the last difference.
  ///
  /// - Returns: the rows to write, all in one transaction, and the items that are no longer in the
  ///   list.
  mutating func update(
    to new: [Item]
  ) -> (written: [(item: Item, position: Int64)], removed: [Item]) {
    if new == items { return ([], []) }
    let known = Dictionary(uniqueKeysWithValues: zip(items, positions))
    let moved = Set(fewestMoves(from: items, to: new).map(\.item))
    var removed: [Item] = []
    if new.count - moved.count(where: { known[$0] == nil }) < items.count {
      let present = Set(new)
      removed = items.filter { !present.contains($0) }
    }
    let unmoved = new.map { moved.contains($0) ? nil : known[$0] }
    items = new
    positions = Self.filled(unmoved) ?? new.indices.map { Int64($0) * Self.stride }
    let written = new.indices.filter { unmoved[$0] != positions[$0] }
    return (written.map { (new[$0], positions[$0]) }, removed)
  }

  /// Gives each item without a position one between its neighbours', evenly spaced. Returns nil if
  /// a gap is too small, or if no item has a position.
  private static func filled(_ known: [Int64?]) -> [Int64]? {
    var filled: [Int64] = []
    filled.reserveCapacity(known.count)
    while filled.count < known.count {
      if let position = known[filled.count] {
        filled.append(position)
        continue
      }
      let gap = known[filled.count...].prefix { $0 == nil }
      let count = Int64(gap.count)
      let below = gap.endIndex < known.count ? known[gap.endIndex] : nil
      var (above, step) = (filled.last, stride)
      if let above, let below { step = (below - above) / (count + 1) }
      if above == nil, let below { above = below - step * (count + 1) }
      guard let above, step > 0, above >= -highest, above + step * count <= highest
      else { return nil }
      filled += (1...count).map { above + step * $0 }
    }
    return filled
  }
}
