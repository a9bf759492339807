import LibraryModel
import Platform
import TestSupport
import Testing

@testable import LibraryStore

@Suite("What a recovery can't read", .limited)
struct RecoveryReadingTests {
  /// Two generations in the store, the second after the three changes of the first one's journal.
  private func sample(_ others: [StoreName: [UInt8]?] = [:]) throws -> [StoreName: [UInt8]] {
    var files: [StoreName: [UInt8]] = [
      .snapshot(1): try StoreCheckLinesTests.snapshot(0),
      .journal(1): writtenJournal(1, base: 0, count: 3),
      .snapshot(2): try StoreCheckLinesTests.snapshot(3),
      .journal(2): writtenJournal(2, base: 3, count: 0),
    ]
    for (name, bytes) in others { files[name] = bytes }
    return files
  }

  private func failure(_ disk: SimulatedDisk) -> String {
    do {
      _ = try Recovery.open(disk)
      return ""
    } catch {
      return error.description
    }
  }

  @Test(
    "A snapshot that can't be read is passed over, a journal ends what is shown, and both are told",
    arguments: [false, true])
  func unreadable(isGone: Bool) throws {
    let alone = try sample([.snapshot(2): nil, .journal(2): nil])
    for (name, files, sequence) in [(.snapshot(2), try sample(), 3), (.journal(1), alone, 0)]
      as [(StoreName, [StoreName: [UInt8]], Int)]
    {
      let disk = SimulatedDisk(files)
      if isGone {
        // Between the list of names and the look at the file.
        disk.beside = {
          guard disk.trace.last?.kind == .names, disk.trace.count == 2 else { return }
          try? disk.remove(name)
        }
      } else {
        disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.read], name: name)
      }
      let opened = try Recovery.open(disk)
      #expect(opened.library.sequence == sequence && opened.library.crates.count == sequence)
      let reason = isGone ? "was removed meanwhile" : "can't be read (read \(name): Input"
      #expect(opened.damage?.hasPrefix("\(name) \(reason)") == true)
      let isPassedOver = opened.damage?.contains("crates.1.txt is read, and the journals after it")
      #expect(isPassedOver == (name == .snapshot(2)))
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

  @Test("Where no names can be read, no store is there, or no snapshot is good, it does not start")
  func nothing() throws {
    let disk = SimulatedDisk(try sample())
    disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.names])
    #expect(failure(disk).hasPrefix("the store can't be read (names store: Input/output error)"))
    let damaged = try sample([.snapshot(1): [], .snapshot(2): [0x0A]])
    let reason = failure(SimulatedDisk(damaged))
    #expect(reason.hasPrefix("crates.2.txt is damaged at line 1"))
    #expect(
      reason.contains("; crates.1.txt is damaged at line 1 (") && reason.contains("no generation"))
    // Of what has no snapshot the first by name is told.
    let strange = ["torn.2.x", "crates.4.old", "journal.7.text"].map { StoreName($0) }
    let others = SimulatedDisk(Dictionary(uniqueKeysWithValues: strange.map { ($0, []) }))
    #expect(failure(others).hasPrefix("the store has crates.4.old but no snapshot"))
    // An empty journal that begins anywhere else than at nothing had a snapshot.
    for (base, isRefused) in [(0, false), (1, true)] {
      let empty = SimulatedDisk([.journal(3): writtenJournal(3, base: base, count: 0)])
      #expect(failure(empty).contains("journal.3.txt") == isRefused)
    }
  }

  @Test("A journal without a whole first line is read past where its snapshot was yet to come")
  func headers() throws {
    let unbegun = Array("crated-jour".utf8)
    for (name, bytes, isDamage) in [
      (.journal(3), unbegun, false), (.journal(2), unbegun, true),
      (.journal(3), Array("crated-journal x\n".utf8), true),
    ] as [(StoreName, [UInt8], Bool)] {
      let opened = try Recovery.open(SimulatedDisk(try sample([name: bytes])))
      #expect(opened.library.sequence == 3)
      #expect((opened.damage?.hasPrefix("\(name): ") == true) == isDamage)
      if isDamage { continue }
      #expect(opened.store.state == .ready)
      #expect(opened.notes == ["journal.3.txt was not begun whole and is not used"])
    }
  }

  @Test("A journal among the backups is told if it continues a snapshot of the store, and no other")
  func amongBackups() throws {
    let journal = writtenJournal(1, base: 0, count: 3)
    let backup = StoreName("journal.1.txt", in: .backups)
    let moved: [StoreName: [UInt8]?] = [.journal(1): nil, backup: journal]
    for (others, notes) in [
      ([:], []),
      (
        [.snapshot(2): nil, .journal(2): nil],
        ["backups/journal.1.txt was found among the backups and is read"]
      ),
    ] as [([StoreName: [UInt8]?], [String])] {
      let files = try sample(moved.merging(others) { $1 })
      let opened = try Recovery.open(SimulatedDisk(files))
      #expect(opened.notes == notes && opened.damage == nil && opened.library.sequence == 3)
    }
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
    for (bases, damage) in [
      ([3], nil),
      // What stands behind the beginning of the next one was given up.
      ([2], nil), ([4], "journal.1.txt ends too early;"),
      ([3, 1], "journal.3.txt does not continue what is before it;"),
    ] as [([Int], String?)] {
      var files = try sample([.snapshot(2): nil, .journal(2): nil])
      for (generation, base) in zip(2..., bases) {
        files[.journal(generation)] = writtenJournal(
          generation, base: base, [[.crateAdded("x\(generation)", after: nil)]])
      }
      let opened = try Recovery.open(SimulatedDisk(files))
      #expect(
        opened.damage.map { $0.hasPrefix(damage ?? "nothing") } == (damage == nil ? nil : true))
    }
  }

  @Test(
    "Whatever fails in a recovery, its inputs stay, and the next one has everything",
    arguments: FaultTests.codes, [false, true])
  func everyOperation(code: FaultTests.Code, isLasting: Bool) throws {
    let sample = try SampleJournal(batches: [1, 2, 4], seed: 8)
    let promised = Workload.Outcome(answered: sample.recordLibraries[6])
    let torn = sample.disk(with: Array(sample.bytes.dropLast(5)))
    let whole = SimulatedDisk(torn.files)
    _ = try Recovery.open(whole)
    var faults = 0
    for operation in whole.trace.indices where code.kinds.contains(whole.trace[operation].kind) {
      let comment = "operation \(operation), \(whole.trace[operation])"
      let disk = SimulatedDisk(torn.files)
      disk.fault = SimulatedDisk.Fault(
        operation: operation, isLasting: isLasting, code: code.number, kinds: code.kinds)
      do {
        let opened = try Recovery.open(disk)
        // All of it, or a note that says that it may be less.
        if opened.store.state == .ready {
          expectSame(opened.library, promised.answered, "\(comment)")
        } else {
          #expect(!opened.notes.isEmpty, "\(comment)")
        }
      } catch {
        #expect(!error.description.isEmpty)
      }
      #expect(disk.faultsMade > 0, "\(comment)")
      #expect(disk.offences.isEmpty, "\(disk.offences) \(comment)")
      faults += disk.faultsMade
      PowerLossTests.checkInputs(torn.files, disk, comment)
      disk.fault = nil
      try PowerLossTests.check(SimulatedDisk(disk.files), promised, "killed, \(comment)")
      for seed in 0..<UInt64(4) {
        var choices = Choices.seeded(seed)
        let found = disk.afterPowerLoss(&choices)
        try PowerLossTests.check(found, promised, "seed \(seed), \(comment)")
      }
    }
    #expect(faults > 0)
  }
}
