import LibraryModel
import ModelSupport
import Platform
import TestSupport
import Testing

@testable import LibraryStore

/// Operations fail, once or for ever.
@Suite("Faults", .limited)
struct FaultTests {
  struct Code: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var number: Int32
    var kinds = Set(SimulatedDisk.Kind.allCases)
  }

  private static let writing: Set<SimulatedDisk.Kind> = [
    .create, .append, .rename, .synchronizeFile, .synchronizeFolder, .close,
  ]
  /// What Linux gives for these operations, each where it does.
  static let codes = [
    Code(testDescription: "EIO", number: 5),
    Code(testDescription: "EACCES", number: 13),
    Code(testDescription: "ENOMEM", number: 12),
    Code(testDescription: "ENOSPC", number: 28, kinds: writing),
    Code(testDescription: "EDQUOT", number: 122, kinds: writing),
    Code(testDescription: "EROFS", number: 30, kinds: writing.union([.truncate, .remove])),
    Code(testDescription: "EMFILE", number: 24, kinds: [.names, .read, .create]),
    Code(testDescription: "EFBIG", number: 27, kinds: [.append]),
    Code(testDescription: "EXDEV", number: 18, kinds: [.rename]),
  ]

  @Test(
    "Whatever fails, once or for ever, nothing that was answered is lost",
    arguments: codes, [false, true])
  func everyOperation(code: Code, isLasting: Bool) throws {
    for writesLater in [false, true] { try everyOperation(code, isLasting, writesLater) }
  }

  private func everyOperation(_ code: Code, _ isLasting: Bool, _ writesLater: Bool) throws {
    var workload = Workload()
    workload.writesLater = writesLater
    let whole = SimulatedDisk()
    _ = try workload.run(on: whole)
    var (faults, refusals) = (0, 0)
    let operations = whole.trace.indices.filter { code.kinds.contains(whole.trace[$0].kind) }
    for operation in Effort.some(of: operations, oneIn: 8) {
      let comment = "operation \(operation), \(whole.trace[operation])"
      let disk = SimulatedDisk()
      disk.fault = SimulatedDisk.Fault(
        operation: operation, isLasting: isLasting, code: code.number, kinds: code.kinds)
      let outcome = try workload.run(on: disk)
      #expect(disk.faultsMade > 0, "\(comment)")
      faults += disk.faultsMade
      refusals += outcome.refusals.count
      #expect(outcome.lost == nil, "\(comment)")
      #expect(disk.offences.isEmpty, "\(disk.offences) \(comment)")
      if !isLasting { #expect(outcome.refusals.count <= 12, "\(comment)") }
      disk.fault = nil
      // Killed: what is in the page cache is still seen. Then the power goes.
      try PowerLossTests.check(SimulatedDisk(disk.files), outcome, "killed, \(comment)")
      for seed in 0..<UInt64(2) {
        var choices = Choices.seeded(seed)
        try PowerLossTests.check(disk.afterPowerLoss(&choices), outcome, "seed \(seed), \(comment)")
      }
    }
    #expect(faults > Effort.runs(1, nightly: 10))
    // What only checkpoints and recoveries do refuses nothing.
    if code.kinds.contains(.append) { #expect(refusals > 0) }
  }

  // MARK: One fault at a time

  final class Bench {
    let disk = SimulatedDisk()
    var maker = LibraryMaker(seed: 31)
    let store: LibraryStore<SimulatedDisk>

    init() throws {
      store = try Recovery.open(disk).store
      try commit()
    }

    func commit() throws(StoreRefusal) {
      let before = maker.library
      guard let change = try? maker.committed() else {
        Issue.record("no change was made")
        return
      }
      do {
        let numbered = try store.commit([change], to: before)
        maker.library.advance(to: numbered[0].sequence)
      } catch {
        maker.library = before
        throw error
      }
    }

    /// The next operation of this kind, or all from now on.
    ///
    /// - Parameter name: the only file that has the fault.
    func fail(
      _ kinds: Set<SimulatedDisk.Kind>, _ code: Int32, isLasting: Bool, name: StoreName? = nil
    ) {
      let operation = disk.trace.count
      disk.fault = SimulatedDisk.Fault(
        operation: operation, isLasting: true, code: code, kinds: kinds, name: name)
      disk.failsOnce = !isLasting
    }

    func expectDurable(_ comment: String = "", _ location: SourceLocation = #_sourceLocation) throws
    {
      disk.fault = nil
      for seed in 0..<UInt64(8) {
        var choices = Choices.seeded(seed)
        let found = disk.afterPowerLoss(&choices)
        expectSame(try Recovery.open(found).library, maker.library, "\(comment)", location)
      }
      #expect(disk.offences.isEmpty, sourceLocation: location)
    }
  }

  @Test(
    "A full disk refuses changes, goes on reading, and heals when there is room",
    arguments: [28, 122, 27] as [Int32])
  func full(code: Int32) throws {
    let bench = try Bench()
    bench.fail([.append, .create], code, isLasting: true)
    for _ in 0..<3 {
      let refusal = #expect(throws: StoreRefusal.self) { try bench.commit() }
      #expect(refusal?.isUnknown == false)
      #expect(refusal?.reason.contains("make room") == true)
      #expect(bench.store.isFull, "\(bench.store.state)")
    }
    #expect(bench.disk.files[.journal(1)]?.last == 0x0A, "it was cut back to its last good end")
    bench.disk.fault = nil
    bench.fail([.probe], code, isLasting: true)
    bench.store.heal(bench.maker.library)
    #expect(bench.store.isFull, "\(bench.store.state)")
    bench.disk.fault = nil
    bench.store.heal(bench.maker.library)
    #expect(bench.store.state == .ready, "it is seen that there is room, without a change")
    try bench.commit()
    #expect(bench.store.state == .ready)
    #expect(bench.disk.files[.journal(2)] == nil)
    try bench.expectDurable()
  }

  @Test(
    "A journal on a full disk that can't be cut back is never used again, and nothing is lost",
    arguments: [SimulatedDisk.Kind.truncate, .synchronizeFile], [false, true])
  func cutBackFails(kind: SimulatedDisk.Kind, isAllFull: Bool) throws {
    let bench = try Bench()
    let good = try #require(bench.disk.files[.journal(1)]).count
    let kinds: Set = [.append, kind]
    bench.fail(kinds, 28, isLasting: true, name: isAllFull ? nil : .journal(1))
    let refusal = #expect(throws: StoreRefusal.self) { try bench.commit() }
    #expect(refusal?.isUnknown == false, "half a batch did not happen")
    let failed = bench.disk.trace.filter { $0.failed && $0.subject == "journal.1.txt" }
    #expect(failed.map(\.kind) == [.append, kind])
    let files = bench.disk.files
    if kind == .truncate { #expect(files[.journal(1)].map { $0.count > good } ?? true) }
    if isAllFull {
      #expect(bench.store.isReadOnly, "\(bench.store.state)")
      bench.disk.fault = nil
      let operations = bench.disk.trace.count
      #expect(throws: StoreRefusal.self) { try bench.commit() }
      bench.store.heal(bench.maker.library)
      bench.store.close(bench.maker.library)
      #expect(bench.disk.trace.count == operations, "until the restart nothing is written")
    } else {
      #expect(bench.store.state == .ready)
      #expect(bench.disk.files[.journal(2)] != nil)
      try bench.commit()
      let end = try #require(bench.disk.trace.lastIndex { $0.failed })
      let later = bench.disk.trace[(end + 1)...].filter { $0.subject == "journal.1.txt" }
      #expect(later.map(\.kind).allSatisfy { $0 == .close }, "\(later)")
    }
    // Killed, and after a power cut.
    expectSame(try Recovery.open(SimulatedDisk(bench.disk.files)).library, bench.maker.library)
    try bench.expectDurable()
  }

  @Test(
    "However much of a refused batch reached the file, what is answered afterwards is found",
    arguments: [5, 28, 122, 30] as [Int32])
  func refusedInPart(code: Int32) throws {
    for bytes in stride(from: 0, through: 2_000, by: Effort.runs(90, nightly: 1)) {
      let bench = try Bench()
      bench.disk.partialBytes = bytes
      bench.fail([.append], code, isLasting: false)
      #expect(throws: StoreRefusal.self) { try bench.commit() }
      #expect(bench.disk.faultsMade == 1)
      try bench.commit()
      expectSame(
        try Recovery.open(SimulatedDisk(bench.disk.files)).library, bench.maker.library,
        "killed, \(bytes) bytes")
      try bench.expectDurable("\(bytes) bytes")
    }
  }

  @Test("A journal that another program wrote into, or cut, is replaced before the next change")
  func changedByOthers() throws {
    for change in [{ $0 + [0x23, 0x0A] }, { Array($0.dropLast(3)) }, { _ in [] }]
      as [([UInt8]) -> [UInt8]]
    {
      let bench = try Bench()
      bench.disk.replaceFiles(by: [.journal(1): change(bench.disk.files[.journal(1)] ?? [])])
      try bench.commit()
      #expect(bench.store.takeNotes().contains { $0.contains("was replaced") })
      #expect(bench.disk.files[.journal(2)] != nil)
      try bench.commit()
      #expect(bench.store.takeNotes().isEmpty)
      try bench.expectDurable()
    }
  }

  @Test("A file system that turns read-only is said to be, and heals when it is writable")
  func readOnlyFileSystem() throws {
    let bench = try Bench()
    // Without any byte written, as a read-only file system does it.
    bench.disk.partial = false
    bench.fail([.append, .create, .truncate], 30, isLasting: true)
    let refusal = #expect(throws: StoreRefusal.self) { try bench.commit() }
    #expect(refusal?.isUnknown == false)
    #expect(bench.store.isReadOnly, "\(bench.store.state)")
    bench.disk.fault = nil
    try bench.commit()
    #expect(bench.store.state == .ready)
    try bench.expectDurable()
  }

  @Test(
    "After a failed synchronization the file is never used again, but a new one",
    arguments: [5, 28, 122, 30] as [Int32])
  func failedSynchronization(code: Int32) throws {
    let bench = try Bench()
    bench.fail([.synchronizeFile], code, isLasting: false)
    let refusal = #expect(throws: StoreRefusal.self) { try bench.commit() }
    #expect(refusal?.isUnknown == false, "the new generation says that it did not happen")
    #expect(bench.store.state == .ready)
    let failed = try #require(bench.disk.trace.lastIndex { $0.failed })
    let later = bench.disk.trace[(failed + 1)...].filter { $0.subject == "journal.1.txt" }
    #expect(later.map(\.kind).filter { $0 != .rename } == [.close], "and it is closed once")
    try bench.commit()
    #expect(bench.disk.files[.journal(2)] != nil)
    try bench.expectDurable()
  }

  @Test(
    "Where nothing can be synchronized any more the store is read-only and says that it can't know")
  func neverSynchronized() throws {
    let bench = try Bench()
    bench.fail([.synchronizeFile, .synchronizeFolder], 5, isLasting: true)
    let refusal = #expect(throws: StoreRefusal.self) { try bench.commit() }
    #expect(refusal?.isUnknown == true)
    bench.disk.fault = nil
    let operations = bench.disk.trace.count
    let next = #expect(throws: StoreRefusal.self) { try bench.commit() }
    #expect(next?.isUnknown == false)
    try bench.store.checkpoint(bench.maker.library)
    bench.store.heal(bench.maker.library)
    bench.store.close(bench.maker.library)
    #expect(!bench.store.mayHeal)
    #expect(bench.disk.trace.count == operations, "until the restart nothing is written")
  }

  @Test("A checkpoint that fails anywhere leaves the journal in use")
  func failedCheckpoint() throws {
    for kind in [
      SimulatedDisk.Kind.create, .append, .synchronizeFile, .synchronizeFolder, .rename, .close,
    ] {
      for skipped in 0..<2 {
        let bench = try Bench()
        bench.fail([kind], 5, isLasting: false)
        bench.disk.passes = skipped
        do {
          try bench.store.checkpoint(bench.maker.library)
          // Closing the old journal, and moving old generations away, matter to nobody.
          #expect(kind == .close || kind == .rename || skipped > 0, "\(kind)")
        } catch {
          #expect(error.code == 5)
        }
        #expect(bench.disk.faultsMade == 1, "\(kind) \(skipped)")
        for _ in 0..<3 { try bench.commit() }
        #expect(bench.store.state == .ready, "\(kind)")
        // Each try uses up a generation: it is due again when the journal has grown by its bound.
        let due = try bench.store.checkpointWork(bench.maker.library, isIdle: false)
        #expect(due == nil, "\(kind)")
        if kind != .synchronizeFolder, let bound = bench.store.journalBound {
          #expect(((8 << 20) + 1..<(9 << 20)).contains(bound))
          try bench.store.checkpoint(bench.maker.library)
          #expect(bench.store.journalBound == nil)
        }
        try bench.expectDurable("\(kind) \(skipped)")
      }
    }
  }

  @Test("A disk that is full at the start shows everything, and changes wait for a new snapshot")
  func fullAtStart() throws {
    let sample = try SampleJournal(batches: [1, 2, 1], seed: 4)
    let disk = sample.disk()
    disk.fault = SimulatedDisk.Fault(
      operation: 0, isLasting: true, code: 28, kinds: [.append, .create])
    let opened = try Recovery.open(disk)
    let library = try #require(sample.libraries.last)
    expectSame(opened.library, library)
    #expect(opened.store.isFull, "\(opened.store.state)")
    var maker = LibraryMaker(seed: 5)
    maker.library = library
    let change = try maker.committed()
    #expect(throws: StoreRefusal.self) { try opened.store.commit([change], to: library) }
    #expect(disk.files == sample.disk().files)
    disk.fault = nil
    let numbered = try opened.store.commit([change], to: library)
    maker.library.advance(to: numbered[0].sequence)
    #expect(opened.store.state == .ready)
    #expect(
      disk.files.keys.contains { $0.generation("crates") ?? 0 > 1 }, "the snapshot came first")
    expectSame(try Recovery.open(disk).library, maker.library)
  }

  @Test(
    "Where the directory was removed or replaced nothing is written, and no empty store is made")
  func directoryGone() throws {
    let bench = try Bench()
    bench.disk.isIntact = false
    let operations = bench.disk.trace.count
    #expect(throws: SystemCallError.self) { try bench.store.checkpoint(bench.maker.library) }
    #expect(throws: StoreRefusal.self) { try bench.commit() }
    #expect(bench.store.isReadOnly, "\(bench.store.state)")
    bench.store.heal(bench.maker.library)
    bench.store.close(bench.maker.library)
    #expect(bench.disk.trace.count == operations)
  }

  @Test(
    "A batch that went to a directory that is no longer the store's is cut off again",
    arguments: [nil, 5, 28] as [Int32?])
  func directoryGoneMeanwhile(appendFails: Int32?) throws {
    let bench = try Bench()
    bench.disk.isIntact = false
    if let appendFails { bench.fail([.append], appendFails, isLasting: false) }
    let files = bench.disk.files
    let refusal = #expect(throws: StoreRefusal.self) { try bench.commit() }
    #expect(bench.disk.faultsMade == (appendFails == nil ? 0 : 1))
    #expect(refusal?.isUnknown == false)
    #expect(refusal?.reason.contains("removed or replaced") == true)
    #expect(bench.disk.files == files, "and no file was made there")
    #expect(throws: StoreRefusal.self) { try bench.commit() }
    #expect(bench.disk.files == files)
  }
}
