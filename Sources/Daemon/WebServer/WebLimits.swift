/// The limits of the page's server, and the lifetimes of secrets. Times are in milliseconds unless
/// the name says otherwise.
package struct WebLimits: Sendable {
  /// The most connections. Beyond this, the oldest one that has shown no key is closed.
  package var connections = 64
  /// The most connections that wait in the kernel to be accepted.
  package var backlog: Int32 = 1024
  /// The most bytes of the request line and headers; more is 431.
  package var headBytes = 16 << 10
  /// The most bytes of a request body; more is 413.
  package var bodyBytes = 1 << 20
  /// The most time from the first byte of a request to its last.
  package var requestMilliseconds: Int64 = 10_000
  /// The most time between two requests of a connection.
  package var idleMilliseconds: Int64 = 75_000
  /// The most time for a client to accept a response that is not a stream.
  package var responseMilliseconds: Int64 = 300_000
  /// The seconds of silence before TCP keepalive probes begin. A vanished client is dropped after
  /// as many again.
  package var keepaliveSeconds: Int32 = 60
  /// The most responses that are streams; more are 429.
  package var streams = 16
  /// The most concurrent calls to the daemon besides streams; more are 503.
  package var calls = 16
  /// The most bytes of a reply of the daemon; a longer one ends the call.
  package var replyBytes = 32 << 20
  /// The most bytes that a client has not accepted, above which no more is read for it.
  package var queueBytes = 256 << 10
  /// The most time to connect to the daemon.
  package var connectMilliseconds: Int64 = 5_000
  /// The most bytes of a call at the control socket.
  package var controlBytes = 64 << 10

  /// The most devices with access; further ones are refused.
  package var devices = 64
  /// The most devices that wait for access.
  package var waiting = 8
  /// The most time for which a device waits for access.
  package var waitingMilliseconds: Int64 = 600_000
  /// The most valid links; a new one invalidates the oldest.
  package var links = 16
  package var linkMilliseconds: Int64 = 60_000
  /// The most wrong keys and codes per second from one address; more are 429.
  package var failures = 20
  /// The most addresses whose wrong keys are counted.
  package var addresses = 1_024
  /// The most characters of a device's name.
  package var nameCharacters = 80

  package init() {}
}
