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
  /// The person's transactions in each archived journal, once read, without their changes.
  private let own = Mutex<[StoreName: JournalContents]>([:])
  /// The checksums of snapshots that are not archived yet, as they were written or read.
  private let checksums = Mutex<[Int: [UInt8]]>([:])
  /// Those whose snapshots are states of a first scan that goes on, with nothing of the person's
  /// that is not in the one before: the journals are enough to go back there.
  private let passing = Mutex<Set<Int>>([])
  /// Whether anything went to the backups since they were thinned.
  private let grown = Mutex(false)
  /// Bytes of the newest snapshot.
  private let newestSize = Mutex(0)

  private let bounds: BackupBounds

  init(files: Files, keeping bounds: BackupBounds) {
    self.files = files
    self.bounds = bounds
  }

  func fault(of folder: StoreName.Folder) -> SystemCallError? {
    folderFaults.withLock { $0[folder] }
  }

  /// No two at once: who comes second must know how the first one ended.
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

  func note(_ fault: SystemCallError, of folder: StoreName.Folder) {
    folderFaults.withLock { $0[folder] = fault }
  }

  /// An empty journal whose name is on the disk. Where it is never begun, it stays empty: recovery
  /// reads past it.
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

  /// Writes the first line of a journal.
  func begin(_ file: Files.File, _ generation: Int, _ header: [UInt8]) throws(SystemCallError) {
    do throws(SystemCallError) {
      try files.append(header + [0x0A], to: file)
      try files.synchronize(file)
    } catch {
      discard(file, generation)
      throw error
    }
  }

  /// Discards a journal that nothing was answered from.
  func discard(_ file: Files.File, _ generation: Int) {
    try? files.close(file)
    try? files.remove(.journal(generation))
  }

  /// Writes the snapshot under a temporary name, which it changes for its own when it is complete.
  func writeSnapshot(_ library: Library, _ generation: Int) throws(SystemCallError) {
    let text = Snapshot.text(library)
    remember(text, generation)
    try files.writeWhole(text, to: .snapshot(generation))
    try synchronize(.store)
  }

  /// Notes that a generation's snapshot, which is still to be written, is no backup later.
  func notePassing(_ generation: Int) {
    passing.withLock { _ = $0.insert(generation) }
  }

  /// Remembers what a snapshot holds.
  func remember(_ text: [UInt8], _ generation: Int) {
    let checksum = Checksum.text(of: text[...])
    checksums.withLock { $0[generation] = checksum }
    newestSize.withLock { $0 = text.count }
  }

  /// Bytes of journal, from which on a checkpoint is due.
  func journalBound(isIdle: Bool) -> Int {
    let size = newestSize.withLock { $0 }
    return isIdle
      ? max(StoreLimits.journalForIdleCheckpoint, size / 256)
      : max(StoreLimits.journalForCheckpoint, size / 4)
  }

  // MARK: Backups

  /// Puts the generations before this one, whose snapshot is on the disk, among the backups. Where
  /// that fails, they stay, which harms nobody.
  ///
  /// - Returns: what people should know, one sentence each.
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
      if name.generation("crates") != nil, let note = look(at: backup, generation) {
        notes.append("\(name) \(note)")
      }
    }
    if moved {
      grown.withLock { $0 = true }
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

  /// Removes a snapshot that is no backup.
  ///
  /// - Returns: what is to be told of one that is not as it was written; nil where it is.
  private func look(at backup: StoreName, _ generation: Int) -> String? {
    let isPassing = passing.withLock { $0.remove(generation) != nil }
    guard let known = checksums.withLock({ $0.removeValue(forKey: generation) }) else { return nil }
    do {
      guard let text = try files.read(backup) else { return nil }
      if Checksum.text(of: text[...]) == known {
        if isPassing { try? files.remove(backup) }
        return nil
      }
      return "was changed while crated ran, and that is not taken over: it is kept as \(backup);"
        + " \"crated restore \(generation)\" takes it over"
    } catch {
      return "went to the backups unread (\(error)): whether it was changed is not known"
    }
  }

  var haveBackupsGrown: Bool { grown.withLock { $0 } }

  /// Removes backups that are old and neither needed nor damaged. What can't be read now may be
  /// either, and stays. Old journals are read for it, once each: no change should wait for that.
  func thinBackups() {
    grown.withLock { $0 = false }
    guard folderFaults.withLock({ $0.isEmpty }) else { return }
    guard let backups = try? StoreListing(files, [.backups]) else { return }
    let ages = BackupAges(snapshots: Array(backups.snapshots.keys), keeping: bounds.generations)
    let oldest = oldestAffordable(backups, ages)
    func old(_ names: [Int: StoreName]) -> [StoreName] {
      let going = names.filter { $0.key < oldest || !ages.keeps($0.key) }
      return going.sorted { $0.key < $1.key }.map(\.value)
    }
    let journals = old(backups.journals)
    // What the person did outlives the snapshots: undo reads it from the journals.
    let history = journals.isEmpty ? [] : journalsOfHistory(backups)
    // Journals last: a snapshot that a power cut leaves without its own could not be restored.
    for name in old(backups.snapshots) + journals where !history.contains(name) && isWhole(name) {
      try? files.remove(name)
    }
  }

  /// The oldest snapshot that there is room for, with the journals that continue it. Where nobody
  /// can say how large something is, there is room for all.
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

  /// The journals with the newest of the person's changes, as many as undo promises, and those that
  /// can't be read or understood.
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

  /// What undo needs to know of the journal; nil where it can't be read, or is damaged.
  private func ownTransactions(of name: StoreName) -> JournalContents? {
    if let known = own.withLock({ $0[name] }) { return known }
    guard let bytes = try? files.read(name) else { return nil }
    // Never begun: nothing was answered from it.
    if !bytes.contains(0x0A) {
      return JournalContents(generation: 0, base: 0, isAfterEdit: false, sequence: 0)
    }
    guard let contents = try? JournalReader.ownTransactions(bytes) else { return nil }
    if case .damaged = contents.end { return nil }
    own.withLock { $0[name] = contents }
    return contents
  }

  /// Whether a backup could be read and is what it was written as.
  private func isWhole(_ name: StoreName) -> Bool {
    if name.generation("journal") != nil { return ownTransactions(of: name) != nil }
    guard let text = try? files.read(name) else { return false }
    return SnapshotReader.seal(of: text) != nil || (try? SnapshotReader.read(text)) != nil
  }
}
