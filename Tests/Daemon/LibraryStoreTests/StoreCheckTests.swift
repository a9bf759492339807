import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

/// The check of stores that the store itself wrote.
@Suite("Checking a store", .limited)
struct StoreCheckTests {
  private func check(_ files: [StoreName: [UInt8]]) -> StoreReport {
    let disk = SimulatedDisk(files)
    let report = StoreCheck.run(disk)
    #expect(disk.trace.allSatisfy { [.names, .read].contains($0.kind) })
    return report
  }

  @Test("A good store has no findings, and is counted")
  func good() throws {
    let report = check(try DamageTests.sample().files)
    #expect(report.findings.isEmpty && report.notes.isEmpty && report.verdict == .good)
    #expect(report.generations == 2 && report.state?.generation == 2)
  }

  @Test("Whatever a power cut leaves is no finding: what it tore never happened")
  func powerCuts() throws {
    var random = SeededGenerator(usually: 11)
    var torn = 0
    let (whole, _) = try PowerLossTests.stoppedDisk(Workload(), at: .max)
    for stop in 0...whole.trace.count {
      let (disk, outcome) = try PowerLossTests.stoppedDisk(Workload(), at: stop)
      let seed = random.next()
      var choices = Choices.seeded(seed)
      let report = check(disk.afterPowerLoss(&choices).files)
      torn += report.notes.count { $0.reason.contains("last batch") }
      // Before the first snapshot there is nothing yet.
      if outcome.answered.sequence == 0, report.state == nil { continue }
      // Where a file's move to the backups is no single step for the disk, a journal may be in
      // neither place; what it continued is a backup already.
      let findings = report.findings.filter { finding in
        finding.name.folder == .store || !finding.reason.contains("journal.")
          || !finding.reason.contains("is missing")
      }
      #expect(findings.isEmpty, "\(findings) after operation \(stop), seed \(seed)")
    }
    #expect(torn > 0)
  }

  @Test(
    "Whatever kills leave, over many lives, is no finding",
    arguments: 1...UInt64(Effort.runs(6, nightly: 200)))
  func kills(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bounds = BackupBounds()
    (bounds.generations, bounds.bytes, bounds.undoable) = (2, 0, 3)
    let disk = SimulatedDisk()
    var maker = LibraryMaker(seed: seed)
    for life in 1...40 {
      disk.restart()
      disk.stopsAt = disk.trace.count + Int.random(in: 0...60, using: &random)
      live(on: disk, keeping: bounds, &maker)
      disk.stopsAt = nil
      let report = check(disk.files)
      // Before the first snapshot there is nothing yet.
      if report.state == nil, !disk.files.keys.contains(where: { $0.generation("crates") != nil }) {
        continue
      }
      #expect(report.verdict == .good, "\(report.findings) after life \(life), \(seed)")
    }
  }

  /// Until the disk stops.
  private func live(
    on disk: SimulatedDisk, keeping bounds: BackupBounds, _ maker: inout LibraryMaker
  ) {
    guard let opened = try? Recovery.open(disk, keeping: bounds) else { return }
    maker.library = opened.library
    while !disk.isStopped {
      if Int.random(in: 0..<4, using: &maker.random) == 0 {
        try? opened.store.checkpoint(maker.library)
      }
      if (try? change(opened.store, &maker)) == nil { return }
    }
  }

  @Test(
    "What a daemon writes meanwhile is no finding",
    arguments: 1...UInt64(Effort.runs(12, nightly: 2_000)))
  func beside(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let disk = SimulatedDisk()
    let store = try Recovery.open(disk).store
    var maker = LibraryMaker(seed: seed)
    var failure: (any Error)?
    func work() throws {
      for _ in 0..<Int.random(in: 0...2, using: &random) { try change(store, &maker) }
      store.journalBound = 0
      try store.checkpointWork(maker.library, isIdle: false)?()
    }
    for _ in 0..<10 { try work() }
    disk.beside = {
      do { try work() } catch { failure = error }
    }
    let report = StoreCheck.run(disk)
    disk.beside = nil
    #expect(failure == nil)
    #expect(report.verdict == .good && report.findings.isEmpty, "\(report), seed \(seed)")
  }

  @Test("A bit that flips anywhere, in the store or its backups, is found in its file")
  func bits() throws {
    let sample = try DamageTests.sample().files
    for (name, bytes) in sample {
      for place in stride(from: 0, to: bytes.count, by: 5) {
        var files = sample
        files[name]?[place] ^= 1 << UInt8(place % 8)
        let report = check(files)
        // A torn last batch is a note, and damage to it looks the same.
        let found = (report.findings + report.notes).contains { $0.name == name }
        let isNewer = if case .newer = report.verdict { true } else { false }
        #expect(found || isNewer, "byte \(place) of \(name)")
        #expect(name == .journal(2) || report.verdict != .good, "byte \(place) of \(name)")
      }
    }
  }

  @Test("What can't be opened is unusable, and a later version is left alone")
  func unusable() throws {
    let sample = try DamageTests.sample().files
    let empty = sample.merging(
      sample.keys.filter { $0.name.hasPrefix("crates.") }.map { ($0, []) }
    ) { $1 }
    for files in [[:], sample.filter { $0.key.folder == .backups }, empty] {
      guard case .unusable = check(files).verdict else {
        Issue.record("\(files.keys)")
        continue
      }
    }
    let later = sample.merging([.snapshot(2): Array("crated 2\n".utf8)]) { $1 }
    #expect(check(later).verdict == .newer(2, file: "crates.2.txt"))
  }
}
