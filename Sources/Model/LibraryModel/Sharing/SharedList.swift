/// A list of distinct items whose copies share storage. Copying is free, and the cost of finding,
/// inserting or removing an item of a copy hardly depends on the number of items. It is for crates,
/// which may contain ten thousand albums and are copied by every change.
///
/// The items are stored in pieces of up to 512. Finding an item searches the list of pieces, 4
/// bytes each, and then the items of its piece. Its neighbours are then found at once. A change
/// copies the list of pieces, one or two pieces, and a leaf of the map from items to pieces.
/// Occasionally a piece is split or joined, and up to 384 items are assigned to another one.
package struct SharedList<Item: Hashable & Sendable & BitwiseCopyable>: Sendable {
  /// The most items in one piece. Larger pieces cost more to copy, smaller ones make the list of
  /// pieces longer.
  static var usualLimit: Int { 512 }

  private let limit: Int
  /// The numbers of the pieces, in their order. The number of a removed piece is reused. No piece
  /// is empty or longer than the limit.
  private var pieces: [Int32] = []
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

  /// Inserts a new item below another one, or at the top.
  ///
  /// - Returns: false if the other one is not in the list.
  package mutating func insert(_ item: Item, after anchor: Item?) -> Bool {
    precondition(homes[item] == nil, "an item is in the list once")
    guard let spot = spot(after: anchor) else { return false }
    insert(item, spot)
    return true
  }

  package mutating func append(_ item: Item) {
    precondition(homes[item] == nil, "an item is in the list once")
    let last = pieces.count - 1
    insert(item, pieces.isEmpty ? startIndex : Index(place: last, offset: pieceLength(last)))
  }

  /// - Returns: false if it is not in the list.
  @discardableResult
  package mutating func remove(_ item: Item) -> Bool {
    guard let spot = firstIndex(of: item) else { return false }
    contents[pieces[spot.place]].remove(at: spot.offset)
    homes[item] = nil
    join(spot.place)
    return true
  }

  /// Moves an item below another one, or to the top.
  ///
  /// - Returns: false if one of them is not in the list, or both are the same.
  package mutating func move(_ item: Item, after anchor: Item?) -> Bool {
    guard item != anchor, anchor.map(contains) ?? true, let old = firstIndex(of: item) else {
      return false
    }
    let number = pieces[old.place]
    contents[number].remove(at: old.offset)
    guard let spot = spot(after: anchor) else { preconditionFailure("an anchor is in its piece") }
    // The item's piece is updated once at most.
    insert(item, spot)
    if contents[number].count < limit / 4, let place = place(ofPiece: number) { join(place) }
    return true
  }

  private mutating func insert(_ item: Item, _ spot: Index) {
    var spot = spot
    if pieces.isEmpty || pieceLength(spot.place) == limit { makeRoom(&spot) }
    let number = pieces[spot.place]
    contents[number].insert(item, at: spot.offset)
    if homes[item] != number { homes[item] = number }
  }

  private mutating func newPiece(_ items: [Item], at place: Int) {
    let number = contents.add(items)
    pieces.insert(number, at: place)
    for item in items { homes[item] = number }
  }

  /// Makes room in a full piece. At either end a new piece begins, unless the next one has room, as
  /// when albums are added on top one after the other. Elsewhere the piece is split.
  private mutating func makeRoom(_ spot: inout Index) {
    let place = spot.place
    if pieces.isEmpty || spot.offset == 0 {
      newPiece([], at: place)
    } else if spot.offset == pieceLength(place) {
      spot = Index(place: place + 1, offset: 0)
      if place + 1 == pieces.count || pieceLength(place + 1) == limit {
        newPiece([], at: place + 1)
      }
    } else {
      let half = limit / 2
      let items = contents[pieces[place]]
      contents[pieces[place]] = Array(items[..<half])
      newPiece(Array(items[half...]), at: place + 1)
      if spot.offset > half { spot = Index(place: place + 1, offset: spot.offset - half) }
    }
  }

  /// Joins a short piece with a neighbour, if both fit into one with room to spare. An empty piece
  /// is always removed.
  private mutating func join(_ place: Int) {
    let count = pieceLength(place)
    if count >= limit / 4 { return }
    if count == 0 {
      contents.remove(pieces.remove(at: place))
      return
    }
    for upper in [place - 1, place] where upper >= 0 && upper + 1 < pieces.count {
      if pieceLength(upper) + pieceLength(upper + 1) <= limit / 4 * 3 {
        let joined = contents.remove(pieces.remove(at: upper + 1))
        let number = pieces[upper]
        contents[number] += joined
        for item in joined { homes[item] = number }
        return
      }
    }
  }

  // MARK: Finding

  /// Returns the index at which to insert an item below the anchor. It is in the anchor's piece, so
  /// that an insertion at its end needs no other piece. Nil if the anchor is not in the list.
  private func spot(after anchor: Item?) -> Index? {
    guard let anchor else { return startIndex }
    return firstIndex(of: anchor).map { Index(place: $0.place, offset: $0.offset + 1) }
  }

  private func place(ofPiece number: Int32) -> Int? { pieces.firstIndex(of: number) }

  private func pieceLength(_ place: Int) -> Int { contents[pieces[place]].count }
}

