/// A list of different items whose copies share what they have in common: copying costs nothing,
/// and finding, inserting or removing an item of a copy costs nearly the same however many there
/// are. For crates, which may hold ten thousand albums, and of which every change makes a copy.
///
/// Costs: the items are in pieces of up to 512. Finding an item, or the one at a position, looks at
/// the lengths of all pieces, 8 bytes each, and at the items of one. A change copies these lengths,
/// one or two pieces, and a leaf of the table that says in which piece an item is. Seldom a piece
/// is split or joined, and up to 384 items get another one.
package struct SharedList<Item: Hashable & Sendable & BitwiseCopyable>: Sendable {
  /// Items in one piece. More makes its copies felt, less the visits to every length.
  static var usualLimit: Int { 512 }

  fileprivate struct Piece: BitwiseCopyable {
    /// Where its items are kept; another one's when it is gone.
    let number: Int32
    /// Beside the items, so that summing up lengths does not go to each of them.
    var count: Int32
  }

  private let limit: Int
  /// In their order. None is empty, and none is longer than the limit.
  private var pieces: [Piece] = []
  private var contents = Contents()
  /// The number of each item's piece.
  private var homes = SharedMap<Item, Int32>()

  package init() { self.init(limit: Self.usualLimit) }

  init(limit: Int) {
    precondition(limit >= 4, "a piece can be split and joined")
    self.limit = limit
  }

  package var count: Int { homes.count }
  var pieceCount: Int { pieces.count }

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
    insert(item, pieces.last.map { (pieces.count - 1, Int($0.count)) } ?? (0, 0))
  }

  /// - Returns: false where it is not in the list.
  @discardableResult
  package mutating func remove(_ item: Item) -> Bool {
    guard let (place, offset) = spot(of: item) else { return false }
    takeOut(place, offset)
    homes[item] = nil
    join(place)
    return true
  }

  /// Puts an item that is in the list below another one, or at the top.
  ///
  /// - Returns: false where one of them is not in the list, or both are the same.
  package mutating func move(_ item: Item, after anchor: Item?) -> Bool {
    guard item != anchor, anchor.map(contains) ?? true, let (place, offset) = spot(of: item) else {
      return false
    }
    let number = pieces[place].number
    takeOut(place, offset)
    guard let spot = spot(after: anchor) else { preconditionFailure("an anchor is in its piece") }
    // Its home is changed once, if at all.
    insert(item, spot)
    if let place = pieces.firstIndex(where: { $0.number == number }) { join(place) }
    return true
  }

  private mutating func takeOut(_ place: Int, _ offset: Int) {
    contents[pieces[place].number].remove(at: offset)
    pieces[place].count -= 1
  }

  private mutating func insert(_ item: Item, _ spot: (place: Int, offset: Int)) {
    var (place, offset) = spot
    if pieces.isEmpty || pieces[place].count == limit { makeRoom(&place, &offset) }
    let number = pieces[place].number
    contents[number].insert(item, at: offset)
    pieces[place].count += 1
    if homes[item] != number { homes[item] = number }
  }

  private mutating func newPiece(_ items: [Item], at place: Int) {
    let number = contents.add(items)
    pieces.insert(Piece(number: number, count: Int32(items.count)), at: place)
    for item in items { homes[item] = number }
  }

  /// At either end of a full piece a new one begins, as when albums come on top one after the
  /// other, unless the next one has room; elsewhere it is split.
  private mutating func makeRoom(_ place: inout Int, _ offset: inout Int) {
    if pieces.isEmpty || offset == 0 {
      newPiece([], at: place)
    } else if offset == pieces[place].count {
      place += 1
      offset = 0
      if place == pieces.count || pieces[place].count == limit { newPiece([], at: place) }
    } else {
      let half = limit / 2
      let items = contents[pieces[place].number]
      contents[pieces[place].number] = Array(items[..<half])
      pieces[place].count = Int32(half)
      newPiece(Array(items[half...]), at: place + 1)
      if offset > half {
        place += 1
        offset -= half
      }
    }
  }

  /// Joins a short piece with a neighbour, if both fit into one with room to spare; an empty one
  /// goes in any case.
  private mutating func join(_ place: Int) {
    if pieces[place].count >= limit / 4 { return }
    if pieces[place].count == 0 {
      contents.remove(pieces.remove(at: place).number)
      return
    }
    for upper in [place - 1, place] where upper >= 0 && upper + 1 < pieces.count {
      if Int(pieces[upper].count + pieces[upper + 1].count) <= limit / 4 * 3 {
        let lower = pieces.remove(at: upper + 1)
        let joined = contents.remove(lower.number)
        let number = pieces[upper].number
        contents[number] += joined
        pieces[upper].count += lower.count
        for item in joined { homes[item] = number }
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
        offset -= Int(pieces[place].count)
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
    guard let place = pieces.firstIndex(where: { $0.number == home }),
      let offset = contents[home].firstIndex(of: item)
    else { return nil }
    return (place, offset)
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
    return contents[pieces[place].number][offset]
  }

  package func firstIndex(of item: Item) -> Int? {
    guard let (place, offset) = spot(of: item) else { return nil }
    return pieces.withUnsafeBufferPointer { pieces in
      var above = offset
      for upper in 0..<place { above += Int(pieces[upper].count) }
      return above
    }
  }

  package func contains(_ item: Item) -> Bool { homes[item] != nil }

  package struct Iterator: IteratorProtocol {
    private let list: SharedList
    private var place = 0
    private var items: [Item] = []
    private var offset = 0

    fileprivate init(_ list: SharedList) { self.list = list }

    package mutating func next() -> Item? {
      if offset == items.count {
        guard place < list.pieces.count else { return nil }
        items = list.contents[list.pieces[place].number]
        place += 1
        offset = 0
      }
      defer { offset += 1 }
      return items[offset]
    }
  }

  package func makeIterator() -> Iterator { Iterator(self) }
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

// MARK: - Pieces

extension SharedList {
  /// The items of pieces, by their numbers. In two steps, since a change copies a word for each
  /// list that lies beside the changed one, and counts its owners.
  fileprivate struct Contents: Sendable {
    private static var rowBits: Int32 { 4 }

    private var rows: [[[Item]]] = []
    private var end: Int32 = 0
    /// Numbers below the end that no piece has.
    private var free: [Int32] = []

    subscript(number: Int32) -> [Item] {
      get { rows[Int(number >> Self.rowBits)][Self.offset(number)] }
      _modify { yield &rows[Int(number >> Self.rowBits)][Self.offset(number)] }
    }

    private static func offset(_ number: Int32) -> Int { Int(number & (1 << rowBits - 1)) }

    /// - Returns: the number of the piece.
    mutating func add(_ items: [Item]) -> Int32 {
      if let number = free.popLast() {
        self[number] = items
        return number
      }
      if Self.offset(end) == 0 { rows.append([]) }
      rows[rows.count - 1].append(items)
      end += 1
      return end - 1
    }

    @discardableResult
    mutating func remove(_ number: Int32) -> [Item] {
      defer { self[number] = [] }
      free.append(number)
      return self[number]
    }
  }
}
