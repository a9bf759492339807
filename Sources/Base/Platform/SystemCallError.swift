import Glibc

/// The failure of a system call: the call, its subject, and the error.
package struct SystemCallError: Error, Sendable, Hashable, CustomStringConvertible {
  package var call: String
  package var subject: String
  package var code: Int32

  package init(_ call: String, _ subject: String, code: Int32 = errno) {
    self.call = call
    self.subject = subject
    self.code = code
  }

  /// The text of strerror(3) for the code.
  package var reason: String { String(cString: strerror(code)) }

  package var description: String {
    subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
  }
}

/// Repeats the call as long as a signal interrupts it.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}
