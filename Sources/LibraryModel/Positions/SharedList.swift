/// A list of different items whose copies share what they have in common: copying costs nothing,
/// and finding, inserting or removing an item of a copy costs nearly the same however many there
/// are. For crates, which may hold ten thousand albums, and of which every change makes a copy.
///
/// Costs: the items are in pieces of up to 512. Finding an item, or the one at a position, looks at
/// the lengths of all pieces; a change copies one piece, and a word for each of the others.
package struct SharedList<Item: Hashable & Sendable>: Sendable {
  /// Items in one piece. More makes its copies felt, less the visits to every piece.
  static var usualLimit: Int { 512 }

  fileprivate struct Piece: Sendable {
    /// Never given to another one.
    let number: Int32
    private(set) var items: [Item]
    // Beside the array, so that summing up lengths does not go to each of them.
    private(set) var count: Int

    init(_ number: Int32, _ items: [Item]) {
      self.number = number
      self.items = items
      count = items.count
    }

    mutating func insert(_ item: Item, at offset: Int) {
      items.insert(item, at: offset)
      count += 1
    }

    mutating func remove(at offset: Int) {
      items.remove(at: offset)
      count -= 1
    }

    mutating func append(_ more: [Item]) {
      items += more
      count += more.count
    }

    mutating func cut(at offset: Int) -> [Item] {
      let cut = Array(items[offset...])
      items.removeSubrange(offset...)
      count = offset
      return cut
    }
  }

  private let limit: Int
  /// None is empty, and none is longer than the limit.
  private var pieces: [Piece] = []
  /// The number of each item's piece.
  private var homes = SharedMap<Item, Int32>()
  private var nextNumber: Int32 = 0

  package init() { self.init(limit: Self.usualLimit) }

  init(limit: Int) {
    precondition(limit >= 4, "a piece can be split and joined")
    self.limit = limit
  }

  package var count: Int { homes.count }

  // MARK: Changing

  /// Puts an item that is not in the list below another one, or at the top.
  ///
  /// - Returns: false where the other one is not in the list.
  package mutating func insert(_ item: Item, after anchor: Item?) -> Bool {
    precondition(homes[item] == nil, "an item is in the list once")
    guard let spot = spot(after: anchor) else { return false }
    insert(item, spot)
    return true
  }

  package mutating func append(_ item: Item) {
    precondition(homes[item] == nil, "an item is in the list once")
    insert(item, pieces.last.map { (pieces.count - 1, $0.count) } ?? (0, 0))
  }

  /// - Returns: false where it is not in the list.
  @discardableResult
  package mutating func remove(_ item: Item) -> Bool {
    guard let (place, offset) = spot(of: item) else { return false }
    pieces[place].remove(at: offset)
    homes[item] = nil
    join(place)
    return true
  }

  /// Puts an item that is in the list below another one, or at the top.
  ///
  /// - Returns: false where one of them is not in the list, or both are the same.
  package mutating func move(_ item: Item, after anchor: Item?) -> Bool {
    guard item != anchor, let (place, offset) = spot(of: item), spot(after: anchor) != nil else {
      return false
    }
    let number = pieces[place].number
    pieces[place].remove(at: offset)
    // Its home is changed once, if at all.
    if let spot = spot(after: anchor) { insert(item, spot) }
    if let place = pieces.firstIndex(where: { $0.number == number }) { join(place) }
    return true
  }

  private mutating func insert(_ item: Item, _ spot: (place: Int, offset: Int)) {
    var (place, offset) = spot
    if pieces.isEmpty || pieces[place].count == limit { makeRoom(&place, &offset) }
    pieces[place].insert(item, at: offset)
    if homes[item] != pieces[place].number { homes[item] = pieces[place].number }
  }

  private mutating func newPiece(_ items: [Item], at place: Int) {
    pieces.insert(Piece(nextNumber, items), at: place)
    for item in items { homes[item] = nextNumber }
    nextNumber += 1
  }

  /// At either end of a full piece a new one begins, as when albums come on top one after the
  /// other; elsewhere it is split.
  private mutating func makeRoom(_ place: inout Int, _ offset: inout Int) {
    if pieces.isEmpty || offset == 0 {
      newPiece([], at: place)
    } else if offset == pieces[place].count {
      place += 1
      offset = 0
      newPiece([], at: place)
    } else {
      newPiece(pieces[place].cut(at: limit / 2), at: place + 1)
      if offset > limit / 2 {
        place += 1
        offset -= limit / 2
      }
    }
  }

  /// Joins a short piece with a neighbour, if both fit into one with room to spare; an empty one
  /// goes in any case.
  private mutating func join(_ place: Int) {
    if pieces[place].count >= limit / 4 { return }
    if pieces[place].count == 0 {
      pieces.remove(at: place)
      return
    }
    for upper in [place - 1, place] where upper >= 0 && upper + 1 < pieces.count {
      if pieces[upper].count + pieces[upper + 1].count <= limit / 4 * 3 {
        let joined = pieces.remove(at: upper + 1).items
        pieces[upper].append(joined)
        for item in joined { homes[item] = pieces[upper].number }
        return
      }
    }
  }

  // MARK: Finding

  /// The position must exist.
  private func spot(of position: Int) -> (place: Int, offset: Int) {
    pieces.withUnsafeBufferPointer { pieces in
      var (place, offset) = (0, position)
      while offset >= pieces[place].count {
        offset -= pieces[place].count
        place += 1
      }
      return (place, offset)
    }
  }

  /// Where an item comes that is put below that one: in its piece, so that what comes to the end of
  /// one needs no other. Nil where that one is not in the list.
  private func spot(after anchor: Item?) -> (place: Int, offset: Int)? {
    guard let anchor else { return (0, 0) }
    return spot(of: anchor).map { ($0.place, $0.offset + 1) }
  }

  private func spot(of item: Item) -> (place: Int, offset: Int)? {
    guard let home = homes[item] else { return nil }
    return pieces.withUnsafeBufferPointer { pieces in
      guard let place = pieces.firstIndex(where: { $0.number == home }),
        let offset = pieces[place].items.firstIndex(of: item)
      else { return nil }
      return (place, offset)
    }
  }
}

