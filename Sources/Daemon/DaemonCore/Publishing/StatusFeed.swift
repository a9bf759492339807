import CratesInterface
import Platform
import Synchronization
import VarlinkServer

/// Tells subscribers how the daemon is: at once, then when that or the problems differ, at most
/// once a second. It looks once a second for as long as there is a subscriber, and not at all where
/// there is none.
final class StatusFeed: Sendable {
  /// Nanoseconds between two looks.
  private static let interval: Int64 = 1_000_000_000

  private struct Subscriber {
    var answer: Answer
    var status: Interface.LibraryStatus
    var problems: [Interface.Problem]
  }

  private struct State {
    // Bounded by the clients, who have one call each in work.
    var subscribers = Numbered<Subscriber>()
    var isStopping = false
    var thread: BlockingThread?
  }

  private let source: any AnsweringSource
  private let clock: Clock
  private let state = Monitor(State())

  init(source: any AnsweringSource, clock: Clock) {
    self.source = source
    self.clock = clock
  }

  func subscribe(_ answer: Answer) {
    let (status, problems) = (source.status(), source.listProblems())
    answer.reply(.statusNews(status, problems: problems), continues: true)
    let number = state.withLock { state in
      if state.thread == nil, !state.isStopping {
        state.thread = BlockingThread("status") { [self] in run() }
      }
      return state.subscribers.add(
        Subscriber(answer: answer, status: status, problems: problems))
    }
    answer.onAbandon { [weak self] in
      self?.state.withLock { $0.subscribers[number] = nil }
    }
  }

  func stop() {
    let thread = state.withLock { state in
      state.isStopping = true
      return state.thread.take()
    }
    thread?.join()
  }

  private func run() {
    while true {
      let due = clock.monotonic() + Self.interval
      if state.wait(until: due, for: { $0.isStopping ? () : nil }) != nil { return }
      // Nobody listens: nothing is looked at.
      state.wait { $0.isStopping || !$0.subscribers.isEmpty ? () : nil }
      if state.withLock(\.isStopping) { return }
      look()
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
