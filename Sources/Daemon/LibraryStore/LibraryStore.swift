package import LibraryModel
package import Platform

/// Where changes become durable.
package protocol ChangeStore: AnyObject {
  var state: StoreState { get }
  /// What people should know, one sentence each, since this was asked last.
  func takeNotes() -> [String]
  /// Writes anew what was recovered, where that was put off: to be called once, before long, for
  /// changes wait for it.
  func writeRecovered(_ library: Library)
  /// Makes the transactions durable, all of them in one batch, with one synchronization.
  ///
  /// - Parameters:
  ///   - library: the library before them; what is written anew where a file can't be trusted.
  ///   - meanwhile: is called with what will be returned, while the disk writes; not where they
  ///     are refused by then, and they may still be.
  /// - Returns: the transactions with their sequence numbers.
  func commit(
    _ transactions: [Transaction], to library: Library, meanwhile: ([Transaction]) -> Void
  ) throws(StoreRefusal) -> [Transaction]
  /// What a checkpoint needs next, to be called on another thread; when it has returned, this is to
  /// be asked again, with the library as it is then. Nil: nothing is due, or it is on its way.
  ///
  /// - Parameter isIdle: nothing has happened for a while, so less of a journal is enough.
  func checkpointWork(
    _ library: Library, isIdle: Bool
  ) throws(SystemCallError) -> (@Sendable () -> Void)?
  /// Whether changes that were refused may go through by themselves some time: then `heal` is to be
  /// called now and then.
  var mayHeal: Bool { get }
  /// Looks whether changes would go through again.
  func heal(_ library: Library)
  /// The newest durable transactions with a smaller sequence number, oldest first; of one author,
  /// or all. What is missing or damaged ends the list: it is for looking back, not for the order.
  func pastTransactions(
    before: Int, most: Int, of author: Author?
  ) throws(UnreadablePast) -> [Transaction]
  /// The person's transactions in the next older journal that has some, oldest first, and the place
  /// behind it; none at the end. Where something can't be read the place stays before it.
  func ownTransactions(_ place: inout PastPlace) throws(UnreadablePast) -> [Transaction]
  /// Calls with each durable transaction of these numbers that is still in the journals, one
  /// journal after the other.
  func forEachPast(_ numbers: Set<Int>, _ body: (Transaction) -> Void) throws(UnreadablePast)
  /// The library as it was when that was the number of its last change, from a snapshot and the
  /// journals after it; nil where they don't reach back so far. It knows no files' tags.
  func library(at sequence: Int) throws(UnreadablePast) -> Library?
  /// Writes a last checkpoint, which makes the next start short, and closes the journal. The work
  /// of another checkpoint must have returned.
  ///
  /// - Returns: why there is no last checkpoint; nothing is lost without it.
  @discardableResult func close(_ library: Library) -> SystemCallError?
}

extension ChangeStore {
  package func commit(
    _ transactions: [Transaction], to library: Library
  ) throws(StoreRefusal) -> [Transaction] {
    try commit(transactions, to: library, meanwhile: { _ in })
  }
}

