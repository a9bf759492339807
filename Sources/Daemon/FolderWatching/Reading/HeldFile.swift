import Glibc
import Synchronization

/// An open file that is being read, shared by all that refer to it. Its opener closes it, because
/// closing may hang as reading may, and no other thread is to hang.
final class HeldFile: Sendable {
  let descriptor: Int32
  private let isClosed = Atomic(false)

  /// Takes ownership of an open descriptor.
  init(owning descriptor: Int32) { self.descriptor = descriptor }

  func close() {
    if !isClosed.exchange(true, ordering: .relaxed) { Glibc.close(descriptor) }
  }

  deinit { close() }
}
