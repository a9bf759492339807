import Arguments
import CLinuxShims
import CratesInterface
import DaemonCore
import Glibc
import LibraryModel
import Logging
import Platform
import Settings
import VarlinkServer
import WebServer

/// `crated web`: a separate process, which the daemon knows nothing of.
struct ServeWebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Serve the crates as a page for browsers.",
    discussion: """
      At the address that `web` in config.toml says, to devices that were let in: crate web. The \
      page asks a running crated; this process can read no music, start no program, and reach no \
      other machine.
      """)

  @Option(name: .long, help: "Read this configuration file instead of the usual one.")
  var config: String?
  @Flag(help: "Try what a break-in would, confined as when serving, and say what was refused.")
  var tryToEscape = false

  func run() throws {
    do throws(DaemonFailure) {
      if tryToEscape {
        let (text, hasEscaped) = WebEscapeTrial.run(in: try stateDirectory())
        say(text, to: STDOUT_FILENO)
        if hasEscaped { throw DaemonFailure(status: 1, "something is possible that should not be") }
      } else {
        try serve()
      }
    } catch {
      throw failed(error)
    }
  }

  private func serve() throws(DaemonFailure) {
    // Before any other thread starts, so that all of them have the mask.
    let numbers: [Int32] = [SIGTERM, SIGINT, SIGHUP]
    let signals = crated_signalfd(numbers, numbers.count)
    guard signals >= 0 else {
      throw DaemonFailure(SystemCallError("signalfd", ""), "close other programs")
    }
    signal(SIGPIPE, SIG_IGN)
    umask(0o077)
    let environment = Crated.environment
    let logger = Logger(label: "crated.web") { _ in
      SystemdLogHandler(level: .notice, environment: environment)
    }
    let (settings, paths) = try Crated.readSettings(config, environment)
    let state = try stateDirectory()
    let network = try listen(at: settings.web)
    let control = try listen(atControl: paths)
    // Most of the code that the start used is not needed again.
    returnFreeMemory()
    do throws(SystemCallError) {
      try ServingConfinement.enter(keeping: state)
    } catch {
      logger.warning("this system can't keep the page from files and networks: \(error)")
    }
    let server = try server(settings, paths, state, logger)
    do throws(SystemCallError) {
      try server.start(
        network: network, control: control, page: settings.web.page,
        warning: settings.web.warning,
        identity: ServiceIdentity(
          vendor: "Crated", product: "crated", version: softwareVersion,
          url: "https://varlink.org/\(WebInterface.name)", interface: WebInterface.name,
          description: WebInterface.description))
    } catch {
      throw DaemonFailure(error, "restart crated web")
    }
    if let warning = settings.web.warning { logger.warning("\(warning)") }
    logger.notice("listening at \(settings.web.page)")
    let notification = ServiceNotification(environment: environment)
    notification.ready(status: "listening at \(settings.web.page)")
    while ![SIGTERM, SIGINT].contains(crated_signalfd_next(signals)) {}
    notification.stopping()
    server.stop(endsThread: false)
  }

  private func stateDirectory() throws(DaemonFailure) -> String {
    do {
      let directory = try SettingsPaths(environment: Crated.environment).webState
      try makeDirectories(directory.bytes)
      return directory.display
    } catch let error as SettingsError {
      throw DaemonFailure(error)
    } catch let error as SystemCallError {
      throw DaemonFailure(error, "make it a directory of yours")
    } catch {
      throw DaemonFailure(status: DaemonFailure.system, "\(error)")
    }
  }

  private func listen(at address: WebAddress) throws(DaemonFailure) -> Int32 {
    do throws(SystemCallError) {
      return try ListeningSocket.listen(host: address.host, port: address.port).release()
    } catch {
      switch error.code {
      case EADDRINUSE:
        throw DaemonFailure(
          status: DaemonFailure.configuration,
          "\(address.text) is in use by another program: end it, or set web in config.toml to"
            + " another address")
      case EACCES:
        throw DaemonFailure(
          status: DaemonFailure.configuration,
          "\(address.text) can't be listened at: ports below 1024 are the system's; set web in"
            + " config.toml to another one")
      default:
        throw DaemonFailure(error, "set web in config.toml to an address of this machine")
      }
    }
  }

  private func listen(atControl paths: SettingsPaths) throws(DaemonFailure) -> Int32 {
    do throws(ServerError) {
      return try SocketFile.listen(at: paths.webSocket.display, backlog: 16).socket
    } catch {
      throw DaemonFailure(error)
    }
  }

  private func server(
    _ settings: Settings, _ paths: SettingsPaths, _ state: String, _ logger: Logger
  ) throws(DaemonFailure) -> WebServer {
    do throws(DeviceFile.ReadError) {
      return try WebServer(
        daemon: paths.socket.display,
        hosts: HostRule(machine: hostName, others: settings.webNames),
        file: DeviceFile(in: state), environment: Crated.environment, logger: logger)
    } catch {
      throw DaemonFailure(
        status: DaemonFailure.unusableStore,
        "\(error): repair it, or move it away and let the devices in again with crate web")
    }
  }
}

extension WebAddress {
  /// The URL of the page for a browser on this machine.
  fileprivate var page: String {
    if isEverywhere { return isIPv6 ? "http://[::1]:\(port)/" : "http://127.0.0.1:\(port)/" }
    return "http://\(text)/"
  }
}
