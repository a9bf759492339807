import Glibc
import Platform

/// The person's editor.
enum Editor {
  /// Editors that open a file at a line: `+12 FILE`.
  private static let linewise: Set<String> = [
    "vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "mg", "jed", "joe",
    "jmacs",
    "jstar", "micro", "kak", "ne", "gedit", "mcedit", "editor", "sensible-editor",
  ]

  /// Nanoseconds within which hardly anybody has read a text. An editor that returns sooner, with
  /// the text as it was, may have handed it to a window that is still open.
  static let atOnce: Int64 = 2_000_000_000
  static let advice =
    "the editor returned at once; if its window is still open, use one that waits, such as"
    + " EDITOR='code --wait'"

  /// Whether it works in the terminal, so that nothing of it is open once it has returned.
  static var isInTerminal: Bool {
    guard let command = try? command() else { return false }
    return program(of: command).map { linewise.contains($0) && $0 != "gedit" } ?? false
  }

  private static func program(of command: String) -> String? {
    command.split(separator: " ").first?.split(separator: "/").last.map(String.init)
  }

  /// Runs it on the file and waits for its end. Throws where it did not end well.
  static func run(on path: String, at line: Int? = nil) throws(Failure) {
    let command = try self.command()
    // Ctrl-C is the editor's while it runs.
    let former = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, action) in former { signal(number, action) } }
    let status = try wait(for: try start(command, line.flatMap { place($0, for: command) }, path))
    guard status != 127 else {
      throw .refused("the editor “\(command)” cannot be run; set EDITOR to one that can")
    }
    guard status == 0 else {
      throw .refused("the editor ended with status \(status), so nothing was changed")
    }
  }

  /// How the editor is told of a line; nil where it can't be.
  static func place(_ line: Int, for command: String) -> String? {
    program(of: command).flatMap { linewise.contains($0) ? "+\(line)" : nil }
  }

  /// What the person set, else what the system has.
  private static func command() throws(Failure) -> String {
    if let set = Environment["VISUAL"] ?? Environment["EDITOR"] { return set }
    let folders = (Environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    if Terminal.input.isTerminal {
      for name in ["sensible-editor", "editor", "vi"] {
        if folders.contains(where: { access("\($0)/\(name)", X_OK) == 0 }) { return name }
      }
    }
    throw .wrongUse("no editor is known; set EDITOR, such as EDITOR=nano")
  }

  /// Through the shell, for an EDITOR like `code --wait`.
  private static func start(
    _ command: String, _ place: String?, _ path: String
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if !Terminal.output.isTerminal, Terminal.errors.isTerminal {
      posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    }
    let words = [command] + [place, path].compactMap(\.self)
    do throws(SystemCallError) {
      return try ShellCommand(line(of: command), words).start(&actions)
    } catch {
      throw .refused("the editor cannot be started: \(error.reason)")
    }
  }

  /// What the shell is told. One that stays in between would take Ctrl-C for itself.
  static func line(of command: String) -> String {
    let isPlain = command.utf8.allSatisfy { Shown.isPlain($0) || $0 == UInt8(ascii: " ") }
    return "\(isPlain ? "exec " : "")\(command) \"$@\""
  }

  private static func wait(for process: pid_t) throws(Failure) -> Int32 {
    var status: Int32 = 0
    guard retrying({ waitpid(process, &status, 0) }) == process else {
      throw .refused("the editor is lost: \(String(cString: strerror(errno)))")
    }
    return exitStatus(status)
  }

  /// The exit status of a process by what wait(2) says; for one that a signal ended, 128 and the
  /// signal.
  static func exitStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}
