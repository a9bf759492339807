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

  /// The number of the change itself.
  package var sequence: Int
  package var kind: Kind

  private init(_ sequence: Int, _ kind: Kind) {
    (self.sequence, self.kind) = (sequence, kind)
  }

  /// One for each change that was taken back or done again, in that order, else one; none for what
  /// merges do.
  package static func steps(of transaction: Transaction) -> [UndoStep] {
    guard transaction.author == .person else { return [] }
    let marks = transaction.changes.compactMap { change -> UndoStep? in
      switch change {
      case .undid(let number): UndoStep(transaction.sequence, .undid(number))
      case .redid(let number): UndoStep(transaction.sequence, .redid(number))
      default: nil
      }
    }
    return marks.isEmpty ? [UndoStep(transaction.sequence, .act)] : marks
  }
}

extension Transaction {
  /// What was done of it to the change of that number: of several that were taken back at once each
  /// can be done again by itself. All of it where it took nothing back.
  package func part(about number: Int) -> Transaction {
    var part = self
    part.changes = []
    for change in changes {
      part.changes.append(change)
      switch change {
      case .undid(number), .redid(number): return part
      case .undid, .redid: part.changes = []
      default: continue
      }
    }
    return part
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
  package static let mostBytes = 4 << 20
  /// Bytes, about, of the changes that are taken back, or done again, as one: what comes of it is
  /// as large, and in memory as a whole. Of more, `HistoryBook` refuses all. A single one may be
  /// larger, as it was when it was made.
  package static let mostBytesAtOnce = 32 << 20
  /// Bytes, about, that a change takes with all that it names.
  private static let bytesOfChange = 512

  /// Something that the person did, as far as taking it back is concerned.
  package struct Entry: Hashable, Sendable {
    /// The transaction's number, which an undo and its redo go on naming.
    package var sequence: Int
    /// The number of the transaction whose opposite is to be done: that one, or the last undo or
    /// redo of it.
    package var sourceSequence: Int
    /// The transaction of that number; nil where it has to be read.
    package fileprivate(set) var source: Transaction?
    /// Bytes, about, of that transaction, whether it is here or not; 0 where it never was.
    package let sourceBytes: Int

    package init(sequence: Int, sourceSequence: Int, source: Transaction?) {
      self.sequence = sequence
      self.sourceSequence = sourceSequence
      self.source = source
      sourceBytes = (source?.changes.count ?? 0) * bytesOfChange
    }
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

  /// One of the two lists.
  private typealias Entries = WritableKeyPath<UndoHistory, [Entry]>

  /// - Parameters:
  ///   - kept: entries that are kept at least.
  ///   - mostBytes: of their changes.
  package init(kept: Int = Self.kept, mostBytes: Int = Self.mostBytes) {
    self.kept = kept
    self.mostBytes = mostBytes
  }

  /// Follows a durable transaction, newer than all. What merges do changes nothing here.
  package mutating func follow(_ transaction: Transaction) {
    for step in UndoStep.steps(of: transaction) { follow(step, transaction) }
    // Some more than promised, so that the list is not moved at every change.
    if undoable.count > 2 * kept {
      let count = undoable.count - kept
      for entry in undoable.prefix(count) { bytes -= Self.bytes(of: entry) }
      undoable.removeFirst(count)
      isTrimmed = true
    }
    shrink()
  }

  private mutating func follow(_ step: UndoStep, _ transaction: Transaction) {
    switch step.kind {
    case .act:
      for entry in redoable { bytes -= Self.bytes(of: entry) }
      redoable = []
      hasAct = true
      add(transaction, as: transaction.sequence, to: \.undoable)
    case .undid(let number):
      pop(number, from: \.undoable)
      add(transaction, as: number, to: \.redoable)
    case .redid(let number):
      pop(number, from: \.redoable)
      add(transaction, as: number, to: \.undoable)
    }
  }

  private mutating func add(
    _ source: Transaction, as number: Int, to entries: Entries
  ) {
    let entry = Entry(
      sequence: number, sourceSequence: source.sequence, source: source.part(about: number))
    self[keyPath: entries].append(entry)
    bytes += Self.bytes(of: entry)
  }

  /// Takes out the newest entry if it has that number. Where there is none, it was not read yet.
  private mutating func pop(_ number: Int, from entries: Entries) {
    guard self[keyPath: entries].last?.sequence == number else {
      marked.insert(number)
      return
    }
    bytes -= Self.bytes(of: self[keyPath: entries].removeLast())
  }

  /// Is led back over a transaction of the person's that is older than all before.
  package mutating func followBack(_ transaction: Transaction) {
    for step in UndoStep.steps(of: transaction).reversed() { followBack(step, transaction) }
  }

  /// The same where only its number is of interest.
  package mutating func followBack(_ step: UndoStep, _ transaction: Transaction? = nil) {
    // The newest step that names a number says what became of it.
    func marking(_ number: Int) -> Entry {
      Entry(
        sequence: number, sourceSequence: step.sequence, source: transaction?.part(about: number))
    }
    let entry: Entry
    switch step.kind {
    case .act:
      defer { hasAct = true }
      if marked.remove(step.sequence) != nil { return }
      entry = Entry(
        sequence: step.sequence, sourceSequence: step.sequence, source: transaction)
      undoable.insert(entry, at: 0)
    case .undid(let number):
      guard marked.insert(number).inserted else { return }
      if hasAct { return }
      entry = marking(number)
      redoable.insert(entry, at: 0)
    case .redid(let number):
      guard marked.insert(number).inserted else { return }
      entry = marking(number)
      // Before those that were done later, and taken back and done again earlier.
      undoable.insert(entry, at: undoable.firstIndex { $0.sequence > number } ?? undoable.count)
    }
    bytes += Self.bytes(of: entry)
    shrink()
  }

  /// Gives the next to be taken back what it lacks.
  package mutating func completeUndo(source: Transaction) { complete(\.undoable, source) }

  /// Gives the next to be done again what it lacks.
  package mutating func completeRedo(source: Transaction) { complete(\.redoable, source) }

  private mutating func complete(_ entries: Entries, _ source: Transaction) {
    guard var entry = self[keyPath: entries].popLast() else { return }
    bytes -= Self.bytes(of: entry)
    entry = Entry(
      sequence: entry.sequence, sourceSequence: entry.sourceSequence, source: source)
    bytes += Self.bytes(of: entry)
    self[keyPath: entries].append(entry)
  }

  /// Lets go of what is likely to be needed last.
  private mutating func shrink() {
    shrink(\.undoable)
    shrink(\.redoable)
  }

  private mutating func shrink(_ entries: Entries) {
    for place in self[keyPath: entries].indices {
      if bytes <= mostBytes { return }
      bytes -= Self.bytes(of: self[keyPath: entries][place])
      self[keyPath: entries][place].source = nil
    }
  }

  private static func bytes(of entry: Entry) -> Int {
    entry.source == nil ? 0 : entry.sourceBytes
  }
}
