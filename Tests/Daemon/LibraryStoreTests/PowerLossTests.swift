import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

/// The power goes at every operation, and everything that was not synchronized may be there or not.
@Suite("Power loss", .limited)
struct PowerLossTests {
  /// How many states in all.
  static let states = Effort.runs(2_000, nightly: 100_000)

  static func stoppedDisk(_ workload: Workload, at operation: Int) throws -> (
    SimulatedDisk, Workload.Outcome
  ) {
    let disk = SimulatedDisk()
    disk.stopsAt = operation
    return (disk, try workload.run(on: disk))
  }

  /// Opens the store as it was found, and then once more after a change.
  static func check(
    _ found: SimulatedDisk, _ outcome: Workload.Outcome, _ comment: String
  ) throws {
    let inputs = found.files
    let opened: Recovery<SimulatedDisk>.Opened
    do {
      opened = try Recovery.open(found)
    } catch {
      Issue.record("\(error) \(comment)")
      return
    }
    if let fault = outcome.fault(in: opened.library) { Issue.record("\(fault) \(comment)") }
    if opened.store.state != .ready { Issue.record("\(opened.notes) \(comment)") }
    checkInputs(inputs, found, comment)
    // The store lives on.
    var maker = LibraryMaker(seed: 77)
    maker.library = opened.library
    let change = try maker.committed()
    let numbered = try opened.store.commit([change], to: opened.library)
    maker.library.advance(to: numbered[0].sequence)
    let again = try Recovery.open(found)
    if lines(of: again.library) != lines(of: maker.library) {
      Issue.record("the next change is lost \(comment)")
    }
  }

  /// Recovery may move what it read to the backups, but changes no byte of it.
  static func checkInputs(
    _ inputs: [StoreName: [UInt8]], _ disk: SimulatedDisk, _ comment: String
  ) {
    let files = disk.files
    for (name, bytes) in inputs where name.unfinishedGeneration == nil {
      let moved = StoreName(name.name, in: .backups)
      if files[name] != bytes && files[moved] != bytes {
        Issue.record("\(name) was altered or removed \(comment)")
      }
    }
  }

  @Test(
    "Every change that was answered or shown is there, and nothing half done, whatever a cut left",
    arguments: [false, true])
  func seeded(writesLater: Bool) throws {
    var workload = Workload()
    workload.writesLater = writesLater
    let (whole, outcome) = try Self.stoppedDisk(workload, at: .max)
    #expect(outcome.state == .ready)
    #expect(outcome.lost == nil)
    #expect(outcome.changesBeside > 10)
    #expect(whole.offences.isEmpty)
    let operations = whole.trace.count
    #expect(operations > 100)
    var random = SeededGenerator(usually: 2026)
    var unsafeStops = 0
    var different = 0
    let rounds = max(1, Self.states / 2 / operations)
    for stop in 0...operations {
      let (disk, outcome) = try Self.stoppedDisk(workload, at: stop)
      #expect(outcome.lost == nil, "stop \(stop) \(random)")
      if disk.unsafeChanges > 0 { unsafeStops += 1 }
      // What is found once is not judged twice.
      var seen: Set<[StoreName: [UInt8]]> = []
      for round in 0..<rounds {
        let seed = random.next()
        var choices = Choices.seeded(seed)
        let comment = "after operation \(stop), seed \(seed), \(random)"
        let found = disk.afterPowerLoss(&choices)
        let files = found.files
        if seen.insert(files).inserted {
          different += 1
          try Self.check(found, outcome, comment)
        }
        if round % 40 == 0 {
          try crashAgain(SimulatedDisk(files), outcome, &choices, comment)
        }
      }
    }
    // The disk has to have something to forget for this to mean anything.
    #expect(unsafeStops > operations / 2)
    #expect(different > min(10, rounds / 4) * operations, "\(different) states")
  }

