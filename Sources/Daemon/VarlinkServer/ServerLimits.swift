import CratesInterface

/// What clients may cost. Every figure is per client where it does not say otherwise.
package struct ServerLimits: Sendable {
  /// Clients that have called something; each takes two descriptors. The next one is told
  /// TooManyClients at its first call.
  package var clients = 64
  /// Connections that have not called anything yet; of more, the oldest is closed, so that silent
  /// connections never keep anyone out.
  package var silentConnections = 128
  /// Connections that wait in the kernel to be accepted.
  package var backlog: Int32 = 4096
  /// One message to the server, without its NUL.
  package var messageBytes = Interface.messageBytesMost
  /// Values in one message; a call that names more ids names a whole library.
  package var messageValues = 200_000
  /// Read ahead while a call is answered; what follows stays in the kernel.
  package var readAheadBytes = 64 << 10
  /// One reply to a call without "more". A longer one becomes ExpectedMore.
  package var singleReplyBytes = 8 << 20
  /// Replies that are queued before the next pipelined call is begun, and above which
  /// `Answer.hasRoom` is false.
  package var queueBytes = 1 << 20
  /// Up to this, a queue counts as drained. Listings pause above it: those of all clients together
  /// then keep less than `allQueuesBytes` waiting, so none is dropped for taking its time.
  package var drainedBytes = 64 << 10
  /// The queues of all clients together. Above it, those that have stood still longest are dropped,
  /// until the others fit. Nothing else drops a client that is slow.
  package var allQueuesBytes = 24 << 20
  /// What has come of all clients' messages together. Above it, messages longer than
  /// `readAheadBytes` are not taken.
  package var allMessagesBytes = 16 << 20
  /// From the first byte of a message to its last, in milliseconds.
  package var messageMilliseconds: Int64 = 10_000
  /// How long `stop` lets answers go on, in milliseconds.
  package var stopMilliseconds: Int64 = 2_000
  /// How soon it is looked again for the socket's file where it could not be made again, or where
  /// its directory can't be watched, in milliseconds.
  package var retryMilliseconds: Int32 = 4_000

  package init() {}
}
