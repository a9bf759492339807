import CratesInterface
import Glibc
import Platform
import ProgramSupport
import TestSupport
import Testing

/// A music folder whose file system doesn't answer is offline, and nothing else waits for it.
@Suite(
  "A folder that hangs", .serialized, .limited, .enabled(if: !leavesOutFUSE))
final class HungFolderTests {
  // Before its place, which can't go while it is there.
  let disk: HeldFileSystem
  let home: Home
  /// What the folder that hangs shows, and where.
  let source: String
  let slow: String

  init() throws {
    home = try Home()
    source = try home.folder.makeFolder("source")
    slow = try home.folder.makeFolder("Slow")
    try copy(try SampleMusic.albums([.mp3]), to: "\(home.music)/Here")
    try copy(try SampleMusic.albums([.flac]), to: "\(source)/There")
    disk = try HeldFileSystem(showing: source, at: slow)
    try configure([home.music, slow])
  }

  deinit { disk.end() }

  private func configure(_ folders: [String]) throws {
    let list = folders.map { "\"\($0)\"" }.joined(separator: ", ")
    try home.configure("music_folders = [\(list)]\n")
  }

  private func expectHung() throws {
    let folders = try home.status().folders
    #expect(folders.map(\.state) == [.watching, .offline])
    #expect(folders.last?.reason?.contains("hangs") == true)
  }

  private func expectReturn(_ daemon: RunningDaemon, songs: Int) throws {
    try disk.answer()
    let deadline = Clock.system.monotonic() + 120_000_000_000
    while try home.status().folders.last?.state == .offline, Clock.system.monotonic() < deadline {}
    try daemon.sync()
    #expect(try home.status().songs == songs)
    #expect(try home.status().gone == 0)
  }

  @Test("where reading hangs: others are read, a sync says what it left out, a reload comes")
  func reading() throws {
    try disk.hold(.read)
    let daemon = try RunningDaemon(home)
    try disk.waitUntilHeld(.read)
    let answer = try home.crate("sync")
    #expect(answer.errors.contains(slow))
    #expect(try home.status().songs == 3)
    try expectHung()
    // No more readers are lost than the folder may have: with two files, and a trial.
    let children = try daemon.children().count
    #expect(children <= 3 + ReaderCount.most, "\(children) readers")
    try copy(try SampleMusic.albums([.opus]), to: "\(home.music)/Later")
    try daemon.sync()
    #expect(try home.status().songs == 6)
    try configure([home.music])
    try daemon.reload()
    #expect(try home.status().folders.map(\.state) == [.watching])
    try configure([home.music, slow])
    try daemon.reload()
    try daemon.sync()
    try expectReturn(daemon, songs: 9)
    try daemon.stop()
  }

  @Test("where playlists belong: they wait for it, and nothing else does")
  func playlists() throws {
    let lists = "\(slow)/Lists"
    try home.folder.makeFolder("source/Lists")
    try home.configure("music_folders = [\"\(home.music)\"]\nplaylists = \"\(lists)\"\n")
    try disk.hold(.look)
    let daemon = try RunningDaemon(home)
    try disk.waitUntilHeld(.look)
    try daemon.sync()
    let status = try home.status()
    #expect(status.songs == 3 && status.playlists == lists)
    #expect(status.warnings.contains { $0.hasPrefix("\(lists) doesn't answer") })
    // Whoever waits for a FUSE server can't even be killed.
    try disk.answer()
    try daemon.stop()
    let next = try RunningDaemon(home)
    try next.sync()
    #expect(try !home.status().warnings.contains { $0.contains("answer") })
    try next.stop()
  }

  @Test(
    "where looking hangs: lists of other folders are kept, and one thread waits for an answer",
    .nightly)
  func playlistsOfOthers() throws {
    let lists = try home.folder.makeFolder("Lists")
    // To where that is, a path leads through what hangs.
    try home.configure(
      "music_folders = [\"\(home.music)\", \"\(slow)/There\"]\nplaylists = \"\(lists)\"\n")
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    try disk.hold(.look)
    var crate = "Music"
    for name in ["One", "Two", "Three", "Four"] {
      try home.crate("rename", crate, name)
      crate = name
      #expect(happensInTime { access("\(lists)/\(name).m3u8", F_OK) == 0 }, "\(name)")
    }
    try disk.waitUntilHeld(.look)
    let asking = try names(in: "/proc/\(daemon.pid)/task").filter {
      try readFile("/proc/\(daemon.pid)/task/\($0)/comm") == Array("ask\n".utf8)
    }
    #expect(asking.count == 1)
    try disk.answer()
    try daemon.stop()
  }

