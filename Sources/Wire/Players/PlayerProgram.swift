import CLinuxShims
import Glibc
import Platform

/// A player that is a program, started with a list.
package struct PlayerProgram {
  /// Milliseconds for which is waited whether it ends at once, which its status tells of.
  package static let patience: Int32 = 400

  /// Made for a shell.
  private let line: String
  /// The first word that is no variable, without its folder.
  package let name: String
  /// A descriptor that the program inherits.
  private let inherited: Int32?

  /// - Parameters:
  ///   - line: in which `{}` is the place of the list.
  ///   - option: an option that follows the program's name.
  ///   - inherited: a descriptor that is open in the program for as long as it runs, and no longer
  ///     in this one when that is started.
  package init(line: String, list: String, option: String? = nil, inherited: Int32? = nil) {
    var words = line.split(separator: " ", omittingEmptySubsequences: false)
    let place = words.firstIndex { !$0.isEmpty && !$0.contains("=") }
    let first = place.map { words[$0] } ?? "sh"
    name = String(first.split(separator: "/").last ?? first)
    if let option, let place { words.insert(option[...], at: place + 1) }
    self.line = words.joined(separator: " ").replacing("{}", with: Self.word(list))
    self.inherited = inherited
  }

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
    if let inherited { _ = fcntl(inherited, F_SETFD, 0) }
    throw failure(ShellCommand(line).become())
  }

  /// Starts it apart from this terminal, where it goes on when that is closed.
  package func start(patience: Int32 = patience) throws(PlayerFault) {
    defer { if let inherited { close(inherited) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    // A descriptor that is duplicated onto itself is inherited.
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
