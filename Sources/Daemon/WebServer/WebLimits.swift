/// What clients of the window may cost, and how long things are valid. Times are in milliseconds.
package struct WebLimits: Sendable {
  /// Connections; when one more comes, the oldest that has shown no key is closed.
  package var connections = 64
  /// Connections that wait in the kernel to be accepted.
  package var backlog: Int32 = 1024
  /// The request line and the headers of one request: more is 431.
  package var headBytes = 16 << 10
  /// The body of one request: more is 413.
  package var bodyBytes = 1 << 20
  /// From the first byte of a request to its last.
  package var requestMilliseconds: Int64 = 10_000
  /// Between two requests of a connection.
  package var idleMilliseconds: Int64 = 75_000
  /// How long a client may take to accept an answer that is no stream.
  package var responseMilliseconds: Int64 = 300_000
  /// After so many seconds without a word, and again as many, a client is gone that its kernel
  /// knows nothing of.
  package var keepaliveSeconds: Int32 = 60
  /// Answers that go on until the client leaves: more are 429.
  package var streams = 16
  /// Calls of the daemon at a time that are no streams: more are 503.
  package var calls = 16
  /// One reply of the daemon: a longer one ends the call.
  package var replyBytes = 32 << 20
  /// Bytes that a client has not accepted yet, above which nothing more is read for it.
  package var queueBytes = 256 << 10
  /// How long the daemon may take to accept a connection.
  package var connectMilliseconds: Int64 = 5_000
  /// Bytes of one call at the control socket.
  package var controlBytes = 64 << 10

  /// Devices that are let in: one more is refused.
  package var devices = 64
  /// Devices that wait to be let in.
  package var waiting = 8
  /// How long a device waits to be let in.
  package var waitingMilliseconds: Int64 = 600_000
  /// Links that are valid at a time: the oldest ends for a new one.
  package var links = 16
  package var linkMilliseconds: Int64 = 60_000
  /// Wrong keys and codes a second from one address: more are 429.
  package var failures = 20
  /// Addresses whose wrong keys are counted.
  package var addresses = 1_024
  /// Characters of a device's name.
  package var nameCharacters = 80

  package init() {}
}
