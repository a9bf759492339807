import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Restoring a backup", .limited)
struct StoreRestoreTests {
  /// Three generations, and changes in the last one's journal.
  struct Sample {
    var files: [StoreName: [UInt8]] = [:]
    /// The library of crates.2.txt.
    var second = Library()
    var present = Library()

    var backup: [UInt8] { files[StoreName("crates.2.txt", in: .backups)] ?? [] }
  }

  static func sample(seed: UInt64 = 5) throws -> Sample {
    let disk = SimulatedDisk()
    var sample = Sample()
    var maker = LibraryMaker(seed: seed)
    maker.makesFresh = false
    let store = try Recovery.open(disk).store
    for round in 1...3 {
      for _ in 0..<4 { try change(store, &maker) }
      if round < 3 { try store.checkpoint(maker.library) }
      if round == 1 { sample.second = maker.library }
    }
    sample.files = disk.files
    sample.present = maker.library
    return sample
  }

  /// All that was there is there still, here or among the backups, under its name or as damaged.
  private func expectKept(
    _ files: [StoreName: [UInt8]], in disk: SimulatedDisk, _ comment: String = ""
  ) {
    let now = disk.files
    for (name, bytes) in files where name.unfinishedGeneration == nil {
      let places = [
        name, StoreName(name.name, in: .backups), StoreName("damaged.1.\(name.name)", in: .backups),
      ]
      if !places.contains(where: { now[$0] == bytes }) {
        Issue.record("\(name) is gone \(comment)")
      }
    }
  }

  @Test(
    "The backup's state is that of the store, under numbers that nothing had before",
    arguments: 1...8 as ClosedRange<UInt64>)
  func restores(seed: UInt64) throws {
    let sample = try Self.sample(seed: seed)
    let disk = SimulatedDisk(sample.files)
    let restored = try StoreRestore.restore(sample.backup, named: "crates.2.txt", into: disk)
    #expect(restored.notes.isEmpty)
    #expect(isSame(restored.library, sample.second))
    #expect(restored.library.sequence > sample.present.sequence)
    #expect(restored.generation > 3)
    #expect(disk.files[.snapshot(restored.generation)] != nil)
    expectKept(sample.files, in: disk)
    #expect(StoreCheck.run(disk).verdict == .good)

    let again = try Recovery.open(disk)
    #expect(again.notes.isEmpty)
    expectSame(again.library, restored.library)
    // What was undone with the restore is none of undo's business, and stays in the history.
    #expect(try again.store.pastTransactions(before: .max, most: 100, of: .person).isEmpty)
    #expect(try again.store.pastTransactions(before: .max, most: 100, of: nil).count == 12)
    // The way back.
    let present = try #require(sample.files[.snapshot(3)])
    let back = try StoreRestore.restore(present, named: "crates.3.txt", into: disk)
    #expect(back.library.sequence > restored.library.sequence)
  }

  @Test("Undo begins anew after a restore, however many generations come and go")
  func undo() throws {
    let sample = try Self.sample()
    let disk = SimulatedDisk(sample.files)
    var library = try StoreRestore.restore(sample.backup, named: "", into: disk).library
    let store = try Recovery.open(disk).store
    for round in 0..<60 {
      let change = Transaction(
        by: .person, sentence: "",
        changes: [.crateAdded("Crate \(round)", after: nil)])
      let numbered = try store.commit([change], to: library)
      try library.apply(change.changes[0], by: .person)
      library.advance(to: numbered[0].sequence)
      try store.checkpoint(library)
      #expect(try store.pastTransactions(before: .max, most: 1000, of: .person).count == round + 1)
    }
    #expect(StoreCheck.run(disk).verdict == .good)
  }

