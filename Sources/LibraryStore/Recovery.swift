package import LibraryModel
import Platform

/// Opens a store: reads everything first, writes only new files after. It modifies no input, so it can
/// be interrupted and repeated without limit.
package struct Recovery<Files: StoreFiles> {
  package struct Opened {
    package var store: LibraryStore<Files>
    package var library: Library
    /// What the journals held, oldest first.
    package var changes: [CommittedChange]
    /// What people should know, one sentence each.
    package var notes: [String]
  }

  private let files: Files
  private var snapshots: [Int: StoreName] = [:]
  private var journals: [Int: StoreName] = [:]
  private var newest = 0
  private var notes: [String] = []
  private var changes: [CommittedChange] = []
  private var damage: String?
  private var torn: StoreName?

  package static func open(_ files: Files) throws(StoreFailure) -> Opened {
    var recovery = Recovery(files: files)
    return try recovery.open()
  }

  private init(files: Files) {
    self.files = files
  }

  private mutating func open() throws(StoreFailure) -> Opened {
    try findFiles()
    if snapshots.isEmpty {
      // The first start of all may have been cut off after it made the journal.
      for name in journals.values {
        if let contents = try journal(name), contents.base == 0, contents.changes.isEmpty,
          contents.end == .whole
        {
          continue
        }
        if damage == nil, notes.contains(where: { $0.hasPrefix(name.description) }) { continue }
        throw .unusable(
          "the store has \(name) but no snapshot: put a snapshot back beside it, from a backup")
      }
      return try begin()
    }
    let (generation, contents) = try newestGoodSnapshot()
    var library = contents.library
    try replay(from: generation, into: &library)
    if contents.isEdited, library.sequence != contents.library.sequence {
      throw .unusable(
        "crates.\(generation).txt was edited, but journal.\(generation).txt holds changes made"
          + " after it: restore one of them from backups")
    }
    let store = LibraryStore(files: files, newest: newest)
    if let damage {
      _ = store.becomeReadOnly(damage, false)
      return Opened(store: store, library: library, changes: changes, notes: notes + [damage])
    }
    try keepTorn()
    // Never appended to: its tail may be in the page cache alone.
    do {
      try store.checkpoint(library)
    } catch {
      let reason = "the store can't be written (\(error)): make room or check the disk, then restart"
      _ = store.becomeReadOnly(reason, false)
      notes.append(reason)
    }
    return Opened(store: store, library: library, changes: changes, notes: notes)
  }

  /// The very first start: nothing is there, not even a backup.
  private mutating func begin() throws(StoreFailure) -> Opened {
    let library = Library()
    let store = LibraryStore(files: files, newest: newest)
    do {
      try store.rotate(library)
      try store.writeSnapshot(library, store.newest)
    } catch {
      throw .unusable("the store can't be made (\(error)): make room or check the disk")
    }
    return Opened(store: store, library: library, changes: [], notes: [])
  }

  private mutating func findFiles() throws(StoreFailure) {
    for folder in [StoreName.Folder.backups, .store] {
      let names: [String]
      do {
        names = try files.names(in: folder)
      } catch {
        throw .unusable("the store can't be read (\(error)): check its permissions and the disk")
      }
      for text in names {
        let name = StoreName(text, in: folder)
        if let generation = name.generation("crates") {
          snapshots[generation] = name
          newest = max(newest, generation)
        } else if let generation = name.generation("journal") {
          journals[generation] = name
          newest = max(newest, generation)
        } else if text.hasSuffix(".new"),
          let generation = StoreName(String(text.dropLast(4))).generation("crates")
        {
          newest = max(newest, generation)
        }
      }
    }
    if snapshots.values.allSatisfy({ $0.folder == .backups }), !snapshots.isEmpty {
      throw .unusable(
        "the store has backups but no snapshot: crated never starts empty over them; restore one"
          + " with: crated restore BACKUP")
    }
    // Journals of the backups only continue snapshots of the backups.
    let current = snapshots.filter { $0.value.folder == .store }.keys.max() ?? 0
    for (generation, name) in journals where name.folder == .backups && generation >= current {
      notes.append("\(name) was found among the backups and is read")
    }
  }

  private mutating func newestGoodSnapshot() throws(StoreFailure) -> (
    Int, SnapshotReader.Contents
  ) {
    var faults: [String] = []
    for (generation, name) in snapshots.sorted(by: { $0.key > $1.key }) {
      let bytes: [UInt8]
      do {
        guard let found = try files.read(name) else { continue }
        bytes = found
      } catch {
        faults.append("\(name) can't be read (\(error))")
        continue
      }
      do {
        let contents = try SnapshotReader.read(bytes)
        if !faults.isEmpty {
          damage =
            faults.joined(separator: "; ") + "; \(name) and the journals after it are shown, and"
            + " nothing is changed: look into it with: crated check"
        }
        return (generation, contents)
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
    throw .unusable(faults.joined(separator: "; ") + "; no generation of the store is good")
  }
}

// MARK: Journals

extension Recovery {
  /// Applies the journals from the generation on, each up to where the next one begins.
  private mutating func replay(
    from generation: Int, into library: inout Library
  ) throws(StoreFailure) {
    var read: [(generation: Int, contents: JournalContents)] = []
    for (number, name) in journals.sorted(by: { $0.key < $1.key }) where number >= generation {
      guard let contents = try journal(name) else { break }
      read.append((number, contents))
    }
    for (place, (number, contents)) in read.enumerated() {
      let end = place + 1 < read.count ? read[place + 1].contents.base : Int.max
      guard contents.base <= library.sequence, contents.generation == number else {
        note(damage: "journal.\(number).txt does not continue what is before it")
        return
      }
      for change in contents.changes
      where change.sequence > library.sequence && change.sequence <= end {
        do {
          for step in change.changes { try library.apply(step, by: change.author) }
        } catch {
          note(damage: "journal.\(number).txt does not fit the snapshot (\(error))")
          return
        }
        library.advance(to: change.sequence)
        changes.append(change)
      }
      judgeEnd(contents, number, isLast: place + 1 == read.count, reached: library.sequence, end)
      if damage != nil { return }
    }
  }

  private mutating func judgeEnd(
    _ contents: JournalContents, _ number: Int, isLast: Bool, reached: Int, _ end: Int
  ) {
    switch contents.end {
    case .whole: break
    case .torn(let line) where isLast:
      notes.append(
        "the last batch of journal.\(number).txt (line \(line)) was not written whole and was"
          + " dropped; a copy is in backups")
      torn = journals[number]
    case .torn(let line), .damaged(let line, _):
      // What was given up when the next journal began does not matter.
      if !isLast && reached >= end { break }
      note(damage: "journal.\(number).txt is damaged at line \(line)")
    }
    if !isLast, reached < end { note(damage: "journal.\(number).txt ends too early") }
  }

  private mutating func note(damage reason: String) {
    if damage != nil { return }
    damage =
      "\(reason); what is proved good is shown, and nothing is changed: look into it with:"
      + " crated check"
  }

  private mutating func journal(_ name: StoreName) throws(StoreFailure) -> JournalContents? {
    let bytes: [UInt8]
    do {
      guard let found = try files.read(name) else { return nil }
      bytes = found
    } catch {
      note(damage: "\(name) can't be read (\(error))")
      return nil
    }
    do {
      return try JournalReader.read(bytes)
    } catch {
      switch error {
      case .newerVersion(let version): throw .newerVersion(version, file: name.description)
      case .damaged(let reason):
        // A journal whose header is not whole was never used: nothing was answered from it. Only the
        // newest can be one.
        if name.generation("journal") == newest, !bytes.contains(0x0A) {
          notes.append("\(name) was not begun whole and is not used")
          return nil
        }
        note(damage: "\(name): \(reason)")
        return nil
      }
    }
  }

  /// Keeps a copy of what is dropped.
  private mutating func keepTorn() throws(StoreFailure) {
    guard let torn else { return }
    do {
      guard let bytes = try files.read(torn) else { return }
      var number = 1
      let taken = Set(try files.names(in: .backups))
      while taken.contains("torn.\(number).\(torn.name)") { number += 1 }
      let file = try files.create(StoreName("torn.\(number).\(torn.name)", in: .backups))
      do {
        try files.append(bytes, to: file)
      } catch {
        throw error.error
      }
      try files.synchronize(file)
      try files.close(file)
      try files.synchronize(.backups)
    } catch {
      notes.append("no copy of the torn journal could be kept (\(error))")
    }
  }
}
