import Ordering

/// The cursor and selection of a list. Both refer to items and not to rows, so that they stay with
/// their items when others come and go.
struct ListState<Item: Hashable & Sendable>: Sendable {
  private(set) var cursor: Item?
  /// The first visible item.
  private(set) var top: Item?
  /// The last known rows of the cursor and the top, which avoid a search through the list.
  private var cursorPlace = 0
  private var topPlace = 0
  private(set) var selected: Set<Item> = []
  private(set) var range: Range?

  /// The number of rows that stay visible around the cursor.
  static var margin: Int { 2 }

  struct Range: Sendable {
    let anchor: Item
    /// Whether the range ends when the cursor moves without Shift.
    let endsByItself: Bool
    let deselects: Bool
    /// The selection without the range.
    let base: Set<Item>
    /// Items that arrived inside the range and are not part of it.
    var others: Set<Item> = []
  }

  init(cursor: Item? = nil, top: Item? = nil) {
    self.cursor = cursor
    self.top = top
  }

  // MARK: Where

  /// Returns the cursor's row; 0 in an empty list.
  func place(in items: [Item]) -> Int {
    Self.place(of: cursor, cursorPlace, items)
  }

  func topPlace(in items: [Item]) -> Int { Self.place(of: top, topPlace, items) }

  private static func place(of item: Item?, _ last: Int, _ items: [Item]) -> Int {
    if items.indices.contains(last), items[last] == item { return last }
    if let item, let place = items.firstIndex(of: item) { return place }
    return min(last, max(items.count - 1, 0))
  }

  /// Moves the cursor to a row and scrolls to it.
  ///
  /// - Parameter height: The number of visible rows, each with `across` items.
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

  /// Scrolls to the cursor.
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

  /// Scrolls without moving the cursor.
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

  /// Updates the state to a changed list. Visible items keep their rows on screen, except for those
  /// that moved.
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
    // A view at the top stays there, so that new first items are visible.
    if formerTop == 0, let first = old.first, first == new.first {
      setTop(0, new)
      return
    }
    // The first visible item that did not itself move keeps its row on screen.
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

  /// Scrolls up if there are empty rows below the end of the list.
  mutating func fill(_ items: [Item], height: Int, across: Int = 1) {
    let last = max((items.count + across - 1) / across - height, 0)
    if !items.isEmpty, topPlace(in: items) > last * across { setTop(last * across, items) }
  }

  // MARK: Selecting

  /// Returns the selected items that are in the list.
  func selected(in items: [Item]) -> [Item] {
    selected.isEmpty ? [] : items.filter(selected.contains)
  }

  /// Returns the items to which a command applies: the selection, else the item under the cursor.
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

  /// Ends the range and keeps its selection.
  mutating func endRange() { range = nil }

  /// Ends the range and discards its selection.
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
