import CratesInterface
import Logging
import NIOCore
import Platform

/// The state that all connections to the page share. Its methods must be called on the event loop,
/// so that changes of the door don't overlap.
final class PageService: Sendable {
  let limits: WebLimits
  let daemonPath: String
  let playing: WindowPlaying
  private let router: Router
  private let clock: Clock
  private let logger: Logger
  private let file: DeviceFile
  private let door: Monitor<Door>

  init(
    limits: WebLimits, daemonPath: String, playing: WindowPlaying, router: Router, door: Door,
    file: DeviceFile, clock: Clock, logger: Logger
  ) {
    self.limits = limits
    self.daemonPath = daemonPath
    self.playing = playing
    self.router = router
    self.door = Monitor(door)
    self.file = file
    self.clock = clock
    self.logger = logger
  }

  /// Handles a request. Changed devices are stored when this returns.
  func step(for request: WebRequest) -> (step: WebStep, forgotten: [Device]) {
    let (now, date) = times
    let before = current
    var door = before
    let step = router.step(for: request, door: &door, at: now, date: date)
    guard replace(with: door) else { return (.respond(.notStored), []) }
    return (step, before.devices.filter { !door.devices.contains($0) })
  }

  /// Handles a call at the control socket in the same way.
  func control<Result>(
    _ body: (inout Door, _ now: Int64, _ date: Int) throws(DoorError) -> Result
  ) throws(ControlFailure) -> Result {
    let (now, date) = times
    var door = current
    let result: Result
    do throws(DoorError) {
      result = try body(&door, now, date)
    } catch {
      throw .door(error)
    }
    guard replace(with: door) else { throw .notStored }
    return result
  }

  var devices: [Device] { current.devices }

  private var current: Door { door.withLock { $0 } }

  private var times: (now: Int64, date: Int) {
    (clock.monotonic(), Int(clock.wall() / 1_000_000_000))
  }

  /// Replaces the door, and stores changed devices first. If that fails, returns false and changes
  /// nothing.
  private func replace(with door: Door) -> Bool {
    if door.devices != current.devices {
      do throws(SystemCallError) {
        try file.write(door.devices)
      } catch {
        logger.error("the devices can't be stored", metadata: ["reason": "\(error)"])
        return false
      }
    }
    self.door.withLock { $0 = door }
    return true
  }
}

enum ControlFailure: Error {
  case door(DoorError)
  case notStored
}

extension WebResponse {
  fileprivate static let notStored = text(
    507, "This can't be stored; see: journalctl --user -u crated-web")
}
