/// What happens when a gap has closed. The method is the tag range relabelling of Bender, Cole,
/// Demaine, Farach-Colton and Zito, "Two simplified algorithms for maintaining order in a list"
/// (2002): the smallest aligned range of keys around the spot that isn't crowded is spread evenly.
/// The larger the range, the emptier it must be, so what was spread stays roomy for a while.
extension PositionKeys {
  /// Up to this length all of the list is renumbered: it is few rows, and they become as roomy as
  /// can be.
  static let shortList = 1_024
  /// T of the paper. Closer to 1 renumbers more rows now (17 for 11 at 1.3), closer to 2 leaves
  /// less room for long lists.
  static let crowding = 1.5

  /// For a block that doesn't fit into its gap, or not before or behind the list within 64 bits.
  mutating func insertRenumbering(_ block: Int, at position: Int) -> [NewKey] {
    let isInGap = position > 0 && position < count
    if isInGap, count + block > Self.shortList,
      let (positions, lowest, width) = roomyRange(for: block, at: position)
    {
      let parts = UInt64(positions.count + block) * 2
      // In the middles of equal parts, so that there is room at both ends too.
      return insert(block, at: position, renumbering: positions) { number in
        lowest &+ Int64(bitPattern: Self.share(UInt64(number) * 2 + 1, of: parts, in: width))
      }
    }
    return insert(block, at: position, renumbering: 0..<count, key: Self.freshKey)
  }

  /// The smallest aligned range of keys around the key above the spot that isn't crowded with the
  /// block in it: who has these keys, the lowest, and how far the highest is from it. Nil if every
  /// range of up to half of all keys is crowded, from about 75 million items on.
  ///
  /// Costs as much as renumbering what it finds.
  private func roomyRange(
    for block: Int, at position: Int
  ) -> (positions: Range<Int>, lowest: Int64, width: UInt64)? {
    var first = position - 1
    var end = position
    let start = keys.spot(of: first)
    var above = keys.spot(.above, start)
    var below = keys.spot(.below, start)
    var allowed = 1.0
    for bits in 1...63 {
      allowed *= 2 / Self.crowding
      let width = Int64.max >> (63 - bits)
      let lowest = keys[start] & ~width
      while let spot = above, keys[spot] >= lowest {
        first -= 1
        above = keys.spot(.above, spot)
      }
      while let spot = below, keys[spot] <= lowest + width {
        end += 1
        below = keys.spot(.below, spot)
      }
      if Double(end - first + block) <= allowed { return (first..<end, lowest, UInt64(width)) }
    }
    return nil
  }

  /// Inserts a block at a position among, or at an end of, others that get new keys with it.
  ///
  /// - Parameter key: of a member of both together, by its number from 0.
  private mutating func insert(
    _ block: Int, at position: Int, renumbering positions: Range<Int>, key: (Int) -> Int64
  ) -> [NewKey] {
    keys.insert([Int64](repeating: 0, count: block), at: position)
    var new: [NewKey] = []
    var spot: ChunkedKeys.Spot? = keys.spot(of: positions.lowerBound)
    for here in positions.lowerBound..<positions.upperBound + block {
      guard let current = spot else { break }
      let key = key(here - positions.lowerBound)
      let isNew = here >= position && here < position + block
      if isNew || keys[current] != key {
        keys[current] = key
        new.append(NewKey(position: here, key: key))
      }
      spot = keys.spot(.below, current)
    }
    return new
  }
}
