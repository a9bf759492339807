import LibraryModel
import Platform
import TestSupport

@testable import LibraryStore

/// A life of the store: first start, changes alone and in groups, checkpoints, a stop, a kill.
struct Workload {
  enum Step {
    case commit(Int)
    case long
    case checkpoint
    case stop
    case kill
  }

  /// What was promised, and what the disk saw.
  struct Outcome {
    /// After the last change that was answered.
    var answered = Library()
    /// With the change that was never answered, or answered with "unknown".
    var open: [Library] = []
    var refusals: [StoreRefusal] = []
    var state: StoreState?
    var wasStarted = false
    var failure: StoreFailure?
    /// A start that took changes again, but showed another library than the one that was promised.
    var lost: String?
  }

  static let whole: [Step] = [
    .commit(1), .commit(3), .long, .checkpoint, .commit(1), .commit(2), .stop, .commit(1), .kill,
    .commit(2), .checkpoint, .commit(1),
  ]

  var steps = Workload.whole
  var seed: UInt64 = 1

  func run(on disk: SimulatedDisk) throws -> Outcome {
    var outcome = Outcome()
    var maker = LibraryMaker(seed: seed)
    guard var store = start(disk, &outcome, &maker) else { return outcome }
    for step in steps {
      switch step {
      case .commit(let count): try commit(count, nil, store, &maker, disk, &outcome)
      case .long: try commit(1, 12, store, &maker, disk, &outcome)
      case .checkpoint: try? store.checkpoint(maker.library)
      case .stop, .kill:
        if case .stop = step { store.close(maker.library) }
        guard let next = start(disk, &outcome, &maker) else { return outcome }
        store = next
      }
      if disk.isStopped { return outcome }
    }
    outcome.state = store.state
    return outcome
  }

  private func start(
    _ disk: SimulatedDisk, _ outcome: inout Outcome, _ maker: inout LibraryMaker
  ) -> LibraryStore<SimulatedDisk>? {
    disk.restart()
    do {
      let opened = try Recovery.open(disk)
      // A store that is damaged or can't be read may show less than there is; nothing is built on
      // it.
      let isWhole = opened.notes.allSatisfy { !$0.contains("proved good") }
      if isWhole, let fault = outcome.fault(in: opened.library) {
        outcome.lost = outcome.lost ?? fault
      }
      // Only then is what it shows on the disk anew.
      if isWhole, opened.store.state == .ready {
        outcome.answered = opened.library
        outcome.open = []
      }
      maker.library = opened.library
      outcome.wasStarted = true
      outcome.failure = nil
      return opened.store
    } catch {
      outcome.failure = error
      return nil
    }
  }

  private func commit(
    _ count: Int, _ steps: Int?, _ store: LibraryStore<SimulatedDisk>, _ maker: inout LibraryMaker,
    _ disk: SimulatedDisk, _ outcome: inout Outcome
  ) throws {
    let before = maker.library
    var changes: [CommittedChange] = []
    for _ in 0..<count { changes.append(try maker.committed(steps: steps)) }
    do {
      let numbered = try store.commit(changes, to: before)
      maker.library.advance(to: numbered.map(\.sequence).max() ?? 0)
      outcome.answered = maker.library
    } catch {
      if disk.isStopped || error.isUnknown { outcome.open.append(maker.library) }
      if !disk.isStopped { outcome.refusals.append(error) }
      maker.library = before
    }
  }
}

/// Equal but for numbers, which a change gets only with its answer.
func isSame(_ left: Library, _ right: Library) -> Bool {
  lines(of: left, withSequence: false) == lines(of: right, withSequence: false)
}

extension Workload.Outcome {
  /// What a recovered library has lost, or has that was never promised; nil where it is right.
  func fault(in found: Library) -> String? {
    if let broken = brokenInvariant(of: found) { return broken }
    if lines(of: found) == lines(of: answered) { return nil }
    if open.contains(where: { isSame($0, found) }) { return nil }
    return "found \(lines(of: found).count) lines of a library at \(found.sequence), not the"
      + " \(lines(of: answered).count) answered at \(answered.sequence)"
  }
}
