/// Keys in the order of a list, in chunks, so that inserting one moves a chunk and not the list.
///
/// Costs: finding a position is O(log n). Inserting and removing moves the keys of one chunk, and
/// once in some hundred times, when chunks are split or joined, it visits every chunk. 8 bytes for
/// each key, and usually up to as much again of room to grow.
struct ChunkedKeys: Sendable {
  /// A position, as it is found: `chunks[chunk][offset]`.
  struct Spot {
    var chunk: Int
    var offset: Int
  }

  /// 4 KiB of keys: less makes the visits to every chunk felt, more the moving within one.
  static let usualLimit = 512

  private(set) var count = 0
  private let limit: Int
  /// None is empty, and none is longer than the limit.
  private var chunks: [[Int64]] = []
  /// A Fenwick tree over the lengths of the chunks, from 1.
  private var sums: [Int] = [0]

  init(_ keys: [Int64] = [], limit: Int = Self.usualLimit) {
    precondition(limit >= 4, "a chunk can be split and joined")
    self.limit = limit
    chunks = split(keys)
    count = keys.count
    addUp()
  }

  /// In their order. Linear.
  var all: [Int64] { Array(chunks.joined()) }

  /// For tests.
  var chunkLengths: [Int] { chunks.map(\.count) }

  subscript(position: Int) -> Int64 {
    let spot = spot(of: position)
    return chunks[spot.chunk][spot.offset]
  }

  subscript(spot: Spot) -> Int64 {
    get { chunks[spot.chunk][spot.offset] }
    set { chunks[spot.chunk][spot.offset] = newValue }
  }

  /// Where a key stands, which needs the keys to ascend. O(log n).
  func position(of key: Int64) -> Int? {
    let chunk = firstIndex(below: chunks.count) { (chunks[$0].last ?? key) >= key }
    guard chunk < chunks.count else { return nil }
    let offset = firstIndex(below: chunks[chunk].count) { chunks[chunk][$0] >= key }
    guard chunks[chunk][offset] == key else { return nil }
    var above = offset
    var node = chunk
    while node > 0 {
      above += sums[node]
      node &= node - 1
    }
    return above
  }

  /// The position must exist.
  func spot(of position: Int) -> Spot {
    precondition(position >= 0 && position < count, "a position is in the list")
    var chunk = 0
    var offset = position
    var step = 1 << (Int.bitWidth - 1 - chunks.count.leadingZeroBitCount)
    while step > 0 {
      if chunk + step <= chunks.count, sums[chunk + step] <= offset {
        chunk += step
        offset -= sums[chunk]
      }
      step /= 2
    }
    return Spot(chunk: chunk, offset: offset)
  }

  /// Nil at the end of the list.
  func spot(_ direction: ListDirection, _ spot: Spot) -> Spot? {
    switch direction {
    case .above:
      if spot.offset > 0 { return Spot(chunk: spot.chunk, offset: spot.offset - 1) }
      if spot.chunk == 0 { return nil }
      return Spot(chunk: spot.chunk - 1, offset: chunks[spot.chunk - 1].count - 1)
    case .below:
      if spot.offset + 1 < chunks[spot.chunk].count {
        return Spot(chunk: spot.chunk, offset: spot.offset + 1)
      }
      return spot.chunk + 1 < chunks.count ? Spot(chunk: spot.chunk + 1, offset: 0) : nil
    }
  }

  /// Puts keys before the one at a position, or at the end.
  mutating func insert(_ keys: [Int64], at position: Int) {
    if keys.isEmpty { return }
    count += keys.count
    if chunks.isEmpty {
      chunks = split(keys)
      return addUp()
    }
    var spot = Spot(chunk: 0, offset: 0)
    if position > 0 {
      spot = self.spot(of: position - 1)
      spot.offset += 1
    }
    chunks[spot.chunk].insert(contentsOf: keys, at: spot.offset)
    if chunks[spot.chunk].count > limit {
      chunks.replaceSubrange(spot.chunk...spot.chunk, with: split(chunks[spot.chunk]))
      addUp()
    } else {
      add(keys.count, toChunk: spot.chunk)
    }
  }

  mutating func remove(_ positions: Range<Int>) {
    if positions.isEmpty { return }
    precondition(positions.upperBound <= count, "what is removed is in the list")
    let spot = spot(of: positions.lowerBound)
    let first = spot.chunk
    count -= positions.count
    if spot.offset + positions.count <= chunks[first].count {
      chunks[first].removeSubrange(spot.offset..<spot.offset + positions.count)
      if join(first) { addUp() } else { add(-positions.count, toChunk: first) }
      return
    }
    var left = positions.count - (chunks[first].count - spot.offset)
    chunks[first].removeSubrange(spot.offset...)
    var next = first + 1
    while left > 0, chunks[next].count <= left {
      left -= chunks[next].count
      next += 1
    }
    if left > 0 { chunks[next].removeFirst(left) }
    chunks.removeSubrange(first + 1..<next)
    _ = join(first)
    addUp()
  }

  /// Joins a short chunk with a neighbour, if both fit into one with room to spare; an empty one
  /// goes in any case.
  ///
  /// - Returns: whether there is a chunk less, and the sums are to be added up again.
  private mutating func join(_ chunk: Int) -> Bool {
    if chunks[chunk].count >= limit / 4 { return false }
    if chunks[chunk].isEmpty {
      chunks.remove(at: chunk)
      return true
    }
    for upper in [chunk - 1, chunk] where upper >= 0 && upper + 1 < chunks.count {
      if chunks[upper].count + chunks[upper + 1].count <= limit / 4 * 3 {
        chunks[upper] += chunks.remove(at: upper + 1)
        return true
      }
    }
    return false
  }

  /// Chunks between about a third and three quarters of the limit, so that neither the next split
  /// nor the next joining is near.
  private func split(_ keys: [Int64]) -> [[Int64]] {
    if keys.isEmpty { return [] }
    let pieces = (keys.count - 1) / (limit / 4 * 3) + 1
    return (0..<pieces).map { piece in
      Array(keys[keys.count * piece / pieces..<keys.count * (piece + 1) / pieces])
    }
  }

  private mutating func add(_ difference: Int, toChunk chunk: Int) {
    var node = chunk + 1
    while node < sums.count {
      sums[node] += difference
      node += node & -node
    }
  }

  private mutating func addUp() {
    sums = [0] + chunks.map(\.count)
    for node in sums.indices.dropFirst() {
      let parent = node + node & -node
      if parent < sums.count { sums[parent] += sums[node] }
    }
  }

  /// The first of the indices that is so, if all after it are too; else the end.
  private func firstIndex(below end: Int, where isSo: (Int) -> Bool) -> Int {
    var (low, high) = (0, end)
    while low < high {
      let middle = (low + high) / 2
      if isSo(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