// MARK: - By number

extension SharedList {
  /// Returns the number of items above the index. The cost is linear in the number of pieces above.
  package func rank(of index: Index) -> Int {
    (0..<index.place).reduce(index.offset) { $0 + pieceLength($1) }
  }

  /// Returns the item with that many items above it, or nil if there is none. The cost is linear in
  /// the number of pieces above.
  package func item(at rank: Int) -> Item? {
    guard rank >= 0, rank < count else { return nil }
    var left = rank
    for number in pieces {
      let piece = contents[number]
      if left < piece.count { return piece[left] }
      left -= piece.count
    }
    return nil
  }
}

// MARK: - As a collection

extension SharedList: ItemList {
  /// An index by piece. A number from the top would require the lengths of all pieces above.
  package struct Index: Comparable, Sendable {
    /// The position of the piece in the list of pieces.
    fileprivate let place: Int
    /// The position of the item in its piece.
    fileprivate let offset: Int

    package static func < (left: Index, right: Index) -> Bool {
      (left.place, left.offset) < (right.place, right.offset)
    }
  }

  package var startIndex: Index { Index(place: 0, offset: 0) }
  package var endIndex: Index { Index(place: pieces.count, offset: 0) }

  package func index(after index: Index) -> Index {
    index.offset + 1 < pieceLength(index.place)
      ? Index(place: index.place, offset: index.offset + 1)
      : Index(place: index.place + 1, offset: 0)
  }

  package func index(before index: Index) -> Index {
    index.offset > 0
      ? Index(place: index.place, offset: index.offset - 1)
      : Index(place: index.place - 1, offset: pieceLength(index.place - 1) - 1)
  }

  package subscript(index: Index) -> Item { contents[pieces[index.place]][index.offset] }

  package func firstIndex(of item: Item) -> Index? {
    guard let home = homes[item], let place = place(ofPiece: home),
      let offset = contents[home].firstIndex(of: item)
    else { return nil }
    return Index(place: place, offset: offset)
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
        items = list.contents[list.pieces[place]]
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

  /// Creates a list of distinct items.
  package init(_ items: some Sequence<Item>) {
    self.init()
    for item in items { append(item) }
  }
}

// MARK: - Pieces

extension SharedList {
  /// The items of the pieces, by piece number. A two-level array, since a change copies, and
  /// retains, every array beside the changed one.
  fileprivate struct Contents: Sendable {
    private static var rowBits: Int32 { 4 }

    private var rows: [[[Item]]] = []
    private var end: Int32 = 0
    /// The numbers below `end` that are not in use.
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
