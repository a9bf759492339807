import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("The first scan", .serialized, .limited)
struct FirstScanTests {
  /// More than two pieces.
  private static let albums = 700

  @Test("Stopped and killed half way, it goes on where it was, and ends in the order of one scan")
  func cutOff() throws {
    let whole = try Home()
    try SmallLibrary.write(albums: Self.albums, to: whole.music)
    let expected: Order
    do {
      let daemon = try RunningDaemon(whole)
      let client = try CratesClient(whole)
      try client.sync()
      expected = try client.order()
      try daemon.stop()
    }
    #expect(expected.albums.count == Self.albums)

    // The ids are made of what lies where, so all of it has to be the same. Which lives cut a scan
    // off is a matter of how fast everything is.
    var homes = [whole]
    var cutOff = 0
    for _ in 0..<10 where cutOff == 0 {
      let home = try Home()
      try #require(rmdir(home.music) == 0)
      try #require(rename(homes[homes.count - 1].music, home.music) == 0)
      homes.append(home)
      cutOff = try scansCutOff(home)
      let daemon = try RunningDaemon(home)
      let client = try CratesClient(home)
      try client.sync()
      expectSame(try client.order(), expected)
      try daemon.stop()
    }
    #expect(cutOff >= 1, "a scan was never cut off half way")
  }

  /// Stops and kills the daemon as soon as more songs are there; returns how often some were not.
  private func scansCutOff(_ home: Home) throws -> Int {
    var (kept, cutOff) = (0, 0)
    for life in 0..<4 {
      let daemon = try RunningDaemon(home)
      let client = try CratesClient(home)
      #expect(try client.status().songs >= kept, "what was found is not looked for again")
      let before = kept
      repeat { kept = try client.status().songs } while kept == before && kept < 3 * Self.albums
      if kept < 3 * Self.albums { cutOff += 1 }
      if life % 2 == 0 { try daemon.stop() } else { try daemon.kill() }
    }
    return cutOff
  }

  @Test("Killed right after it, the next start reads no file again", .nightly)
  func killedAfterwards() throws {
    let home = try Home()
    try SmallLibrary.write(albums: Self.albums, to: home.music)
    var daemon = try RunningDaemon(home)
    try CratesClient(home).sync()
    // Readers that have read stay for a while.
    #expect(!(try daemon.children().isEmpty))
    try daemon.kill()
    daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    #expect(try client.status().songs == 3 * Self.albums)
    #expect(try daemon.children().isEmpty)
    try daemon.stop()
    #expect(access(home.index + ".unwritten", F_OK) != 0)
    #expect(try home.queryIndex("SELECT count(*) FROM file") == ["\(3 * Self.albums)"])
  }

  @Test(
    "Clients are told how far it is, and the service manager, too", .enabled(if: !leavesOutFUSE))
  func progress() throws {
    let home = try Home()
    let source = try home.folder.makeFolder("source")
    try SmallLibrary.write(albums: 10, to: source)
    // However fast the machine is, the scan is not over before somebody has asked.
    let disk = try HeldFileSystem(showing: source, at: home.music)
    defer { disk.end() }
    try disk.hold(.read)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try disk.waitUntilHeld(.read)
    var folder: Interface.MusicFolder
    repeat { folder = try #require(try client.status().folders.first) } while folder.toScan == nil
    let scanned = try #require(folder.scanned)
    #expect(scanned < 30 && folder.toScan == 30)
    try disk.answer()
    try client.sync()
    let status = try client.status()
    #expect(status.songs == 30)
    #expect(status.folders.first?.scanned == nil)
    let lines = daemon.statusLines()
    #expect(lines.contains("Scanning: \(scanned) of 30 files"), "\(lines)")
    #expect(lines.last == "Watching 1 folder")
    try daemon.stop()
  }
}
