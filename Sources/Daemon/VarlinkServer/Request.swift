package import CratesInterface
import Synchronization

/// A call that has to be answered.
package struct Request: Sendable {
  package let call: Call
  /// Whether the client accepts several replies.
  package let more: Bool
  /// Whether the client wants no reply. It must be answered all the same, which starts the next
  /// call.
  package let oneway: Bool
  package let answer: Answer
}

/// A reply that continues. It is encoded once for all subscribers.
package struct ContinuedReply: Sendable {
  let bytes: [UInt8]

  package init(_ reply: Reply) { bytes = ReplyMessage.reply(reply.json, continues: true) }
}

/// The answer to a call: any number of replies that continue, then a last one or an error. Usable
/// from any thread, but not from several at once. If it is released without an answer, the
/// connection is closed, since the client would wait forever.
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

  /// Sends a reply, which is the last one unless `continues` is set. A call without "more" gets one
  /// reply of at most `ServerLimits.singleReplyBytes`, or else ExpectedMore. The reply is encoded
  /// on the calling thread.
  package func reply(_ parameters: JSON, continues: Bool = false) {
    guard more || !continues else { return fail(.expectedMore) }
    send(bytes(of: parameters, continues: continues), isLast: !continues)
  }

  /// Encodes the last reply now. Returns a closure that sends it.
  package func prepared(_ reply: Reply) -> @Sendable () -> Void {
    let bytes = bytes(of: reply.json, continues: false)
    return { self.send(bytes, isLast: true) }
  }

  /// Returns nil if the reply is too long for a call without "more".
  private func bytes(of parameters: JSON, continues: Bool) -> [UInt8]? {
    let bytes = oneway ? [] : ReplyMessage.reply(parameters, continues: continues)
    return more || bytes.count <= outlet.limits.singleReplyBytes ? bytes : nil
  }

  /// Sends a reply that is shared with other subscribers.
  package func reply(_ reply: ContinuedReply) {
    guard more else { return fail(.expectedMore) }
    send(oneway ? [] : reply.bytes, isLast: false)
  }

  /// Sends a typed reply.
  package func reply(_ reply: Reply, continues: Bool = false) {
    self.reply(reply.json, continues: continues)
  }

  /// Answers with an error.
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

  /// Whether the client has disconnected, so that replies are dropped.
  package var isAbandoned: Bool { outlet.isAbandoned }

  /// The bytes for this client that the kernel has not accepted yet.
  package var pendingBytes: Int { outlet.pendingBytes }

  /// Whether a subscriber keeps up, with at most `ServerLimits.queueBytes` in its queue. If it
  /// doesn't, skip replies, and catch up in `whenDrained`.
  package var hasRoom: Bool { outlet.hasRoom }

  /// Registers a callback for the client's disconnection before the last reply; called at once if
  /// it has disconnected. It runs on the server's thread and must not block. It replaces a former
  /// callback.
  package func onAbandon(_ callback: @escaping @Sendable () -> Void) {
    outlet.onAbandon(callback)
  }

  /// Calls back once when at most `ServerLimits.drainedBytes` are queued or the client has
  /// disconnected, at once if that is so already. The callback runs on the server's or the caller's
  /// thread and must not block.
  package func whenDrained(_ callback: @escaping @Sendable () -> Void) {
    outlet.whenDrained(callback)
  }

  /// How long the client has not accepted any of its queued bytes, in nanoseconds.
  package var standstill: Int64 { outlet.standstill }

  /// Whether `whenDrained` would call at once.
  package var isDrained: Bool { outlet.isDrained }

  /// Closes the connection to free memory.
  package func drop() { outlet.close() }

  /// The most bytes of a reply to a call without "more".
  package var singleReplyBytes: Int { outlet.limits.singleReplyBytes }
}
