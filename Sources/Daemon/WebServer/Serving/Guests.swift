/// The connections of the window. On the event loop alone.
final class Guests {
  private let limits: WebLimits
  /// In the order in which they came.
  private var connections: [HTTPConnection] = []
  /// Those that have shown a key.
  private var admitted: Set<ObjectIdentifier> = []
  /// The calls of the daemon that go on; a connection has one at most.
  private var calls: [(connection: HTTPConnection, device: Device?, isStream: Bool)] = []

  private var isPlaying = false

  init(limits: WebLimits) {
    self.limits = limits
  }

  /// A connection has come. Where there are too many, one that has shown no key makes room: nobody
  /// keeps others out by connecting.
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

  /// It has shown a key.
  func admit(_ connection: HTTPConnection) { admitted.insert(ObjectIdentifier(connection)) }

  func closeAll() {
    for connection in connections { connection.close() }
  }

  // MARK: Calls

  /// Whether there is room for one more.
  func mayCall(asStream isStream: Bool) -> Bool {
    calls.count { $0.isStream == isStream } < (isStream ? limits.streams : limits.calls)
  }

  /// - Parameter device: whose call it is; nil: a picture's.
  func callBegins(of connection: HTTPConnection, for device: Device?, asStream isStream: Bool) {
    calls.append((connection, device, isStream))
  }

  func callEnds(of connection: HTTPConnection) { calls.removeAll { $0.connection === connection } }

  /// False where songs are being handed to a player already.
  func playingBegins() -> Bool {
    defer { isPlaying = true }
    return !isPlaying
  }

  func playingEnds() { isPlaying = false }

  /// Ends the calls of devices that were forgotten: streams, and answers that are on their way.
  func endCalls(of forgotten: [Device]) {
    for call in calls where call.device.map(forgotten.contains) ?? false {
      call.connection.close()
    }
  }
}
