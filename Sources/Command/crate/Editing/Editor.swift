import Glibc
import Platform

/// The user's editor.
enum Editor {
  /// Editors that open a file at a line given as `+12 FILE`.
  private static let linewise: Set<String> = [
    "vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "mg", "jed", "joe",
    "jmacs",
    "jstar", "micro", "kak", "ne", "gedit", "mcedit", "editor", "sensible-editor",
  ]

  /// The time in nanoseconds within which hardly a text can be read. An editor that returns sooner,
  /// with the text unchanged, may have handed it to a window that is still open.
  static let atOnce: Int64 = 2_000_000_000
  static let advice =
    "the editor returned at once; if its window is still open, use one that waits, such as"
    + " EDITOR='code --wait'"

  /// Whether the editor runs in the terminal, so that it is closed once it has returned.
  static var isInTerminal: Bool {
    guard let command = try? command() else { return false }
    return program(of: command).map { linewise.contains($0) && $0 != "gedit" } ?? false
  }

  private static func program(of command: String) -> String? {
    command.split(separator: " ").first?.split(separator: "/").last.map(String.init)
  }

  /// Runs the editor on the file and waits for its end.
  ///
  /// - Throws: If the editor can't be run or fails.
  static func run(on path: String, at line: Int? = nil) throws(Failure) {
    let command = try self.command()
    // Ctrl-C belongs to the editor while it runs.
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

  /// Returns the editor's argument for a line; nil if it has none.
  static func place(_ line: Int, for command: String) -> String? {
    program(of: command).flatMap { linewise.contains($0) ? "+\(line)" : nil }
  }

  /// Returns the editor that the user set, or else the system's default.
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

  /// Starts the editor through the shell, for an EDITOR like `code --wait`.
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

  /// Returns the shell's command line. A shell that stays in between would handle Ctrl-C itself.
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

  /// Returns the exit status of a process from the status of wait(2); for one that was ended by a
  /// signal, 128 plus its number.
  static func exitStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}
