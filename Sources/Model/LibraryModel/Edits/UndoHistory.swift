/// The changes that the user can undo and redo. The value is updated with each durable transaction,
/// and can be extended back through older ones as far as a request needs. Both ways give the same
/// result, so it is the same after a restart.
///
/// The transaction that an undo needs is large, and may be dropped. It then has to be read again.
package struct UndoHistory: Sendable {
  /// The number of changes that can be undone at least, across restarts.
  package static let kept = 1000
  /// The most bytes, approximately, of the transactions in memory.
  package static let mostBytes = 4 << 20
  /// The most bytes, approximately, of the changes that are undone or redone at once, since the
  /// result is as large and is in memory as a whole. `StoredHistory` refuses larger requests. A
  /// single change may be larger, as it was when it was made.
  package static let mostBytesAtOnce = 32 << 20
  /// The approximate size of a change with everything that it names, in bytes.
  private static let bytesOfChange = 512

  /// An action of the user that can be undone or redone.
  package struct Entry: Hashable, Sendable {
    /// The transaction's number, which an undo and its redo still refer to.
    package var sequence: Int
    /// The number of the transaction to be reverted: the action itself, or its last undo or redo.
    package var sourceSequence: Int
    /// The transaction to be reverted. Nil if it has to be read.
    package fileprivate(set) var source: Transaction?
    /// The approximate size of that transaction in bytes, whether it is in memory or not. 0 if it
    /// never was.
    package let sourceBytes: Int

    package init(sequence: Int, sourceSequence: Int, source: Transaction?) {
      self.sequence = sequence
      self.sourceSequence = sourceSequence
      self.source = source
      let count = source.map { $0.changes.count + $0.reversals.count } ?? 0
      sourceBytes = count * bytesOfChange
    }
  }

  /// The actions that can be undone, the newest last.
  package private(set) var undoable: [Entry] = []
  /// The actions that can be redone, the most recently undone last.
  package private(set) var redoable: [Entry] = []
  /// Whether older changes that could be undone were dropped. They have to be read again.
  package private(set) var isTrimmed = false
  /// Whether an action follows everything that has not been read yet. It rules out redoing what is
  /// older.
  package private(set) var hasAct = false
  /// Numbers of the user's transactions that have not been read yet, but whose later undo or redo
  /// has.
  private var marked: Set<Int> = []
  private var bytes = 0
  private let kept: Int
  private let mostBytes: Int

  /// One of the two lists.
  private typealias Entries = WritableKeyPath<UndoHistory, [Entry]>

  /// - Parameters:
  ///   - kept: the number of entries that are kept at least.
  ///   - mostBytes: the most bytes of their transactions.
  package init(kept: Int = Self.kept, mostBytes: Int = Self.mostBytes) {
    self.kept = kept
    self.mostBytes = mostBytes
  }

  /// Appends a durable transaction that is newer than all others. Merges are ignored.
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
    // Keeps up to twice as many, so that the list is not shifted at every change.
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

  /// Removes the newest entry if it has that number. Otherwise the entry has not been read yet.
  private mutating func pop(_ number: Int, from entries: Entries) {
    guard self[keyPath: entries].last?.sequence == number else {
      marked.insert(number)
      return
    }
    bytes -= Self.bytes(of: self[keyPath: entries].removeLast())
  }

  /// Prepends a transaction that is older than all others. Merges are ignored.
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
    // The newest reversal of a number determines its state.
    for reversal in transaction.reversals.reversed()
    where marked.insert(reversal.number).inserted {
      switch reversal.direction {
      case .undo:
        if !hasAct { insert(entry(reversal.number), at: 0, of: \.redoable) }
      case .redo:
        // Inserts it before later actions that were undone and redone earlier.
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

  /// Drops the transactions that are least likely to be needed soon.
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
