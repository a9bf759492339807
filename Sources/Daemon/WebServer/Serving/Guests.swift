/// The connections of the window. On the event loop alone.
final class Guests {
  private let limits: WebLimits
  /// In the order in which they came.
  private var connections: [HTTPConnection] = []
  /// Those that have shown a key.
  private var admitted: Set<ObjectIdentifier> = []
  private var streams: [(connection: HTTPConnection, device: Device)] = []
  private var calls = 0
  private var streamCalls = 0

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
    streamEnds(connection)
  }

  /// It has shown a key.
  func admit(_ connection: HTTPConnection) { admitted.insert(ObjectIdentifier(connection)) }

  func closeAll() {
    for connection in connections { connection.close() }
  }

  // MARK: Calls and streams

  func mayCall(streams: Bool) -> Bool {
    streams ? streamCalls < limits.streams : calls < limits.calls
  }

  func callBegins(streams: Bool) {
    if streams { streamCalls += 1 } else { calls += 1 }
  }

  func callEnds(streams: Bool) {
    if streams { streamCalls -= 1 } else { calls -= 1 }
  }

  func streamBegins(_ connection: HTTPConnection, of device: Device) {
    streams.append((connection, device))
  }

  func streamEnds(_ connection: HTTPConnection) {
    streams.removeAll { $0.connection === connection }
  }

  /// Ends the streams of devices that were forgotten.
  func endStreams(of forgotten: [Device]) {
    for stream in streams where forgotten.contains(stream.device) { stream.connection.close() }
  }
}
