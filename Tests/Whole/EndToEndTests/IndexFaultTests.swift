import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// What the disk does to the index matters to no answer.
@Suite("Faults of the index", .serialized, .limited)
struct IndexFaultTests {
  private func home(_ folder: TemporaryFolder, _ space: MountSpace) throws -> Home {
    let home = try Home(folder: folder, prefix: space.prefix)
    try folder.makeFolder("cache/crated")
    try SmallLibrary.write(albums: 3, to: home.music)
    return home
  }

  /// Reads and edits, and reads new files, as if there were no index.
  private func expectUseful(
    _ client: CratesClient, _ home: Home, newAlbum: Int,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try client.order()
    try client.move(albums: [before.albums[before.albums.count - 1].id], .top)
    let moved = [before.albums[before.albums.count - 1]] + before.albums.dropLast()
    #expect(try client.order().albums == moved, sourceLocation: location)
    for track in 1...3 { try SmallLibrary.song(newAlbum, track, to: home.music) }
    try client.sync()
    let after = try client.order().albums
    #expect(Array(after.dropFirst()) == moved, sourceLocation: location)
    #expect(try client.titles(of: after[0].id).count == 3, sourceLocation: location)
    let found = try client.search("\"album \(newAlbum)\"")
    #expect(found.albums.map(\.id) == [after[0].id], sourceLocation: location)
    let listed = try client.search("\"album \(newAlbum)\" -title:nothing")
    #expect(listed.songs.map(\.id) == after[0].songs, sourceLocation: location)
    #expect(try client.status().store == .ready, sourceLocation: location)
  }

  private func synced(_ client: CratesClient) throws -> Order {
    try client.sync()
    return try client.order()
  }

  /// After a life without faults the index says what was answered.
  private func expectIndexed(_ home: Home, _ expected: Order? = nil, _ fault: String = "") throws {
    let daemon = try RunningDaemon(home)
    let order = try synced(CratesClient(home))
    if let expected { expectSame(order, expected, fault) }
    try daemon.stop()
    let songs = try home.queryIndex("SELECT song FROM listing").map { String($0) }
    #expect(songs == order.albums.flatMap(\.songs), "\(fault)")
  }

  @Test("On a full disk everything is answered, and with room there is an index again")
  func full() throws {
    let folder = try TemporaryFolder()
    let space = try MountSpace(folder)
    let home = try home(folder, space)
    try space.mountNew(on: folder.path("cache/crated"), size: "512k")
    let index = space.path(home.index)
    let filler = space.path(folder.path("cache/crated/filler"))
    // While it runs, and at the next start.
    var daemon = try RunningDaemon(home)
    var client = try CratesClient(home)
    try client.sync()
    try space.fill(filler)
    for album in 3...4 {
      try expectUseful(client, home, newAlbum: album)
      let order = try client.order()
      try daemon.stop()
      #expect(daemon.log.contains("database or disk is full"), "\(daemon.log)")
      unlink(home.log)
      daemon = try RunningDaemon(home)
      client = try CratesClient(home)
      expectSame(try client.order(), order)
    }
    try daemon.stop()
    // Where there is not even room for an empty one.
    for ending in ["", "-wal", "-shm"] { unlink(index + ending) }
    try space.fill(filler)
    daemon = try RunningDaemon(home)
    #expect(daemon.log.contains("there is no index"), "\(daemon.log)")
    client = try CratesClient(home)
    try client.sync()
    try expectUseful(client, home, newAlbum: 5)
    try daemon.stop()

    unlink(filler)
    try expectIndexed(home)
  }

  @Test("On a file system that is read-only everything is answered")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    let space = try MountSpace(folder)
    let home = try home(folder, space)
    let cache = folder.path("cache/crated")
    try space.mountNew(on: cache)
    var daemon = try RunningDaemon(home)
    try daemon.sync()
    try daemon.stop()
    try space.remount(cache, "ro")
    daemon = try RunningDaemon(home)
    #expect(daemon.log.contains("there is no index"), "\(daemon.log)")
    let client = try CratesClient(home)
    try client.sync()
    try expectUseful(client, home, newAlbum: 3)
    try daemon.stop()
    try space.remount(cache, "rw")
    try expectIndexed(home)
  }

  @Test(
    "Whatever call fails while it is written, everything is answered, and the next start mends it")
  func writing() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 3, to: home.music)
    var album = 3
    // Where it fails for ever; and once, since a lock that can't be had is waited for.
    let lasting = [
      "pwrite64:error=EIO", "pwrite64:error=ENOSPC", "pwrite64:error=EROFS", "pread64:error=EIO",
      "fdatasync:error=EIO", "unlink:error=EIO",
    ]
    let once = ["fcntl:error=EIO:when=1"] + [1, 2, 5].map { "pwrite64:error=EIO:when=\($0)" }
    for fault in lasting + once {
      let daemon = try RunningDaemon(home)
      let client = try CratesClient(home)
      try client.sync()
      let tracer = try Tracer(daemon, thread: "index", home, faults: [fault])
      try expectUseful(client, home, newAlbum: album)
      album += 1
      let order = try client.order()
      try daemon.stop()
      #expect(try tracer.end().contains { $0.isInjected }, "\(fault)")
      try expectIndexed(home, order, fault)
    }
  }

  @Test("Whatever call fails while it is opened, everything is answered")
  func opening() throws {
    let home = try Home()
    try SmallLibrary.write(albums: 3, to: home.music)
    let first = try RunningDaemon(home)
    let order = try synced(CratesClient(home))
    try first.stop()
    let paths = ["", "-wal", "-shm"].map { home.index + $0 }
    var faults = 0
    for call in ["openat", "pread64", "pwrite64", "fcntl", "mmap", "ftruncate", "fdatasync"] {
      for number in ["1+", "1", "2", "4", "8", "16"] {
        let fault = "\(call):error=EIO:when=\(number)"
        let daemon = try RunningDaemon(
          home, behind: Tracer.inFront(home, ofAllThreads: true, paths: paths, faults: [fault]))
        let client = try CratesClient(home)
        try client.sync()
        expectSame(try client.order(), order, fault)
        try daemon.stop()
        let calls = try TracedCall.read(home.folder.path("trace"))
        guard calls.contains(where: { $0.isInjected }) else { break }
        faults += 1
      }
    }
    #expect(faults > 10, "\(faults) faults")
    try expectIndexed(home)
  }
}
