import CratesInterface
import Synchronization
import VarlinkServer

/// Sends every change to the subscribers, in order. A subscriber that falls behind gets one reply
/// that says so.
///
/// A reply may end another client's connection, which calls back here, so none is sent under the
/// lock. Replies wait in the subscriber, and one thread at a time sends them.
final class ChangeFeed: Sendable {
  fileprivate struct State {
    var sequence: Int
    var recent: RecentChanges
    var subscribers = Numbered<Subscriber>()
    var follower: (@Sendable () -> Void)?
  }

  fileprivate struct Subscriber {
    let answer: Answer
    /// The replies still to be sent, in order. Bounded: a subscriber without room gets no more.
    var waiting: [ContinuedReply] = []
    /// Whether a thread is sending until nothing waits. At first that is the subscribing one.
    var isSending = true
    var isBehind = false
  }

  private let state: Mutex<State>
  private let now: @Sendable () -> String

  init(sequence: Int, now: @escaping @Sendable () -> String) {
    state = Mutex(State(sequence: sequence, recent: RecentChanges(after: sequence)))
    self.now = now
  }

  /// Sends a first reply that changes nothing, then the changes since, then each new one.
  func subscribe(_ answer: Answer, since: Int?) {
    let (number, beginning) = state.withLock { state in
      let start = Interface.Change(
        changed: false, sequence: state.sequence, time: now(), author: .folder, summary: "watching")
      let past = since.map { state.recent.since($0) ?? [missed(state)] } ?? []
      return (state.subscribers.add(Subscriber(answer: answer)), [start] + past)
    }
    answer.onAbandon { [weak self] in
      self?.state.withLock { $0.subscribers[number] = nil }
    }
    for change in beginning { answer.reply(.change(change), continues: true) }
    send(to: number)
  }

  /// Returns the changes after that number, the newest first, and true. If they are not stored any
  /// more, or no number is given, returns the newest stored ones, up to a limit, and false.
  func changes(since sequence: Int?, orNewest most: Int) -> (changes: [Interface.Change], Bool) {
    state.withLock { state in
      if let sequence, let later = state.recent.since(sequence) { return (later.reversed(), true) }
      return (state.recent.newest(most), false)
    }
  }

  /// Sets a function that is called after each change, on the thread that publishes it.
  func onChange(_ follower: @escaping @Sendable () -> Void) {
    state.withLock { $0.follower = follower }
  }

  /// Publishes changes. One reply is made of each, whatever the number of subscribers.
  func tell(_ changes: [Interface.Change]) {
    let (sending, lagging, follower) = state.withLock { state in
      for change in changes {
        state.sequence = change.sequence
        state.recent.append(change)
      }
      let subscribers = state.subscribers.values.filter { !$0.value.isBehind }
      let replies = subscribers.isEmpty ? [] : changes.map { ContinuedReply(.change($0)) }
      var (sending, lagging): ([Int], [(Int, Answer)]) = ([], [])
      for (number, subscriber) in subscribers {
        if subscriber.answer.hasRoom {
          if state.add(replies, to: number) { sending.append(number) }
        } else {
          state.subscribers[number]?.isBehind = true
          lagging.append((number, subscriber.answer))
        }
      }
      return (sending, lagging, state.follower)
    }
    follower?()
    for number in sending { send(to: number) }
    for (number, answer) in lagging {
      answer.whenDrained { [weak self] in self?.catchUp(number) }
    }
  }

  private func catchUp(_ number: Int) {
    let isSending = state.withLock { state in
      guard state.subscribers[number]?.isBehind == true else { return false }
      state.subscribers[number]?.isBehind = false
      return state.add([ContinuedReply(.change(missed(state)))], to: number)
    }
    if isSending { send(to: number) }
  }

  /// Sends the waiting replies in order until there are none.
  private func send(to number: Int) {
    while let (answer, replies) = state.withLock({ $0.takeWaiting(of: number) }) {
      for reply in replies { answer.reply(reply) }
    }
  }

  private func missed(_ state: borrowing State) -> Interface.Change {
    Interface.Change(
      changed: true, sequence: state.sequence, time: now(), author: .folder,
      summary: "changes are left out here; crate history has them", complete: false)
  }
}

extension ChangeFeed.State {
  /// Returns whether the caller has to send.
  fileprivate mutating func add(_ replies: [ContinuedReply], to number: Int) -> Bool {
    guard var subscriber = subscribers[number] else { return false }
    subscriber.waiting += replies
    let isFirst = !subscriber.isSending
    subscriber.isSending = true
    subscribers[number] = subscriber
    return isFirst
  }

  /// Returns nil if no reply waits any more: the sending thread stops.
  fileprivate mutating func takeWaiting(of number: Int) -> (Answer, [ContinuedReply])? {
    guard var subscriber = subscribers[number] else { return nil }
    let waiting = subscriber.waiting
    subscriber.waiting = []
    subscriber.isSending = !waiting.isEmpty
    subscribers[number] = subscriber
    return waiting.isEmpty ? nil : (subscriber.answer, waiting)
  }
}
