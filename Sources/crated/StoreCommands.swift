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

struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a backup in place of the present order.",
    discussion: """
      The order is then what it was when the backup was written; journals are not applied. What is \
      there now is kept among the backups, so a restore can be taken back by another one. Undo \
      begins anew. crated must not be running.
      """)

  @Argument(
    help: """
      The number of a generation, the name of a file in the store's backups directory, or the path \
      of a snapshot from anywhere.
      """)
  var backup: String

  func run() throws {
    umask(0o077)
    let care = StoreCare(store: try ownStore())
    do throws(DaemonFailure) {
      for line in try care.restore(backup) { print(line.harmless) }
    } catch {
      throw failed(error)
    }
  }
}

private func ownStore() throws(ExitStatus) -> BytePath {
  do {
    return try SettingsPaths.store(environment: Crated.environment)
  } catch {
    throw failed(DaemonFailure(error))
  }
}

/// Says why in one line, and gives the exit status.
func failed(_ failure: DaemonFailure) -> ExitStatus {
  say("crated: \("\(failure)".harmless)\n", to: STDERR_FILENO)
  return ExitStatus(number: failure.status)
}
