import Glibc

/// A file descriptor that closes itself.
package struct OpenFile: ~Copyable, Sendable {
  package let descriptor: Int32

  /// Takes ownership of an open descriptor.
  package init(owning descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Returns the descriptor without closing it. The caller must close it.
  package consuming func release() -> Int32 {
    let descriptor = self.descriptor
    discard self
    return descriptor
  }
}
