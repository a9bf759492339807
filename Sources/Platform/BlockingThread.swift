import CLinuxShims
import Glibc

/// A named thread of its own for work that blocks: the shared pool has as many threads as cores,
/// and two blocked reads there would stop the daemon.
package final class BlockingThread: Sendable {
  private let thread: pthread_t

  /// Starts the work at once. The name is cut to the 15 bytes that Linux allows.
  package init(_ name: String, _ work: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(ThreadStart(name: String(name.prefix(15)), work: work))
    var thread = pthread_t()
    let error = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
        _ = crated_name_thread(start.name)
        start.work()
        return nil
      }, start.toOpaque())
    precondition(error == 0, "the system starts a thread, error \(error)")
    self.thread = thread
  }

  /// Waits for the work to end. To be called once at most.
  package func join() {
    pthread_join(thread, nil)
  }
}

private final class ThreadStart: Sendable {
  let name: String
  let work: @Sendable () -> Void

  init(name: String, work: @escaping @Sendable () -> Void) {
    self.name = name
    self.work = work
  }
}
