import CratesInterface

/// What a client sent, and what it was told.
struct SentEdit: Sendable {
  var edit: KnownEdit
  /// The highest number of a change that anyone had been told of before it was sent.
  var newest: Int
  /// Nil where the daemon was gone before it answered.
  var answer: Result<Interface.Change, InterfaceError>?

  var change: Interface.Change? {
    if case .success(let change) = answer, change.changed { change } else { nil }
  }
}

/// What the order has to be, and what undo and redo lead to, by what clients were told.
struct KnownHistory {
  private(set) var order: OrderModel
  private var undoable: [OrderModel] = []
  private var redoable: [OrderModel] = []

  init(_ order: OrderModel) { self.order = order }

  private mutating func apply(_ edit: KnownEdit) {
    switch edit.effect {
    case .change(let change):
      undoable.append(order)
      redoable = []
      change(&order)
    case .undo:
      guard let before = undoable.popLast() else { return }
      redoable.append(order)
      order = before
    case .redo:
      guard let after = redoable.popLast() else { return }
      undoable.append(order)
      order = after
    }
  }

  /// The same after these changes, the oldest first.
  ///
  /// - Parameters:
  ///   - changes: with the edits that were answered by them. Nobody was told of the others, which
  ///     have to be unanswered edits, each of them once at most.
  ///   - homes: the albums of all songs.
  /// - Returns: nil where no choice of the unanswered ones makes the order that was found.
  func following(
    _ changes: ArraySlice<(change: Interface.Change, edit: KnownEdit?)>, unanswered: [SentEdit],
    to found: OrderModel, homes: [String: String]
  ) -> KnownHistory? {
    var known = self
    var rest = changes
    while let (change, edit) = rest.popFirst() {
      if let edit {
        known.apply(edit)
        continue
      }
      for (index, sent) in unanswered.enumerated()
      where sent.newest < change.sequence && sent.edit.fits(change, homes) {
        var other = known
        other.apply(sent.edit)
        var left = unanswered
        left.remove(at: index)
        if let end = other.following(
          rest, unanswered: left, to: found, homes: homes)
        {
          return end
        }
      }
      return nil
    }
    return known.order.isSame(as: found) ? known : nil
  }
}

extension OrderModel {
  /// Whether everything that is listed stands in the same order.
  func isSame(as other: OrderModel) -> Bool {
    crates == other.crates
      && crates.allSatisfy { $0.albums.allSatisfy { listed($0) == other.listed($0) } }
  }
}
