import Arguments
import CratesInterface
import DaemonCore
import Glibc
import LibraryModel
import Settings

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Verify a store, and change nothing.",
    discussion: """
      Names file and line of each finding, and what to do about it. The exit status is 0 where all \
      is good, 1 with findings, 65 where no crated can start on the store, 78 where a later one \
      wrote it. A store that a running crated owns can be checked, too.
      """)

  @Argument(help: "The store's directory, or a copy of one. (default: that of crated)")
  var store: String?

  func run() throws {
    let care = StoreCare(store: try store.map { BytePath($0) } ?? ownStore())
    let status = care.check { print($0.harmless) }
    if status != 0 { throw ExitStatus(number: status) }
  }
}

func ownStore() throws(ExitStatus) -> BytePath {
  do {
    return try SettingsPaths.store(environment: Crated.environment)
  } catch {
    throw failed(DaemonFailure(error))
  }
}

/// Prints the reason in one line, and returns the exit status.
func failed(_ failure: DaemonFailure) -> ExitStatus {
  say("crated: \("\(failure)".harmless)\n", to: STDERR_FILENO)
  return ExitStatus(number: failure.status)
}
