import Glibc
import Platform

/// Output for the user, through a pager if it doesn't fit on the screen.
enum Pager {
  private static let less = "less"

  /// Prints the lines after any buffered output.
  static func show(_ lines: [String], on terminal: Terminal = .output) {
    if terminal.isTerminal, let rows = terminal.rows, lines.count >= rows,
      let command = command({ name in getenv(name).map { String(cString: $0) } })
    {
      Output.flush()
      if page(lines, command) { return }
    }
    for line in lines { Output.line(line) }
    Output.flush()
  }

  /// Returns the user's pager or the default; nil for none.
  static func command(_ variable: (String) -> String?) -> String? {
    let chosen = variable("CRATE_PAGER") ?? variable("PAGER") ?? less
    let words = chosen.split(separator: " ")
    return words.isEmpty || words == ["cat"] ? nil : chosen
  }

  /// Returns false if the pager can't be started and nothing was shown.
  private static func page(_ lines: [String], _ command: String) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (input, output) = (ends[0], ends[1])
    // Ctrl-C belongs to the pager while it runs, and the pager may end before it has read
    // everything.
    let former = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, action) in former { signal(number, action) } }
    let process = start(command, input)
    // Only the pager has the read end now, so that writing fails after it has ended.
    close(input)
    guard let process else {
      close(output)
      return false
    }
    // If the pager ended early, the user has seen enough.
    try? writeAll(Array((lines.joined(separator: "\n") + "\n").utf8), to: output)
    close(output)
    var status: Int32 = 0
    guard retrying({ waitpid(process, &status, 0) }) == process else { return true }
    // The shell's statuses for a program that doesn't exist or can't be executed.
    return ![126, 127].contains(status >> 8 & 0xFF)
  }

  private static func start(_ command: String, _ input: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    // Short texts stay on the screen, colours are passed through, and the screen isn't cleared at
    // the end.
    setenv("LESS", "FRX", 0)
    return try? ShellCommand(command).start(&actions)
  }
}