/// The write-ahead store: a journal of changes, and snapshots of the whole library that shorten it.
/// One thread owns it. Changes are durable when `commit` returns.
package final class LibraryStore<Files: StoreFiles>: ChangeStore {
  struct OpenJournal {
    var file: Files.File
    var text: JournalText
    /// Bytes that are on the disk.
    var size: Int
    /// The sequence number that it began with.
    var base: Int
  }

  /// What has to be written before a change may be.
  enum Beginning {
    /// What was recovered is safe, but its journal is another process's. The snapshot may follow.
    case journal
    /// What was recovered may be in the page cache alone: no change may build on it before it is
    /// written anew.
    case generation
  }

  package internal(set) var state = StoreState.ready
  let files: Files
  let generations: Generations<Files>
  /// The highest generation that any name bears; never reused.
  var newest: Int
  var journal: OpenJournal?
  var beginning: Beginning?
  /// Whether all that is in the journal was found in the music folders.
  private var isOnlyFound = false
  /// A person's text was taken over: the next journal says so.
  var isAfterEdit = false
  /// Bytes of journal, from which on a checkpoint is due; nil: as it becomes the newest snapshot.
  var journalBound: Int?
  var running: RunningCheckpoint<Files>?
  /// What the journal begins with, where that is in no snapshot of its generation yet.
  var unwritten: Library?
  var notes: [String] = []
  /// Nothing is written any more before a restart.
  private(set) var isStuck = false

  init(files: Files, newest: Int, keeping bounds: BackupBounds = BackupBounds()) {
    self.files = files
    self.newest = newest
    generations = Generations(files: files, keeping: bounds)
  }

  package func takeNotes() -> [String] {
    defer { notes = [] }
    return notes
  }

  package func commit(
    _ transactions: [Transaction], to library: Library, meanwhile: ([Transaction]) -> Void
  ) throws(StoreRefusal) -> [Transaction] {
    precondition(
      !transactions.isEmpty && transactions.allSatisfy { !$0.isEmpty },
      "a batch changes something")
    if isStuck, case .readOnly(let reason) = state {
      throw StoreRefusal(reason: reason, isUnknown: false)
    }
    guard beginning == nil || files.isIntact else {
      throw becomeReadOnly(LibraryStore.isGone, false)
    }
    do {
      try begin(library)
      try replaceChangedJournal(library)
    } catch {
      throw StoreRefusal(reason: postpone(after: error), isUnknown: false)
    }
    guard let journal else { throw becomeReadOnly("the store is closed", false) }
    var text = journal.text
    var numbered = transactions
    let bytes = text.records(of: &numbered)
    guard text.longest <= JournalText.longestLine else {
      throw StoreRefusal(
        reason: "a line of the journal would have \(text.longest) bytes, and"
          + " \(JournalText.longestLine) are the most", isUnknown: false, kind: .neverPasses)
    }
    do {
      try files.append(bytes, to: journal.file)
    } catch {
      // Of several records the first ones may be whole.
      let least = transactions.count == 1 ? bytes.count : 1
      throw files.isIntact ? takeBack(error, library, least) : leave(journal)
    }
    files.startWriting(journal.file)
    guard files.isIntact else { throw leave(journal) }
    meanwhile(numbered)
    do {
      try files.synchronize(journal.file)
    } catch {
      throw replaceJournal(after: error, library, isUnknown: true)
    }
    self.journal?.text = text
    self.journal?.size += bytes.count
    if transactions.contains(where: { $0.author == .person }) { isOnlyFound = false }
    state = .ready
    return numbered
  }

  package func writeRecovered(_ library: Library) {
    guard beginning == .generation, state == .ready else { return }
    do {
      try checkIntact()
      try begin(library)
    } catch {
      notes.append("nothing can be changed: \(postpone(after: error))")
    }
  }

  /// Writes what has to be there before a change.
  private func begin(_ library: Library) throws(SystemCallError) {
    switch beginning {
    case .journal?:
      try rotate(library)
      unwritten = library
    case .generation?: try writeGeneration(library)
    case nil: return
    }
    beginning = nil
  }

  /// Begins a new generation where the journal has another size than what was answered from it: a
  /// failed call had an effect that could not be taken back, or another program wrote there.
  private func replaceChangedJournal(_ library: Library) throws(SystemCallError) {
    guard let journal else { return }
    let size = try files.size(of: journal.file)
    if size == journal.size { return }
    notes.append("the journal had \(size) bytes in place of \(journal.size), and was replaced")
    try writeGeneration(library)
  }

  /// Begins a new journal; changes go there as soon as it is on the disk.
  func rotate(_ library: Library) throws(SystemCallError) {
    // First of all: a name that could not be made, or not be removed again, is used up.
    newest += 1
    try begin(try generations.makeJournal(newest), newest, library)
  }

  func begin(
    _ file: Files.File, _ generation: Int, _ library: Library
  ) throws(SystemCallError) {
    let header = JournalText.header(
      generation: generation, base: library.sequence, isAfterEdit: isAfterEdit)
    try generations.begin(file, generation, header)
    isAfterEdit = false
    if isOnlyFound, library.isBeingScanned { generations.notePassing(generation) }
    isOnlyFound = true
    // All that was answered from it is synchronized.
    if let journal { try? files.close(journal.file) }
    journal = OpenJournal(
      file: file, text: JournalText(header: header, base: library.sequence),
      size: header.count + 1, base: library.sequence)
  }

  /// Writes the library as a new generation, while changes wait.
  func writeGeneration(_ library: Library) throws(SystemCallError) {
    unwritten = nil
    try rotate(library)
    try generations.writeSnapshot(library, newest)
    notes += generations.archive(before: newest)
  }

  @discardableResult
  package func close(_ library: Library) -> SystemCallError? {
    notes += running?.end() ?? []
    running = nil
    guard !isStuck, let journal else { return nil }
    var fault: SystemCallError?
    if journal.text.sequence > journal.base || beginning != nil {
      do {
        try checkIntact()
        try writeGeneration(library)
      } catch {
        fault = error
      }
    }
    if let file = self.journal?.file {
      do {
        // All that was answered is synchronized, so this can only tell of what does not count.
        try files.close(file)
      } catch {
        fault = fault ?? error
      }
    }
    self.journal = nil
    return fault
  }

  func checkIntact() throws(SystemCallError) {
    if files.isIntact { return }
    stop(because: LibraryStore.isGone)
    throw SystemCallError("checkpoint", LibraryStore.isGone, code: Errno.noEntry)
  }

  /// Writes nothing any more.
  func stop(because reason: String) {
    isStuck = true
    state = .readOnly(reason)
  }

  private func becomeReadOnly(_ reason: String, _ isUnknown: Bool) -> StoreRefusal {
    stop(because: reason)
    return StoreRefusal(reason: reason, isUnknown: isUnknown)
  }

  private static var isGone: String {
    "the store's directory was removed or replaced; restart crated"
  }
}