// MARK: - As a collection

/// What single moves are worked out in.
protocol ItemList: RandomAccessCollection where Index == Int, Element: Hashable {
  func firstIndex(of item: Element) -> Int?
}

extension Array: ItemList where Element: Hashable {}

extension SharedList: ItemList {
  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  package subscript(position: Int) -> Item {
    precondition(position >= 0 && position < count, "a position is in the list")
    let (place, offset) = spot(of: position)
    return pieces[place].items[offset]
  }

  package func firstIndex(of item: Item) -> Int? {
    guard let (place, offset) = spot(of: item) else { return nil }
    return pieces.withUnsafeBufferPointer { pieces in
      var above = offset
      for upper in 0..<place { above += pieces[upper].count }
      return above
    }
  }

  package func contains(_ item: Item) -> Bool { homes[item] != nil }

  package struct Iterator: IteratorProtocol {
    fileprivate let pieces: [Piece]
    fileprivate var place = 0
    fileprivate var offset = 0

    package mutating func next() -> Item? {
      guard place < pieces.count else { return nil }
      let item = pieces[place].items[offset]
      offset += 1
      if offset == pieces[place].count { (place, offset) = (place + 1, 0) }
      return item
    }
  }

  package func makeIterator() -> Iterator { Iterator(pieces: pieces) }
}

extension SharedList: Equatable {
  package static func == (left: SharedList, right: SharedList) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }
}

extension SharedList: ExpressibleByArrayLiteral {
  package init(arrayLiteral items: Item...) { self.init(items) }

  /// Of different items.
  package init(_ items: some Sequence<Item>) {
    self.init()
    for item in items { append(item) }
  }
}
