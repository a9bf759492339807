/// What one of the person's changes is for undo.
package struct UndoStep: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Something done, which ends redo.
    case act
    /// The change of this number, taken back.
    case undid(Int)
    /// The change of this number, done again.
    case redid(Int)
  }

  /// Of the change itself.
  package var sequence: Int
  package var kind: Kind

  /// Nil for what merges do.
  package init?(_ changes: [Change], sequence: Int, by author: Author) {
    guard author == .person else { return nil }
    self.sequence = sequence
    kind = .act
    for change in changes {
      switch change {
      case .undid(let number): kind = .undid(number)
      case .redid(let number): kind = .redid(number)
      default: continue
      }
      return
    }
  }
}

/// What the person can take back, and do again: a value that follows the changes as they become
/// durable, and is led back through the older ones as far as somebody asks. Either way it comes to
/// the same, so it is after a restart what it was before.
///
/// What an undo needs of a change is large, and may be left out: then it has to be read again.
package struct UndoHistory: Sendable {
  /// Changes that can be taken back at least, across restarts.
  package static let kept = 1000
  /// Bytes, about, that the changes at hand take at most.
  package static let mostBytes = 8 << 20
  /// Bytes, about, that a change takes with all that it names.
  private static let bytesOfChange = 512

  /// A durable change as far as taking it back is concerned.
  package struct Entry: Hashable, Sendable {
    /// Of the person's own change, which an undo and its redo go on naming.
    package var sequence: Int
    /// The change whose opposite is to be done: that one, or the last undo or redo of it.
    package var source: Int
    /// How the person's own change was told; nil where it has to be read.
    package var summary: String?
    /// Those of the source; nil where they have to be read.
    package var changes: [Change]?
  }

  /// What an undo would take back, the newest last.
  package private(set) var undoable: [Entry] = []
  /// What a redo would do again, the newest undo last.
  package private(set) var redoable: [Entry] = []
  /// Older changes that could be taken back were let go: only reading them again brings them back.
  package private(set) var isTrimmed = false
  /// Whether something was done after all that is older than what was read: then no redo is.
  package private(set) var hasAct = false
  /// Changes of the person's, not read yet, of which a newer undo or redo has been.
  private var marked: Set<Int> = []
  private var bytes = 0
  private let kept: Int
  private let mostBytes: Int

  /// - Parameters:
  ///   - kept: entries that are kept at least.
  ///   - mostBytes: of their changes.
  package init(kept: Int = Self.kept, mostBytes: Int = Self.mostBytes) {
    self.kept = kept
    self.mostBytes = mostBytes
  }

  /// Follows a durable change, newer than all. What merges do changes nothing here.
  package mutating func follow(
    _ changes: [Change], sequence: Int, summary: String, by author: Author
  ) {
    guard let step = UndoStep(changes, sequence: sequence, by: author) else { return }
    switch step.kind {
    case .act:
      for entry in redoable { bytes -= Self.bytes(of: entry.changes) }
      redoable = []
      hasAct = true
      undoable.append(
        Entry(sequence: sequence, source: sequence, summary: summary, changes: changes))
    case .undid(let number):
      let former = Self.pop(number, from: &undoable)
      note(former, number)
      redoable.append(
        Entry(sequence: number, source: sequence, summary: former?.summary, changes: changes))
    case .redid(let number):
      let former = Self.pop(number, from: &redoable)
      note(former, number)
      undoable.append(
        Entry(sequence: number, source: sequence, summary: former?.summary, changes: changes))
    }
    bytes += Self.bytes(of: changes)
    // Some more than promised, so that the list is not moved at every change.
    if undoable.count > 2 * kept {
      let count = undoable.count - kept
      for entry in undoable.prefix(count) { bytes -= Self.bytes(of: entry.changes) }
      undoable.removeFirst(count)
      isTrimmed = true
    }
    shrink()
  }

  /// Only what is named goes.
  private static func pop(_ number: Int, from entries: inout [Entry]) -> Entry? {
    entries.last?.sequence == number ? entries.removeLast() : nil
  }

  /// - Parameter former: nil where the change of that number had not been read yet.
  private mutating func note(_ former: Entry?, _ number: Int) {
    if former == nil { marked.insert(number) }
    bytes -= Self.bytes(of: former?.changes)
  }

  /// Is led back over a change of the person's that is older than all before.
  package mutating func followBack(
    _ step: UndoStep, summary: String? = nil, changes: [Change]? = nil
  ) {
    // The newest step that names a change says what became of it.
    var entry = Entry(sequence: step.sequence, source: step.sequence, changes: changes)
    switch step.kind {
    case .act:
      entry.summary = summary
      defer { hasAct = true }
      if marked.remove(step.sequence) != nil { return tell(summary, of: step.sequence) }
      undoable.insert(entry, at: 0)
    case .undid(let number):
      guard marked.insert(number).inserted else { return }
      if hasAct { return }
      entry.sequence = number
      redoable.insert(entry, at: 0)
    case .redid(let number):
      guard marked.insert(number).inserted else { return }
      entry.sequence = number
      // Before those that were done later, and taken back and done again earlier.
      undoable.insert(entry, at: undoable.firstIndex { $0.sequence > number } ?? undoable.count)
    }
    bytes += Self.bytes(of: changes)
    shrink()
  }

  /// How a change was told shows when that change itself is read.
  private mutating func tell(_ summary: String?, of number: Int) {
    if let place = undoable.firstIndex(where: { $0.sequence == number }) {
      undoable[place].summary = summary
    } else if let place = redoable.firstIndex(where: { $0.sequence == number }) {
      redoable[place].summary = summary
    }
  }

  /// Gives the next to be taken back what it lacks.
  package mutating func completeUndo(summary: String, changes: [Change]) {
    guard let last = undoable.indices.last else { return }
    bytes += Self.bytes(of: changes) - Self.bytes(of: undoable[last].changes)
    (undoable[last].summary, undoable[last].changes) = (summary, changes)
  }

  /// Gives the next to be done again what it lacks.
  package mutating func completeRedo(summary: String, changes: [Change]) {
    guard let last = redoable.indices.last else { return }
    bytes += Self.bytes(of: changes) - Self.bytes(of: redoable[last].changes)
    (redoable[last].summary, redoable[last].changes) = (summary, changes)
  }

  /// Lets go of what is likely to be needed last.
  private mutating func shrink() {
    var place = 0
    while bytes > mostBytes, place < undoable.count {
      bytes -= Self.bytes(of: undoable[place].changes)
      undoable[place].changes = nil
      place += 1
    }
    place = 0
    while bytes > mostBytes, place < redoable.count {
      bytes -= Self.bytes(of: redoable[place].changes)
      redoable[place].changes = nil
      place += 1
    }
  }

  private static func bytes(of changes: [Change]?) -> Int { (changes?.count ?? 0) * bytesOfChange }
}
