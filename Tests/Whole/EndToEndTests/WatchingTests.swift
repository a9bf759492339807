import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("What happens to many files at once, or unheard", .serialized, .limited)
struct WatchingTests {
  private func filled(_ home: Home, albums: Int) throws {
    for album in 0..<albums {
      let folder = try home.folder.makeFolder("Music/\(album)")
      for track in 1...3 { try SmallLibrary.song(album, track, to: folder) }
    }
  }

  @Test("Albums whose folders exchange their names stay what and where they are")
  func exchange() throws {
    let home = try Home()
    try filled(home, albums: 4)
    let session = try Session(home)
    try session.client.move(albums: [try session.client.album("Album 2").id], .top)
    let order = try session.client.order()
    let names = try session.client.songs().map { [$0.id, $0.title, $0.artist] }
    for running in [true, false] {
      try session.meanwhile(running: running) {
        #expect(exchangeNames("\(home.music)/1", "\(home.music)/2"))
        #expect(exchangeNames("\(home.music)/0/0-1.flac", "\(home.music)/0/0-3.flac"))
      }
      expectSame(try session.client.order(), order, "running: \(running)")
      #expect(try session.client.songs().map { [$0.id, $0.title, $0.artist] } == names)
      #expect(try session.client.status().gone == 0)
    }
    try session.stop()
  }

  @Test("Nine of ten files that are deleted keep their places, and come back to them")
  func mostDeleted() throws {
    let home = try Home()
    try filled(home, albums: 20)
    let session = try Session(home)
    for album in [3, 17, 8] {
      try session.client.move(albums: [try session.client.album("Album \(album)").id], .top)
    }
    let order = try session.client.order()
    try copy(home.music, to: home.folder.path("copy"))
    for album in 2..<20 { removeTree("\(home.music)/\(album)") }
    try session.client.sync()
    #expect(try session.client.status().gone == 54)
    #expect(try session.client.songs().count == 6)
    expectSame(try session.client.order(), order)
    try session.restart {
      for album in 2..<20 {
        try copy(home.folder.path("copy/\(album)"), to: "\(home.music)/\(album)")
      }
    }
    #expect(try session.client.status().gone == 0)
    #expect(try session.client.songs().count == 60)
    expectSame(try session.client.order(), order)
    try session.stop()
  }

  @Test("On a network drive, what another machine did is found though the kernel doesn't tell")
  func network() throws {
    let folder = try TemporaryFolder()
    let trace = folder.path("trace")
    // The kernel's answer, with the number of NFS in place of the file system's own.
    let inject = "inject=fstatfs:poke_exit=@arg2=6969000000000000"
    let words = ["strace", "-D", "-f", "-qq", "-o", trace, "-P", folder.path("Music")]
    let home = try Home(folder: folder, prefix: words + ["-e", "trace=fstatfs", "-e", inject])
    try SmallLibrary.song(1, 1, to: home.music)
    let elsewhere = try folder.makeFolder("elsewhere")
    #expect(link("\(home.music)/1-1.flac", "\(elsewhere)/song.flac") == 0)
    let session = try Session(home)
    let status = try session.client.status()
    #expect(status.folders.map(\.state) == [.polling])
    #expect(status.folders.first?.reason?.contains("network") == true)
    #expect(try session.client.songs().map(\.artist) == ["Artist 1"])
    try SmallLibrary.song(2, 1, to: elsewhere)
    try writeFile(try readFile("\(elsewhere)/2-1.flac"), to: "\(elsewhere)/song.flac")
    try session.client.sync()
    #expect(try session.client.songs().map(\.artist) == ["Artist 2"])
    try session.stop()
    let log = String(decoding: try readFile(trace), as: UTF8.self)
    #expect(log.contains("NFS_SUPER_MAGIC") && log.contains("(INJECTED: args)"), "\(log)")
  }

  @Test("No program of ours tries to write to a music folder, whatever happens there")
  func neverWritten() throws {
    let folder = try TemporaryFolder()
    let trace = folder.path("trace")
    // Every call that can make, change or remove something by a path or an open file.
    let calls =
      "openat,open,openat2,creat,mkdir,mkdirat,rmdir,unlink,unlinkat,rename,renameat,renameat2,"
      + "link,linkat,symlink,symlinkat,mknod,mknodat,truncate,ftruncate,fallocate,write,writev,"
      + "pwrite64,chmod,fchmod,fchmodat,chown,fchown,fchownat,utimensat,setxattr,fsetxattr"
    let words = ["strace", "-D", "-f", "-y", "-qq", "-o", trace, "-e", "trace=\(calls)"]
    let home = try Home(folder: folder, prefix: words)
    try filled(home, albums: 4)
    try writeFile(Array("no music".utf8), to: "\(home.music)/0/bad.mp3")
    let session = try Session(home)
    try session.client.move(albums: [try session.client.album("Album 2").id], .top)
    try move("\(home.music)/1", to: "\(home.music)/elsewhere")
    removeTree("\(home.music)/3")
    try session.client.sync()
    try session.client.ask(.rescan(path: nil))
    #expect(try session.client.songs().count == 9)
    try session.stop()
    let touching = try TracedCall.read(trace).filter { $0.text.contains("\(home.music)/") }
    #expect(touching.count > 12)
    for call in touching {
      let isReading = call.name == "openat" && call.text.contains("O_RDONLY")
      let changes = ["O_CREAT", "O_TRUNC", "O_TMPFILE"].contains { call.text.contains($0) }
      #expect(isReading && !changes, "\(call)")
    }
  }
}
