import Platform

/// The requests from other threads to the watcher's thread.
final class Mailbox: Sendable {
  private let requests = Monitor<[Request]>([])
  let wakeUp: WakeUp

  init(wakeUp: WakeUp) {
    self.wakeUp = wakeUp
  }

  func post(_ request: Request) {
    requests.withLock { $0.append(request) }
    wakeUp.wake()
  }

  func take() -> [Request] {
    requests.withLock { requests in
      defer { requests = [] }
      return requests
    }
  }
}
