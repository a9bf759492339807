import Synchronization

/// A few threads that do the work of several lanes. The work of a lane starts in the order in which
/// it was added, and only as much of it runs at a time as the lane allows. Lanes with work take
/// turns.
///
/// Threads start when there is work for them, and stay. Work that may wait for a disk keeps its
/// thread meanwhile, so it belongs in another pool than work that doesn't.
package final class WorkPool: Sendable {
  package typealias Work = @Sendable () -> Void

  /// A queue of work in a pool.
  package struct Lane: Sendable {
    fileprivate let pool: WorkPool
    fileprivate let number: Int

    /// Adds work behind all that waits in this lane. The caller must bound how much that is, for
    /// example by the number of clients with one call each.
    ///
    /// - Returns: false if the pool has stopped and the work is dropped.
    @discardableResult
    package func add(_ work: @escaping Work) -> Bool {
      pool.enqueue(.work(work), in: number)
    }

    /// Adds the work at a given time, in place of any work that was to be added later before. It is
    /// dropped when the pool stops.
    ///
    /// - Parameter time: a time of the pool's clock, in nanoseconds.
    package func add(at time: Int64, _ work: @escaping Work) {
      pool.enqueue(.later(work, at: time), in: number)
    }
  }

  private let name: String
  private let most: Int
  private let clock: Clock
  private let state = Monitor(WorkPoolState())

  /// - Parameters:
  ///   - name: the name of the threads, with a number if there may be several.
  ///   - most: the maximum number of threads. Without threads, `takeTurn` does the work.
  package init(_ name: String, threads most: Int, clock: Clock = .system) {
    (self.name, self.most, self.clock) = (name, most, clock)
  }

  /// Makes a lane.
  ///
  /// - Parameter width: the maximum number of threads that work for it at a time.
  package func lane(width: Int = 1) -> Lane {
    Lane(pool: self, number: state.withLock { $0.addLane(width) })
  }

  /// Runs all waiting work, and the work that it adds, and ends the threads. Drops delayed work.
  package func stop() {
    state.withLock { $0.isStopping = true }
    state.wait { $0.threads == 0 ? () : nil }
    state.withLock { $0.dropAll() }
  }

  /// Runs the next work on the caller's thread. Returns false if there is none.
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

  /// Wakes or starts a thread for the addition, or for work that waits.
  ///
  /// - Returns: false if the pool has stopped and the addition is dropped.
  @discardableResult
  private func enqueue(_ addition: Addition?, in lane: Int) -> Bool {
    var hasStopped = false
    var number: Int?
    state.change { state in
      hasStopped = state.isStopping && state.threads == 0
      if hasStopped { return .none }
      let isLater = addition.map { state.add($0, to: lane) } ?? false
      number = state.addThread(most)
      // For delayed work, all waiting threads must compute their timeouts again.
      return isLater ? .all : .one
    }
    if let number {
      _ = BlockingThread(most == 1 ? name : "\(name) \(number)") { [self] in run() }
    }
    return !hasStopped
  }

  /// Adds the delayed work that is due.
  ///
  /// - Returns: when the next delayed work is due.
  private func addDue(now: Int64) -> Int64 {
    var due = Int64.max
    // Unlike `withLock`, this wakes no other threads.
    state.change { state in
      state.addDue(now: now)
      due = state.due
      return .none
    }
    return due
  }

  private enum Step: Sendable {
    /// - isLast: whether there is no other work now.
    case work(lane: Int, Work, isLast: Bool)
    case end
    /// The next delayed work is due at another time than the thread waits for.
    case waitAnew
  }

  private func run() {
    while true {
      // Needed even if there is always something to do.
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
      // In a test, the clock may be behind the time that was waited for.
      case nil: _ = addDue(now: max(due, clock.monotonic()))
      }
    }
  }
}

/// The work in the lanes of a pool. Pure.
private struct WorkPoolState: Sendable {
  struct Lane: Sendable {
    let width: Int
    var waiting: [WorkPool.Work] = []
    var running = 0
    var isReady = false
    var later: (time: Int64, work: WorkPool.Work)?
  }

  var lanes: [Lane] = []
  /// The lanes whose next work may start, each once, in the order in which they became ready.
  private(set) var ready: [Int] = []
  private var busy = 0
  var threads = 0
  var isStopping = false

  /// Whether all work is done and the threads may end.
  var isOver: Bool { isStopping && ready.isEmpty && busy == 0 }

  /// When the next delayed work is due; never while the pool stops.
  var due: Int64 { isStopping ? .max : lanes.lazy.compactMap(\.later?.time).min() ?? .max }

  mutating func dropAll() {
    for lane in lanes.indices { lanes[lane] = Lane(width: lanes[lane].width) }
    ready = []
  }

  mutating func addLane(_ width: Int) -> Int {
    lanes.append(Lane(width: width))
    return lanes.count - 1
  }

  /// - Returns: whether the work is delayed.
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

  /// Returns the number of a thread to start, if more lanes are ready than threads are idle, or if
  /// there is no thread, which delayed work needs to wait for its time. Otherwise nil.
  mutating func addThread(_ most: Int) -> Int? {
    guard threads < most, ready.count > threads - busy || threads == 0 else { return nil }
    threads += 1
    return threads
  }
}
