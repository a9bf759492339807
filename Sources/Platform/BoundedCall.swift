/// How long a folder may take to say what it is, in nanoseconds: the watcher finds out by itself
/// about one that hangs, and neither a start nor a reload waits for it.
package let answerWithin: Int64 = 2_000_000_000

/// What a question to a file system comes to; nil where it doesn't answer in time, as a network
/// drive whose server is gone. The thread that asked is then left behind, until it is answered.
package func answer<Value: Sendable>(
  within nanoseconds: Int64, _ ask: @escaping @Sendable () -> Value
) -> Value? {
  let answered = Monitor<Value?>(nil)
  _ = BlockingThread("ask") {
    let value = ask()
    answered.withLock { $0 = value }
  }
  return answered.wait(until: Clock.system.monotonic() + nanoseconds) { $0 }
}
