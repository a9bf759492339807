import Platform
import TestSupport
import Testing

@testable import crate

@Suite("Players that begin elsewhere", .limited)
struct PlayerStartsTests {
  @Test("A player that begins to listen is noticed by its socket, and other files are not it")
  func starts() throws {
    let folder = try TemporaryFolder()
    let starts = PlayerStarts()
    let wakeUp = try WakeUp()
    starts.watch([folder.path("mpv.socket"), "/nowhere/at/all", "relative"])
    _ = try folder.write("", to: "other")
    _ = try folder.write("", to: "mpv.socket")
    starts.wait(or: wakeUp)
    // Or when it is said.
    wakeUp.wake()
    starts.wait(or: wakeUp)
  }
}
