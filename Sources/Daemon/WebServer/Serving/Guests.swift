/// The connections to the page. Must be used on the event loop.
final class Guests {
  private let limits: WebLimits
  /// The connections in the order of their arrival.
  private var connections: [HTTPConnection] = []
  /// The connections that have shown a valid key.
  private var admitted: Set<ObjectIdentifier> = []
  /// The running calls to the daemon; a connection has at most one.
  private var calls: [(connection: HTTPConnection, device: Device?, isStream: Bool)] = []

  private var isPlaying = false

  init(limits: WebLimits) {
    self.limits = limits
  }

  /// Adds a connection. If there are too many, closes the oldest one without a key, so that clients
  /// can't be blocked by mere connections.
  func arrive(_ connection: HTTPConnection) {
    connections.append(connection)
    guard connections.count > limits.connections else { return }
    let oldest = connections.first { !admitted.contains(ObjectIdentifier($0)) }
    (oldest ?? connection).close()
  }

  func leave(_ connection: HTTPConnection) {
    connections.removeAll { $0 === connection }
    admitted.remove(ObjectIdentifier(connection))
    callEnds(of: connection)
  }

  /// Records that a connection has shown a valid key.
  func admit(_ connection: HTTPConnection) { admitted.insert(ObjectIdentifier(connection)) }

  func closeAll() {
    for connection in connections { connection.close() }
  }

  // MARK: Calls

  /// Whether another call may start.
  func mayCall(asStream isStream: Bool) -> Bool {
    calls.count { $0.isStream == isStream } < (isStream ? limits.streams : limits.calls)
  }

  /// - Parameter device: The device that calls; nil for a picture.
  func callBegins(of connection: HTTPConnection, for device: Device?, asStream isStream: Bool) {
    calls.append((connection, device, isStream))
  }

  func callEnds(of connection: HTTPConnection) { calls.removeAll { $0.connection === connection } }

  /// Returns false if a playback request is already running.
  func playingBegins() -> Bool {
    defer { isPlaying = true }
    return !isPlaying
  }

  func playingEnds() { isPlaying = false }

  /// Closes the connections with running calls of forgotten devices.
  func endCalls(of forgotten: [Device]) {
    for call in calls where call.device.map(forgotten.contains) ?? false {
      call.connection.close()
    }
  }
}
