import Glibc

/// A file descriptor that closes itself.
package struct OpenFile: ~Copyable, Sendable {
  package let descriptor: Int32

  /// Takes over an open descriptor.
  package init(owning descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Gives the descriptor away; it is the caller's to close.
  package consuming func release() -> Int32 {
    let descriptor = self.descriptor
    discard self
    return descriptor
  }
}
