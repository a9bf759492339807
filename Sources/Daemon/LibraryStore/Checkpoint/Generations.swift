import LibraryModel
import Platform
import Synchronization

/// Writes and keeps the generations of a store. It decides nothing, so that a checkpoint can run
/// beside the changes, on a thread of its own.
final class Generations<Files: StoreFiles>: Sendable {
  private let files: Files
  /// Directories whose synchronization failed. They are never synchronized again: a later success
  /// would say nothing of what was lost.
  private let folderFaults = Mutex<[StoreName.Folder: SystemCallError]>([:])
  /// The user's transactions in archived journals that were read, without their changes.
  private let ownTransactionsRead = Mutex<[StoreName: JournalContents]>([:])
  /// The checksums of snapshots that are not archived yet, as they were written or read.
  private let checksums = Mutex<[Int: [UInt8]]>([:])
  /// Generations whose snapshots are states of a running first scan, without a change of the user's
  /// since the one before. They are no backups: the journals lead there.
  private let transient = Mutex<Set<Int>>([])
  /// Whether files went to the backups since they were thinned.
  private let hasNewBackups = Mutex(false)
  /// The size of the newest snapshot in bytes.
  private let newestSize = Mutex(0)

  private let bounds: BackupBounds

  init(files: Files, keeping bounds: BackupBounds) {
    self.files = files
    self.bounds = bounds
  }

  func fault(of folder: StoreName.Folder) -> SystemCallError? {
    folderFaults.withLock { $0[folder] }
  }

  /// Synchronizes a folder, one caller at a time: the second must know how the first one ended.
  private func synchronize(_ folder: StoreName.Folder) throws(SystemCallError) {
    try folderFaults.withLock { faults throws(SystemCallError) in
      if let fault = faults[folder] { throw fault }
      do throws(SystemCallError) {
        try files.synchronize(folder)
      } catch {
        faults[folder] = error
        throw error
      }
    }
  }

  func recordFault(_ fault: SystemCallError, of folder: StoreName.Folder) {
    folderFaults.withLock { $0[folder] = fault }
  }

  /// Makes an empty journal whose name is on the disk. Recovery reads past one that stays empty.
  ///
  /// - Throws: the call that failed. The file is removed, unless that fails, too.
  func makeJournal(_ generation: Int) throws(SystemCallError) -> Files.File {
    if let fault = fault(of: .store) { throw fault }
    let file = try files.create(.journal(generation))
    do {
      try synchronize(.store)
      return file
    } catch {
      discard(file, generation)
      throw error
    }
  }

  /// Writes and synchronizes the first line of a journal.
  ///
  /// - Throws: the call that failed. The file is closed and removed, unless that fails, too.
  func begin(_ file: Files.File, _ generation: Int, _ header: [UInt8]) throws(SystemCallError) {
    do throws(SystemCallError) {
      try files.append(header + [0x0A], to: file)
      try files.synchronize(file)
    } catch {
      discard(file, generation)
      throw error
    }
  }

  /// Closes and removes a journal in which no change was answered.
  func discard(_ file: Files.File, _ generation: Int) {
    try? files.close(file)
    try? files.remove(.journal(generation))
  }

  /// Writes the snapshot of a generation, durably.
  ///
  /// - Throws: the call that failed. Where that is the synchronization of the directory, the
  ///   snapshot is there, and may be gone after a power cut.
  func writeSnapshot(_ library: Library, _ generation: Int) throws(SystemCallError) {
    let text = Snapshot.text(library)
    recordSnapshot(text, generation)
    try files.writeWhole(text, to: .snapshot(generation))
    try synchronize(.store)
  }

  /// Records that a generation's snapshot, which is still to be written, will be no backup.
  func markTransient(_ generation: Int) {
    transient.withLock { _ = $0.insert(generation) }
  }

  /// Records the checksum and the size of the newest snapshot.
  func recordSnapshot(_ text: [UInt8], _ generation: Int) {
    let checksum = Checksum.text(of: text[...])
    checksums.withLock { $0[generation] = checksum }
    newestSize.withLock { $0 = text.count }
  }

  /// The bytes of journal beyond which a checkpoint is due.
  func journalBound(isIdle: Bool) -> Int {
    let size = newestSize.withLock { $0 }
    return isIdle
      ? max(StoreLimits.journalForIdleCheckpoint, size / 256)
      : max(StoreLimits.journalForCheckpoint, size / 4)
  }

  // MARK: Backups

  /// Moves the generations before this one, whose snapshot is on the disk, to the backups. Those
  /// that can't be moved stay, which does no harm.
  ///
  /// - Returns: what the user should know, one sentence each.
  func archive(before newest: Int) -> [String] {
    guard folderFaults.withLock({ $0.isEmpty }), let names = try? files.names(in: .store) else {
      return []
    }
    var notes: [String] = []
    var moved = false
    for name in names.map({ StoreName($0) }) {
      if let generation = name.unfinishedGeneration, generation < newest {
        // Left by a crash; what it was to hold is in the newest snapshot.
        try? files.remove(name)
      }
      guard let generation = name.generation("crates") ?? name.generation("journal"),
        generation < newest
      else { continue }
      let backup = StoreName(name.name, in: .backups)
      guard (try? files.rename(name, to: backup)) != nil else { continue }
      moved = true
      if name.generation("crates") != nil, let note = inspect(backup, generation) {
        notes.append("\(name) \(note)")
      }
    }
    if moved {
      hasNewBackups.withLock { $0 = true }
      do {
        // In this order: a name must not be gone from here before it is safe there.
        try synchronize(.backups)
        try synchronize(.store)
      } catch {
        // The directory's fault is kept.
      }
    }
    return notes
  }

