package import Glibc

/// A command line of the user, run by the shell.
package struct ShellCommand {
  private let line: String
  private let arguments: [String]
  private let hasOwnSession: Bool
  /// Signals that end the command, even if this program ignores them.
  private static let usual = [SIGINT, SIGQUIT, SIGPIPE]
  /// POSIX_SPAWN_SETSID, which Glibc's module lacks.
  private static let ownSession: Int16 = 0x80

  /// - Parameters:
  ///   - arguments: the values of `$0`, `$1` and so on in the line.
  ///   - hasOwnSession: whether the command continues when the terminal is closed.
  package init(_ line: String, _ arguments: [String] = [], hasOwnSession: Bool = false) {
    self.line = line
    self.arguments = arguments
    self.hasOwnSession = hasOwnSession
  }

  /// Starts the command beside this program.
  ///
  /// - Parameter actions: the set-up of its descriptors.
  package func start(
    _ actions: inout posix_spawn_file_actions_t
  ) throws(SystemCallError) -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    prepare(&attributes)
    let words = self.words
    defer { for word in words { free(word) } }
    var process = pid_t()
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environ)
    guard code == 0 else { throw SystemCallError("posix_spawn", "/bin/sh", code: code) }
    return process
  }

  /// Sets the command's handling of signals, and its session if it has its own.
  func prepare(_ attributes: inout posix_spawnattr_t) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in Self.usual { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // This thread may block signals.
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    let session = hasOwnSession ? Self.ownSession : 0
    let flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
    posix_spawnattr_setflags(&attributes, flags | session)
  }

  /// Replaces this program by the command. Returns only on failure.
  package func become() -> SystemCallError {
    // Ignored signals stay ignored in the new program.
    signal(SIGPIPE, SIG_DFL)
    execv("/bin/sh", words)
    return SystemCallError("execv", "/bin/sh")
  }

  /// The arguments of the shell. The caller must free them.
  private var words: [UnsafeMutablePointer<CChar>?] {
    (["sh", "-c", line] + arguments).map { strdup($0) } + [nil]
  }
}
