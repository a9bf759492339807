import Glibc
import ProgramSupport
import TestSupport
import Testing

/// A daemon and its client over several lives.
final class Session {
  enum End {
    case stopped, killed
    /// It is dead already, by SIGKILL.
    case died
  }

  private let home: Home
  private(set) var daemon: RunningDaemon
  private(set) var client: CratesClient

  init(_ home: Home) throws {
    self.home = home
    daemon = try RunningDaemon(home)
    client = try CratesClient(home)
    try client.sync()
  }

  /// Does something in the music folders, while the daemon runs or doesn't, and waits for it.
  func meanwhile(running: Bool, _ body: () throws -> Void) throws {
    if running {
      try body()
      try client.sync()
    } else {
      try restart(body)
    }
  }

  func restart(
    after end: End = .stopped, withoutIndex: Bool = false, _ body: () throws -> Void = {}
  ) throws {
    switch end {
    case .stopped: try daemon.stop()
    case .killed: try daemon.kill()
    case .died: try #require(try daemon.program.end() == 128 + SIGKILL)
    }
    if withoutIndex { removeTree(home.folder.path("cache/crated")) }
    try body()
    daemon = try RunningDaemon(home)
    client = try CratesClient(home)
    try client.sync()
  }

  func stop() throws { try daemon.stop() }
}
