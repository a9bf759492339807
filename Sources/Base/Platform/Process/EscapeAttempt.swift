import Glibc

/// Something that an attacker who took over a process would try, and that its confinement forbids.
package struct EscapeAttempt: Sendable {
  private let name: String
  private let isPossible: @Sendable () -> Bool

  package init(_ name: String, _ isPossible: @escaping @Sendable () -> Bool) {
    self.name = name
    self.isPossible = isPossible
  }

  /// Makes every attempt before and after the process confines itself. Returns whether any
  /// succeeded afterwards.
  ///
  /// - Parameter report: called with one line for each attempt after it was made.
  package static func tryAll<Failure>(
    _ attempts: [EscapeAttempt], confining confine: () throws(Failure) -> Void,
    report: (String) -> Void
  ) throws(Failure) -> Bool {
    let before = attempts.map { $0.isPossible() }
    try confine()
    var hasEscaped = false
    for (attempt, wasPossible) in zip(attempts, before) {
      errno = 0
      let isPossible = attempt.isPossible()
      let reason = String(cString: strerror(errno))
      hasEscaped = hasEscaped || isPossible
      let result = isPossible ? "ESCAPED" : wasPossible ? "refused (\(reason))" : "never possible"
      report("\(attempt.name): \(result)\n")
    }
    return hasEscaped
  }

  /// Closes the descriptor. Returns whether it was open.
  package static func closes(_ descriptor: Int32) -> Bool {
    descriptor >= 0 && close(descriptor) == 0
  }

  package static func opens(_ path: String, _ flags: Int32) -> Bool {
    closes(open(path, flags | O_CLOEXEC))
  }

  package static func startsProgram() -> Bool {
    var process: pid_t = 0
    let error = posix_spawn(&process, "/bin/true", nil, nil, [nil], [nil])
    guard error == 0 else {
      errno = error
      return false
    }
    _ = retrying { waitpid(process, nil, 0) }
    return true
  }
}
