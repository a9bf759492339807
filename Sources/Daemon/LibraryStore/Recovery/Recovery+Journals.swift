import LibraryModel
import Platform

extension Recovery {
  enum FoundJournal {
    case begun(JournalContents)
    /// Its header never got whole: nothing was answered from it.
    case notBegun
    /// What is wrong with it has been noted.
    case unusable

    /// Whether no change was ever answered from it, nor before it.
    var holdsNothing: Bool {
      switch self {
      case .begun(let contents):
        contents.base == 0 && contents.transactions.isEmpty && contents.end == .whole
      case .notBegun: true
      case .unusable: false
      }
    }
  }

  /// Applies the journals from the generation on, each up to where the next one begins.
  mutating func replay(
    from generation: Int, isEdited: Bool, into library: inout Library
  ) throws(StoreFailure) {
    if journals[generation] == nil, !isEdited {
      // It is on the disk before its snapshot is, so somebody took it away.
      return note(
        damage: "journal.\(generation).txt is missing; if crates.\(generation).txt is all that you"
          + " want, change its last line to \"end edited\"")
    }
    let read = try journalsRead(from: generation)
    for (place, contents) in read.enumerated() {
      let next = place + 1 < read.count ? read[place + 1].base : nil
      let number = contents.generation
      guard contents.base == library.sequence else {
        return note(damage: "journal.\(number).txt does not continue what is before it")
      }
      for transaction in contents.transactions where transaction.sequence <= next ?? .max {
        do {
          try library.apply(transaction)
        } catch {
          return note(damage: "journal.\(number).txt does not fit the snapshot (\(error))")
        }
        transactions.append(transaction)
      }
      judgeEnd(contents, reached: library.sequence, next)
    }
  }

  /// The journals that count, up to the first that can't be read.
  private mutating func journalsRead(
    from generation: Int
  ) throws(StoreFailure) -> [JournalContents] {
    var read: [JournalContents] = []
    for (number, name) in journals.sorted(by: { $0.key < $1.key }) where number >= generation {
      switch try journal(name) {
      case .notBegun: notes.append("\(name) was not begun whole and is not used")
      case .unusable: return read
      case .begun(let contents):
        guard contents.generation == number else {
          note(damage: "\(name) says that it is of generation \(contents.generation)")
          return read
        }
        // Given up while it was begun, so that changes went on in the one before: where a journal
        // is used, it holds something, or its snapshot is there.
        let isAbandoned =
          contents.transactions.isEmpty && contents.end == .whole && snapshots[number] == nil
        if number == generation || !isAbandoned { read.append(contents) }
      }
    }
    return read
  }

  /// Notes what is missed at the end of a journal. What follows then begins after it, which ends
  /// the replay; damage elsewhere is no reason to show less than can be proved.
  ///
  /// - Parameter next: what the next one begins with; nil where it is the last.
  private mutating func judgeEnd(_ contents: JournalContents, reached: Int, _ next: Int?) {
    // What was given up when the next journal began does not matter.
    if let next, reached >= next { return }
    let number = contents.generation
    switch contents.end {
    case .whole:
      if next != nil { note(damage: "journal.\(number).txt ends too early") }
    case .torn(let line) where next == nil:
      if let name = journals[number] { torn = (name, line) }
    case .torn(let line), .damaged(let line, _):
      note(damage: "journal.\(number).txt is damaged at line \(line)")
    }
  }

  mutating func journal(_ name: StoreName) throws(StoreFailure) -> FoundJournal {
    let bytes: [UInt8]
    do {
      guard let found = try files.read(name) else {
        note(damage: "\(name) was removed meanwhile")
        return .unusable
      }
      bytes = found
    } catch {
      note(damage: "\(name) can't be read (\(error))")
      return .unusable
    }
    do {
      return .begun(try JournalReader.read(bytes))
    } catch {
      switch error {
      case .newerVersion(let version): throw .newerVersion(version, file: name.description)
      case .damaged(let reason):
        // A snapshot follows only when its journal is on the disk, so this can't be of one.
        let isLate = (name.generation("journal") ?? 0) > (snapshots.keys.max() ?? 0)
        if isLate, !bytes.contains(0x0A) { return .notBegun }
        note(damage: "\(name): \(reason)")
        return .unusable
      }
    }
  }

  /// Keeps a copy of what is dropped. Its journal goes to the backups as it is, but those are
  /// thinned.
  mutating func keepTorn() {
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
