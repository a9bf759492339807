import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// What the disk does to the files of machines, and a kill at any call, lose no decision.
@Suite("Faults of what machines share", .serialized, .limited)
struct MachineFaultTests {
  private let share: TemporaryFolder

  init() throws { share = try TemporaryFolder() }

  private func machine(_ name: String) throws -> Machine {
    try Machine(name, albums: 4, folder: share.path)
  }

  /// Puts the last album of a machine into a crate: that is answered whatever becomes of the files.
  private func edit(_ machine: Machine, to crate: String) throws {
    let last = try #require(try machine.client.albums().last)
    try machine.client.move(albums: [last.id], .top, to: crate)
    #expect(try machine.client.albums().contains { $0.id == last.id && $0.crate == crate })
  }

  /// Each decision was made once, and is told as whose it was.
  private func expectEachOnce(_ laptop: Machine, own: Int, _ desk: Machine, others: Int) throws {
    let changes = try laptop.client.changes(after: 0)
    #expect(changes.count { $0.author == .person } == own)
    #expect(changes.count { $0.author == .machine } <= others)
    let theirs = try desk.client.changes(after: 0)
    #expect(theirs.count { $0.author == .person } == others)
    #expect(theirs.count { $0.author == .machine } <= own)
    for album in try laptop.client.albums() where album.crate.hasPrefix("laptop") {
      #expect(album.placedBy == nil)
    }
    for album in try laptop.client.albums() where album.crate.hasPrefix("desk") {
      #expect(album.placedBy == "desk")
    }
  }

  @Test(
    "Whatever call fails, edits are answered, and all is made good",
    arguments: [
      "fsync:error=EIO", "write:error=ENOSPC", "write:error=EDQUOT", "renameat:error=EIO",
      "openat:error=EACCES", "openat:error=EMFILE", "read:error=EIO",
      "statx:error=EIO", "getdents64:error=EIO",
    ])
  func calls(fault: String) throws {
    let laptop = try machine("laptop")
    let desk = try machine("desk")
    try expectOneOrder(laptop, desk)
    let tracer = try Tracer(laptop.session.daemon, thread: "machines", laptop.home, faults: [fault])
    try edit(laptop, to: "laptop")
    try edit(desk, to: "desk")
    try desk.client.sync()
    try laptop.client.sync()
    #expect(try laptop.home.problems().allSatisfy { $0.kind == .machines })
    #expect(try tracer.end().contains { $0.isInjected }, "\(fault)")
    try expectOneOrder(laptop, desk)
    #expect(try laptop.home.problems().isEmpty)
    try expectEachOnce(laptop, own: 1, desk, others: 1)
    try laptop.session.stop()
    try desk.session.stop()
  }

  @Test(
    "Killed at any call, every decision is there once after the next start",
    arguments: ["openat", "read", "write", "fsync", "renameat", "statx", "close"])
  func kills(call: String) throws {
    let laptop = try machine("laptop")
    let desk = try machine("desk")
    try expectOneOrder(laptop, desk)
    var number = 0
    while number < (Effort.isNightly ? 40 : 3) {
      number += 1
      try edit(laptop, to: "laptop \(number)")
      let tracer = try Tracer(
        laptop.session.daemon, thread: "machines", laptop.home,
        faults: ["\(call):signal=SIGKILL:when=\(number)"])
      // What is written there is read here at once.
      try edit(desk, to: "desk \(number)")
      try desk.client.sync()
      let isKilled = try !laptop.succeeds("sync")
      _ = try tracer.end()
      if isKilled { try laptop.session.restart(after: .died) }
      try expectOneOrder(laptop, desk)
      try expectEachOnce(laptop, own: number, desk, others: number)
      if !isKilled { break }
    }
    #expect(number > 1, "nothing was killed at \(call)")
    try laptop.session.stop()
    try desk.session.stop()
  }

  @Test(
    "A folder that hangs holds up no edit, no other folder and no stop, and a sync for 5 s",
    .enabled(if: !leavesOutFUSE))
  func hanging() throws {
    let place = try share.makeFolder("Slow")
    let disk = try HeldFileSystem(showing: try share.makeFolder("source"), at: place)
    defer { disk.end() }
    let laptop = try Machine("laptop", albums: 4, folder: place)
    try disk.hold(.look)
    try edit(laptop, to: "Jazz")
    let begun = Clock.system.monotonic()
    #expect(try laptop.succeeds("sync"))
    let waited = Clock.system.monotonic() - begun
    #expect(waited >= 4_900_000_000)
    try disk.waitUntilHeld(.look)
    try edit(laptop, to: "Rock")
    try SmallLibrary.song(7, 1, to: laptop.home.music)
    #expect(try laptop.succeeds("sync"))
    #expect(try laptop.client.albums().count == 5)
    laptop.session.daemon.program.signal(SIGTERM)
    try waitForChange(of: laptop.home.log) {
      laptop.session.daemon.log.contains("could not be written in time")
    }
    try disk.answer()
    _ = try laptop.session.daemon.program.end()
    let next = try RunningDaemon(laptop.home)
    try next.sync()
    #expect(try laptop.home.crate("list", "Rock").status == 0)
    try next.stop()
  }

  @Test("What was merged is not taken for nothing where it can't be read, and read when it can be")
  func unreadable() throws {
    let laptop = try machine("laptop")
    let desk = try machine("desk")
    try edit(laptop, to: "Jazz")
    try expectOneOrder(laptop, desk)
    let file = "\(laptop.home.store)/machines.txt"
    let files = try names(in: share.path)
    try laptop.session.restart {
      try move(file, to: "\(file).aside")
      try #require(mkdir(file, 0o700) == 0)
    }
    #expect(try laptop.home.problems().map(\.kind) == [.machines])
    try edit(laptop, to: "Rock")
    try laptop.client.sync()
    #expect(try names(in: share.path) == files)
    try #require(rmdir(file) == 0)
    try move("\(file).aside", to: file)
    try expectOneOrder(laptop, desk)
    #expect(try laptop.home.problems().isEmpty)
    #expect(try names(in: share.path) == files)
    try laptop.session.stop()
    try desk.session.stop()
  }
}