  @Test("What is damaged is set aside under a free name, durably, or by the next start")
  func setAside() throws {
    func backup(_ name: String) -> StoreName { StoreName(name, in: .backups) }
    var files = try StoreCheckLinesTests.sample()
    files[.snapshot(2)]?[5] ^= 1
    files[.journal(2)] = Array("garbage\n".utf8)
    files[backup("damaged.1.journal.2.txt")] = [1]
    files[backup("damaged.2.journal.2.txt")] = [2]
    files[backup("damaged.1.crates.2.txt")] = [3]
    func restore(_ fault: SimulatedDisk.Fault?, passing: Int = 0) throws -> (
      SimulatedDisk, StoreRestore<SimulatedDisk>.Restored
    ) {
      let disk = SimulatedDisk(files)
      (disk.fault, disk.passes) = (fault, passing)
      let backup = try StoreCheckLinesTests.snapshot(1)
      return (disk, try StoreRestore.restore(backup, named: "it", into: disk))
    }
    let (disk, restored) = try restore(nil)
    #expect(restored.notes.isEmpty && restored.library.crates.count == 1)
    let asides = disk.files.keys.map(\.name).filter { $0.hasPrefix("damaged.") }.sorted()
    #expect(
      asides == [
        "damaged.1.crates.2.txt", "damaged.1.journal.2.txt", "damaged.2.crates.2.txt",
        "damaged.2.journal.2.txt", "damaged.3.journal.2.txt",
      ])
    // Safe there before its name may be gone from here.
    let renamed = try #require(
      disk.trace.lastIndex { $0.kind == .rename && $0.subject.contains("damaged.") })
    let folders = disk.trace[renamed...].filter { $0.kind == .synchronizeFolder }.map(\.subject)
    #expect(folders.prefix(2) == ["backups", "store"])

    let fault = SimulatedDisk.Fault(operation: 0, isLasting: true, code: 5, kinds: [.rename])
    let (failing, half) = try restore(fault, passing: 1)
    #expect(half.generation == 3 && half.notes.count == 1)
    #expect(half.notes.first?.hasPrefix("the next start has to do the rest (rename") == true)
    #expect(failing.files[.snapshot(3)] != nil)
  }

  @Test("A restored snapshot has the next number after all that were given out")
  func numbers() throws {
    let disk = SimulatedDisk(try StoreCheckLinesTests.sample())
    for (sequence, expected) in [(1, 6), (40, 41)] {
      let backup = try StoreCheckLinesTests.snapshot(sequence)
      let restored = try StoreRestore.restore(backup, named: "it", into: disk)
      #expect(restored.library.sequence == expected && restored.library.crates.count == sequence)
    }
  }

  @Test("Cut off at every operation, a restore leaves the old state or the restored one")
  func powerLoss() throws {
    var sample = try Self.sample()
    // With a last batch that is torn: it must not keep the old state from being there.
    sample.files[.journal(3)]? += Array("12345678 99 half a li".utf8)
    let whole = SimulatedDisk(sample.files)
    _ = try StoreRestore.restore(sample.backup, named: "", into: whole)
    var (old, new) = (0, 0)
    for stop in 0...whole.trace.count {
      for seed in 0..<UInt64(Effort.runs(2, nightly: 6)) {
        var choices = Choices.seeded(seed)
        let comment = "stop \(stop), seed \(seed)"
        let disk = SimulatedDisk(sample.files)
        disk.stopsAt = stop
        _ = try? StoreRestore.restore(sample.backup, named: "", into: disk)
        // Before the power goes: the simulated disk may forget both halves of a rename, which no
        // file system does.
        expectKept(sample.files, in: disk, comment)
        let found = disk.afterPowerLoss(&choices)
        // Tried again, and cut off again.
        let again = SimulatedDisk(found.files)
        again.stopsAt = choices.choose(whole.trace.count)
        _ = try? StoreRestore.restore(sample.backup, named: "", into: again)
        for left in [found, again.afterPowerLoss(&choices)] {
          let opened = try Recovery.open(left)
          #expect(opened.store.state == .ready, "\(opened.notes) \(comment)")
          if lines(of: opened.library) == lines(of: sample.present) {
            old += 1
          } else if isSame(opened.library, sample.second) {
            new += 1
            #expect(opened.library.sequence > sample.present.sequence, "\(comment)")
          } else {
            Issue.record("neither the one nor the other: \(comment)")
          }
        }
        _ = try StoreRestore.restore(sample.backup, named: "", into: found)
        #expect(isSame(try Recovery.open(found).library, sample.second), "\(comment)")
      }
    }
    let least = Effort.runs(10, nightly: 50)
    #expect(old > least && new > least, "\(old) old, \(new) new")
  }

  @Test("A disk that fails at any operation leaves the old state or the restored one")
  func faults() throws {
    let sample = try Self.sample()
    let whole = SimulatedDisk(sample.files)
    _ = try StoreRestore.restore(sample.backup, named: "", into: whole)
    for operation in 0..<whole.trace.count {
      for (isLasting, code) in [(false, 5), (true, 5), (false, 28), (true, 28)] as [(Bool, Int32)] {
        let disk = SimulatedDisk(sample.files)
        disk.fault = SimulatedDisk.Fault(operation: operation, isLasting: isLasting, code: code)
        let restored = try? StoreRestore.restore(sample.backup, named: "", into: disk)
        #expect(disk.faultsMade > 0)
        #expect(disk.offences.isEmpty)
        let after = SimulatedDisk(disk.files)
        let opened = try Recovery.open(after)
        let isNew = isSame(opened.library, sample.second)
        if restored != nil || !isNew {
          #expect(isNew == (restored != nil), "operation \(operation), error \(code)")
        }
        if !isNew { #expect(lines(of: opened.library) == lines(of: sample.present)) }
        expectKept(sample.files, in: after)
      }
    }
  }

  @Test("A backup that is damaged, of a later version or no snapshot changes nothing")
  func refused() throws {
    let sample = try Self.sample()
    var flipped = sample.backup
    flipped[flipped.count / 2] ^= 1
    for bytes in [flipped, [], Array("crated 2\n".utf8), sample.files[.journal(3)] ?? []] {
      let disk = SimulatedDisk(sample.files)
      #expect(throws: StoreFailure.self) {
        try StoreRestore.restore(bytes, named: "it", into: disk)
      }
      #expect(disk.files == sample.files)
    }
    var later = sample.files
    later[.snapshot(3)] = Array("crated 2\n".utf8)
    let disk = SimulatedDisk(later)
    #expect(throws: StoreFailure.newerVersion(2, file: "crates.3.txt")) {
      try StoreRestore.restore(sample.backup, named: "it", into: disk)
    }
    #expect(disk.files == later)
  }

  @Test("What a start refuses is mended by a restore, and what is damaged is kept for ever")
  func mends() throws {
    let sample = try Self.sample()
    var damaged = sample.files
    for name in [StoreName.snapshot(3), .journal(3)] {
      let middle = (damaged[name]?.count ?? 0) / 2
      damaged[name]?[middle] ^= 1
    }
    let backups = sample.files.filter { $0.key.folder == .backups }
    for files in [damaged, backups, [:]] {
      let disk = SimulatedDisk(files)
      let restored = try StoreRestore.restore(sample.backup, named: "", into: disk)
      #expect(isSame(restored.library, sample.second))
      #expect(restored.library.sequence > sample.second.sequence)
      expectKept(files, in: disk)
      let opened = try Recovery.open(disk)
      #expect(opened.store.state == .ready)
      #expect(isSame(opened.library, sample.second))
      if files == damaged {
        #expect(restored.library.sequence > sample.present.sequence)
        let kept = disk.files.keys.filter { $0.name.hasPrefix("damaged.1.") }
        #expect(kept.count == 2)
      }
    }
  }

  @Test("A backup that a person edited is taken over as it is")
  func edited() throws {
    let sample = try Self.sample()
    let text = Array("crated 1 sequence 7\ncrate Mine\n# mine\nend edited\n".utf8)
    let disk = SimulatedDisk(sample.files)
    let restored = try StoreRestore.restore(text, named: "", into: disk)
    #expect(restored.library.crates.map(\.name) == ["Mine"])
    #expect(restored.library.sequence > sample.present.sequence)
  }
}
