/// How long a folder may take to answer, in nanoseconds. The watcher detects a folder that hangs by
/// itself; neither a start nor a reload waits for it.
package let answerWithin: Int64 = 2_000_000_000

/// Returns the result of a query to a file system; nil if it doesn't answer in time, such as a
/// network drive whose server is gone. The thread of the query is then left behind until it
/// returns. Until then, no other query for the place is started and no caller waits: however often
/// there is a call, a place keeps one thread.
///
/// - Parameter place: the path that the query is about, without a terminating NUL.
package func answer<Value: Sendable>(
  of place: [UInt8], within nanoseconds: Int64, _ ask: @escaping @Sendable () -> Value
) -> Value? {
  askedPlaces.answer(of: place, within: nanoseconds, ask)
}

private let askedPlaces = AskedPlaces(most: 64)

/// The places with a query that has not returned.
final class AskedPlaces: Sendable {
  /// The start of each query.
  private let asked = Monitor<[[UInt8]: Int64]>([:])
  private let most: Int

  /// - Parameter most: the maximum number of queries. Beyond it, no query starts until one returns.
  init(most: Int) { self.most = most }

  func answer<Value: Sendable>(
    of place: [UInt8], within nanoseconds: Int64, _ ask: @escaping @Sendable () -> Value
  ) -> Value? {
    let start = Clock.system.monotonic()
    let isOurs = asked.wait(until: start + nanoseconds) { [most] places -> Bool? in
      // Another caller's query may still return.
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
