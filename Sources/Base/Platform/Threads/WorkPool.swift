import Synchronization

/// A few threads that do the work of several lanes. Each lane keeps its order: its work begins in
/// the order in which it was added, and no more of it is done at a time than the lane allows. Lanes
/// that have work take turns.
///
/// Threads start when there is work for them, and stay. Work that may wait for a disk belongs to
/// another pool than work that doesn't: it keeps its thread meanwhile.
package final class WorkPool: Sendable {
  package typealias Work = @Sendable () -> Void

  /// One order of work in a pool.
  package struct Lane: Sendable {
    fileprivate let pool: WorkPool
    fileprivate let number: Int

    /// Adds work behind all that waits in this lane. The caller bounds how much that is, such as by
    /// the number of clients with one call each.
    ///
    /// - Returns: false where the pool has stopped, and the work is dropped.
    @discardableResult
    package func add(_ work: @escaping Work) -> Bool {
      pool.enqueue(.work(work), in: number)
    }

    /// Adds the work when a time has come, in place of what was to be added before. It is dropped
    /// when the pool stops.
    ///
    /// - Parameter time: of the pool's clock, in nanoseconds.
    package func add(at time: Int64, _ work: @escaping Work) {
      pool.enqueue(.later(work, at: time), in: number)
    }
  }

  private let name: String
  private let most: Int
  private let clock: Clock
  private let state = Monitor(WorkPoolState())

  /// - Parameters:
  ///   - name: of the threads, which have a number where there may be several.
  ///   - most: threads at most. Without any, `takeTurn` does the work.
  package init(_ name: String, threads most: Int, clock: Clock = .system) {
    (self.name, self.most, self.clock) = (name, most, clock)
  }

  /// Makes a lane.
  ///
  /// - Parameter width: how many threads work for it at a time.
  package func lane(width: Int = 1) -> Lane {
    Lane(pool: self, number: state.withLock { $0.addLane(width) })
  }

  /// Does what waits and what that adds, ends the threads, and drops what was to be added later.
  package func stop() {
    state.withLock { $0.isStopping = true }
    state.wait { $0.threads == 0 ? () : nil }
    state.withLock { $0.dropAll() }
  }

  /// Does the work that is next, on the thread of the caller; false where there is none.
  package func takeTurn() -> Bool {
    guard let (lane, work) = state.withLock({ $0.take() }) else { return false }
    work()
    state.withLock { $0.finish(lane) }
    return true
  }

  // MARK: The threads

  fileprivate enum Addition: Sendable {
    case work(Work)
    case later(Work, at: Int64)
  }

  /// Wakes or starts a thread for what is added, or for what waits.
  ///
  /// - Returns: false where the pool has stopped, and drops it.
  @discardableResult
  private func enqueue(_ addition: Addition?, in lane: Int) -> Bool {
    var hasStopped = false
    var number: Int?
    state.change { state in
      hasStopped = state.isStopping && state.threads == 0
      if hasStopped { return .none }
      let isLater = addition.map { state.add($0, to: lane) } ?? false
      number = state.addThread(most)
      // Where it is for later, whoever waits works out anew for how long.
      return isLater ? .all : .one
    }
    if let number {
      _ = BlockingThread(most == 1 ? name : "\(name) \(number)") { [self] in run() }
    }
    return !hasStopped
  }

  /// Adds what is due.
  ///
  /// - Returns: when more will be.
  private func addDue(now: Int64) -> Int64 {
    var due = Int64.max
    // Without waking others, as `withLock` would.
    state.change { state in
      state.addDue(now: now)
      due = state.due
      return .none
    }
    return due
  }

  private enum Step: Sendable {
    /// - isLast: no other thread has anything to do now.
    case work(lane: Int, Work, isLast: Bool)
    case end
    /// Another time is due than the one that is waited for.
    case waitAnew
  }

  private func run() {
    while true {
      // Also where there is always something to do.
      let due = addDue(now: clock.monotonic())
      let step = state.wait(until: due, waking: .none) { state -> Step? in
        if let (lane, work) = state.take() {
          return .work(lane: lane, work, isLast: state.ready.isEmpty)
        }
        if state.isOver {
          state.threads -= 1
          return .end
        }
        return state.due == due ? nil : .waitAnew
      }
      switch step {
      case .work(let lane, let work, let isLast):
        if !isLast { enqueue(nil, in: lane) }
        work()
        state.change { state in
          state.finish(lane)
          return state.isOver ? .all : .none
        }
      case .end: return state.change { _ in .all }
      case .waitAnew: continue
      // The clock of a test may say that it is not yet time.
      case nil: _ = addDue(now: max(due, clock.monotonic()))
      }
    }
  }
}

/// What waits in the lanes of a pool. Pure.
private struct WorkPoolState: Sendable {
  struct Lane: Sendable {
    let width: Int
    var waiting: [WorkPool.Work] = []
    var running = 0
    var isReady = false
    var later: (time: Int64, work: WorkPool.Work)?
  }

  var lanes: [Lane] = []
  /// Lanes whose next work may begin, each once, in the order in which it could.
  private(set) var ready: [Int] = []
  private var busy = 0
  var threads = 0
  var isStopping = false

  /// Whether all is done, and the threads may end.
  var isOver: Bool { isStopping && ready.isEmpty && busy == 0 }

  /// When the next work is to be added; never while the pool stops.
  var due: Int64 { isStopping ? .max : lanes.lazy.compactMap(\.later?.time).min() ?? .max }

  mutating func dropAll() {
    for lane in lanes.indices { lanes[lane] = Lane(width: lanes[lane].width) }
    ready = []
  }

  mutating func addLane(_ width: Int) -> Int {
    lanes.append(Lane(width: width))
    return lanes.count - 1
  }

  /// - Returns: whether it is for later.
  mutating func add(_ addition: WorkPool.Addition, to lane: Int) -> Bool {
    switch addition {
    case .work(let work):
      add(work, to: lane)
      return false
    case .later(let work, let time):
      lanes[lane].later = (time, work)
      return true
    }
  }

  private mutating func add(_ work: @escaping WorkPool.Work, to lane: Int) {
    lanes[lane].waiting.append(work)
    makeReady(lane)
  }

  mutating func addDue(now: Int64) {
    if isStopping { return }
    for lane in lanes.indices {
      guard let later = lanes[lane].later, later.time <= now else { continue }
      lanes[lane].later = nil
      add(later.work, to: lane)
    }
  }

  mutating func take() -> (lane: Int, WorkPool.Work)? {
    if ready.isEmpty { return nil }
    let lane = ready.removeFirst()
    let work = lanes[lane].waiting.removeFirst()
    lanes[lane].isReady = false
    lanes[lane].running += 1
    busy += 1
    makeReady(lane)
    return (lane, work)
  }

  mutating func finish(_ lane: Int) {
    lanes[lane].running -= 1
    busy -= 1
    makeReady(lane)
  }

  private mutating func makeReady(_ number: Int) {
    let lane = lanes[number]
    guard !lane.isReady, !lane.waiting.isEmpty, lane.running < lane.width else { return }
    lanes[number].isReady = true
    ready.append(number)
  }

  /// The number of a thread that has to be started, as those there are have enough to do: or wait
  /// for a time to come, where there is none.
  mutating func addThread(_ most: Int) -> Int? {
    guard threads < most, ready.count > threads - busy || threads == 0 else { return nil }
    threads += 1
    return threads
  }
}
