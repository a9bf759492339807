import Glibc

/// A system call that failed: which, on what, and why.
package struct SystemCallError: Error, Sendable, Hashable, CustomStringConvertible {
  package var call: String
  package var subject: String
  package var code: Int32

  package init(_ call: String, _ subject: String, code: Int32 = errno) {
    self.call = call
    self.subject = subject
    self.code = code
  }

  /// What strerror(3) says of the code.
  package var reason: String { String(cString: strerror(code)) }

  package var description: String {
    subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
  }
}

/// Runs the call again for as long as a signal interrupts it.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}
