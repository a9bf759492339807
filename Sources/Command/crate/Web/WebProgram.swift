import CLinuxShims
import Glibc
import Platform

/// `crated web` as a child process, which serves the page while this process runs.
struct WebProgram: ~Copyable {
  private let process: pid_t
  private let signals: OpenFile

  /// The signals that are passed on to the child; closing the terminal ends it, too.
  private static let passedOn = [SIGINT, SIGTERM, SIGQUIT, SIGHUP]
  /// The time for the child to start listening, in nanoseconds; it needs a few milliseconds.
  private static let patience: Int64 = 10_000_000_000
  /// The pause between attempts to connect, in milliseconds.
  private static let pause: Int32 = 20

  /// Starts the child in a session of its own, so that it gets the terminal's ^C only from here.
  init() throws(Failure) {
    let program = try Self.path()
    let numbers = Self.passedOn + [SIGCHLD]
    // Set up before the child starts, so that its end is not missed.
    let signals = crated_signalfd(numbers, numbers.count)
    guard signals >= 0 else { throw Self.failure(SystemCallError("signalfd", "")) }
    process = try Self.start(program)
    self.signals = OpenFile(owning: signals)
  }

  private static func start(_ program: String) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    do throws(SystemCallError) {
      return try ShellCommand("exec \"$0\" web", [program], hasOwnSession: true).start(&actions)
    } catch {
      throw failure(error)
    }
  }

  private static func failure(_ error: SystemCallError) -> Failure {
    .refused("crated web can't be started: \(error.reason)")
  }

  /// Returns `crated` in the folder of this program, or else in PATH.
  private static func path() throws(Failure) -> String {
    var folders = (Environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
    if let own = realpath("/proc/self/exe", nil) {
      defer { free(own) }
      let program = String(cString: own)
      folders.insert(String(program[..<(program.lastIndex(of: "/") ?? program.endIndex)]), at: 0)
    }
    guard let folder = folders.first(where: { access("\($0)/crated", X_OK) == 0 }) else {
      throw .refused("crated is neither beside crate nor in PATH; install it")
    }
    return "\(folder)/crated"
  }

  /// Waits until the child listens. If it ends before, exits with its status: the child has printed
  /// the reason.
  func service(path: String) throws(Failure) -> WebService {
    let end = Clock.system.monotonic() + Self.patience
    while Clock.system.monotonic() < end {
      if let service = try WebService(path: path) { return service }
      if let status = status(within: Self.pause) { exit(status) }
    }
    stop()
    throw Failure(status: .notRunning, message: "crated web does not listen; try again")
  }

  /// Waits for the end of the child.
  ///
  /// - Returns: The exit status.
  func wait() -> Int32 {
    while true {
      if let status = status(within: -1) { return status }
    }
  }

  func stop() {
    kill(process, SIGTERM)
    _ = retrying { waitpid(process, nil, 0) }
  }

  /// Waits for a signal and passes it on.
  ///
  /// - Returns: The child's exit status; nil while it runs.
  private func status(within milliseconds: Int32) -> Int32? {
    guard isReady(signals.descriptor, for: POLLIN, within: milliseconds) else { return nil }
    let number = crated_signalfd_next(signals.descriptor)
    guard number == SIGCHLD else {
      if number > 0 { kill(process, number == SIGHUP ? SIGTERM : number) }
      return nil
    }
    var status: Int32 = 0
    // Another child, such as a browser, may have ended.
    guard waitpid(process, &status, WNOHANG) == process else { return nil }
    return Editor.exitStatus(status)
  }
}
