package import Glibc

/// A command line of a person's, run by the shell.
package struct ShellCommand {
  private let line: String
  private let arguments: [String]
  private let hasOwnSession: Bool
  /// Signals that end it, though this program may ignore them.
  private static let usual = [SIGINT, SIGQUIT, SIGPIPE]
  /// POSIX_SPAWN_SETSID, which Glibc's module lacks.
  private static let ownSession: Int16 = 0x80

  /// - Parameters:
  ///   - arguments: `$0`, `$1` and so on in the line.
  ///   - hasOwnSession: whether it goes on when the terminal is closed.
  package init(_ line: String, _ arguments: [String] = [], hasOwnSession: Bool = false) {
    self.line = line
    self.arguments = arguments
    self.hasOwnSession = hasOwnSession
  }

  /// Starts it beside this program. What its descriptors are is said before.
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

  /// Says what the command is to have of its own: what signals do, and maybe a session.
  func prepare(_ attributes: inout posix_spawnattr_t) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in Self.usual { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // The thread may hear none.
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    let session = hasOwnSession ? Self.ownSession : 0
    let flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
    posix_spawnattr_setflags(&attributes, flags | session)
  }

  /// Takes the place of this program; comes back only where that fails.
  package func become() -> SystemCallError {
    // What a program ignores, its successor ignores.
    signal(SIGPIPE, SIG_DFL)
    execv("/bin/sh", words)
    return SystemCallError("execv", "/bin/sh")
  }

  /// To be freed.
  private var words: [UnsafeMutablePointer<CChar>?] {
    (["sh", "-c", line] + arguments).map { strdup($0) } + [nil]
  }
}