  /// Compares an archived snapshot with what was written, and removes one that is no backup.
  ///
  /// - Returns: what the user should know of one that was changed or can't be read.
  private func inspect(_ backup: StoreName, _ generation: Int) -> String? {
    let isTransient = transient.withLock { $0.remove(generation) != nil }
    guard let known = checksums.withLock({ $0.removeValue(forKey: generation) }) else { return nil }
    do {
      guard let text = try files.read(backup) else { return nil }
      if Checksum.text(of: text[...]) == known {
        if isTransient { try? files.remove(backup) }
        return nil
      }
      return "was changed while crated ran, and that is not taken over: it is kept as \(backup);"
        + " \"crated restore \(generation)\" takes it over"
    } catch {
      return "went to the backups unread (\(error)): whether it was changed is not known"
    }
  }

  var needsThinning: Bool { hasNewBackups.withLock { $0 } }

  /// Removes backups that are old, not needed for undo, and not damaged. What can't be read now may
  /// be either, and stays. It reads each old journal once, so no change should wait for it.
  func thinBackups() {
    hasNewBackups.withLock { $0 = false }
    guard folderFaults.withLock({ $0.isEmpty }) else { return }
    guard let backups = try? StoreListing(files, [.backups]) else { return }
    let ages = BackupAges(snapshots: Array(backups.snapshots.keys), keeping: bounds.generations)
    let oldest = oldestAffordable(backups, ages)
    func old(_ names: [Int: StoreName]) -> [StoreName] {
      let going = names.filter { $0.key < oldest || !ages.keeps($0.key) }
      return going.sorted { $0.key < $1.key }.map(\.value)
    }
    let journals = old(backups.journals)
    // The user's changes outlive the snapshots: undo reads them from the journals.
    let history = journals.isEmpty ? [] : journalsOfHistory(backups)
    // Journals last: a snapshot that a power cut leaves without its own could not be restored.
    for name in old(backups.snapshots) + journals where !history.contains(name) && isWhole(name) {
      try? files.remove(name)
      ownTransactionsRead.withLock { $0[name] = nil }
    }
  }

  /// The generation of the oldest snapshot that there is room for, with the journals that continue
  /// it; 0 if a size is not known, so that all stay.
  private func oldestAffordable(_ backups: StoreListing, _ ages: BackupAges) -> Int {
    var sizes: [Int: Int] = [:]
    let snapshots = backups.snapshots.keys.filter(ages.keeps).sorted()
    for (generation, name) in Array(backups.snapshots) + Array(backups.journals) {
      guard let snapshot = snapshots.last(where: { $0 <= generation }) else { continue }
      guard let size = try? files.size(of: name) else { return 0 }
      sizes[snapshot, default: 0] += size
    }
    var left = 4 * newestSize.withLock { $0 } + bounds.bytes
    var oldest = snapshots.last ?? 0
    for (place, snapshot) in snapshots.reversed().enumerated() {
      if place >= 2 { left -= sizes[snapshot] ?? 0 }
      if left < 0 { return oldest }
      oldest = snapshot
    }
    return 0
  }

  /// Returns the journals with the newest of the user's changes, as many as undo promises, and
  /// those that can't be read or understood.
  private func journalsOfHistory(_ backups: StoreListing) -> Set<StoreName> {
    var kept: Set<StoreName> = []
    var history = UndoHistory(kept: bounds.undoable)
    for (_, name) in backups.journals.sorted(by: { $0.key > $1.key }) {
      guard let own = ownTransactions(of: name) else {
        kept.insert(name)
        continue
      }
      for transaction in own.transactions.reversed() { history.followBack(transaction) }
      if !own.transactions.isEmpty || own.isAfterEdit { kept.insert(name) }
      // Undo goes back no further.
      if own.isAfterEdit || history.undoable.count >= bounds.undoable { break }
    }
    return kept
  }

  /// Returns what undo needs of a journal; nil if it can't be read, or is damaged.
  private func ownTransactions(of name: StoreName) -> JournalContents? {
    if let known = ownTransactionsRead.withLock({ $0[name] }) { return known }
    guard let bytes = try? files.read(name) else { return nil }
    // It has no whole header: no change was answered from it.
    if !bytes.contains(0x0A) {
      return JournalContents(generation: 0, base: 0, isAfterEdit: false, sequence: 0)
    }
    guard let contents = try? JournalReader.ownTransactions(bytes) else { return nil }
    if case .damaged = contents.end { return nil }
    ownTransactionsRead.withLock { $0[name] = contents }
    return contents
  }

  /// Returns whether a backup can be read and is whole.
  private func isWhole(_ name: StoreName) -> Bool {
    if name.generation("journal") != nil { return ownTransactions(of: name) != nil }
    guard let text = try? files.read(name) else { return false }
    return SnapshotReader.seal(of: text) != nil || (try? SnapshotReader.read(text)) != nil
  }
}
