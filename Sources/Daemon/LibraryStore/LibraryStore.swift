package import LibraryModel
package import Platform

/// A store that makes changes durable.
package protocol ChangeStore: AnyObject {
  var state: StoreState { get }
  /// Returns what the user should know and was not returned before, one sentence each.
  func takeNotes() -> [String]
  /// Writes a new generation of what was recovered, if `Recovery.open` left that for later. Called
  /// once, soon after the start, because changes wait for it. A failure is one of the notes, and
  /// of the state.
  func writeRecovered(_ library: Library)
  /// Makes the transactions durable, all of them in one batch, with one synchronization.
  ///
  /// - Parameters:
  ///   - library: the library before them, which is written as a new generation when the journal's
  ///     file can't be trusted any more.
  ///   - meanwhile: called with what will be returned, while the disk writes. The transactions may
  ///     still be refused after that; when they were refused before, it is not called.
  /// - Returns: the transactions with their sequence numbers.
  /// - Throws: why they were refused. None of them is on the disk then, nor will be after a
  ///   restart, unless `isUnknown` is set: the next start may find some of them or all. `state`
  ///   says whether later ones can go through.
  func commit(
    _ transactions: [Transaction], to library: Library, meanwhile: ([Transaction]) -> Void
  ) throws(StoreRefusal) -> [Transaction]
  /// Returns the next step of a checkpoint, to be called on another thread. When that has returned,
  /// this function is called again, with the library as it is then. Nil: no checkpoint is due, or
  /// a step is running.
  ///
  /// - Parameter isIdle: whether nothing has happened for a while, so that a shorter journal is
  ///   due.
  /// - Throws: the call that failed in the step before, or here. The checkpoint is given up: the
  ///   journal stays in use, and the next one is due when it has grown by its bound. An empty
  ///   journal, or a generation's journal without its snapshot, may be left on the disk.
  func checkpointWork(
    _ library: Library, isIdle: Bool
  ) throws(SystemCallError) -> (@Sendable () -> Void)?
  /// Writes the library as a generation, which becomes a backup.
  ///
  /// - Throws: the call that failed. The journal stays in use then.
  func keep(_ library: Library) throws(SystemCallError)
  /// Whether changes are refused for a reason that may pass without a restart. `heal` is called now
  /// and then in that state.
  var mayHeal: Bool { get }
  /// Probes whether changes would go through again, and updates the state.
  func heal(_ library: Library)
  /// Returns the newest durable transactions with a smaller sequence number, oldest first, of one
  /// author or of all. A missing or damaged journal ends the list.
  ///
  /// - Throws: when a file of the store can't be read now. Nothing is written.
  func pastTransactions(
    before: Int, most: Int, of author: Author?
  ) throws(UnreadablePast) -> [Transaction]
  /// Returns the user's transactions in the next older journal that has some, oldest first, and
  /// moves the place behind it. Returns none at the end.
  ///
  /// - Throws: when a file of the store can't be read now. The place stays before it.
  func ownTransactions(_ place: inout PastPlace) throws(UnreadablePast) -> [Transaction]
  /// Calls the body with each durable transaction of these numbers that is still in the journals,
  /// one journal after the other.
  ///
  /// - Throws: when a file of the store can't be read now, maybe after some calls.
  func forEachPast(_ numbers: Set<Int>, _ body: (Transaction) -> Void) throws(UnreadablePast)
  /// Returns the library as it was when that was the number of its last change, without the tags of
  /// files; nil if the snapshots and journals that are left don't lead there.
  ///
  /// - Throws: when a file of the store can't be read now.
  func library(at sequence: Int) throws(UnreadablePast) -> Library?
  /// Writes a last checkpoint, which makes the next start short, and closes the journal. Called
  /// when no step of another checkpoint is running.
  ///
  /// - Returns: why there is no last checkpoint, or why a file could not be closed. Nothing is
  ///   lost.
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

  /// The files that have to be written before the first change.
  enum PendingWrite {
    /// A journal: the recovered one belongs to an earlier process, and all of it is on the disk.
    /// The snapshot may follow the change.
    case journal
    /// A journal and a snapshot: what was recovered may be in the page cache alone, so no change
    /// may build on it.
    case generation
  }

  package internal(set) var state = StoreState.ready
  let files: Files
  let generations: Generations<Files>
  /// The highest generation that any name bears; never reused.
  var newest: Int
  var journal: OpenJournal?
  var pendingWrite: PendingWrite?
  /// Whether the journal has no change of the user's.
  private var hasOnlyFolderChanges = false
  /// Whether an edited or restored snapshot was read, which the next journal's header says.
  var isAfterEdit = false
  /// The bytes of journal beyond which a checkpoint is due; nil: what `Generations` says.
  var journalBound: Int?
  var running: RunningCheckpoint<Files>?
  /// The library that the journal continues, while its generation has no snapshot.
  var pendingSnapshot: Library?
  var notes: [String] = []
  /// Whether nothing is written any more before a restart.
  private(set) var isStopped = false

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
    if isStopped, case .readOnly(let reason) = state {
      throw StoreRefusal(reason: reason, isUnknown: false)
    }
    guard pendingWrite == nil || files.isIntact else {
      throw becomeReadOnly(LibraryStore.isGone, false)
    }
    do {
      try writePending(library)
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
      throw files.isIntact ? cutBack(error, library, least) : withdraw(journal)
    }
    files.startWriting(journal.file)
    guard files.isIntact else { throw withdraw(journal) }
    meanwhile(numbered)
    do {
      try files.synchronize(journal.file)
    } catch {
      throw replaceJournal(after: error, library, isUnknown: true)
    }
    self.journal?.text = text
    self.journal?.size += bytes.count
    if transactions.contains(where: { $0.author == .person }) { hasOnlyFolderChanges = false }
    state = .ready
    return numbered
  }

  package func writeRecovered(_ library: Library) {
    guard pendingWrite == .generation, state == .ready else { return }
    do {
      try checkIntact()
      try writePending(library)
    } catch {
      notes.append("nothing can be changed: \(postpone(after: error))")
    }
  }

  /// - Throws: the call that failed. What was pending still is; a generation's number is used up.
  private func writePending(_ library: Library) throws(SystemCallError) {
    switch pendingWrite {
    case .journal?:
      try rotate(library)
      pendingSnapshot = library
    case .generation?: try writeGeneration(library)
    case nil: return
    }
    pendingWrite = nil
  }

  /// Begins a new generation if the journal's size is not that of the answered changes: a failed
  /// call had an effect that could not be undone, or another program wrote to the file.
  private func replaceChangedJournal(_ library: Library) throws(SystemCallError) {
    guard let journal else { return }
    let size = try files.size(of: journal.file)
    if size == journal.size { return }
    notes.append("the journal had \(size) bytes in place of \(journal.size), and was replaced")
    try writeGeneration(library)
  }

  /// Begins a new journal. Changes go there as soon as it is on the disk.
  func rotate(_ library: Library) throws(SystemCallError) {
    // First of all: a name that could not be made, or not be removed again, is used up.
    newest += 1
    try startJournal(try generations.makeJournal(newest), newest, library)
  }

  func startJournal(
    _ file: Files.File, _ generation: Int, _ library: Library
  ) throws(SystemCallError) {
    let header = JournalText.header(
      generation: generation, base: library.sequence, isAfterEdit: isAfterEdit)
    try generations.begin(file, generation, header)
    isAfterEdit = false
    if hasOnlyFolderChanges, library.isBeingScanned { generations.markTransient(generation) }
    hasOnlyFolderChanges = true
    // All that was answered from it is synchronized.
    if let journal { try? files.close(journal.file) }
    journal = OpenJournal(
      file: file, text: JournalText(header: header, base: library.sequence),
      size: header.count + 1, base: library.sequence)
  }

  /// Writes the library as a new generation, while changes wait.
  func writeGeneration(_ library: Library) throws(SystemCallError) {
    pendingSnapshot = nil
    try rotate(library)
    try generations.writeSnapshot(library, newest)
    notes += generations.archive(before: newest)
  }

  package func keep(_ library: Library) throws(SystemCallError) {
    guard !isStopped, pendingWrite == nil, let journal, journal.text.sequence > journal.base
    else { return }
    notes += running?.end() ?? []
    running = nil
    try checkIntact()
    try writeGeneration(library)
  }

  @discardableResult
  package func close(_ library: Library) -> SystemCallError? {
    notes += running?.end() ?? []
    running = nil
    guard !isStopped, let journal else { return nil }
    var fault: SystemCallError?
    if journal.text.sequence > journal.base || pendingWrite != nil {
      do {
        try checkIntact()
        try writeGeneration(library)
      } catch {
        fault = error
      }
    }
    if let file = self.journal?.file {
      do {
        // All answered changes are synchronized, so an error here concerns nothing that counts.
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

  /// Makes the store read-only until a restart.
  func stop(because reason: String) {
    isStopped = true
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
  package var mayHeal: Bool { state != .ready && !isStopped }

  package func heal(_ library: Library) {
    guard mayHeal, files.isIntact else { return }
    do {
      try files.probe()
      // A pending generation is written now: until then no change is answered in any case.
      if pendingWrite == .generation { try writePending(library) }
      state = .ready
    } catch {
      postpone(after: error)
    }
  }

  /// Sets the state after what has to be written first could not be: full or read-only for now, or
  /// stopped if only a restart can help.
  ///
  /// - Returns: the reason.
  @discardableResult
  func postpone(after error: SystemCallError) -> String {
    if isStopped, case .readOnly(let reason) = state { return reason }
    if let reason = recoverableReason(error), generations.fault(of: .store) == nil { return reason }
    let reason = "the store can't be written (\(error)): check the disk, then restart crated"
    stop(because: reason)
    return reason
  }

  /// Sets the state to full or read-only if the error is one that may pass, and returns the reason
  /// with what the user can do; nil for any other error.
  private func recoverableReason(_ error: SystemCallError) -> String? {
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

  /// Truncates the journal to its last good end after a write that failed, or replaces it. Only the
  /// file's size says how much of the batch was written.
  ///
  /// - Parameter least: how many bytes of the batch a start needs to find some of it.
  private func cutBack(
    _ failure: SystemCallError, _ library: Library, _ least: Int
  ) -> StoreRefusal {
    guard let journal, let reason = recoverableReason(failure) else {
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

  /// Truncates the journal after the store's directory was removed or replaced: the directory may
  /// be moved back.
  private func withdraw(_ journal: OpenJournal) -> StoreRefusal {
    do {
      try files.truncate(journal.file, to: journal.size)
      try files.synchronize(journal.file)
    } catch {
      return becomeReadOnly(LibraryStore.isGone, true)
    }
    return becomeReadOnly(LibraryStore.isGone, false)
  }

  /// Whether the journal's file has so many bytes more than the answered changes; true if its size
  /// can't be read.
  private func hasGrown(by least: Int) -> Bool {
    guard let journal, let size = try? files.size(of: journal.file) else { return true }
    return size >= journal.size + least
  }

  /// Writes the library to a new generation, because the journal's file can't be trusted any more.
  ///
  /// - Parameter isUnknown: whether the next start may find some of the batch if that fails, too.
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

/// Error numbers of Linux. This target needs Glibc for nothing else.
private enum Errno {
  static let noEntry: Int32 = 2
  static let noSpace: Int32 = 28
  static let tooLarge: Int32 = 27
  static let quota: Int32 = 122
  static let readOnly: Int32 = 30
}
