import CratesInterface

/// The limits of the server. Each applies per client unless it says otherwise.
package struct ServerLimits: Sendable {
  /// The most clients, that is connections that have made a call. Each uses two descriptors.
  /// Further ones get TooManyClients at their first call.
  package var clients = 64
  /// The most connections without a call. Beyond this the oldest is closed, so that silent
  /// connections never block clients.
  package var silentConnections = 128
  /// The most connections that wait in the kernel to be accepted.
  package var backlog: Int32 = 4096
  /// The most bytes of a message to the server, without its NUL.
  package var messageBytes = Interface.messageBytesMost
  /// The most values in a message. A call with more ids would name a whole library.
  package var messageValues = 200_000
  /// The most bytes to read ahead during a call; further ones stay in the kernel.
  package var readAheadBytes = 64 << 10
  /// The most bytes of a reply to a call without "more". A longer one becomes ExpectedMore.
  package var singleReplyBytes = 8 << 20
  /// The queue length above which the next pipelined call is not started, and `Answer.hasRoom` is
  /// false.
  package var queueBytes = 1 << 20
  /// The queue length at which a queue counts as drained. Listings pause above it. So all listings
  /// together queue less than `allQueuesBytes`, and none is dropped because its client is slow.
  package var drainedBytes = 64 << 10
  /// The most bytes in the queues of all clients together. Above it, the clients whose queues have
  /// not moved for the longest time are dropped. Slow clients are not dropped for any other reason.
  package var allQueuesBytes = 24 << 20
  /// The most received bytes of all clients together. Above it, messages longer than
  /// `readAheadBytes` are refused.
  package var allMessagesBytes = 16 << 20
  /// The time from the first to the last byte of a message, in milliseconds.
  package var messageMilliseconds: Int64 = 10_000
  /// The time that `stop` waits for answers, in milliseconds.
  package var stopMilliseconds: Int64 = 2_000
  /// The time after which a failed attempt to restore the socket's file is repeated, in
  /// milliseconds. Also the polling interval if the directory can't be watched.
  package var retryMilliseconds: Int32 = 4_000

  package init() {}
}
