import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// What the disk does to the playlists costs no more than playlists, and is made good.
@Suite("Faults of the playlists", .serialized, .limited)
struct PlaylistFaultTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func home(prefix: [String] = []) throws -> Home {
    let home = try Home(folder: folder, prefix: prefix)
    try SmallLibrary.write(albums: 3, to: home.music)
    return home
  }

  /// Puts the last album on top, which is answered whatever becomes of the playlist.
  private func edit(_ client: CratesClient) throws {
    let before = try client.albums().map(\.id)
    let last = before[before.count - 1]
    try client.move(albums: [last], .top)
    #expect(try client.albums().map(\.id) == [last] + before.dropLast())
  }

  /// What the one crate's playlist has to be, and nothing else is there.
  private func isWritten(_ client: CratesClient, _ files: PlaylistFiles) throws -> Bool {
    let songs = try client.songs().map(\.pathBytes)
    return try files.names() == ["Music.m3u8"] && files.songs("Music.m3u8") == songs
  }

  /// A problem is logged when it can be asked for.
  private func waitForProblem(_ home: Home, after log: String) throws {
    try waitForChange(of: home.log) {
      try readFile(home.log).dropFirst(log.utf8.count).split(separator: 0x0A).contains {
        String(decoding: $0, as: UTF8.self).contains("warning: \(home.music)/Playlists")
      }
    }
  }

  /// After the next start all is well.
  private func expectMended(_ home: Home, _ files: PlaylistFiles, _ fault: String) throws {
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let listed = try client.songs().map(\.pathBytes)
    try daemon.stop()
    #expect(try files.names() == ["Music.m3u8"], "\(fault)")
    #expect(try files.songs("Music.m3u8") == listed, "\(fault)")
  }

  @Test("Whatever call fails, edits are answered, crate problems says so, and it is made good")
  func calls() throws {
    let home = try home()
    let files = try PlaylistFiles(home)
    try RunningDaemon(home).stop()
    let faults = [
      "fsync:error=EIO", "write:error=ENOSPC", "write:error=EDQUOT", "renameat:error=EIO",
      "openat:error=EACCES", "openat:error=EROFS", "openat:error=EMFILE", "pread64:error=EIO",
    ]
    for fault in faults {
      let daemon = try RunningDaemon(home)
      let client = try CratesClient(home)
      try client.sync()
      try files.wait { try isWritten(client, files) }
      let before = try readFile(files.path("Music.m3u8"))
      let tracer = try Tracer(daemon, thread: "playlists", home, faults: [fault])
      try edit(client)
      // The log is written by calls that fail, too.
      while try client.status().problems == 0 {}
      let problems = try home.problems()
      #expect(problems.map(\.kind) == [.playlist], "\(fault)")
      #expect(problems.first?.message.contains("every minute") == true, "\(problems)")
      // The old one is whole, and there is no other.
      #expect(try readFile(files.path("Music.m3u8")) == before, "\(fault)")
      #expect(try files.names() == ["Music.m3u8"], "\(fault)")
      #expect(try tracer.end().contains { $0.isInjected }, "\(fault)")
      // With the next change it goes again.
      try edit(client)
      try files.wait { try isWritten(client, files) }
      while try client.status().problems > 0 {}
      try daemon.stop()
    }
    try expectMended(home, files, "\(faults)")
  }

  @Test("Killed at any call, it leaves a whole playlist, and nothing else after the next start")
  func killed() throws {
    let home = try home()
    let files = try PlaylistFiles(home)
    for call in ["pread64", "write", "fsync", "renameat"] {
      let daemon = try RunningDaemon(home)
      let client = try CratesClient(home)
      try client.sync()
      try files.wait { try isWritten(client, files) }
      let before = try readFile(files.path("Music.m3u8"))
      let tracer = try Tracer(
        daemon, thread: "playlists", home, faults: ["\(call):error=EIO:signal=SIGKILL"])
      try edit(client)
      #expect(try daemon.program.end() == 128 + SIGKILL)
      #expect(try tracer.end().contains { $0.name == call }, "\(call)")
      #expect(try readFile(files.path("Music.m3u8")) == before, "\(call)")
      let isDrafted = try files.names().count == 2
      #expect(isDrafted == (call != "pread64"), "\(call)")
      try expectMended(home, files, call)
    }
  }

  @Test("The name of a list is on the disk, or gone from it, before what is remembered changes")
  func order() throws {
    let home = try home()
    let files = try PlaylistFiles(home)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let albums = try client.albums().map(\.id)
    try client.move(albums: [albums[0]], .top, to: "Jazz")
    try files.wait { try files.names() == ["Jazz.m3u8", "Music.m3u8"] }
    let tracer = try Tracer(daemon, thread: "playlists", home)
    // Jazz goes, and Music is another one.
    try client.move(albums: [albums[0]], .top, to: "Music")
    try files.wait { try isWritten(client, files) }
    // A second one, so that the first is over.
    try edit(client)
    try files.wait { try isWritten(client, files) }
    try daemon.stop()
    var pending: [String] = []
    var (written, removed) = (0, 0)
    let names = ["fsync", "renameat", "renameat2", "unlinkat"]
    for call in try tracer.end() where !call.hasFailed && names.contains(call.name) {
      let isOfLists = call.isOf(files.directory)
      if call.name == "fsync" {
        if isOfLists { pending = [] }
        continue
      }
      #expect(pending.isEmpty, "\(call)")
      if !isOfLists { continue }
      pending.append(call.text)
      if call.name == "unlinkat" { removed += 1 } else { written += 1 }
    }
    #expect(written >= 2 && removed == 1)
  }

  @Test("On a full disk the old playlists stay, and with room the new ones come")
  func full() throws {
    let space = try MountSpace(folder)
    let home = try home(prefix: space.prefix)
    try folder.makeFolder("Music/Playlists")
    let files = try PlaylistFiles(home)
    try space.mountNew(on: files.directory, size: "16k")
    let inside = PlaylistFiles(in: space.path(files.directory), of: files)
    let filler = inside.path("filler")
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    try inside.wait { try isWritten(client, inside) }
    let before = try readFile(inside.path("Music.m3u8"))
    try space.fill(filler)
    let log = daemon.log
    try edit(client)
    try waitForProblem(home, after: log)
    let problems = try home.problems()
    #expect(problems.map(\.kind) == [.playlist])
    #expect(problems.first?.message.contains("make room on its disk") == true)
    #expect(try readFile(inside.path("Music.m3u8")) == before)
    unlink(filler)
    try edit(client)
    try inside.wait { try isWritten(client, inside) }
    while try client.status().problems > 0 {}
    try daemon.stop()
  }

  @Test("On a disk that is read-only nothing is written, until it is not")
  func readOnly() throws {
    let space = try MountSpace(folder)
    let home = try home(prefix: space.prefix)
    try folder.makeFolder("Music/Playlists")
    let files = try PlaylistFiles(home)
    try space.mountNew(on: files.directory)
    try space.remount(files.directory, "ro")
    let inside = PlaylistFiles(in: space.path(files.directory), of: files)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    try waitForProblem(home, after: "")
    #expect(try home.problems().first?.message.contains("make the file system writable") == true)
    try edit(client)
    try space.remount(files.directory, "rw")
    try edit(client)
    try inside.wait { try isWritten(client, inside) }
    while try client.status().problems > 0 {}
    try daemon.stop()
  }

  @Test("A drive that hangs does not keep crated from stopping")
  func hanging() throws {
    let home = try home()
    let files = try PlaylistFiles(home)
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    try files.wait { try isWritten(client, files) }
    let tracer = try Tracer(
      daemon, thread: "playlists", home, faults: ["fsync:delay_enter=100000000"])
    try edit(client)
    daemon.program.signal(SIGTERM)
    try waitForChange(of: home.log) { daemon.log.contains("notice: stopped") }
    #expect(daemon.log.contains("the playlists could not be written in time"))
    // The tracer holds what the kernel would have ended by now.
    #expect(try tracer.end().contains { $0.name == "fsync" })
    #expect(try daemon.program.end() == 0)
    try expectMended(home, files, "hanging")
  }
}
