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
      for _ in 0..<4 {
        let before = maker.library
        let numbered = try store.commit([try maker.committed()], to: before)
        maker.library.advance(to: numbered[0].sequence)
      }
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
    let used = sample.files.keys.compactMap { $0.generation("crates") ?? $0.generation("journal") }
    #expect(used.allSatisfy { $0 < restored.generation })
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

  @Test("What is damaged is safe among the backups before its name may be gone from the store")
  func setAside() throws {
    var sample = try Self.sample()
    sample.files[.snapshot(3)]?[40] ^= 1
    let disk = SimulatedDisk(sample.files)
    _ = try StoreRestore.restore(sample.backup, named: "", into: disk)
    let renamed = try #require(
      disk.trace.lastIndex { $0.kind == .rename && $0.subject.contains("damaged.") },
      "\(disk.trace)")
    let folders = disk.trace[renamed...].filter { $0.kind == .synchronizeFolder }.map(\.subject)
    #expect(folders.prefix(2) == ["backups", "store"])
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
