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
  /// How many of the person's changes each archived journal holds, once counted.
  private let personalCounts = Mutex<[StoreName: Int]>([:])
  /// The checksums of snapshots that are not archived yet, as they were written or read.
  private let checksums = Mutex<[Int: [UInt8]]>([:])

  init(files: Files) {
    self.files = files
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
      try files.appendWhole(header + [0x0A], to: file)
      try files.synchronize(file)
    } catch {
      discard(file, generation)
      throw error
    }
  }

  /// Of a journal that nothing was answered from.
  func discard(_ file: Files.File, _ generation: Int) {
    try? files.close(file)
    try? files.remove(.journal(generation))
  }

  /// Writes the snapshot under a temporary name, which it changes for its own when it is complete.
  func writeSnapshot(_ library: Library, _ generation: Int) throws(SystemCallError) {
    let temporary = StoreName("crates.\(generation).txt.new")
    let text = Snapshot.text(library)
    remember(text, generation)
    try files.writeNew(text, to: temporary)
    do throws(SystemCallError) {
      try files.rename(temporary, to: .snapshot(generation))
      try synchronize(.store)
    } catch {
      try? files.remove(temporary)
      throw error
    }
  }

  /// Remembers what a snapshot holds.
  func remember(_ text: [UInt8], _ generation: Int) {
    let checksum = Snapshot.seal(text[...])
    checksums.withLock { $0[generation] = checksum }
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
      if name.generation("crates") != nil, isEdited(backup, generation) {
        notes.append(
          "\(name) was changed while crated ran, and that is not taken over: it is kept as"
            + " \(backup); \"crated restore \(generation)\" takes it over")
      }
    }
    if moved {
      do {
        // In this order: a name must not be gone from here before it is safe there.
        try synchronize(.backups)
        try synchronize(.store)
      } catch {
        return notes
      }
    }
    thinBackups()
    return notes
  }

  private func isEdited(_ name: StoreName, _ generation: Int) -> Bool {
    guard let known = checksums.withLock({ $0.removeValue(forKey: generation) }),
      let text = try? files.read(name)
    else { return false }
    return Snapshot.seal(text[...]) != known
  }

  private func thinBackups() {
    guard let names = try? files.names(in: .backups) else { return }
    let backups = names.map { StoreName($0, in: .backups) }
    let ages = BackupAges(snapshots: backups.compactMap { $0.generation("crates") })
    let old = backups.filter { name in
      (name.generation("crates") ?? name.generation("journal")).map { !ages.keeps($0) } ?? false
    }
    // What the person did outlives the snapshots: undo reads it from the journals.
    let history = old.contains { $0.generation("journal") != nil } ? journalsOfHistory(backups) : []
    for name in old where !history.contains(name) { try? files.remove(name) }
  }

  /// The journals with the newest of the person's changes, as many as undo promises.
  private func journalsOfHistory(_ backups: [StoreName]) -> Set<StoreName> {
    var kept: Set<StoreName> = []
    var count = 0
    for (_, name) in StoreName.journals(among: backups).reversed() where count < UndoHistory.kept {
      let own = personalCounts.withLock { $0[name] } ?? personalCount(name)
      personalCounts.withLock { $0[name] = own }
      count += own
      if own > 0 { kept.insert(name) }
    }
    return kept
  }

  private func personalCount(_ name: StoreName) -> Int {
    guard let bytes = try? files.read(name) ?? [], let contents = try? JournalReader.read(bytes)
    else { return 0 }
    // Undo goes back no further.
    return contents.isAfterEdit
      ? UndoHistory.kept : contents.changes.count { $0.author == .person }
  }
}
