import LibraryModel
import Platform
import TestSupport
import Testing

@testable import LibraryStore

@Suite("What a recovery can't read", .limited)
struct RecoveryReadingTests {
  private func header(_ generation: Int, base: Int) -> [UInt8] {
    JournalText.header(generation: generation, base: base) + [0x0A]
  }

  /// Two generations in the store, the second of the library after the first one's journal.
  private func sample() throws -> (files: [StoreName: [UInt8]], last: Library) {
    let sample = try SampleJournal(batches: [1, 2], seed: 4)
    let last = try #require(sample.libraries.last)
    var files = sample.disk().files
    files[.snapshot(2)] = Snapshot.text(last)
    files[.journal(2)] = header(2, base: last.sequence)
    return (files, last)
  }

  private func failure(_ disk: SimulatedDisk) -> String {
    do {
      _ = try Recovery.open(disk)
      return ""
    } catch {
      return error.description
    }
  }

  @Test("A snapshot that can't be read is passed over for the one before, which is told")
  func snapshots() throws {
    for isGone in [false, true] {
      let (files, last) = try sample()
      let disk = SimulatedDisk(files)
      if isGone {
        // Between the list of names and the look at the file.
        disk.beside = {
          guard disk.trace.last?.kind == .names, disk.trace.count == 2 else { return }
          try? disk.remove(.snapshot(2))
        }
      } else {
        disk.fault = .init(
          operation: 0, isLasting: true, code: 5, kinds: [.read], name: .snapshot(2))
      }
      let opened = try Recovery.open(disk)
      expectSame(opened.library, last)
      let reason = isGone ? "was removed meanwhile" : "can't be read (read crates.2.txt: Input"
      #expect(opened.damage?.hasPrefix("crates.2.txt \(reason)") == true)
      #expect(opened.damage?.contains("crates.1.txt is read, and the journals after it") == true)
      #expect(opened.store.state == .readOnly(opened.damage ?? ""))
    }
  }

