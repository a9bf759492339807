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
      let count = source.map { $0.changes.count + $0.reversals.count } ?? 0
      sourceBytes = count * bytesOfChange
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
    guard transaction.author == .person else { return }
    if transaction.reversals.isEmpty {
      for entry in redoable { bytes -= Self.bytes(of: entry) }
      redoable = []
      hasAct = true
      add(transaction, as: transaction.sequence, to: \.undoable)
    }
    for reversal in transaction.reversals {
      let isUndo = reversal.direction == .undo
      pop(reversal.number, from: isUndo ? \.undoable : \.redoable)
      add(transaction, as: reversal.number, to: isUndo ? \.redoable : \.undoable)
    }
    // Some more than promised, so that the list is not moved at every change.
    if undoable.count > 2 * kept {
      let count = undoable.count - kept
      for entry in undoable.prefix(count) { bytes -= Self.bytes(of: entry) }
      undoable.removeFirst(count)
      isTrimmed = true
    }
    shrink()
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

  /// Prepends a transaction that is older than every one so far. What merges do changes nothing.
  package mutating func followBack(_ transaction: Transaction) {
    guard transaction.author == .person else { return }
    func entry(_ number: Int) -> Entry {
      Entry(
        sequence: number, sourceSequence: transaction.sequence,
        source: transaction.part(about: number))
    }
    if transaction.reversals.isEmpty {
      if marked.remove(transaction.sequence) == nil {
        insert(entry(transaction.sequence), at: 0, of: \.undoable)
      }
      hasAct = true
    }
    // The newest that names a number says what became of it.
    for reversal in transaction.reversals.reversed()
    where marked.insert(reversal.number).inserted {
      switch reversal.direction {
      case .undo:
        if !hasAct { insert(entry(reversal.number), at: 0, of: \.redoable) }
      case .redo:
        // Before those that were done later, and taken back and done again earlier.
        let place = undoable.firstIndex { $0.sequence > reversal.number }
        insert(entry(reversal.number), at: place ?? undoable.count, of: \.undoable)
      }
    }
    shrink()
  }

  private mutating func insert(_ entry: Entry, at place: Int, of entries: Entries) {
    self[keyPath: entries].insert(entry, at: place)
    bytes += Self.bytes(of: entry)
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