// MARK: Failures

extension LibraryStore {
  package var mayHeal: Bool { state != .ready && !isStuck }

  package func heal(_ library: Library) {
    guard mayHeal, files.isIntact else { return }
    do {
      try files.probe()
      // Waiting changes nothing where a whole generation has to be written: nothing is answered.
      if beginning == .generation { try begin(library) }
      state = .ready
    } catch {
      postpone(after: error)
    }
  }

  /// What has to come first could not be written: later, where that may help.
  ///
  /// - Returns: why.
  @discardableResult
  func postpone(after error: SystemCallError) -> String {
    if isStuck, case .readOnly(let reason) = state { return reason }
    if let reason = healing(error), generations.fault(of: .store) == nil { return reason }
    let reason = "the store can't be written (\(error)): check the disk, then restart crated"
    stop(because: reason)
    return reason
  }

  /// What the person can do, where that lets changes through again without a restart; nil where
  /// nothing does. The state says so.
  private func healing(_ error: SystemCallError) -> String? {
    switch error.code {
    case Errno.noSpace, Errno.quota, Errno.tooLarge:
      let reason = "the disk of the store is full (\(error.reason)): make room"
      state = .full(reason)
      return reason
    case Errno.readOnly:
      let reason = "the store's file system is read-only: make it writable"
      state = .readOnly(reason)
      return reason
    default: return nil
    }
  }

  /// Cuts the file back to its last good end after a write that failed: the batch did not happen.
  /// Only the file says how much of it is there.
  ///
  /// - Parameter least: bytes from which on a start may find some of the batch.
  private func takeBack(
    _ failure: SystemCallError, _ library: Library, _ least: Int
  ) -> StoreRefusal {
    guard let journal, let reason = healing(failure) else {
      return replaceJournal(after: failure, library, isUnknown: hasGrown(by: least))
    }
    do {
      if try files.size(of: journal.file) != journal.size {
        try files.truncate(journal.file, to: journal.size)
        try files.synchronize(journal.file)
      }
    } catch {
      return replaceJournal(after: error, library, isUnknown: hasGrown(by: least))
    }
    return StoreRefusal(reason: reason, isUnknown: false)
  }

  /// What was written went to a directory that is no longer the store's; it may become that again.
  private func leave(_ journal: OpenJournal) -> StoreRefusal {
    do {
      try files.truncate(journal.file, to: journal.size)
      try files.synchronize(journal.file)
    } catch {
      return becomeReadOnly(LibraryStore.isGone, true)
    }
    return becomeReadOnly(LibraryStore.isGone, false)
  }

  /// Whether the journal's file has so many bytes more than were answered from it, as far as is
  /// known.
  private func hasGrown(by least: Int) -> Bool {
    guard let journal, let size = try? files.size(of: journal.file) else { return true }
    return size >= journal.size + least
  }

  /// The journal's file can't be trusted any more: what is in memory is written to new files.
  ///
  /// - Parameter isUnknown: where that fails, too, the next start may find some of the batch.
  private func replaceJournal(
    after fault: SystemCallError, _ library: Library, isUnknown: Bool
  ) -> StoreRefusal {
    // Whatever close says of this file means nothing now.
    if let journal { try? files.close(journal.file) }
    journal = nil
    do {
      try writeGeneration(library)
    } catch {
      return becomeReadOnly(
        "the store could not be written (\(fault)), nor anew (\(error)): check the disk, then"
          + " restart crated", isUnknown)
    }
    state = .ready
    return StoreRefusal(
      reason: "the journal could not be written (\(fault)) and was replaced: try again",
      isUnknown: false)
  }
}

/// Error numbers of Linux, which this target has no other use of Glibc for.
private enum Errno {
  static let noEntry: Int32 = 2
  static let noSpace: Int32 = 28
  static let tooLarge: Int32 = 27
  static let quota: Int32 = 122
  static let readOnly: Int32 = 30
}