  @Test("What is to be told of the backups while it is written anew is told at the start, once")
  func notesOfArchive() throws {
    let disk = try SampleJournal(batches: [1], seed: 4).disk()
    let backup = StoreName("crates.1.txt", in: .backups)
    disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.read], name: backup)
    let opened = try Recovery.open(disk)
    #expect(opened.notes.count == 1 && opened.store.state == .ready)
    #expect(opened.notes.first?.hasPrefix("crates.1.txt went to the backups unread") == true)
    #expect(opened.store.takeNotes().isEmpty)
  }

  @Test("A journal that can't be read ends what is shown, which is told")
  func journals() throws {
    for isGone in [false, true] {
      let sample = try SampleJournal(batches: [1, 2], seed: 4)
      let disk = sample.disk()
      if isGone {
        disk.beside = {
          guard disk.trace.last?.kind == .names, disk.trace.count == 2 else { return }
          try? disk.remove(.journal(1))
        }
      } else {
        disk.fault = .init(
          operation: 0, isLasting: true, code: 5, kinds: [.read], name: .journal(1))
      }
      let opened = try Recovery.open(disk)
      #expect(opened.library.sequence == 0 && opened.transactions.isEmpty)
      let reason = isGone ? "was removed meanwhile" : "can't be read (read journal.1.txt: Input"
      #expect(opened.damage?.hasPrefix("journal.1.txt \(reason)") == true)
    }
  }

  @Test("Where no names can be read, no store is there, or no snapshot is good, it does not start")
  func nothing() throws {
    var (files, _) = try sample()
    let disk = SimulatedDisk(files)
    disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.names])
    #expect(failure(disk).hasPrefix("the store can't be read (names store: Input/output error)"))
    files[.snapshot(1)] = []
    files[.snapshot(2)]?[3] ^= 1
    let reason = failure(SimulatedDisk(files))
    #expect(reason.hasPrefix("crates.2.txt is damaged at line 1"))
    #expect(
      reason.contains("; crates.1.txt is damaged at line 1 (") && reason.contains("no generation"))
    // Of what has no snapshot the first by name is told.
    let strange = ["torn.2.x", "crates.4.old", "journal.7.text"].map { StoreName($0) }
    let others = SimulatedDisk(Dictionary(uniqueKeysWithValues: strange.map { ($0, []) }))
    #expect(failure(others).hasPrefix("the store has crates.4.old but no snapshot"))
    // An empty journal that begins anywhere else than at nothing had a snapshot.
    #expect(failure(SimulatedDisk([.journal(3): header(3, base: 1)])).contains("journal.3.txt"))
    #expect(failure(SimulatedDisk([.journal(3): header(3, base: 0)])).isEmpty)
  }

  @Test("A journal without a whole first line is read past where its snapshot was yet to come")
  func headers() throws {
    var (files, last) = try sample()
    files[.journal(3)] = Array("crated-jour".utf8)
    let opened = try Recovery.open(SimulatedDisk(files))
    expectSame(opened.library, last)
    #expect(opened.store.state == .ready)
    #expect(opened.notes == ["journal.3.txt was not begun whole and is not used"])
    for bytes in [Array("crated-jour".utf8), Array("crated-journal x\n".utf8)] {
      (files, last) = try sample()
      files[.journal(bytes.last == 0x0A ? 3 : 2)] = bytes
      let damaged = try Recovery.open(SimulatedDisk(files))
      #expect(damaged.damage?.hasPrefix("journal.\(bytes.last == 0x0A ? 3 : 2).txt: ") == true)
      expectSame(damaged.library, last)
    }
  }

  @Test("What stands before a journal that can't be understood is shown")
  func beforeDamage() throws {
    let sample = try SampleJournal(batches: [1, 2], seed: 4)
    var files = sample.disk().files
    files[.journal(2)] = Array("crated-journal x\n".utf8)
    let opened = try Recovery.open(SimulatedDisk(files))
    #expect(opened.damage?.hasPrefix("journal.2.txt: ") == true)
    expectSame(opened.library, try #require(sample.libraries.last))
  }

  @Test("A journal among the backups that goes on from no snapshot of the store is not told")
  func olderBackups() throws {
    var (files, last) = try sample()
    files[StoreName("journal.1.txt", in: .backups)] = files.removeValue(forKey: .journal(1))
    let opened = try Recovery.open(SimulatedDisk(files))
    #expect(opened.notes.isEmpty && opened.damage == nil)
    expectSame(opened.library, last)
  }

  @Test("Where no copy of a torn journal can be kept, that is told, and why")
  func noCopy() throws {
    let sample = try SampleJournal(batches: [1, 2], seed: 4)
    let disk = sample.disk(with: sample.bytes.dropLast(3))
    let copy = StoreName("torn.1.journal.1.txt", in: .backups)
    disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.create], name: copy)
    let opened = try Recovery.open(disk)
    let told = opened.notes.filter { $0.contains("; no copy of the journal could be kept (create") }
    #expect(told.count == 1 && opened.damage == nil)
    expectSame(opened.library, sample.recordLibraries[2])
  }

  @Test("Journals that don't follow one from the other are told by name")
  func gaps() throws {
    func damage(_ journals: [(Int, SampleJournal)], bases: [Int]) throws -> String? {
      var files = journals[0].1.disk().files
      for (place, (generation, _)) in journals.enumerated().dropFirst() {
        var text = JournalText(
          header: JournalText.header(generation: generation, base: bases[place]),
          base: bases[place])
        var batch = [
          Transaction(by: .person, sentence: "", changes: [.crateAdded("x", after: nil)])
        ]
        files[.journal(generation)] =
          header(generation, base: bases[place])
          + text.records(of: &batch)
      }
      return try Recovery.open(SimulatedDisk(files)).damage
    }
    let sample = try SampleJournal(batches: [1, 1, 1], seed: 4)
    let sequences = sample.libraries.map(\.sequence)
    let end = try #require(sequences.last)
    #expect(try damage([(1, sample), (2, sample)], bases: [0, end]) == nil)
    // What stands behind the beginning of the next one was given up.
    #expect(try damage([(1, sample), (2, sample)], bases: [0, sequences[2]]) == nil)
    let early = try #require(try damage([(1, sample), (2, sample)], bases: [0, end + 1]))
    #expect(early.hasPrefix("journal.1.txt ends too early;"))
    let misplaced = try #require(
      try damage([(1, sample), (2, sample), (3, sample)], bases: [0, end, sequences[1]]))
    #expect(misplaced.hasPrefix("journal.3.txt does not continue what is before it;"))
  }
}
