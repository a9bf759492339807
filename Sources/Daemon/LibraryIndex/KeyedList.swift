import Ordering

/// The order of a list as a table keeps it: a position for each item, ascending with gaps, so that
/// a move writes the rows that moved. Where a gap has closed, which takes 36 items at one spot, the
/// whole list is renumbered.
struct KeyedList<Item: Hashable & Sendable>: Sendable {
  /// Between neighbours of a new list.
  static var stride: Int64 { 1 << 36 }
  /// Above it and, with the sign turned, below it a list is renumbered, so that no difference of
  /// two positions overflows. A new list of 2^25 items is within it.
  static var highest: Int64 { 1 << 61 }

  private(set) var items: [Item] = []
  /// Those of the items, in their order.
  private(set) var positions: [Int64] = []

  init() {}

  /// The list as it was stored. Nil if that is no order: positions that don't ascend or are too
  /// high, or an item that is there twice.
  init?(_ items: [Item], positions: [Int64]) {
    guard items.count == positions.count, Set(items).count == items.count,
      zip(positions, positions.dropFirst()).allSatisfy(<),
      positions.allSatisfy({ $0.magnitude <= Self.highest })
    else { return nil }
    (self.items, self.positions) = (items, positions)
  }

  /// Changes the list to another one. Linear where items came, went, or moved as one block; else
  /// O(n log n) for what lies between the first and the last difference.
  ///
  /// - Returns: the rows to write, all in one transaction, and the items that are no longer in the
  ///   list.
  mutating func become(
    _ new: [Item]
  ) -> (written: [(item: Item, position: Int64)], removed: [Item]) {
    if new == items { return ([], []) }
    let known = Dictionary(uniqueKeysWithValues: zip(items, positions))
    let moved = Set(fewestMoves(from: items, to: new).map(\.item))
    var removed: [Item] = []
    if new.count - moved.count(where: { known[$0] == nil }) < items.count {
      let present = Set(new)
      removed = items.filter { !present.contains($0) }
    }
    let kept = new.map { moved.contains($0) ? nil : known[$0] }
    items = new
    positions = Self.filled(kept) ?? new.indices.map { Int64($0) * Self.stride }
    let written = new.indices.filter { kept[$0] != positions[$0] }
    return (written.map { (new[$0], positions[$0]) }, removed)
  }

  /// Gives the items without a position some between their neighbours', evenly. Nil where a gap is
  /// too small, or no item has one.
  private static func filled(_ kept: [Int64?]) -> [Int64]? {
    var filled: [Int64] = []
    filled.reserveCapacity(kept.count)
    while filled.count < kept.count {
      if let position = kept[filled.count] {
        filled.append(position)
        continue
      }
      let gap = kept[filled.count...].prefix { $0 == nil }
      let (count, below) = (Int64(gap.count), gap.endIndex < kept.count ? kept[gap.endIndex] : nil)
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
