import Arguments
import CratesInterface
import DaemonCore
import Glibc
import LibraryModel
import Logging
import Platform
import Settings

/// The daemon's command line.
@main
struct Crated: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crated",
    abstract: "Mirrors your music folders into crates that you order by hand.",
    discussion: """
      crated watches the music folders, never writes to them, and keeps the order you give your \
      albums and songs. Ask it with crate(1). It is usually started by systemd: \
      systemctl --user enable --now crated.
      """,
    version: softwareVersion,
    subcommands: [CheckCommand.self, RestoreCommand.self, ServeWebCommand.self])

  @Option(name: .long, help: "Read this configuration file instead of the usual one.")
  var config: String?

  @Flag(name: .shortAndLong, help: "Say more on standard error; twice: about every file.")
  var verbose: Int

  static func main() {
    do {
      do throws(SystemCallError) {
        try fillStandardDescriptors()
      } catch {
        throw failed(DaemonFailure(error, "mount /dev"))
      }
      let words = Array(CommandLine.arguments.dropFirst())
      if let script = try completionScript(words) { return say(script, to: STDOUT_FILENO) }
      switch try request(words) {
      case .run(let command): try command.run()
      case .show(let text): say(text, to: STDOUT_FILENO)
      }
    } catch let status as ExitStatus {
      exit(status.number)
    } catch {
      say("crated: \(error) (`crated --help` tells more)\n", to: STDERR_FILENO)
      exit(EX_USAGE)
    }
  }

  /// Returns nil if none is requested.
  private static func completionScript(_ words: [String]) throws -> String? {
    guard let first = words.first, first.hasPrefix(CompletionScripts.option) else { return nil }
    let shell = first.split(separator: "=", maxSplits: 1).dropFirst().map(String.init) + words[1...]
    guard let script = shell.first.flatMap(CompletionScripts.text) else {
      throw ValidationError(
        "\(CompletionScripts.option) takes one of "
          + CompletionScripts.shells.joined(separator: ", "))
    }
    return script
  }

  func run() throws {
    let environment = Crated.environment
    let level: Logger.Level = verbose == 0 ? .notice : verbose == 1 ? .info : .debug
    let logger = Logger(label: "crated") { _ in
      SystemdLogHandler(level: level, environment: environment)
    }
    do throws(DaemonFailure) {
      try DaemonLife(environment: environment, config: config, logger: logger).run()
    } catch {
      logger.critical("\(error)")
      throw ExitStatus(number: error.status)
    }
  }

  /// - Parameter config: the path of the settings file; nil for the usual one.
  static func readSettings(
    _ config: String?, _ environment: [String: String]
  ) throws(DaemonFailure) -> (Settings, SettingsPaths) {
    do {
      let paths = try SettingsPaths(environment: environment)
      let file = config.map { BytePath($0) } ?? paths.settingsFile
      return (
        try Settings.read(file: file, environment: environment, store: paths.store), paths
      )
    } catch {
      throw DaemonFailure(error)
    }
  }

  static var environment: [String: String] {
    var result: [String: String] = [:]
    var entry = environ
    while let pointer = entry.pointee {
      let text = String(cString: pointer)
      if let equals = text.firstIndex(of: "=") {
        result[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      entry += 1
    }
    return result
  }
}

func say(_ text: String, to descriptor: Int32) {
  let bytes = Array(text.utf8)
  _ = write(descriptor, bytes, bytes.count)
}

/// The exit status of the program, thrown after the error was reported.
struct ExitStatus: Error {
  var number: Int32
}
