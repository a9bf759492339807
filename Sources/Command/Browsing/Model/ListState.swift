import Ordering

/// Where a person is in a list, and what they have selected in it: by the things themselves, not by
/// their rows, so that it stays with them when others come and go.
struct ListState<Item: Hashable & Sendable>: Sendable {
  private(set) var cursor: Item?
  /// The first thing that is seen.
  private(set) var top: Item?
  /// Where they were found last, so that they are not looked for in the whole list.
  private var cursorPlace = 0
  private var topPlace = 0
  private(set) var selected: Set<Item> = []
  private(set) var range: Range?

  /// Rows of the list that are kept in sight around the cursor.
  static var margin: Int { 2 }

  struct Range: Sendable {
    let anchor: Item
    /// Whether it ends when the cursor goes on without Shift.
    let endsByItself: Bool
    let deselects: Bool
    /// What was selected without it.
    let base: Set<Item>
    /// What came into it from elsewhere, and isn't meant.
    var others: Set<Item> = []
  }

  init(cursor: Item? = nil, top: Item? = nil) {
    self.cursor = cursor
    self.top = top
  }

  // MARK: Where

  /// The cursor's place in the list; 0 in an empty one.
  func place(in items: [Item]) -> Int {
    Self.place(of: cursor, cursorPlace, items)
  }

  func topPlace(in items: [Item]) -> Int { Self.place(of: top, topPlace, items) }

  private static func place(of item: Item?, _ last: Int, _ items: [Item]) -> Int {
    if items.indices.contains(last), items[last] == item { return last }
    if let item, let place = items.firstIndex(of: item) { return place }
    return min(last, max(items.count - 1, 0))
  }

  /// Puts the cursor on a row; the view follows.
  ///
  /// - Parameter height: rows of the view, in which the list goes on `across` a row at a time.
  mutating func go(to place: Int, in items: [Item], height: Int, across: Int = 1) {
    guard !items.isEmpty else {
      (cursor, top) = (nil, nil)
      return
    }
    let place = min(max(place, 0), items.count - 1)
    cursor = items[place]
    cursorPlace = place
    stretch(items)
    show(place, in: items, height: height, across: across)
  }

  /// Brings the cursor into view.
  mutating func show(in items: [Item], height: Int, across: Int = 1) {
    guard !items.isEmpty else { return }
    show(place(in: items), in: items, height: height, across: across)
  }

  private mutating func show(_ place: Int, in items: [Item], height: Int, across: Int) {
    let rows = (items.count + across - 1) / across
    let margin = min(Self.margin, max(0, (height - 1) / 2))
    let row = place / across
    var first = topPlace(in: items) / across
    if row - margin < first { first = row - margin }
    if row + margin >= first + height { first = row + margin + 1 - height }
    setTop(min(max(first, 0), max(rows - height, 0)) * across, items)
  }

  /// Moves the view alone.
  mutating func scroll(by rows: Int, in items: [Item], height: Int, across: Int = 1) {
    guard !items.isEmpty else { return }
    let count = (items.count + across - 1) / across
    let first = topPlace(in: items) / across + rows
    setTop(min(max(first, 0), max(count - height, 0)) * across, items)
  }

  private mutating func setTop(_ place: Int, _ items: [Item]) {
    let place = min(max(place, 0), items.count - 1)
    top = items[place]
    topPlace = place
  }

  // MARK: When the list changes

  /// Goes on with the list as it is now. What is seen stays where it is, but for what moved.
  mutating func follow(from old: [Item], to new: [Item], moved: Set<Item>) {
    if range != nil {
      range?.others.formUnion(Set(new).subtracting(old))
    }
    let formerTop = topPlace(in: old)
    if let cursor, !new.contains(cursor) {
      let choice = OneOrMore(old, chosen: [cursor])?.following(new)
      self.cursor = choice?.chosen.first
    }
    if cursor == nil { cursor = new.first }
    cursorPlace = place(in: new)
    if let range, !new.contains(range.anchor) { self.range = nil }
    // Above what stays the first there is nothing that a view may hide.
    if formerTop == 0, let first = old.first, first == new.first {
      setTop(0, new)
      return
    }
    // The first row that did not move itself stays where it is.
    var offset = 0
    for item in old.dropFirst(formerTop) {
      if !moved.contains(item), let place = new.firstIndex(of: item) {
        setTop(place - offset, new)
        return
      }
      offset += 1
    }
    if new.isEmpty { top = nil } else { setTop(formerTop, new) }
  }

  /// Moves the view up where the list ends above its last row: an empty rest hides nothing.
  mutating func fill(_ items: [Item], height: Int, across: Int = 1) {
    let last = max((items.count + across - 1) / across - height, 0)
    if !items.isEmpty, topPlace(in: items) > last * across { setTop(last * across, items) }
  }

  // MARK: Selecting

  /// The selected ones that are in the list.
  func selected(in items: [Item]) -> [Item] {
    selected.isEmpty ? [] : items.filter(selected.contains)
  }

  /// What a command means: what is selected, or what is under the cursor.
  func meant(in items: [Item]) -> [Item] {
    let selected = selected(in: items)
    return selected.isEmpty ? cursor.map { items.contains($0) ? [$0] : [] } ?? [] : selected
  }

  mutating func select(_ items: some Sequence<Item>) {
    range = nil
    selected = Set(items)
  }

  mutating func toggle(_ item: Item) {
    if selected.remove(item) == nil { selected.insert(item) }
  }

  mutating func invert(_ items: [Item]) {
    range = nil
    selected = Set(items.filter { !selected.contains($0) })
  }

  mutating func deselect(_ items: some Sequence<Item>) { selected.subtract(items) }

  mutating func selectRange(_ direction: ListDirection, in items: [Item]) {
    guard let cursor else { return }
    range = nil
    var selection = RangeSelection(items, selected: selected)
    selection.selectRange(direction, from: cursor)
    selected = selection.selected
  }

  mutating func beginRange(in items: [Item], deselects: Bool = false, endsByItself: Bool = false) {
    guard let cursor, items.contains(cursor) else { return }
    range = Range(
      anchor: cursor, endsByItself: endsByItself, deselects: deselects, base: selected)
    stretch(items)
  }

  /// What is selected stays so.
  mutating func endRange() { range = nil }

  /// Takes back what it selected.
  mutating func dropRange() {
    if let range { selected = range.base }
    range = nil
  }

  private mutating func stretch(_ items: [Item]) {
    guard let range, let cursor, let from = items.firstIndex(of: range.anchor),
      let to = items.firstIndex(of: cursor)
    else { return }
    let meant = items[min(from, to)...max(from, to)].filter { !range.others.contains($0) }
    selected = range.deselects ? range.base.subtracting(meant) : range.base.union(meant)
  }
}
