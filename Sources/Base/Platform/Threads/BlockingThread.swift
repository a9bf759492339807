import CLinuxShims
import Glibc
import Synchronization

/// A named thread for work that blocks. The shared pool has as many threads as cores, and two
/// blocked reads there would stop the daemon.
package final class BlockingThread: Sendable {
  private let thread: pthread_t
  private let isJoined = Atomic(false)

  /// Starts the work at once. The name is truncated to the 15 bytes that Linux allows.
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
    if error != 0 { Self.end(because: error) }
    self.thread = thread
  }

  /// Ends the program immediately, with status 71 (EX_OSERR). Without this thread, other parts of
  /// the program would wait forever.
  private static func end(because error: Int32) -> Never {
    let line =
      "no thread could be started (\(String(cString: strerror(error)))): raise the limits of memory"
      + " and of processes\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    _exit(71)
  }

  /// Waits for the work to end. Must be called at most once.
  package func join() {
    isJoined.store(true, ordering: .relaxed)
    pthread_join(thread, nil)
  }

  // Without a join, the thread's resources are released when it ends.
  deinit {
    if !isJoined.load(ordering: .relaxed) { pthread_detach(thread) }
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
