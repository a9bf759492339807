import CratesInterface
import Synchronization
import VarlinkServer

/// Tells subscribers of every change, in order. One that falls behind is told once that it missed
/// some.
final class ChangeFeed: Sendable {
  private struct State {
    var sequence: Int
    var recent: RecentChanges
    var subscribers = Numbered<Subscriber>()
    var follower: (@Sendable () -> Void)?
  }

  private struct Subscriber {
    var answer: Answer
    var isBehind = false
  }

  private let state: Mutex<State>
  private let now: @Sendable () -> String

  init(sequence: Int, now: @escaping @Sendable () -> String) {
    state = Mutex(State(sequence: sequence, recent: RecentChanges(after: sequence)))
    self.now = now
  }

  /// Begins with one reply that changes nothing, then tells what happened since, and what will.
  func subscribe(_ answer: Answer, since: Int?) {
    let number = state.withLock { state -> Int in
      let start = Interface.Change(
        changed: false, sequence: state.sequence, time: now(), author: .folder, summary: "watching")
      answer.reply(.change(start), continues: true)
      if let since {
        for change in state.recent.since(since) ?? [missed(state)] {
          answer.reply(.change(change), continues: true)
        }
      }
      return state.subscribers.add(Subscriber(answer: answer))
    }
    answer.onAbandon { [weak self] in
      self?.state.withLock { $0.subscribers[number] = nil }
    }
  }

  /// What came after the change of that number, the newest first; where that is not known any more,
  /// or there is none, so many of the newest at most as there are, and false.
  func changes(since sequence: Int?, orNewest most: Int) -> (changes: [Interface.Change], Bool) {
    state.withLock { state in
      if let sequence, let later = state.recent.since(sequence) { return (later.reversed(), true) }
      return (state.recent.newest(most), false)
    }
  }

  /// Who is called after each change, on the thread that tells it.
  func onChange(_ follower: @escaping @Sendable () -> Void) {
    state.withLock { $0.follower = follower }
  }

  func tell(_ changes: [Interface.Change]) {
    let (lagging, follower) = state.withLock { state in
      var lagging: [(Int, Answer)] = []
      for change in changes {
        state.sequence = change.sequence
        state.recent.append(change)
      }
      for (number, subscriber) in state.subscribers.values where !subscriber.isBehind {
        guard subscriber.answer.hasRoom else {
          state.subscribers[number]?.isBehind = true
          lagging.append((number, subscriber.answer))
          continue
        }
        for change in changes { subscriber.answer.reply(.change(change), continues: true) }
      }
      return (lagging, state.follower)
    }
    follower?()
    // The lock is left first: an answer may call back at once.
    for (number, answer) in lagging {
      answer.whenDrained { [weak self] in self?.catchUp(number) }
    }
  }

  private func catchUp(_ number: Int) {
    state.withLock { state in
      guard let subscriber = state.subscribers[number], subscriber.isBehind else { return }
      subscriber.answer.reply(.change(missed(state)), continues: true)
      state.subscribers[number]?.isBehind = false
    }
  }

  private func missed(_ state: borrowing State) -> Interface.Change {
    Interface.Change(
      changed: true, sequence: state.sequence, time: now(), author: .folder,
      summary: "changes are left out here; crate history has them", complete: false)
  }
}
