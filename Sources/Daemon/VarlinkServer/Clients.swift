import Platform
import Synchronization

/// Who is connected. Connections count as clients from their first call on.
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

  /// A new connection: its number, and the silent one that must make room for it.
  func arrive(_ outlet: Outlet) -> (number: Int, evicted: Outlet?) {
    state.withLock { state in
      state.lastNumber += 1
      state.silent[state.lastNumber] = outlet
      guard state.silent.count > limits.silentConnections, let oldest = state.silent.keys.min()
      else { return (state.lastNumber, nil) }
      return (state.lastNumber, state.silent.removeValue(forKey: oldest))
    }
  }

  /// The connection has called something: whether it may.
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

  /// Clients whose queues have stood still longest, so many that without them all queues together
  /// are short enough.
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

  /// A connection that held some bytes of messages that came holds so many now. False where these
  /// are many, and those of all connections together too many.
  @discardableResult
  func hold(_ bytes: Int, insteadOf before: Int) -> Bool {
    let all = heldBytes.add(bytes - before, ordering: .relaxed).newValue
    return bytes <= limits.readAheadBytes || all <= limits.allMessagesBytes
  }

  /// From now on no call is begun and no connection welcome.
  func close() { closed.store(true, ordering: .releasing) }
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Waits until nobody is connected, or until a time of `Clock.monotonic`. False after that time.
  func waitUntilGone(until deadline: Int64) -> Bool {
    state.wait(until: deadline) { $0.silent.isEmpty && $0.admitted.isEmpty ? true : nil } ?? false
  }
}
