import CLinuxShims
import Glibc
import Platform

/// A player program that is started with a playlist.
package struct PlayerProgram {
  /// The time to wait, in milliseconds, for a program that fails at once and so returns a status.
  package static let patience: Int32 = 400

  /// The shell command line.
  private let line: String
  /// The program: the first word that assigns no variable, without its folder.
  package let name: String
  /// A descriptor that the program inherits.
  private let inherited: Int32?

  /// - Parameters:
  ///   - line: A command line, in which `{}` stands for the path of the playlist.
  ///   - option: An option to insert behind the program's name.
  ///   - inherited: A descriptor that stays open in the program for as long as it runs. This
  ///     process closes it on `start`.
  package init(line: String, list: String, option: String? = nil, inherited: Int32? = nil) {
    var words = line.split(separator: " ", omittingEmptySubsequences: false)
    let place = words.firstIndex { !$0.isEmpty && !$0.contains("=") }
    let first = place.map { words[$0] } ?? "sh"
    name = String(first.split(separator: "/").last ?? first)
    if let option, let place { words.insert(option[...], at: place + 1) }
    self.line = words.joined(separator: " ").replacing("{}", with: Self.word(list))
    self.inherited = inherited
  }

  /// Quotes a text as one word of a shell. A text without special characters stays bare, so that it
  /// may also stand inside quotes of the command line.
  static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }

  /// Replaces this process with the program, which gets its terminal.
  package func become() throws(PlayerFault) -> Never {
    if let inherited { _ = fcntl(inherited, F_SETFD, 0) }
    throw failure(ShellCommand(line).become())
  }

  /// Starts the program in a session of its own, so that it survives the terminal.
  ///
  /// - Throws: If it can't be started, or fails within `patience` milliseconds.
  package func start(patience: Int32 = patience) throws(PlayerFault) {
    defer { if let inherited { close(inherited) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    // Duplicating a descriptor onto itself clears its close-on-exec flag.
    if let inherited { posix_spawn_file_actions_adddup2(&actions, inherited, inherited) }
    let process: pid_t
    do throws(SystemCallError) {
      process = try ShellCommand(line, hasOwnSession: true).start(&actions)
    } catch {
      throw failure(error)
    }
    let ending = OpenFile(owning: crated_open_process(process))
    _ = isReady(ending.descriptor, for: POLLIN, within: patience)
    var status: Int32 = 0
    guard retrying({ waitpid(process, &status, WNOHANG) }) == process, status != 0 else { return }
    let signal = status & 0x7F
    let end = signal == 0 ? "with status \(status >> 8 & 0xFF)" : "by signal \(signal)"
    throw PlayerFault("the player ended at once, \(end): \(line)")
  }

  private func failure(_ error: SystemCallError) -> PlayerFault {
    PlayerFault("the player can't be started: \(error.reason): \(line)")
  }
}
