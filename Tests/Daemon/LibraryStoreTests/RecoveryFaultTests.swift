import LibraryModel
import Platform
import TestSupport
import Testing

@testable import LibraryStore

/// Operations fail while a store with a torn batch is recovered.
@Suite("Faults in recovery", .limited)
struct RecoveryFaultTests {
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
