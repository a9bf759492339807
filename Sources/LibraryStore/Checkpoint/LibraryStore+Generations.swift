package import LibraryModel
import Platform

extension LibraryStore {
  /// Begins a new journal; changes go there as soon as it is on the disk.
  func rotate(_ library: Library) throws(SystemCallError) {
    if let fault = folderFaults[.store] { throw fault }
    // First of all: a name that could not be made, or not be removed again, is used up.
    newest += 1
    let header = JournalText.header(
      generation: newest, base: library.sequence, isAfterEdit: isAfterEdit)
    let name = StoreName.journal(newest)
    let file = try files.create(name)
    do throws(SystemCallError) {
      try appendWhole(header + [0x0A], to: file)
      try files.synchronize(file)
      try synchronize(.store)
    } catch {
      // Where this fails, or is forgotten by a power cut, an empty journal stays that no snapshot
      // belongs to: recovery reads past it.
      try? files.close(file)
      try? files.remove(name)
      throw error
    }
    isAfterEdit = false
    // All that was answered from it is synchronized.
    if let journal { try? files.close(journal.file) }
    journal = OpenJournal(
      file: file, text: JournalText(header: header, base: library.sequence),
      size: header.count + 1, base: library.sequence)
  }

  /// Writes the snapshot of the newest generation under a temporary name, which it changes for its
  /// own when it is complete.
  func writeSnapshot(_ library: Library) throws(SystemCallError) {
    let temporary = StoreName("crates.\(newest).txt.new")
    var file: Files.File? = try files.create(temporary)
    do throws(SystemCallError) {
      if let file {
        try appendWhole(Snapshot.text(library), to: file)
        try files.synchronize(file)
      }
      if let whole = file {
        file = nil
        try files.close(whole)
      }
      try files.rename(temporary, to: .snapshot(newest))
      try synchronize(.store)
    } catch {
      if let file { try? files.close(file) }
      try? files.remove(temporary)
      throw error
    }
  }

  private func appendWhole(_ bytes: [UInt8], to file: Files.File) throws(SystemCallError) {
    do {
      try files.append(bytes, to: file)
    } catch {
      throw error.error
    }
  }

  private func synchronize(_ folder: StoreName.Folder) throws(SystemCallError) {
    if let fault = folderFaults[folder] { throw fault }
    do {
      try files.synchronize(folder)
    } catch {
      folderFaults[folder] = error
      throw error
    }
  }
}

// MARK: Backups and history

extension LibraryStore {
  /// Puts the generations before the newest snapshot among the backups. Where that fails, they
  /// stay, which harms nobody.
  func archiveOlder() {
    guard folderFaults.isEmpty, let names = try? files.names(in: .store) else { return }
    var moved = false
    for name in names.map({ StoreName($0) }) {
      if let generation = name.unfinishedGeneration, generation < newest {
        // Left by a crash; what it was to hold is in the newest snapshot.
        try? files.remove(name)
      }
      guard let generation = name.generation("crates") ?? name.generation("journal"),
        generation < newest
      else { continue }
      moved = ((try? files.rename(name, to: StoreName(name.name, in: .backups))) != nil) || moved
    }
    if moved {
      do {
        // In this order: a name must not be gone from here before it is safe there.
        try synchronize(.backups)
        try synchronize(.store)
      } catch {
        return
      }
    }
    thinBackups()
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
      let own = personalCounts[name] ?? personalCount(name)
      personalCounts[name] = own
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

  package func pastChanges(before: Int, most: Int, of author: Author?) -> [CommittedChange] {
    let names = [StoreName.Folder.backups, .store].flatMap { folder in
      ((try? files.names(in: folder)) ?? []).map { StoreName($0, in: folder) }
    }
    var found: [CommittedChange] = []
    // What stands behind the beginning of the next journal was given up. Journals without anything
    // of the person's may have been thinned out in between.
    var end = before - 1
    for (_, name) in StoreName.journals(among: names).reversed() where found.count < most {
      guard let bytes = try? files.read(name) ?? [], let contents = try? JournalReader.read(bytes)
      else { break }
      for change in contents.changes.reversed() where found.count < most {
        if change.sequence <= end, author == nil || change.author == author {
          found.append(change)
        }
      }
      end = min(end, contents.base)
      if author == .person, contents.isAfterEdit { break }
    }
    return found.reversed()
  }
}

/// Which backups are kept: the newest ones all, of older ones the fewer the older they are, so that
/// their number grows with the logarithm of all that ever were.
struct BackupAges {
  private let sorted: [Int]
  private let kept: Set<Int>
  private let oldestOfNewest: Int

  init(snapshots: [Int]) {
    sorted = snapshots.sorted()
    let recent = sorted.suffix(StoreLimits.backupsKept)
    oldestOfNewest = recent.first ?? 0
    var kept = Set(recent)
    var buckets: Set<[Int]> = []
    for generation in sorted.dropLast(recent.count) {
      let age = (sorted.last ?? generation) - generation
      var step = 1
      while step * StoreLimits.backupsKept <= age { step *= 2 }
      // The first of each stretch: it is the first of the longer stretch, too, that this one
      // becomes part of with time.
      if buckets.insert([step, generation / step]).inserted { kept.insert(generation) }
    }
    self.kept = kept
  }

  /// A journal goes with the snapshot that it continues.
  func keeps(_ generation: Int) -> Bool {
    if generation >= oldestOfNewest { return true }
    guard let snapshot = sorted.last(where: { $0 <= generation }) else { return true }
    return kept.contains(snapshot)
  }
}
