import CratesInterface
import Glibc
import Players
import VarlinkClient

/// The failure of a command: one line and an exit status.
struct Failure: Error, Equatable {
  /// The exit statuses for scripts; those above 63 are from sysexits.h.
  enum Status: Int32 {
    case refused = 1
    case wrongUse = 64
    case damaged = 65
    case unreadable = 66
    case notRunning = 69
    case tryAgain = 75
  }

  var status: Status
  var message: String

  static func refused(_ message: String) -> Failure {
    Failure(status: .refused, message: message)
  }

  static func wrongUse(_ message: String) -> Failure {
    Failure(status: .wrongUse, message: message)
  }

  /// The daemon's reply is invalid.
  static func unreadable(_ reason: String) -> Failure { Failure(.unreadable(reason)) }

  init(status: Status, message: String) {
    self.status = status
    self.message = message
  }

  init(_ error: ClientError) {
    switch error {
    case .notRunning:
      self.init(
        status: .notRunning,
        message: "crated is not running; start it with: systemctl --user start crated"
          + " (if that fails: journalctl --user -u crated)")
    case .refused(let error):
      self.init(status: Self.status(of: error), message: error.message)
    case .closed:
      self.init(
        status: .notRunning,
        message: "\(error); a change may have been made: see `crate history -n 1` once it runs"
          + " again (systemctl --user status crated)")
    case .crowded: self.init(status: .tryAgain, message: "\(error); try again")
    case .messageTooLong: self = .refused("\(error); do less at a time")
    case .notOurs, .unreadable, .pathTooLong, .systemCall:
      self.init(status: .notRunning, message: "cannot talk to crated: \(error)")
    }
  }

  init(_ fault: PlayerFault) {
    self.init(status: fault.isWrongUse ? .wrongUse : .refused, message: fault.message)
  }

  private static func status(of error: InterfaceError) -> Status {
    switch error {
    case .invalidQuery: .wrongUse
    case .outdated, .changesRefused, .outcomeUnknown, .tooManyClients: .tryAgain
    default: .refused
    }
  }

  /// Prints the message on standard error and ends the program.
  func end() -> Never {
    // Output that came before the failure must be printed first.
    Output.flush()
    let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    Output.complain("crate: \(Shown.harmless(line))")
    exit(status.rawValue)
  }
}