  @Test(
    "where single files' reading hangs: they alone are problems, and the folder is watched",
    arguments: Effort.some(of: [1, 2], oneIn: 2))
  func singleFiles(_ count: Int) throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    try disk.holdReads(of: "Bad 1.flac", "Bad 2.flac")
    let good = "\(source)/There/Album flac/1 First flac.flac"
    let bad = (1...count).map { "Bad \($0)" }
    // With two, so many others that a reader has both at once, and nobody knows which one keeps it.
    let others = (1..<10 * count).map { "\($0 < 13 ? "Around" : "Close") \($0)" }
    for title in bad + others {
      let path = "\(source)/There/\(title).flac"
      try copy(good, to: path)
      try Tagger().write(["title": title], to: path)
    }
    try home.crate("rescan", slow)
    try disk.waitUntilHeld(.read)
    try daemon.sync()
    func expectWatched(songs: Int) throws {
      func isSo() throws -> Bool {
        let (status, problems) = (try home.status(), try home.problems())
        // The others are one song, and its duplicates.
        let late = problems.filter { $0.kind != .duplicate }
        let names = late.compactMap { $0.path?.split(separator: "/").last.map(String.init) }
        return status.folders.allSatisfy { $0.state != .offline } && status.songs == songs
          && late.allSatisfy { $0.kind == .timedOutReader }
          && names.sorted() == bad.map { "\($0).flac" }
      }
      // One is never taken for the folder. With two, good ones that are late as well on a busy
      // machine make it offline for a moment.
      let isWatched = count == 1 ? try isSo() : try happensInTime(isSo)
      let (status, problems) = (try home.status(), try home.problems())
      #expect(isWatched, "\(status) \(problems)")
      #expect(try home.status().gone == 0)
    }
    try expectWatched(songs: 7)
    // They are tried again after two seconds, and a call that hangs by itself is noticed after ten.
    let isOver = Monitor(false)
    let later = Clock.system.monotonic() + 14_000_000_000
    _ = isOver.wait(until: later) { $0 ? () : nil }
    try expectWatched(songs: 7)
    // Others are read meanwhile.
    try copy(try SampleMusic.albums([.opus]), to: "\(source)/Later")
    try home.crate("rescan", slow)
    try daemon.sync()
    try expectWatched(songs: 10)
    try daemon.stop()
    try disk.answer()
  }

  @Test("where opening hangs: covers of other folders come, and its own are none for now")
  func covers() throws {
    for folder in [
      "\(source)/There/Album flac/1 First flac.flac",
      "\(home.music)/Here/Album mp3/1 First mp3.mp3",
    ] {
      try Tagger().write(["title": "First", "album": "Covered"], picture: 100, to: folder)
    }
    // What is in that song is no picture.
    try writeFile(
      try SamplePicture.bytes("png"), to: "\(home.music)/Here/Album mp3/cover.png")
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let client = try CratesClient(home)
    let albums = try client.songs().filter { $0.title == "First" }
    let there = try #require(albums.first { $0.path.hasPrefix(slow) }?.album)
    let here = try #require(albums.first { !$0.path.hasPrefix(slow) }?.album)
    try disk.hold(.open)
    let waiting = try RawClient(home)
    let call = Call.thumbnails(albums: [there], side: 64)
    let message: JSON = [
      "method": .string(call.method.fullName), "parameters": call.parameters,
    ]
    waiting.send(message.bytes + [0])
    try disk.waitUntilHeld(.open)
    // Somebody else asks for that cover as it is.
    let asking = try RawClient(home)
    let artwork = Call.artwork(album: there)
    let question: JSON = [
      "method": .string(artwork.method.fullName), "parameters": artwork.parameters,
    ]
    asking.send(question.bytes + [0])
    guard case .artwork(let type, _) = try client.ask(.artwork(album: here)) else {
      throw WrongReply()
    }
    #expect(type == "image/png")
    let refused = try #require(try asking.reply())
    #expect(refused["error"]?.string == "org.crated.Crates.ChangesRefused")
    #expect(refused["parameters"]?["reason"]?.string?.contains("doesn't answer") == true)
    // The picture is none, and its file was asked.
    guard case .thumbnail(let found) = try client.ask(.thumbnails(albums: [here], side: 64)) else {
      throw WrongReply()
    }
    let known = try client.albums().first { $0.id == here }?.cover
    #expect(found.width == 0 && found.digest == known)
    #expect(found.digest != nil)
    let late = try #require(try waiting.reply()?["parameters"])
    #expect(try Interface.Thumbnail(json: late).width == 0)
    try disk.answer()
    try daemon.stop()
  }

  @Test("where reading hangs: the end comes in time")
  func end() throws {
    try disk.hold(.read)
    let daemon = try RunningDaemon(home)
    try disk.waitUntilHeld(.read)
    // Within half a minute, while every read hangs.
    try daemon.stop()
  }

  @Test("where looking hangs: what was done is stopped in time, and all is there afterwards")
  func looking() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    #expect(try home.status().songs == 6)
    try disk.hold(.look, .open, .flush)
    try home.crate("rescan")
    try disk.waitUntilHeld(.look)
    try expectHung()
    try configure([home.music])
    try daemon.reload()
    try configure([home.music, slow])
    try daemon.reload()
    daemon.program.signal(SIGTERM)
    // The kernel lets the process go when the file system answers; all it had to do is done.
    let deadline = Clock.system.monotonic() + 60_000_000_000
    while !daemon.log.contains("stopped"), Clock.system.monotonic() < deadline {}
    #expect(daemon.log.contains("stopped"))
    try disk.answer()
    #expect(try daemon.program.end() == 0)
    let next = try RunningDaemon(home)
    try next.sync()
    #expect(try home.status().songs == 6)
    #expect(try home.status().gone == 0)
    try next.stop()
  }
}

/// How many readers the daemon has.
private enum ReaderCount {
  static var most: Int { min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 4) }
}