  /// The power goes while the store is recovered, five times in a row.
  private func crashAgain(
    _ found: SimulatedDisk, _ outcome: Workload.Outcome, _ choices: inout Choices,
    _ comment: String
  ) throws {
    var disk = found
    for _ in 0..<5 {
      disk.stopsAt = choices.choose(24)
      _ = try? Recovery.open(disk)
      disk = disk.afterPowerLoss(&choices)
    }
    try Self.check(disk, outcome, "and five times more, \(comment)")
  }

  @Test(
    "Nothing is lost in any of the states that a power cut at one place can leave",
    arguments: [false, true])
  func exhaustive(writesLater: Bool) throws {
    var workload = Workload()
    workload.writesLater = writesLater
    workload.steps = [
      .commit(1), .commit(2), .checkpoint, .long, .commit(1), .stop, .checkpointBeside, .kill,
      .commit(2), .kill, .commit(3), .stop,
    ]
    let whole = try Self.stoppedDisk(workload, at: .max).0.trace.count
    var states = States()
    for stop in Effort.some(of: Array(0...whole), oneIn: 3) {
      let (disk, outcome) = try Self.stoppedDisk(workload, at: stop)
      try states.checkAll(of: disk, outcome, "after operation \(stop)")
    }
    #expect(states.count > Effort.runs(50, nightly: 300), "\(states)")
    #expect(states.mostUnsafe >= 4, "\(states)")
  }

  @Test("Nor where so many generations go to the backups at once that twelve changes are unsafe")
  func exhaustiveArchive() throws {
    var workload = Workload()
    workload.steps = [.commit(1), .checkpoint, .commit(2), .checkpoint, .commit(1), .checkpoint]
    let (made, outcome) = try Self.stoppedDisk(workload, at: .max)
    // The files as if no generation had ever left the store.
    let files = Dictionary(
      uniqueKeysWithValues: made.files.map { (StoreName($0.key.name), $0.value) })
    let whole = SimulatedDisk(files)
    _ = try Recovery.open(whole)
    var states = States()
    for stop in 0...whole.trace.count {
      let disk = SimulatedDisk(files)
      disk.stopsAt = stop
      _ = try? Recovery.open(disk)
      try states.checkAll(of: disk, outcome, "after operation \(stop)")
    }
    #expect(states.mostUnsafe >= 12, "\(states)")
  }

  /// All that can be found after a power cut.
  private struct States: CustomStringConvertible {
    var count = 0
    var mostUnsafe = 0

    var description: String {
      "\(count) states, at most \(mostUnsafe) changes not yet safe"
    }

    mutating func checkAll(
      of disk: SimulatedDisk, _ outcome: Workload.Outcome, _ place: String
    ) throws {
      mostUnsafe = max(mostUnsafe, disk.unsafeChanges)
      var choices = Choices.first
      repeat {
        try PowerLossTests.check(
          disk.afterPowerLoss(&choices), outcome, "state \(count), \(place)")
        count += 1
        try #require(count < 100_000, "the workload leaves more states than can be looked at")
      } while choices.advance()
    }
  }

  @Test("A recovery that is cut off at every operation, again and again, loses nothing")
  func recoveryCrashes() throws {
    let sample = try SampleJournal(batches: [1, 2, 4], seed: 8)
    let torn = Array(sample.bytes.dropLast(5))
    let promised = Workload.Outcome(answered: sample.recordLibraries[6])
    let whole = sample.disk(with: torn)
    _ = try Recovery.open(whole)
    for stop in 0...whole.trace.count {
      for seed in 0..<UInt64(6) {
        var choices = Choices.seeded(seed)
        var disk = sample.disk(with: torn)
        // Each time it comes as far, and something else is left of it.
        for _ in 0..<4 {
          disk.stopsAt = stop
          _ = try? Recovery.open(disk)
          disk = disk.afterPowerLoss(&choices)
        }
        try Self.check(disk, promised, "stop \(stop), seed \(seed)")
        let copies = disk.files.filter { $0.key.name.hasPrefix("torn.") && $0.value == torn }
        #expect(copies.count >= 1, "the torn batch has no copy: stop \(stop), seed \(seed)")
      }
    }
  }
}
