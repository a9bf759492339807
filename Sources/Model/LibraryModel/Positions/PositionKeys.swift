/// What a list's order is stored as where rows have no order, as in a table: a key for each item,
/// ascending, with gaps, so that moving one item alters one row. Items are named by their
/// positions; the caller knows which item stands where.
///
/// Costs for a list of n: a key, an insertion or a removal is O(log n) and the moving of at most
/// 4 KiB, and what is renumbered comes on top. Of inserts at one spot the first 32 renumber
/// nothing. After that a list of up to 1,024 is renumbered as a whole each time the gap closes,
/// which is 32 rows for each insert at worst; a longer one in the neighbourhood only, which was
/// measured as 11 rows for each of 100,000 inserts at one spot among 100,000 items. A single one of
/// those altered 100,000 rows. Inserts at random places and at either end renumber nothing.
package struct PositionKeys: Sendable {
  /// The item at a position has a new key.
  package struct NewKey: Hashable, Sendable {
    /// The position as it is after the operation, from 0.
    package let position: Int
    package let key: Int64

    package init(position: Int, key: Int64) {
      self.position = position
      self.key = key
    }
  }

  /// Between fresh neighbours: 32 times half of it is one.
  static let strideBits = 32
  /// Keys of that many are within 64 bits.
  package static let most = 1 << (62 - strideBits)

  /// Strictly ascending.
  var keys: ChunkedKeys

  /// Fresh keys for a list.
  package init(count: Int = 0) {
    self.init(fresh: count, chunkLimit: ChunkedKeys.usualLimit)
  }

  init(fresh count: Int, chunkLimit: Int) {
    precondition(count >= 0 && count <= Self.most, "a list has at most 2^30 items")
    keys = ChunkedKeys((0..<count).map(Self.freshKey), limit: chunkLimit)
  }

  /// The keys as they were stored; nil if they don't strictly ascend, or are too many: then they
  /// are no order. Linear.
  package init?(_ stored: [Int64]) {
    guard stored.count <= Self.most, zip(stored, stored.dropFirst()).allSatisfy(<) else {
      return nil
    }
    keys = ChunkedKeys(stored)
  }

  package var count: Int { keys.count }

  /// All keys in their order. Linear.
  package var all: [Int64] { keys.all }

  package subscript(position: Int) -> Int64 { keys[position] }

  /// Where the item with this key stands.
  package func position(of key: Int64) -> Int? { keys.position(of: key) }

  /// Makes room for a block of items, the first of which will stand at the position.
  ///
  /// - Returns: by position, the keys of the new items, and those of others that had to change:
  ///   exactly the rows to write, and together, since the keys of half of them are no order.
  package mutating func insert(_ block: Int = 1, at position: Int) -> [NewKey] {
    precondition(block >= 0 && block <= Self.most - count, "a list has at most 2^30 items")
    precondition(position >= 0 && position <= count, "an item goes into the list or to its end")
    if block == 0 { return [] }
    guard let new = keysThatFit(block, at: position) else {
      return insertRenumbering(block, at: position)
    }
    keys.insert(new, at: position)
    return new.indices.map { NewKey(position: position + $0, key: new[$0]) }
  }

  /// The items at these positions are no longer in the list. The other rows stay as they are.
  package mutating func remove(_ positions: Range<Int>) {
    keys.remove(positions)
  }

  /// Moves a block of items, so that the first of them stands at the destination afterwards.
  ///
  /// - Returns: as `insert`; nothing if the block stands there already.
  package mutating func move(_ positions: Range<Int>, to destination: Int) -> [NewKey] {
    precondition(positions.upperBound <= count, "what is moved is in the list")
    if positions.lowerBound == destination { return [] }
    let former = positions.map { keys[$0] }
    keys.remove(positions)
    let new = insert(positions.count, at: destination)
    // Where the list was renumbered, a moved item may have come by its former key again.
    return new.filter { new in
      let member = new.position - destination
      return !former.indices.contains(member) || former[member] != new.key
    }
  }

  static func freshKey(_ position: Int) -> Int64 { Int64(position) << strideBits }

  /// The keys of a block between the neighbours that it will have; nil if it doesn't fit.
  private func keysThatFit(_ block: Int, at position: Int) -> [Int64]? {
    if count == 0 { return (0..<block).map(Self.freshKey) }
    let width = Self.freshKey(block)
    if position == 0 {
      let (top, overflows) = keys[0].subtractingReportingOverflow(width)
      return overflows ? nil : (0..<block).map { top + Self.freshKey($0) }
    }
    let above = keys[position - 1]
    if position == count {
      if above.addingReportingOverflow(width).overflow { return nil }
      return (1...block).map { above + Self.freshKey($0) }
    }
    // Neighbours may be further apart than the largest Int64.
    let gap = UInt64(bitPattern: keys[position] &- above)
    if gap <= block { return nil }
    let parts = UInt64(block) + 1
    return (1..<parts).map { above &+ Int64(bitPattern: Self.share($0, of: parts, in: gap)) }
  }

  /// Rounded down: a number of equal parts of a width. The number is smaller than the parts.
  static func share(_ number: UInt64, of parts: UInt64, in width: UInt64) -> UInt64 {
    parts.dividingFullWidth(width.multipliedFullWidth(by: number)).quotient
  }
}
