import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// What happens to the disk and the directory of the store while the daemon runs.
@Suite("The disk of the store", .serialized, .limited)
struct StoreDiskTests {
  private func refusal(_ client: CratesClient) throws -> String? {
    let albums = try client.albums()
    do {
      try client.move(albums: [albums[albums.count - 1].id], .top)
      return nil
    } catch let error as InterfaceError {
      guard case .changesRefused(let reason) = error else { throw error }
      return reason
    }
  }

  @Test(
    "A disk that is really full refuses changes, shows everything, and heals when there is room")
  func full() throws {
    let disk = try StoreDisk(size: "256k")
    let home = disk.home
    var daemon = try RunningDaemon(home)
    var client = try CratesClient(home)
    try client.sync()
    try disk.fill()
    // There is some room in the journal's last block.
    var reason: String?
    for _ in 0..<200 where reason == nil { reason = try refusal(client) }
    #expect(reason?.contains("make room") == true)
    #expect(try client.status().store == .full)
    #expect(try client.status().storeReason?.contains("make room") == true)
    let order = try client.order()
    #expect(order.albums.count == 3)
    disk.empty()
    #expect(try refusal(client) == nil)
    #expect(try client.status().store == .ready)

    // The disk is full at the end and at the next start.
    let last = try client.order()
    try disk.fill()
    try daemon.stop()
    daemon = try RunningDaemon(home)
    client = try CratesClient(home)
    expectSame(try client.order(), last)
    #expect(try refusal(client)?.contains("make room") == true)
    #expect(try client.status().store == .full)
    disk.empty()
    #expect(try refusal(client) == nil)
    #expect(try client.status().store == .ready)
    let healed = try client.order()
    try daemon.kill()
    daemon = try RunningDaemon(home)
    expectSame(try CratesClient(home).order(), healed)
    try daemon.stop()
  }

  @Test("Where the disk is full no order of the past takes the place of the present one")
  func fullForRestoring() throws {
    let disk = try StoreDisk(size: "256k")
    let home = disk.home
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    try daemon.stop()
    let backup = home.folder.path("order.txt")
    try run("sh", ["-c", "cp \(disk.space.path(home.store))/crates.*.txt \(backup)"])
    daemon = try RunningDaemon(home)
    try daemon.sync()
    let before = try home.albums("Music")
    try home.crate("move", "Music", "3", "top")
    let order = try home.albums("Music")
    try daemon.stop()

    try disk.fill()
    let refused = try home.crated("restore", "--yes", backup, status: 75)
    #expect(refused.errors.contains("make room"), "\(refused)")
    disk.empty()
    daemon = try RunningDaemon(home)
    try daemon.sync()
    #expect(try home.albums("Music") == order && order != before)
    try daemon.stop()

    try home.crated("restore", "--yes", backup)
    daemon = try RunningDaemon(home)
    try daemon.sync()
    #expect(try home.albums("Music") == before)
    // Restoring was an edit.
    try home.crate("undo")
    #expect(try home.albums("Music") == order)
    try daemon.stop()
  }

  @Test("While the disk is full nobody waits for what is new, which is merged when there is room")
  func newFilesWhileFull() throws {
    let disk = try StoreDisk(size: "256k")
    let home = disk.home
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    try disk.fill()
    for _ in 0..<200 where try refusal(client) == nil {}
    try SmallLibrary.write(albums: 4, to: home.music)
    for _ in 0..<2 {
      let error = #expect(throws: InterfaceError.self) { try client.sync() }
      guard case .changesRefused(let reason)? = error else { throw error ?? .nothingToUndo() }
      #expect(reason.contains("make room"))
    }
    #expect(try client.albums().count == 3)
    disk.empty()
    // The merge is tried again each second.
    let stream = try ChangeStream(home)
    while try client.albums().count < 4 { _ = try stream.next() }
    try client.sync()
    try daemon.stop()
  }

  @Test("While the disk is full folders come and go all the same, and what is new is found again")
  func reloadsWhileFull() throws {
    let disk = try StoreDisk(size: "256k")
    let home = disk.home
    let other = try home.folder.makeFolder("Other")
    func configure(_ folders: [String]) throws {
      let list = folders.map { "\"\($0)\"" }.joined(separator: ", ")
      try home.configure("music_folders = [\(list)]\n")
    }
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let order = try client.order()
    try disk.fill()
    for _ in 0..<200 where try refusal(client) == nil {}
    try SmallLibrary.write(albums: 4, to: home.music)
    // A look waits for the store.
    #expect(throws: InterfaceError.self) { try client.sync() }
    for folders in [[home.music, other], [other], [home.music]] {
      try configure(folders)
      try daemon.reload()
      #expect(try client.status().folders.map(\.path) == folders)
    }
    #expect(throws: InterfaceError.self) { try client.sync() }
    #expect(try client.albums().count == 3)
    disk.empty()
    let stream = try ChangeStream(home)
    while try client.albums().count < 4 { _ = try stream.next() }
    try client.sync()
    let now = try client.order()
    #expect(now.albums.map(\.id).filter(order.albums.map(\.id).contains).count == 3)
    try daemon.stop()
  }

