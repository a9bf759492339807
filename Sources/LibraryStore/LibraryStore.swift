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
  /// Writes a last checkpoint, which makes the next start short, and closes the journal.
  func close(_ library: Library)
}

/// The write-ahead store: a journal of changes, and snapshots of the whole library that shorten it.
/// One thread owns it. Changes are durable when `commit` returns.
package final class LibraryStore<Files: StoreFiles>: ChangeStore {
  package private(set) var state = StoreState.ready
  let files: Files
  /// The highest generation that any name bears; never reused.
  var newest: Int
  private var journal: (file: Files.File, text: JournalText, size: Int)?
  /// Generations that the next complete snapshot replaces.
  private var olderJournals: [Int] = []

  init(files: Files, newest: Int) {
    self.files = files
    self.newest = newest
  }

  package var needsCheckpoint: Bool {
    (journal?.size ?? 0) > StoreLimits.journalForCheckpoint
  }

  package func commit(
    _ changes: [CommittedChange], to library: Library
  ) throws(StoreRefusal) -> [CommittedChange] {
    if case .readOnly(let reason) = state {
      throw StoreRefusal(reason: reason, isUnknown: false)
    }
    guard files.isIntact else {
      throw becomeReadOnly("the store's directory was removed or replaced; restart crated", false)
    }
    guard let journal else { throw becomeReadOnly("the store has no journal", false) }
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
      throw replaceJournal(after: error.description, library)
    }
    self.journal = (journal.file, text, journal.size + bytes.count)
    state = .ready
    return numbered
  }

  package func checkpoint(_ library: Library) throws(SystemCallError) {
    if case .readOnly(let reason) = state {
      throw SystemCallError("checkpoint (\(reason))", "", code: 30)
    }
    try rotate(library)
    try writeSnapshot(library, newest)
    archiveOlder()
  }

  package func close(_ library: Library) {
    if case .readOnly = state { return }
    if let journal, journal.text.sequence > journalBase || !olderJournals.isEmpty {
      try? checkpoint(library)
    }
    if let journal { try? files.close(journal.file) }
    journal = nil
  }

  private var journalBase = 0

  func becomeReadOnly(_ reason: String, _ isUnknown: Bool) -> StoreRefusal {
    state = .readOnly(reason)
    return StoreRefusal(reason: reason, isUnknown: isUnknown)
  }
}

// MARK: Failures

extension LibraryStore {
  /// A write did not go through: the file is cut back to its last good end.
  private func takeBack(_ failure: WriteFailure, _ library: Library) -> StoreRefusal {
    let code = failure.error.code
    let heals = code == Errno.noSpace || code == Errno.quota || code == Errno.readOnly
      || code == Errno.tooLarge
    guard heals, let journal else {
      return replaceJournal(after: failure.error.description, library)
    }
    if failure.written > 0 {
      do {
        try files.truncate(journal.file, to: journal.size)
        try files.synchronize(journal.file)
      } catch {
        return replaceJournal(after: error.description, library)
      }
    }
    if code == Errno.readOnly {
      return StoreRefusal(
        reason: "the store's file system is read-only: make it writable", isUnknown: false)
    }
    let reason = "the disk of the store is full (\(failure.error.reason)): make room"
    state = .full(reason)
    return StoreRefusal(reason: reason, isUnknown: false)
  }

  /// The journal's file can't be trusted any more: what is in memory is written to new files.
  private func replaceJournal(after fault: String, _ library: Library) -> StoreRefusal {
    // Not closed cleanly on purpose: whatever close says of this file means nothing now.
    if let journal { try? files.close(journal.file) }
    journal = nil
    do {
      try rotate(library)
      try writeSnapshot(library, newest)
    } catch {
      return becomeReadOnly(
        "the store could not be written (\(fault)), nor anew (\(error)): check the disk, then restart"
          + " crated", true)
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
  static let noSpace: Int32 = 28
  static let tooLarge: Int32 = 27
  static let quota: Int32 = 122
  static let readOnly: Int32 = 30
}

// MARK: Generations

extension LibraryStore {
  /// Begins a new journal; from its first byte on the disk it is the one that counts.
  func rotate(_ library: Library) throws(SystemCallError) {
    let generation = newest + 1
    let header = JournalText.header(generation: generation, base: library.sequence)
    let name = StoreName.journal(generation)
    let file = try files.create(name)
    newest = generation
    do {
      try files.append(header + [0x0A], to: file)
    } catch {
      abandon(name, file)
      throw error.error
    }
    do {
      try files.synchronize(file)
      try files.synchronize(.store)
    } catch {
      abandon(name, file)
      throw error
    }
    if let journal { try? files.close(journal.file) }
    journal = (file, JournalText(header: header, base: library.sequence), header.count + 1)
    journalBase = library.sequence
  }

  private func abandon(_ name: StoreName, _ file: Files.File) {
    try? files.close(file)
    try? files.remove(name)
  }

  /// Writes a snapshot under a temporary name, which it changes for its own when it is complete.
  func writeSnapshot(_ library: Library, _ generation: Int) throws(SystemCallError) {
    let temporary = StoreName("crates.\(generation).txt.new")
    let file = try files.create(temporary)
    do {
      do {
        try files.append(Snapshot.text(library), to: file)
      } catch {
        throw error.error
      }
      try files.synchronize(file)
      try files.close(file)
      try files.rename(temporary, to: .snapshot(generation))
      try files.synchronize(.store)
    } catch {
      olderJournals.append(generation)
      try? files.remove(temporary)
      throw error as? SystemCallError ?? SystemCallError("write", temporary.name, code: 5)
    }
    olderJournals = []
  }

  /// Puts the generations before the newest snapshot among the backups. Where that fails, they stay,
  /// which harms nobody.
  func archiveOlder() {
    guard let names = try? files.names(in: .store) else { return }
    var moved = false
    for name in names.map({ StoreName($0) }) {
      guard let generation = name.generation("crates") ?? name.generation("journal"),
        generation < newest
      else { continue }
      moved = ((try? files.rename(name, to: StoreName(name.name, in: .backups))) != nil) || moved
    }
    if moved {
      try? files.synchronize(.backups)
      try? files.synchronize(.store)
    }
    thinBackups()
  }

  private func thinBackups() {
    guard let names = try? files.names(in: .backups) else { return }
    let generations = names.compactMap { StoreName($0).generation("crates") }.sorted()
    guard let oldest = generations.suffix(StoreLimits.backupsKept).first else { return }
    for name in names.map({ StoreName($0, in: .backups) }) {
      guard let generation = name.generation("crates") ?? name.generation("journal"),
        generation < oldest, !generation.isMultiple(of: StoreLimits.backupsKept)
      else { continue }
      try? files.remove(name)
    }
  }
}
