package import LibraryModel
package import Platform

/// Where changes become durable.
package protocol ChangeStore: AnyObject {
  var state: StoreState { get }
  /// Whether the journal has grown past its bound.
  var needsCheckpoint: Bool { get }
  /// Makes the changes durable, all of them in one batch, with one synchronization.
  ///
  /// - Parameter library: the library before them; what is written anew where a file can't be
  ///   trusted.
  /// - Returns: the changes with their sequence numbers.
  func commit(
    _ changes: [CommittedChange], to library: Library
  ) throws(StoreRefusal) -> [CommittedChange]
  /// Writes the library as a new generation. Changes go to the new journal from the start.
  func checkpoint(_ library: Library) throws(SystemCallError)
  /// The newest durable changes with a smaller sequence number, oldest first; of one author, or
  /// all. What can't be read ends the list: it is for undo and for looking back, not for the order.
  func pastChanges(before: Int, most: Int, of author: Author?) -> [CommittedChange]
  /// The library as it was when that was the number of its last change, from a snapshot and the
  /// journals after it; nil where they don't reach back so far. It knows no files' tags.
  func library(at sequence: Int) -> Library?
  /// Writes a last checkpoint, which makes the next start short, and closes the journal.
  ///
  /// - Returns: why there is no last checkpoint; nothing is lost without it.
  @discardableResult func close(_ library: Library) -> SystemCallError?
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

  package internal(set) var state = StoreState.ready
  let files: Files
  /// How many of the person's changes each archived journal holds, once counted.
  var personalCounts: [StoreName: Int] = [:]
  /// The highest generation that any name bears; never reused.
  var newest: Int
  var journal: OpenJournal?
  /// What was recovered may be in the page cache alone: no change may build on it before it is
  /// written anew.
  var needsSnapshot = false
  /// A person's text was taken over: the next journal says so.
  var isAfterEdit = false
  /// Directories whose synchronization failed. They are never synchronized again: a later success
  /// would say nothing of what was lost.
  var folderFaults: [StoreName.Folder: SystemCallError] = [:]
  /// Nothing is written any more before a restart.
  private var isStuck = false
  /// Bytes of journal, from which on a checkpoint is due.
  private var journalBound = StoreLimits.journalForCheckpoint

  init(files: Files, newest: Int) {
    self.files = files
    self.newest = newest
  }

  package var needsCheckpoint: Bool {
    !isStuck && folderFaults[.store] == nil && (journal?.size ?? 0) > journalBound
  }

  package func commit(
    _ changes: [CommittedChange], to library: Library
  ) throws(StoreRefusal) -> [CommittedChange] {
    precondition(
      !changes.isEmpty && changes.allSatisfy { !$0.changes.isEmpty }, "a batch changes something")
    if isStuck, case .readOnly(let reason) = state {
      throw StoreRefusal(reason: reason, isUnknown: false)
    }
    guard files.isIntact else { throw becomeReadOnly(LibraryStore.isGone, false) }
    if needsSnapshot {
      do {
        try checkpoint(library)
      } catch {
        throw StoreRefusal(reason: postpone(after: error), isUnknown: false)
      }
    }
    guard let journal else { throw becomeReadOnly("the store is closed", false) }
    var text = journal.text
    var numbered = changes
    let bytes = text.lines(of: &numbered)
    guard text.longest <= JournalText.longestLine else {
      throw StoreRefusal(reason: "a line of the journal would be too long", isUnknown: false)
    }
    do {
      try files.append(bytes, to: journal.file)
    } catch {
      throw takeBack(error, library)
    }
    do {
      try files.synchronize(journal.file)
    } catch {
      throw replaceJournal(after: error, library, isUnknown: true)
    }
    self.journal?.text = text
    self.journal?.size += bytes.count
    state = .ready
    return numbered
  }

  package func checkpoint(_ library: Library) throws(SystemCallError) {
    if isStuck {
      throw SystemCallError("checkpoint", "the store is read-only", code: Errno.readOnly)
    }
    guard files.isIntact else {
      _ = becomeReadOnly(LibraryStore.isGone, false)
      throw SystemCallError("checkpoint", LibraryStore.isGone, code: Errno.noEntry)
    }
    do {
      try rotate(library)
      try writeSnapshot(library)
    } catch {
      // Not at once again: the journal does as well, and each try leaves a file behind.
      journalBound = (journal?.size ?? 0) + StoreLimits.journalForCheckpoint
      throw error
    }
    journalBound = StoreLimits.journalForCheckpoint
    needsSnapshot = false
    archiveOlder()
  }

  @discardableResult
  package func close(_ library: Library) -> SystemCallError? {
    if isStuck { return nil }
    var fault: SystemCallError?
    if let journal, journal.text.sequence > journal.base || needsSnapshot {
      do {
        try checkpoint(library)
      } catch {
        fault = error
      }
    }
    if let journal {
      do {
        // All that was answered is synchronized, so this can only tell of what does not count.
        try files.close(journal.file)
      } catch {
        fault = fault ?? error
      }
    }
    journal = nil
    return fault
  }

  func becomeReadOnly(_ reason: String, _ isUnknown: Bool) -> StoreRefusal {
    isStuck = true
    state = .readOnly(reason)
    return StoreRefusal(reason: reason, isUnknown: isUnknown)
  }

  private static var isGone: String {
    "the store's directory was removed or replaced; restart crated"
  }
}

// MARK: Failures

extension LibraryStore {
  /// The snapshot that has to come first could not be written: later, where that may help.
  ///
  /// - Returns: why.
  @discardableResult
  func postpone(after error: SystemCallError) -> String {
    needsSnapshot = true
    if isStuck, case .readOnly(let reason) = state { return reason }
    guard let reason = healing(error), folderFaults[.store] == nil else {
      return becomeReadOnly(
        "the store can't be written (\(error)): check the disk, then restart crated", false
      ).reason
    }
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

  /// A write did not go through: the file is cut back to its last good end. The batch can't be
  /// whole on the disk, so whatever comes of the rest, it did not happen.
  private func takeBack(_ failure: WriteFailure, _ library: Library) -> StoreRefusal {
    guard let journal, let reason = healing(failure.error) else {
      return replaceJournal(after: failure.error, library, isUnknown: false)
    }
    if failure.written > 0 {
      do {
        try files.truncate(journal.file, to: journal.size)
        try files.synchronize(journal.file)
      } catch {
        return replaceJournal(after: error, library, isUnknown: false)
      }
    }
    return StoreRefusal(reason: reason, isUnknown: false)
  }

  /// The journal's file can't be trusted any more: what is in memory is written to new files.
  private func replaceJournal(
    after fault: SystemCallError, _ library: Library, isUnknown: Bool
  ) -> StoreRefusal {
    // Whatever close says of this file means nothing now.
    if let journal { try? files.close(journal.file) }
    journal = nil
    do {
      try rotate(library)
      try writeSnapshot(library)
    } catch {
      return becomeReadOnly(
        "the store could not be written (\(fault)), nor anew (\(error)): check the disk, then"
          + " restart crated", isUnknown)
    }
    archiveOlder()
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
