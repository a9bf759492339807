import CLinuxShims
import Glibc
import Platform

/// A player that is a program, started with a list.
package struct PlayerProgram {
  /// Milliseconds for which is waited whether it ends at once, which its status tells of.
  package static let patience: Int32 = 400

  /// Made for a shell.
  private let line: String
  /// The first word, without its folder.
  package let name: String

  /// - Parameter line: in which `{}` is the place of the list.
  package init(line: String, list: String) {
    self.line = line.replacing("{}", with: Self.word(list))
    let first = line.split(separator: " ").first { !$0.contains("=") } ?? "sh"
    name = String(first.split(separator: "/").last ?? first)
  }

  /// mpv is steered by the keyboard, where it has a terminal.
  package var wantsTerminal: Bool { name == "mpv" }

  /// A text as one word of a shell's, whatever is in it; bare where it means nothing else, so that
  /// it may stand in quotes, too.
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

  /// Takes the place of this program, with its terminal.
  package func become() throws(PlayerFault) -> Never {
    throw failure(ShellCommand(line).become())
  }

  /// Starts it apart from this terminal, where it goes on when that is closed.
  package func start(patience: Int32 = patience) throws(PlayerFault) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
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
