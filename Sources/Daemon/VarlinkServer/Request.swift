package import CratesInterface
import Synchronization

/// A call that wants an answer.
package struct Request: Sendable {
  package let call: Call
  /// Whether the client takes several replies.
  package let more: Bool
  /// Whether nobody waits for an answer. It is answered all the same, which begins the next call.
  package let oneway: Bool
  package let answer: Answer
}

/// A reply that continues, whose bytes are made once for all who are told it.
package struct ContinuedReply: Sendable {
  let bytes: [UInt8]

  package init(_ reply: Reply) { bytes = ReplyMessage.reply(reply.json, continues: true) }
}

/// Where the answer to one call goes: any number of replies that continue, then one that doesn't,
/// or an error. From any thread, by one thread at a time. One that is let go of without an answer
/// closes the connection, because its client would wait for ever.
package final class Answer: Sendable {
  private let outlet: Outlet
  private let more: Bool
  private let oneway: Bool
  private let isAnswered = Atomic(false)

  init(outlet: Outlet, more: Bool, oneway: Bool) {
    self.outlet = outlet
    self.more = more
    self.oneway = oneway
  }

  deinit {
    if !isAnswered.load(ordering: .relaxed) { outlet.close() }
  }

  /// Sends one reply; without `continues` it is the last. A call without "more" takes one reply of
  /// at most `ServerLimits.singleReplyBytes`: another one is sent ExpectedMore instead. The bytes
  /// are made on the calling thread.
  package func reply(_ parameters: JSON, continues: Bool = false) {
    guard more || !continues else { return fail(.expectedMore) }
    send(bytes(of: parameters, continues: continues), isLast: !continues)
  }

  /// What the last reply will send, made now, and sent where that is called.
  package func prepared(_ reply: Reply) -> @Sendable () -> Void {
    let bytes = bytes(of: reply.json, continues: false)
    return { self.send(bytes, isLast: true) }
  }

  /// Nil where the client has to ask for "more" to get it.
  private func bytes(of parameters: JSON, continues: Bool) -> [UInt8]? {
    let bytes = oneway ? [] : ReplyMessage.reply(parameters, continues: continues)
    return more || bytes.count <= outlet.limits.singleReplyBytes ? bytes : nil
  }

  /// Sends a reply that others are told, too.
  package func reply(_ reply: ContinuedReply) {
    guard more else { return fail(.expectedMore) }
    send(oneway ? [] : reply.bytes, isLast: false)
  }

  /// The same, from a typed reply.
  package func reply(_ reply: Reply, continues: Bool = false) {
    self.reply(reply.json, continues: continues)
  }

  /// Ends the answer with an error.
  package func fail(_ error: InterfaceError) {
    send(oneway ? [] : ReplyMessage.failure(error), isLast: true)
  }

  private func send(_ bytes: [UInt8]?, isLast: Bool) {
    guard let bytes else { return fail(.expectedMore) }
    if isLast {
      guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
    } else if isAnswered.load(ordering: .relaxed) {
      return
    }
    outlet.send(bytes, isLast: isLast)
  }

  /// Whether the client has gone: what is sent is dropped.
  package var isAbandoned: Bool { outlet.isAbandoned }

  /// Bytes of this client that the kernel has not taken yet.
  package var pendingBytes: Int { outlet.pendingBytes }

  /// Whether a subscriber keeps up: at most `ServerLimits.queueBytes` wait. Where it doesn't, leave
  /// replies out and make up for them when `whenDrained` calls.
  package var hasRoom: Bool { outlet.hasRoom }

  /// Calls once, when the client goes before the last reply; at once if it has gone. On the
  /// server's thread: must not block. A second callback replaces the first.
  package func onAbandon(_ callback: @escaping @Sendable () -> Void) {
    outlet.onAbandon(callback)
  }

  /// Calls once, when at most `ServerLimits.drainedBytes` wait or the client has gone; at once if
  /// that is so. On the server's thread or the caller's: must not block.
  package func whenDrained(_ callback: @escaping @Sendable () -> Void) {
    outlet.whenDrained(callback)
  }

  /// How long the client has taken nothing of what waits for it, in nanoseconds.
  package var standstill: Int64 { outlet.standstill }

  /// Whether `whenDrained` would call at once.
  package var isDrained: Bool { outlet.isDrained }

  /// Closes the connection, for want of memory.
  package func drop() { outlet.close() }

  /// Bytes of the longest reply to a call without "more".
  package var singleReplyBytes: Int { outlet.limits.singleReplyBytes }
}
