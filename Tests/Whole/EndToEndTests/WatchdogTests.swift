import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// What the service manager's watchdog is told, and when.
@Suite("Watchdog", .serialized, .limited)
struct WatchdogTests {
  let home: Home

  init() throws {
    home = try Home()
    try SmallLibrary.write(albums: 2, to: home.music)
  }

  private func daemon(_ environment: [String: String]) throws -> RunningDaemon {
    home.environment.merge(environment) { $1 }
    return try RunningDaemon(home)
  }

  @Test("A daemon whose librarian and main thread wait for the disk says that it is alive")
  func slowDisk() throws {
    let daemon = try daemon(["WATCHDOG_USEC": "100000"])
    try daemon.sync()
    let client = try CratesClient(home)
    let order = try client.order()
    let journal = try #require(try home.newestJournal())
    let length = try readFile(journal).count
    let tracer = try Tracer(
      daemon, thread: "librarian", home,
      faults: ["fdatasync:delay_enter=\(5_000_000 * Patience.factor):when=1"])
    let edit = try RunningProgram(
      Home.program("crate"), ["rename", "Music", "Jazz"], environment: home.environment,
      errors: home.folder.path("edit.log"))
    // What is written is synced next.
    for _ in 0..<10_000 where try readFile(journal).count == length {
      #expect(try client.order() == order)
    }
    try #require(try readFile(journal).count > length)
    // A reload waits for the librarian.
    try home.folder.makeFolder("More")
    try home.configure("music_folders = [\"\(home.music)\", \"\(home.folder.path("More"))\"]\n")
    daemon.program.signal(SIGHUP)
    try daemon.awaitNews("RELOADING=1")
    for _ in 0..<3 { try daemon.awaitNews("WATCHDOG=1") }
    #expect(try client.order() == order)
    #expect(!daemon.log.contains("the settings were read again"))
    try daemon.awaitNews("READY=1")
    #expect(try edit.end() == 0)
    #expect(try tracer.end().contains { $0.name == "fdatasync" && $0.isInjected })
    try daemon.stop()
  }

  @Test("A daemon that nobody watches says nothing of it")
  func unasked() throws {
    let daemon = try daemon(["WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"])
    try daemon.sync()
    try daemon.stop()
    #expect(!daemon.news().contains("WATCHDOG=1"))
  }
}
