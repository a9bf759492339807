import Glibc
import LibraryModel
import TestSupport
import Testing

@testable import LibraryStore

/// The power goes at every operation, and everything that was not synchronized may be there or not.
@Suite("Power loss")
struct PowerLossTests {
  /// How many states in all; CRATED_TEST_STATES asks for more.
  static let states = getenv("CRATED_TEST_STATES").flatMap { Int(String(cString: $0)) } ?? 4000

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
    // It lives on.
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
    "Every change that was answered is there, and nothing half done, whatever the power cut left")
  func seeded() throws {
    let workload = Workload()
    let (whole, outcome) = try Self.stoppedDisk(workload, at: .max)
    #expect(outcome.state == .ready)
    #expect(outcome.lost == nil)
    #expect(whole.offences.isEmpty)
    let operations = whole.trace.count
    #expect(operations > 100)
    var random = SeededGenerator(usually: 2026)
    var unsafeStates = 0
    let rounds = max(1, Self.states / operations)
    for stop in 0...operations {
      let (disk, outcome) = try Self.stoppedDisk(workload, at: stop)
      #expect(outcome.lost == nil, "stop \(stop) \(random)")
      if disk.unsafeChanges > 0 { unsafeStates += 1 }
      for round in 0..<rounds {
        let seed = random.next()
        var choices = Choices.seeded(seed)
        let comment = "after operation \(stop), seed \(seed), \(random)"
        let found = disk.afterPowerLoss(&choices)
        let copy = round % 4 == 0 ? SimulatedDisk(found.files) : nil
        try Self.check(found, outcome, comment)
        if let copy { try crashAgain(copy, outcome, &choices, comment) }
      }
    }
    // The disk has to have something to forget for this to mean anything.
    #expect(unsafeStates > operations / 2)
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

  @Test("Nothing is lost in any of the states that a power cut at one place can leave")
  func exhaustive() throws {
    var workload = Workload()
    workload.steps = [
      .commit(1), .commit(2), .checkpoint, .long, .commit(1), .stop, .checkpoint, .checkpoint,
      .kill,
      .commit(2),
    ]
    let (whole, _) = try Self.stoppedDisk(workload, at: .max)
    var (states, most) = (0, 0)
    for stop in 0...whole.trace.count {
      let (disk, outcome) = try Self.stoppedDisk(workload, at: stop)
      most = max(most, disk.unsafeChanges)
      var choices = Choices.first
      repeat {
        let comment = "state \(states), after operation \(stop)"
        try Self.check(disk.afterPowerLoss(&choices), outcome, comment)
        states += 1
        try #require(states < 100_000, "the workload leaves more states than can be looked at")
      } while choices.advance()
    }
    #expect(states > 300, "\(states) states, at most \(most) changes not yet safe")
    #expect(most >= 4)
  }

  @Test("A recovery that is cut off at every operation, again and again, loses nothing")
  func recoveryCrashes() throws {
    let sample = try SampleJournal(batches: [1, 2, 4], seed: 8)
    let torn = Array(sample.bytes.dropLast(5))
    let promised = Workload.Outcome(answered: sample.libraries[2])
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
