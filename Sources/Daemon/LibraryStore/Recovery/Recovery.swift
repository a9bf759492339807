package import LibraryModel
import Platform

/// Opens a store: reads everything first, writes only new files after. It modifies no input, so it
/// can be interrupted and repeated without limit.
///
/// # How it works
///
/// 1. *Listing.* The names in the store and in `backups` are listed. If there is nothing, or only a
///    first generation from which nothing was answered, an empty library is created. If there is
///    anything else but no snapshot, the start is refused: a store is never taken for empty.
/// 2. *The newest good snapshot.* A snapshot is good if its last line's seal fits its lines. A
///    damaged one is skipped in favour of the one before, and counts as damage of the store.
/// 3. *Its journals.* The one of its generation and all later ones are read, each up to where the
///    next begins. The checksums of their records form a chain, which reveals a lost, repeated,
///    swapped or altered record. A record counts once it is whole. A torn batch at the very end of
///    the last journal was never answered, and goes to `backups`; anything else that doesn't fit is
///    damage.
/// 4. *Damage* never loses anything: the library is shown up to the last change known to be good,
///    the store is read-only, and a sentence names the file and the line.
/// 5. *Continuing.* If the store was closed cleanly (a snapshot, an empty journal), that journal is
///    used. Otherwise a new generation is written before the next change: a journal found after a
///    crash may be in the page cache alone, and is never appended to. After a kill the journal is
///    synchronized once more, and the new generation can wait until clients that only read are
///    answered (`writesLater`).
package struct Recovery<Files: StoreFiles> {
  package struct Opened {
    package var store: LibraryStore<Files>
    package var library: Library
    /// The transactions of the journals that were applied, oldest first.
    package var transactions: [Transaction]
    /// Notes for the user, one sentence each.
    package var notes: [String]
    /// Whether the library's songs have the facts that were offered.
    package var hasFacts = false
    /// The damage that makes the store read-only.
    package var damage: String?

    /// Returns the library and keeps no copy of it.
    package mutating func takeLibrary() -> Library {
      defer { library = Library() }
      return library
    }
  }

  /// The contents of a store.
  struct State {
    /// The generation of the snapshot that it was read from, and the snapshot.
    var generation: Int
    var text: [UInt8]
    var contents: SnapshotReader.Contents
    /// The library after the changes in the journals.
    var library: Library { contents.library }
    var isEdited: Bool { contents.isEdited }
  }

  let files: Files
  let listing: StoreListing
  private var bounds = BackupBounds()
  var notes: [String] = []
  var transactions: [Transaction] = []
  private(set) var damage: String?
  /// The journal that ends in a torn batch, and the line at which the batch begins.
  var torn: (name: StoreName, line: Int)?
  /// The failed synchronization of the backups, after which they are not synchronized again.
  var backupsFault: SystemCallError?

  /// - Parameters:
  ///   - writesLater: whether the new generation after a kill is left to `writeRecovered`.
  ///   - facts: returns the known facts about the songs' files for a library of that sequence
  ///     number. Called only if the store was closed cleanly. Otherwise a snapshot follows soon,
  ///     which has the traits of songs without facts.
  /// - Throws: why the daemon must not start on this store. Nothing was written, but for an empty
  ///   journal or an unfinished snapshot if the first generation of a new store failed. A full
  ///   disk, or one that fails in any other case, is no error: the library is shown, and the store
  ///   refuses changes.
  package static func open(
    _ files: Files, keeping bounds: BackupBounds = BackupBounds(), writesLater: Bool = false,
    facts: (_ sequence: Int) -> KnownFacts? = { _ in nil }
  ) throws(StoreFailure) -> Opened {
    var recovery = try Recovery(files: files)
    recovery.bounds = bounds
    return try recovery.open(writesLater, facts)
  }

  init(files: Files) throws(StoreFailure) {
    self.files = files
    do {
      listing = try StoreListing(files)
    } catch {
      throw .unusable("the store can't be read (\(error)): check its permissions and the disk")
    }
  }

  /// Reads the state that `open` would show; nil if it would make a new store. Writes nothing.
  static func state(of files: Files) throws(StoreFailure) -> (state: State, damage: String?)? {
    var recovery = try Recovery(files: files)
    guard let state = try recovery.read() else { return nil }
    return (state, recovery.damage)
  }

  /// Returns nil if there is no store yet.
  private mutating func read(
    _ facts: (Int) -> KnownFacts? = { _ in nil }
  ) throws(StoreFailure) -> State? {
    try checkBackups()
    if listing.snapshots.isEmpty {
      try requireEmptyStore()
      return nil
    }
    var state = try newestGoodSnapshot(cleanSequence.flatMap(facts))
    let sequence = state.library.sequence
    try replay(from: state.generation, isEdited: state.isEdited, into: &state.contents.library)
    if state.isEdited, damage == nil, state.library.sequence != sequence {
      throw .unusable(
        "crates.\(state.generation).txt was edited, but the journals hold changes made after it:"
          + " \"crated restore \(state.generation)\" takes over what was edited, and keeps the"
          + " others in backups")
    }
    return state
  }

  private mutating func open(
    _ writesLater: Bool, _ facts: (Int) -> KnownFacts?
  ) throws(StoreFailure) -> Opened {
    guard let state = try read(facts) else { return try begin() }
    let library = state.library
    let store = LibraryStore(files: files, newest: listing.newest, keeping: bounds)
    store.isAfterEdit = state.isEdited
    if let damage {
      store.stop(because: damage)
      return Opened(
        store: store, library: library, transactions: transactions, notes: notes + [damage],
        hasFacts: state.contents.hasFacts, damage: damage)
    }
    backUpTornJournal()
    if let backupsFault { store.generations.recordFault(backupsFault, of: .backups) }
    store.generations.recordSnapshot(state.text, state.generation)
    do {
      if wasClosedCleanly(state) {
        store.pendingWrite = .journal
        try files.probe()
      } else {
        // Its journal is never appended to: the tail may be in the page cache alone.
        store.pendingWrite = .generation
        if writesLater, synchronizeJournals(of: state) {
          try files.probe()
        } else {
          try store.writeGeneration(library)
          store.pendingWrite = nil
        }
      }
    } catch {
      notes.append("nothing can be changed: \(store.postpone(after: error))")
    }
    notes += store.takeNotes()
    return Opened(
      store: store, library: library, transactions: transactions, notes: notes,
      hasFacts: state.contents.hasFacts)
  }

  /// Synchronizes the journals that were read, so that they may be shown before a new generation is
  /// written: a change that was seen under a number must not be lost, nor the number be reused.
  ///
  /// - Returns: whether all of the state is on the disk.
  private func synchronizeJournals(of state: State) -> Bool {
    if state.isEdited || torn != nil || backupsFault != nil { return false }
    do throws(SystemCallError) {
      for (generation, name) in listing.journals where generation >= state.generation {
        try files.synchronizeFound(name)
      }
      return true
    } catch {
      return false
    }
  }

  /// Returns whether the store has one snapshot, an empty journal, and no other generation, so that
  /// nothing has to be written again.
  private func wasClosedCleanly(_ state: State) -> Bool {
    !state.isEdited && transactions.isEmpty && torn == nil
      && listing.newest == state.generation && listing.hasOnlyNewest
  }

  /// Checks that nothing is lost by making a new store: there are no files of one, or only those of
  /// a first start that was cut off before its first snapshot.
  private mutating func requireEmptyStore() throws(StoreFailure) {
    var strangers = listing.others.filter { name in
      ["crates.", "journal.", "torn.", "damaged."].contains(where: name.name.hasPrefix)
    }
    for name in listing.journals.values where try !isUnused(name) { strangers.append(name) }
    if let name = strangers.min(by: { $0.description < $1.description }) {
      throw .unusable(
        "the store has \(name) but no snapshot, and crated never starts empty over it: put a"
          + " snapshot in place with \"crated restore\", or back beside it")
    }
  }

  private func begin() throws(StoreFailure) -> Opened {
    let library = Library()
    let store = LibraryStore(files: files, newest: listing.newest, keeping: bounds)
    do {
      try store.writeGeneration(library)
    } catch {
      throw .unusable("the store can't be made (\(error)): make room or check the disk")
    }
    return Opened(store: store, library: library, transactions: [], notes: [])
  }

  private mutating func checkBackups() throws(StoreFailure) {
    let current = listing.snapshots.filter { $0.value.folder == .store }.keys.max()
    if current == nil, !listing.snapshots.isEmpty {
      throw .unusable(
        "the store has backups but no snapshot: crated never starts empty over them;"
          + " \"crated restore\" lists them, and puts the one in place that you name")
    }
    // Journals of the backups only continue snapshots of the backups.
    for (generation, name) in listing.journals.sorted(by: { $0.key < $1.key })
    where name.folder == .backups && generation >= current ?? 0 {
      notes.append("\(name) was found among the backups and is read")
    }
  }

  private mutating func newestGoodSnapshot(
    _ facts: KnownFacts?
  ) throws(StoreFailure) -> State {
    var faults: [String] = []
    for (generation, name) in listing.snapshots.sorted(by: { $0.key > $1.key }) {
      let bytes: [UInt8]
      do {
        guard let found = try files.read(name) else {
          faults.append("\(name) was removed meanwhile")
          continue
        }
        bytes = found
      } catch {
        faults.append("\(name) can't be read (\(error))")
        continue
      }
      do {
        let contents = try SnapshotReader.read(bytes, facts: facts)
        if faults.isEmpty, name.folder == .backups {
          // A generation leaves the store only when a newer one is there.
          faults.append("the newest snapshot of all is among the backups")
        }
        if !faults.isEmpty {
          recordDamage(
            "\(faults.joined(separator: "; ")); \(name) is read, and the journals after it")
        }
        return State(generation: generation, text: bytes, contents: contents)
      } catch {
        switch error {
        case .newerVersion(let version): throw .newerVersion(version, file: name.description)
        case .rejected(let line, let reason):
          throw .unusable("\(name), line \(line): \(reason); mend the line and start again")
        case .damaged(let line, let reason):
          faults.append("\(name) is damaged at line \(line) (\(reason))")
        }
      }
    }
    throw .unusable(
      faults.joined(separator: "; ") + "; no generation of the store is good: \"crated check\" says"
        + " what is wrong, \"crated restore\" takes a copy from elsewhere")
  }

  mutating func recordDamage(_ reason: String) {
    if damage != nil { return }
    damage =
      "\(reason); the order is shown as of the last change known to be good, and no other is taken:"
      + " \"crated check\" names what is wrong, \"crated restore\" puts an earlier generation in"
      + " place"
  }
}
