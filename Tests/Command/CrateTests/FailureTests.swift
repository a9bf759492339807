import CratesInterface
import Platform
import TestSupport
import Testing
import VarlinkClient

@testable import crate

@Suite("Why a command fails", .limited)
struct FailureTests {
  @Test("What goes wrong with the connection has a status for scripts, and words for people")
  func connections() {
    let other = "cannot talk to crated: "
    for (error, status, message) in [
      (
        .notRunning(path: "/x"), .notRunning,
        "crated is not running; start it with: systemctl --user start crated"
          + " (if that fails: journalctl --user -u crated)"
      ),
      (
        .closed, .notRunning,
        "\(ClientError.closed); a change may have been made: see `crate history -n 1` once it runs"
          + " again (systemctl --user status crated)"
      ),
      (.crowded(path: "/x"), .tryAgain, "too many connections wait for crated; try again"),
      (.messageTooLong, .refused, "\(ClientError.messageTooLong); do less at a time"),
      (.unreadable("x"), .notRunning, "\(other)the daemon's answer cannot be read: x"),
      (.pathTooLong(path: "/x"), .notRunning, "\(other)the path of the socket is too long: /x"),
      (
        .refused(.invalidQuery(word: "w", reason: "x")), .wrongUse,
        InterfaceError.invalidQuery(word: "w", reason: "x").message
      ),
      (.refused(.noSuchAlbum(id: "x")), .refused, InterfaceError.noSuchAlbum(id: "x").message),
    ] as [(ClientError, Failure.Status, String)] {
      #expect(Failure(error) == Failure(status: status, message: message))
    }
  }

  @Test("The daemon's socket is where the person says, else in the folder of the session")
  func sockets() throws {
    for (given, environment, status) in [
      ("/nowhere", [], 69), (nil, [], 69), (nil, ["XDG_RUNTIME_DIR=relative"], 69),
    ] as [(String?, [String], Int32)] {
      let outcome = try CommandFixture.run(
        ["list"] + (given.map { ["--socket", $0] } ?? []), environment: environment)
      #expect(outcome.status == status)
      #expect(outcome.errors.contains("XDG_RUNTIME_DIR is not set") == (given == nil))
    }
    #expect(message { () throws(Failure) in _ = try DaemonConnection.path(ofSocket: "x/y") } == nil)
    #expect(try DaemonConnection.path(ofSocket: "x/y") == "x/y")
  }
}
