import Platform
import Synchronization

/// The open connections. A connection counts as a client from its first call on.
final class Clients: Sendable {
  private let limits: ServerLimits
  private let state = Monitor(State())
  private let closed = Atomic(false)
  private let heldBytes = Atomic(0)

  private struct State {
    var lastNumber = 0
    var silent: [Int: Outlet] = [:]
    var admitted: [Int: Outlet] = [:]
  }

  init(limits: ServerLimits) {
    self.limits = limits
  }

  /// Adds a connection. Returns its number, and the silent connection that must be closed for it.
  func arrive(_ outlet: Outlet) -> (number: Int, evicted: Outlet?) {
    state.withLock { state in
      state.lastNumber += 1
      state.silent[state.lastNumber] = outlet
      guard state.silent.count > limits.silentConnections, let oldest = state.silent.keys.min()
      else { return (state.lastNumber, nil) }
      return (state.lastNumber, state.silent.removeValue(forKey: oldest))
    }
  }

  /// Admits a connection at its first call. Returns false if there are too many clients.
  func admit(_ number: Int) -> Bool {
    state.withLock { state in
      guard state.admitted.count < limits.clients,
        let outlet = state.silent.removeValue(forKey: number)
      else { return false }
      state.admitted[number] = outlet
      return true
    }
  }

  func leave(_ number: Int) {
    state.withLock { state in
      state.silent[number] = nil
      state.admitted[number] = nil
    }
  }

  /// Returns the clients whose queues have not moved for the longest time: as many as must be
  /// dropped for the other queues to fit together.
  func mostStuck() -> [Outlet] {
    let queues = state.withLock { Array($0.admitted.values) }
      .map { (outlet: $0, bytes: $0.pendingBytes) }
    var excess = queues.reduce(-limits.allQueuesBytes) { $0 + $1.bytes }
    guard excess > 0 else { return [] }
    let stuckFirst = queues.filter { $0.bytes > 0 }
      .map { (queue: $0, standstill: $0.outlet.standstill) }
      .sorted { $0.standstill > $1.standstill }
    var stuck: [Outlet] = []
    for (queue, _) in stuckFirst where excess > 0 {
      stuck.append(queue.outlet)
      excess -= queue.bytes
    }
    return stuck
  }

  var all: [Outlet] {
    state.withLock { Array($0.silent.values) + Array($0.admitted.values) }
  }

  /// Updates the number of received bytes that a connection holds. Returns false if it holds a long
  /// message and all connections together hold too much.
  @discardableResult
  func hold(_ bytes: Int, insteadOf before: Int) -> Bool {
    let all = heldBytes.add(bytes - before, ordering: .relaxed).newValue
    return bytes <= limits.readAheadBytes || all <= limits.allMessagesBytes
  }

  /// Refuses further calls and connections.
  func close() { closed.store(true, ordering: .releasing) }
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Waits until all connections are closed, or until a time of `Clock.monotonic`. Returns false on
  /// timeout.
  func waitUntilGone(until deadline: Int64) -> Bool {
    state.wait(until: deadline) { $0.silent.isEmpty && $0.admitted.isEmpty ? true : nil } ?? false
  }
}
