import Glibc
import Synchronization

/// A file that is open while it is read, wherever it is known: it is closed when its opener says
/// so, since to close a file may hang as reading it may, and nobody else is to hang.
final class HeldFile: Sendable {
  let descriptor: Int32
  private let isClosed = Atomic(false)

  /// Takes over an open descriptor.
  init(owning descriptor: Int32) { self.descriptor = descriptor }

  func close() {
    if !isClosed.exchange(true, ordering: .relaxed) { Glibc.close(descriptor) }
  }

  deinit { close() }
}
