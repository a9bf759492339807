import CratesInterface
import Platform
import Synchronization
import VarlinkServer

/// Answers how the daemon is, and tells subscribers at once, then when that or the problems differ,
/// at most once a second. It looks once a second for as long as there is a subscriber, and not at
/// all where there is none. On a thread of its own, since all of it is gathered from many places.
final class StatusFeed: Sendable {
  /// Nanoseconds between two looks.
  private static let interval: Int64 = 1_000_000_000

  private struct Subscriber {
    var answer: Answer
    var status: Interface.LibraryStatus
    var problems: [Interface.Problem]
  }

  private struct State {
    // Both are bounded by the clients, who have one call each in work.
    var waiting: [Request] = []
    var subscribers = Numbered<Subscriber>()
    var isStopping = false
    var thread: BlockingThread?
  }

  private enum Step {
    case answer(Request)
    case end
  }

  private let source: any AnsweringSource
  private let clock: Clock
  private let state = Monitor(State())

  init(source: any AnsweringSource, clock: Clock) {
    self.source = source
    self.clock = clock
  }

  /// - Parameter request: a call of Status, Problems or WatchStatus.
  func add(_ request: Request) {
    state.change { state in
      state.waiting.append(request)
      if state.thread == nil, !state.isStopping {
        state.thread = BlockingThread("status") { [self] in run() }
      }
      return .one
    }
  }

  /// Answers what waits.
  func stop() {
    let thread = state.withLock { state in
      state.isStopping = true
      return state.thread.take()
    }
    thread?.join()
  }

  private func run() {
    var due = Int64.max
    while true {
      let step = state.wait(until: due) { state -> Step? in
        if !state.waiting.isEmpty { return .answer(state.waiting.removeFirst()) }
        return state.isStopping ? .end : nil
      }
      switch step {
      case .answer(let request): answer(request)
      case .end: return
      case nil: break
      }
      // Also where requests never end.
      let isDue = step == nil || clock.monotonic() >= due
      if isDue { look() }
      if state.withLock({ $0.subscribers.isEmpty }) {
        due = .max
      } else if isDue || due == .max {
        due = clock.monotonic() + Self.interval
      }
    }
  }

  private func answer(_ request: Request) {
    let answer = request.answer
    switch request.call {
    case .status: answer.reply(.status(source.status()))
    case .problems: answer.reply(.problems(source.listProblems()))
    case .watchStatus: subscribe(answer)
    default: preconditionFailure("no other call asks for the status")
    }
  }

  private func subscribe(_ answer: Answer) {
    let (status, problems) = (source.status(), source.listProblems())
    answer.reply(.statusNews(status, problems: problems), continues: true)
    let number = state.withLock { state in
      state.subscribers.add(Subscriber(answer: answer, status: status, problems: problems))
    }
    answer.onAbandon { [weak self] in
      self?.state.withLock { $0.subscribers[number] = nil }
    }
  }

  private func look() {
    let (status, problems) = (source.status(), source.listProblems())
    let subscribers = state.withLock { $0.subscribers.values }
    for (number, subscriber) in subscribers {
      let areOthers = subscriber.problems != problems
      // One that does not keep up is told the newest when it has room.
      guard areOthers || subscriber.status != status, subscriber.answer.hasRoom else { continue }
      subscriber.answer.reply(
        .statusNews(status, problems: areOthers ? problems : nil), continues: true)
      state.withLock { state in
        state.subscribers[number]?.status = status
        state.subscribers[number]?.problems = problems
      }
    }
  }
}
