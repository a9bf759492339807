import CratesInterface
import Platform
import VarlinkServer

/// Calls that wait for a thread which may take its time.
final class WaitingRequests: Sendable {
  // Bounded by the clients, who have one call each in work.
  private let state = Monitor<(waiting: [Request], isStopping: Bool)>(([], false))

  func add(_ request: Request) {
    state.change { state in
      state.waiting.append(request)
      return .one
    }
  }

  /// Whoever works ends when nothing waits any more.
  func stop() { state.withLock { $0.isStopping = true } }

  /// Answers one after the other, until the end.
  func work(_ answer: (Request) throws(InterfaceError) -> Void) {
    while true {
      let next = state.wait(waking: .none) { state -> Request?? in
        if !state.waiting.isEmpty { return .some(state.waiting.removeFirst()) }
        return state.isStopping ? .some(nil) : nil
      }
      guard let request = next else { return }
      do throws(InterfaceError) {
        try answer(request)
      } catch {
        request.answer.fail(error)
      }
    }
  }
}
