import LibraryModel
import ModelSupport
import Platform
import TestSupport

@testable import LibraryStore

/// A life of the store: first start, changes alone and in groups, checkpoints, a stop, a kill.
struct Workload {
  enum Step {
    case commit(Int)
    case long
    case checkpoint
    /// The same, with changes in between.
    case checkpointBeside
    /// A backup before a large change.
    case keep
    case stop
    case kill
  }

  /// What was promised, and what the disk saw.
  struct Outcome {
    /// After the last change that was answered.
    var answered = Library()
    /// With changes that were never answered, or answered with "unknown": of several that were
    /// written at once, the first ones may be there.
    var open: [Library] = []
    var refusals: [StoreRefusal] = []
    var state: StoreState?
    /// While another thread wrote a checkpoint.
    var changesBeside = 0
    var failure: StoreFailure?
    /// A start that took changes again, but showed another library than the one that was promised.
    var lost: String?
  }

  static let whole: [Step] = [
    .commit(1), .commit(3), .long, .checkpoint, .commit(1), .commit(2), .stop, .commit(1), .kill,
    .commit(2), .checkpointBeside, .commit(1), .keep, .commit(1),
  ]

  var steps = Workload.whole
  /// Whether what is recovered after a kill is shown before it is written anew.
  var writesLater = false
  var seed: UInt64 = 1

  func run(on disk: SimulatedDisk) throws -> Outcome {
    let life = Life(disk, seed: seed, writesLater: writesLater)
    life.start()
    for step in steps {
      guard let store = life.store, !disk.isStopped else { break }
      switch step {
      case .commit(let count): try life.commit(count, on: store)
      case .long: try life.commit(1, steps: 12, on: store)
      case .checkpoint: try? store.checkpoint(life.maker.library)
      case .checkpointBeside: try life.checkpointBeside(store)
      case .keep: try? store.keep(life.maker.library)
      case .stop:
        store.close(life.maker.library)
        life.start()
      case .kill: life.start()
      }
    }
    if !disk.isStopped { life.outcome.state = life.store?.state }
    return life.outcome
  }
}

/// One after the other, the processes that own a store.
private final class Life {
  let disk: SimulatedDisk
  var maker: LibraryMaker
  var outcome = Workload.Outcome()
  private(set) var store: LibraryStore<SimulatedDisk>?
  private let writesLater: Bool
  private var starts = 0

  init(_ disk: SimulatedDisk, seed: UInt64, writesLater: Bool) {
    self.disk = disk
    self.writesLater = writesLater
    maker = LibraryMaker(seed: seed)
  }

  func start() {
    disk.restart()
    store = nil
    do {
      let opened = try Recovery.open(disk, writesLater: writesLater)
      // A store that is damaged or can't be read may show less than there is; nothing is built on
      // it.
      let isWhole = opened.notes.allSatisfy { !$0.contains("known to be good") }
      if isWhole, let fault = outcome.fault(in: opened.library) {
        outcome.lost = outcome.lost ?? fault
      }
      // Only then is what it shows on the disk: anew, or as the kernel says, which may be wrong
      // where an earlier process was told that a synchronization failed.
      let isSafe = opened.store.pendingWrite != .generation || disk.faultsMade == 0
      if isWhole, isSafe, opened.store.state == .ready {
        outcome.answered = opened.library
        outcome.open = []
      }
      maker.library = opened.library
      outcome.failure = nil
      store = opened.store
      starts += 1
      // The next change writes it, where this doesn't.
      if starts.isMultiple(of: 2) { opened.store.writeRecovered(opened.library) }
    } catch {
      outcome.failure = error
    }
  }

  func commit(_ count: Int, steps: Int? = nil, on store: LibraryStore<SimulatedDisk>) throws {
    let before = maker.library
    var changes: [Transaction] = []
    var libraries: [Library] = []
    for _ in 0..<count {
      changes.append(try maker.committed(steps: steps))
      libraries.append(maker.library)
    }
    do {
      let numbered = try store.commit(changes, to: before)
      maker.library.advance(to: numbered.map(\.sequence).max() ?? 0)
      outcome.answered = maker.library
    } catch {
      if disk.isStopped || error.isUnknown { outcome.open += libraries }
      if !disk.isStopped { outcome.refusals.append(error) }
      maker.library = before
    }
  }

  /// With a change after each operation of the other thread.
  func checkpointBeside(_ store: LibraryStore<SimulatedDisk>) throws {
    var failure: (any Error)?
    let change = { [self] in
      do { try commit(1, on: store) } catch { failure = failure ?? error }
      outcome.changesBeside += 1
    }
    try? store.checkpoint({ maker.library }) { work in
      disk.beside = change
      work()
      disk.beside = nil
    }
    if let failure { throw failure }
  }
}

extension LibraryStore {
  var isFull: Bool { if case .full = state { true } else { false } }
  var isReadOnly: Bool { if case .readOnly = state { true } else { false } }

  /// A whole checkpoint, with changes where `run` makes them.
  func checkpoint(
    _ library: () -> Library, run: (@Sendable () -> Void) -> Void
  ) throws(SystemCallError) {
    journalBound = 0
    while let work = try checkpointWork(library(), isIdle: false) { run(work) }
  }

  func checkpoint(_ library: Library) throws(SystemCallError) {
    try checkpoint({ library }) { $0() }
  }
}

/// So many changes of the maker's, answered together.
func change(
  _ store: LibraryStore<some StoreFiles>, _ maker: inout LibraryMaker, count: Int = 1,
  steps: Int? = nil
) throws {
  let before = maker.library
  let changes = try (0..<count).map { _ in try maker.committed(steps: steps) }
  let numbered = try store.commit(changes, to: before)
  maker.library.advance(to: numbered[count - 1].sequence)
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
