/// How long a folder may take to say what it is, in nanoseconds: the watcher finds out by itself
/// about one that hangs, and neither a start nor a reload waits for it.
package let answerWithin: Int64 = 2_000_000_000

/// What a question to a file system comes to; nil where it doesn't answer in time, as a network
/// drive whose server is gone. The thread that asked is then left behind, until it is answered.
/// Until then nothing else is asked of the place, and nobody waits for it: however often somebody
/// wants to know, it keeps one thread.
///
/// - Parameter place: the path that is asked about, without a closing NUL.
package func answer<Value: Sendable>(
  of place: [UInt8], within nanoseconds: Int64, _ ask: @escaping @Sendable () -> Value
) -> Value? {
  askedPlaces.answer(of: place, within: nanoseconds, ask)
}

private let askedPlaces = AskedPlaces(most: 64)

/// The places of which an answer is awaited.
final class AskedPlaces: Sendable {
  /// When each was asked.
  private let asked = Monitor<[[UInt8]: Int64]>([:])
  private let most: Int

  /// - Parameter most: of more nothing is asked until an answer comes.
  init(most: Int) { self.most = most }

  func answer<Value: Sendable>(
    of place: [UInt8], within nanoseconds: Int64, _ ask: @escaping @Sendable () -> Value
  ) -> Value? {
    let start = Clock.system.monotonic()
    let isOurs = asked.wait(until: start + nanoseconds) { [most] places -> Bool? in
      // Somebody else may get an answer yet.
      if let since = places[place] { return since + nanoseconds <= start ? false : nil }
      guard places.count < most else { return false }
      places[place] = start
      return true
    }
    guard isOurs == true else { return nil }
    let answered = Monitor<Value?>(nil)
    _ = BlockingThread("ask") { [asked] in
      let value = ask()
      asked.withLock { $0[place] = nil }
      answered.withLock { $0 = value }
    }
    return answered.wait(until: start + nanoseconds) { $0 }
  }
}
