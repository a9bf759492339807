import CLinuxShims
import DaemonCore
import Glibc
import LibraryModel
import Logging
import Platform
import Settings

/// The main thread of the daemon: sets up signals, runs the daemon, and then only waits for
/// signals.
struct DaemonLife {
  let environment: [String: String]
  let config: String?
  let logger: Logger

  func run() throws(DaemonFailure) {
    limitHeaps()
    // Before any other thread starts, so that all of them have the mask.
    let numbers: [Int32] = [SIGTERM, SIGINT, SIGHUP]
    let signals = crated_signalfd(numbers, numbers.count)
    guard signals >= 0 else {
      throw DaemonFailure(SystemCallError("signalfd", ""), "close other programs")
    }
    signal(SIGPIPE, SIG_IGN)
    // Reaching a limit on file sizes then fails like a full disk, which the store handles.
    signal(SIGXFSZ, SIG_IGN)
    umask(0o077)

    let (settings, paths) = try readSettings()
    let daemon = try Daemon(
      Daemon.Surroundings(
        settings: settings, paths: paths, readerProgram: try readerProgram(),
        environment: environment), logger: logger)
    do {
      try daemon.start()
    } catch {
      daemon.stop()
      throw error
    }
    while true {
      switch crated_signalfd_next(signals) {
      case SIGHUP: reload(daemon)
      case SIGTERM, SIGINT:
        daemon.stop()
        return
      default: continue
      }
    }
  }

  private func readSettings() throws(DaemonFailure) -> (Settings, SettingsPaths) {
    try Crated.readSettings(config, environment)
  }

  /// Reads the settings again. A bad file is reported, and the old settings stay.
  private func reload(_ daemon: Daemon) {
    do {
      daemon.reload(try readSettings().0)
    } catch {
      daemon.refuse("\(error)")
      logger.error("the settings stay as they were: \(error)")
    }
  }

  /// Returns the path of the reader: beside this program, as in a build, or where it is installed.
  private func readerProgram() throws(DaemonFailure) -> BytePath {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { readlink("/proc/self/exe", $0, text.count) } ?? -1
      }
    }
    guard count > 0 else {
      throw DaemonFailure(SystemCallError("readlink", "/proc/self/exe"), "mount /proc")
    }
    let folder = BytePath(Array(bytes[..<count])).parent
    let beside = folder.appending("crate-tag-reader".utf8)
    let installed = folder.parent.appending("libexec/crated/crate-tag-reader".utf8)
    for place in [beside, installed] where isExecutable(place) { return place }
    return beside
  }

  private func isExecutable(_ path: BytePath) -> Bool {
    access(path.bytes.map { CChar(bitPattern: $0) } + [0], X_OK) == 0
  }
}