  @Test(
    "A file system that is read-only at the start shows everything, and heals when it no longer is")
  func readOnly() throws {
    let disk = try StoreDisk()
    let (home, space) = (disk.home, disk.space)
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    let order = try CratesClient(home).order()
    try daemon.stop()
    try space.remount(home.store, "ro")
    daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    expectSame(try client.order(), order)
    #expect(try client.status().store == .readOnly)
    #expect(try refusal(client)?.contains("make it writable") == true)
    #expect(try client.status().storeReason?.contains("make it writable") == true)
    // The daemon is the owner all the same.
    let words = Array(space.prefix.dropFirst()) + [try Home.program("crated")]
    let second = try run(space.prefix[0], words, environment: home.environment)
    #expect(second.status == 3)
    #expect(second.errors.contains("\(daemon.pid)"), "\(second.errors)")
    try space.remount(home.store, "rw")
    #expect(try refusal(client) == nil)
    #expect(try client.status().store == .ready)
    try daemon.stop()
  }

  @Test("A store that is removed while the daemon runs is shown from memory, and not made anew")
  func removed() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 3, to: home.music)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let order = try client.order()
    removeTree(home.store)
    try expectGone(client, order)
    try daemon.stop()
    #expect(access(home.store, F_OK) != 0)
  }

  @Test("A store that is replaced while the daemon runs is not written to")
  func replaced() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 3, to: home.music)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let backup = home.folder.path("backup")
    #expect(try run("cp", ["-a", home.store, backup]).status == 0)
    let old = try client.order()
    #expect(try refusal(client) == nil)
    let order = try client.order()
    try #require(rename(home.store, home.folder.path("away")) == 0)
    try #require(rename(backup, home.store) == 0)
    let files = try home.storeContents()
    try expectGone(client, order)
    try daemon.stop()
    #expect(try home.storeContents() == files)
    let again = try RunningDaemon(home)
    expectSame(try CratesClient(home).order(), old)
    try again.stop()
  }

  private func expectGone(_ client: CratesClient, _ order: Order) throws {
    for _ in 0..<2 {
      #expect(try refusal(client)?.contains("was removed or replaced; restart crated") == true)
    }
    let status = try client.status()
    #expect(status.store == .readOnly)
    #expect(status.storeReason?.contains("restart crated") == true)
    expectSame(try client.order(), order)
    // What is in memory can be had as text.
    guard case .text(let text, _) = try client.ask(.readText(crate: nil)) else {
      throw WrongReply()
    }
    for album in order.albums { #expect(text.contains(album.id)) }
  }

  @Test("A store behind a link is as good as any")
  func link() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 2, to: home.music)
    try home.folder.makeFolder("elsewhere")
    try #require(symlink(home.folder.path("elsewhere"), home.store) == 0)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    #expect(try client.albums().count == 2)
    #expect(try refusal(client) == nil)
    // A link that leads elsewhere meanwhile is not.
    try home.folder.makeFolder("other")
    unlink(home.store)
    try #require(symlink(home.folder.path("other"), home.store) == 0)
    #expect(try refusal(client)?.contains("removed or replaced") == true)
    try daemon.stop()
  }

  @Test("A snapshot that is edited under a running daemon is kept, and takes nothing away")
  func edited() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 3, to: home.music)
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    try daemon.stop()
    daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let snapshots = try home.storeContents().keys.filter { $0.contains("crated/crates.") }
    let snapshot = try #require(snapshots.max { ($0.count, $0) < ($1.count, $1) })
    let text = Array("crated 1 sequence 0\ncrate Mine\nend edited\n".utf8)
    try writeFile(text, to: snapshot)
    #expect(try refusal(client) == nil)
    let order = try client.order()
    try daemon.stop()
    #expect(try home.storeContents().values.contains(text), "what was written is kept")
    daemon = try RunningDaemon(home)
    expectSame(try CratesClient(home).order(), order)
    try daemon.stop()
  }

  @Test("Started without standard input and errors, it writes nothing of its log into the store")
  func closedStreams() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 2, to: home.music)
    let closing = ["sh", "-c", "exec \"$@\" <&- 2>&-", "sh"]
    let daemon = try RunningDaemon(home, behind: closing)
    let client = try CratesClient(home)
    try client.sync()
    #expect(try refusal(client) == nil)
    let order = try client.order()
    try daemon.kill()
    let again = try RunningDaemon(home)
    #expect(try CratesClient(home).status().store == .ready)
    expectSame(try CratesClient(home).order(), order)
    try again.stop()
  }
}

/// A home of three albums whose store has a small disk to itself.
private struct StoreDisk {
  let home: Home
  let space: MountSpace
  private let filler: String

  init(size: String = "64m") throws {
    let folder = try TemporaryFolder()
    space = try MountSpace(folder)
    home = try Home(folder: folder, prefix: space.prefix)
    filler = space.path("\(home.store)/filler")
    try SmallLibrary.write(albums: 3, to: home.music)
    try folder.makeFolder("data/crated")
    try space.mountNew(on: home.store, size: size)
  }

  /// Takes all the room that there is.
  func fill() throws { try space.fill(filler) }

  /// Gives back the room that was taken.
  func empty() { unlink(filler) }
}
