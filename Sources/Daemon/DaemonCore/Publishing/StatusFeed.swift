import CratesInterface
import Platform
import Synchronization
import VarlinkServer

/// Answers calls for the status. Subscribers get it at once, and again when it or the problems
/// change, at most once a second. It is polled once a second while there are subscribers, and not
/// at all otherwise.
final class StatusFeed: Sendable {
  /// The time between polls, in nanoseconds.
  private static let interval: Int64 = 1_000_000_000

  private struct Subscriber {
    var answer: Answer
    var status: Interface.LibraryStatus
    var problems: [Interface.Problem]
  }

  private struct State {
    // Bounded by the number of clients, which have one active call each.
    var subscribers = Numbered<Subscriber>()
    /// Whether the next poll is scheduled.
    var isLooking = false
  }

  private let lane: WorkPool.Lane
  private let source: any AnsweringSource
  private let clock: Clock
  private let state = Mutex(State())

  /// - Parameter lane: A lane of one thread.
  init(on lane: WorkPool.Lane, source: any AnsweringSource, clock: Clock) {
    (self.lane, self.source, self.clock) = (lane, source, clock)
  }

  /// - Parameter request: A call of Status, Problems, WatchStatus or Trace.
  func add(_ request: Request) {
    lane.add { [self] in answer(request) }
  }

  private func answer(_ request: Request) {
    let answer = request.answer
    switch request.call {
    case .status: answer.reply(.status(source.status()))
    case .problems: answer.reply(.problems(source.listProblems()))
    case .watchStatus: subscribe(answer)
    case .trace: answer.reply(.trace(source.trace()))
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
    let isFirst = state.withLock { state in
      defer { state.isLooking = true }
      return !state.isLooking
    }
    if isFirst { lookLater() }
  }

  private func lookLater() {
    lane.add(at: clock.monotonic() + Self.interval) { [self] in
      look()
      let isWanted = state.withLock { state in
        state.isLooking = !state.subscribers.isEmpty
        return state.isLooking
      }
      if isWanted { lookLater() }
    }
  }

  private func look() {
    let (status, problems) = (source.status(), source.listProblems())
    let subscribers = state.withLock { $0.subscribers.values }
    for (number, subscriber) in subscribers {
      let areOthers = subscriber.problems != problems
      // A subscriber that falls behind gets the newest status when it has room.
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
