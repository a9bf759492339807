import CratesInterface
import Glibc
import LibraryModel
import LogSupport
import Platform
import ProgramSupport
import Settings
import TestSupport
import Testing

@testable import DaemonCore

/// The whole daemon within this process, with the real reader, in a home of its own. It begins on a
/// thread of its own, which it leaves nothing to write to but what is the daemon's. It ends with
/// this value at the latest.
final class LivingDaemon {
  private enum Life {
    case begins
    case made(Daemon)
    case lives(Daemon)
    case failed(DaemonFailure)
    case ended
  }

  let home: Home
  let log: SaidLines
  private let manager: NotifySocket
  private let life = Monitor(Life.begins)
  /// Called when it can't live.
  private let ending: WakeUp
  private let thread: BlockingThread
  private var hasBegun = false

  /// Returns when it has told its service manager this, or can't live: then it throws the failure.
  ///
  /// - Parameters:
  ///   - socket: the descriptor of one that is passed to it.
  ///   - beforeStart: is called when it is made, and has read its store or the outline of that.
  init(
    _ home: Home, environment: [String: String] = [:], reader: String? = nil, socket: Int32? = nil,
    until news: Substring = "READY=1", beforeStart: @escaping @Sendable () -> Void = {}
  ) throws {
    self.home = home
    let log = SaidLines()
    self.log = log
    let manager = try NotifySocket(home)
    self.manager = manager
    var all = home.environment.merging(environment) { $1 }
    all["NOTIFY_SOCKET"] = manager.address
    if socket != nil { all.merge(["LISTEN_FDS": "1", "LISTEN_PID": "\(getpid())"]) { $1 } }
    let surroundings = Daemon.Surroundings(
      settings: try Self.settings(home), paths: try SettingsPaths(environment: all),
      readerProgram: BytePath(try reader ?? Home.program("crate-tag-reader")), environment: all,
      promisedSocket: socket ?? ListenDescriptors.first)
    let ending = try WakeUp()
    self.ending = ending
    thread = BlockingThread("daemon") { [life] in
      do throws(DaemonFailure) {
        let daemon = try Daemon(surroundings, logger: log.logger)
        life.withLock { $0 = .made(daemon) }
        beforeStart()
        do throws(DaemonFailure) {
          try daemon.start()
          life.withLock { $0 = .lives(daemon) }
        } catch {
          daemon.stop()
          throw error
        }
      } catch {
        life.withLock { $0 = .failed(error) }
        ending.wake()
      }
    }
    do {
      try wait(for: news)
    } catch {
      awaitBeginning()
      throw error
    }
  }

  deinit {
    awaitBeginning()
    if case .lives(let daemon) = life.withLock({ $0 }) { daemon.stop() }
  }

  /// It lives then, or can't.
  private func awaitBeginning() {
    if !hasBegun { thread.join() }
    hasBegun = true
  }

  private static func settings(_ home: Home) throws -> Settings {
    let paths = try SettingsPaths(environment: home.environment)
    return try Settings.read(
      file: paths.settingsFile, environment: home.environment, store: paths.store)
  }

  // MARK: What it tells

  /// What it told before what was waited for.
  private(set) var passedNews: [Substring] = []

  /// Waits until it tells its service manager this.
  func wait(for news: Substring) throws {
    let end = Patience.end
    var polled = [manager.descriptor, ending.descriptor].map { descriptor in
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }
    while true {
      let left = Clock.milliseconds(from: Clock.system.monotonic(), until: end)
      guard left > 0, retrying({ poll(&polled, 2, left) }) > 0 else { break }
      while let lines = manager.next() {
        if lines.contains(news) { return }
        passedNews += lines
      }
      if case .failed(let failure) = life.withLock({ $0 }) { throw failure }
    }
    Issue.record("crated never told \(news): \(log.all)")
  }

  /// What it has told since the last time.
  func news() -> [Substring] { manager.news() }

  // MARK: What is done with it

  /// While it lives, or completes its library.
  var daemon: Daemon {
    get throws {
      switch life.withLock({ $0 }) {
      case .made(let daemon), .lives(let daemon): return daemon
      case .failed(let failure): throw failure
      case .begins, .ended: throw WrongReply()
      }
    }
  }

  /// As at SIGHUP.
  func reload() throws { try daemon.reload(try Self.settings(home)) }

  /// As at SIGTERM.
  func stop() throws {
    awaitBeginning()
    let daemon = try daemon
    life.withLock { $0 = .ended }
    daemon.stop()
  }
}
