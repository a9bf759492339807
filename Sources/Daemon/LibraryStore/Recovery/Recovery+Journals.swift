import LibraryModel
import Platform

extension Recovery {
  /// Applies the journals from the generation on, each up to the base of the next one.
  mutating func replay(
    from generation: Int, isEdited: Bool, into library: inout Library
  ) throws(StoreFailure) {
    if listing.journals[generation] == nil, !isEdited {
      // A journal is on the disk before its snapshot is, so it was removed.
      return recordDamage(
        "journal.\(generation).txt is missing; if crates.\(generation).txt is all that you"
          + " want, change its last line to \"end edited\"")
    }
    let read = try journalsRead(from: generation)
    for (place, contents) in read.enumerated() {
      let next = place + 1 < read.count ? read[place + 1].base : nil
      let number = contents.generation
      guard contents.base == library.sequence else {
        return recordDamage("journal.\(number).txt does not continue what is before it")
      }
      let (applied, fault) = contents.apply(upTo: next ?? .max, to: &library)
      transactions += applied
      if let fault {
        return recordDamage("journal.\(number).txt does not fit the snapshot (\(fault.misfit))")
      }
      checkEnd(contents, reached: library.sequence, next)
    }
  }

  /// Reads the journals that changes went to, up to the first that can't be read.
  private mutating func journalsRead(
    from generation: Int
  ) throws(StoreFailure) -> [JournalContents] {
    var read: [JournalContents] = []
    for (number, name) in listing.journals.sorted(by: { $0.key < $1.key })
    where number >= generation {
      do {
        guard let contents = try journal(name) else { return read }
        guard contents.generation == number else {
          recordDamage("\(name) says that it is of generation \(contents.generation)")
          return read
        }
        if number == generation || !listing.isAbandoned(contents) { read.append(contents) }
      } catch {
        if case .newerVersion(let version) = error {
          throw .newerVersion(version, file: name.description)
        }
        // A snapshot is written only when its journal is on the disk, so this generation has none.
        if error == .notBegun, number > listing.snapshots.keys.max() ?? 0 {
          notes.append("\(name) was not begun whole and is not used")
          continue
        }
        recordDamage("\(name): \(error.reason)")
        return read
      }
    }
    return read
  }

  /// Records what is missing at the end of a journal. The next one then begins after it, which ends
  /// the replay.
  ///
  /// - Parameter next: the base of the next journal; nil for the last one.
  private mutating func checkEnd(_ contents: JournalContents, reached: Int, _ next: Int?) {
    // What was given up when the next journal began does not matter.
    if let next, reached >= next { return }
    let number = contents.generation
    switch contents.end {
    case .whole:
      if next != nil { recordDamage("journal.\(number).txt ends too early") }
    case .torn(let line) where next == nil:
      if let name = listing.journals[number] { torn = (name, line) }
    case .torn(let line), .damaged(let line, _):
      recordDamage("journal.\(number).txt is damaged at line \(line)")
    }
  }

  /// Returns nil if the journal can't be read, which is recorded as damage.
  private mutating func journal(
    _ name: StoreName
  ) throws(JournalReader.Fault) -> JournalContents? {
    let bytes: [UInt8]
    do {
      guard let found = try files.read(name) else {
        recordDamage("\(name) was removed meanwhile")
        return nil
      }
      bytes = found
    } catch {
      recordDamage("\(name) can't be read (\(error))")
      return nil
    }
    return try JournalReader.read(bytes)
  }

  /// Returns whether no change was ever answered from a journal, nor before it: its base is 0.
  mutating func isUnused(_ name: StoreName) throws(StoreFailure) -> Bool {
    do {
      guard let contents = try journal(name) else { return false }
      return contents.base == 0 && contents.transactions.isEmpty && contents.end == .whole
    } catch {
      if case .newerVersion(let version) = error {
        throw .newerVersion(version, file: name.description)
      }
      return error == .notBegun
    }
  }

  /// Copies a journal with a torn batch to the backups under a name that is never thinned out.
  mutating func backUpTornJournal() {
    guard let (name, line) = torn else { return }
    let dropped =
      "the last batch of \(name) (line \(line)) was not written whole and was dropped"
    do {
      notes.append("\(dropped); \(try copyTorn(name)) is a copy of the journal")
    } catch {
      notes.append("\(dropped); no copy of the journal could be kept (\(error))")
    }
  }

  private mutating func copyTorn(_ torn: StoreName) throws(SystemCallError) -> StoreName {
    let bytes = try files.read(torn) ?? []
    let taken = Set(try files.names(in: .backups))
    var number = 1
    while true {
      let name = StoreName("torn.\(number).\(torn.name)", in: .backups)
      guard taken.contains(name.name) else {
        try write(bytes, to: name)
        return name
      }
      // Recovery may be interrupted again and again; one copy will do.
      if try files.read(name) == bytes { return name }
      number += 1
    }
  }

  private mutating func write(_ bytes: [UInt8], to name: StoreName) throws(SystemCallError) {
    try files.writeNew(bytes, to: name)
    do {
      try files.synchronize(.backups)
    } catch {
      backupsFault = error
      throw error
    }
  }
}
