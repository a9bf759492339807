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
struct KnownHistory: Equatable {
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

  /// All that may be the case after these changes, the oldest first: where two edits that nobody
  /// was told of make one order in either sequence, undo still takes them back in one of them.
  ///
  /// - Parameters:
  ///   - changes: with the edits that were answered by them. Nobody was told of the others, which
  ///     have to be unanswered edits, each of them once at most.
  /// - Returns: nothing where no choice of the unanswered ones makes the order that was found.
  func following(
    _ changes: ArraySlice<(change: Interface.Change, edit: KnownEdit?)>, unanswered: [SentEdit],
    to found: OrderModel, of things: KnownThings
  ) -> [KnownHistory] {
    var known = self
    var rest = changes
    while let (change, edit) = rest.popFirst() {
      if let edit {
        known.apply(edit)
        continue
      }
      var ends: [KnownHistory] = []
      for (index, sent) in unanswered.enumerated()
      where sent.newest < change.sequence && sent.edit.isKind(of: change) {
        var other = known
        other.apply(sent.edit)
        guard things.allows(change, from: known.order, to: other.order) else { continue }
        var left = unanswered
        left.remove(at: index)
        let further = other.following(rest, unanswered: left, to: found, of: things)
        ends += further.filter { !ends.contains($0) }
      }
      return ends
    }
    return known.order.isSame(as: found) ? [known] : []
  }
}

extension OrderModel {
  /// Whether everything that is listed stands in the same order.
  func isSame(as other: OrderModel) -> Bool {
    crates == other.crates
      && crates.allSatisfy { $0.albums.allSatisfy { listed($0) == other.listed($0) } }
  }

  /// For the comment of a failure.
  var listing: String {
    crates.map { crate in
      "\(crate.name): \(crate.albums.map { "\($0) \(listed($0))" }.joined(separator: ", "))"
    }.joined(separator: "; ")
  }
}
