import CratesInterface
import Glibc
import LibraryModel
import LogSupport
import Platform
import ProgramSupport
import Synchronization
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Settings that are read again", .serialized, .limited)
struct DaemonReloadTests {
  private let home: Home
  private let other: String

  init() throws {
    home = try Home()
    other = try home.folder.makeFolder("Other")
    try SmallLibrary.write(albums: 2, to: home.music)
    for track in 1...3 { try SmallLibrary.song(7, track, to: other) }
  }

  private func configure(_ folders: [String], _ rest: String = "") throws {
    let list = folders.map { "\"\($0)\"" }.joined(separator: ", ")
    try home.configure("music_folders = [\(list)]\n\(rest)\n")
  }

  @Test("Folders come and go, and what lies in one that left keeps its place")
  func folders() throws {
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    _ = living.news()
    let kept = try #require(try living.daemon.folders.all.first)
    try configure([home.music, other])
    try living.reload()
    let news = living.news()
    #expect(news.first == "RELOADING=1")
    #expect(news.contains { $0.hasPrefix("MONOTONIC_USEC=") })
    #expect(news.contains("READY=1") && news.contains("STATUS=Watching 2 folders"))
    #expect(living.log.all.contains("notice: the settings were read again"))
    try client.sync()
    #expect(try client.albums().map(\.title) == ["Album 7", "Album 1", "Album 0"])
    #expect(try client.status().folders.map(\.songs) == [6, 3])
    // One that stays is watched on.
    #expect(try living.daemon.folders.all.first === kept)

    try configure([other])
    try living.reload()
    try client.sync()
    #expect(try client.status().folders.map(\.path) == [other])
    #expect(try client.albums().map(\.title) == ["Album 7", "Album 1", "Album 0"])
    #expect(
      try client.songs().map(\.presence) == [.present, .present, .present]
        + .init(repeating: .offline, count: 6))
    let left = try client.problems()
    #expect(left.map(\.path) == [home.music] && left.map(\.kind) == [.folder])
    #expect(
      left.first?.message
        == "6 songs lie in this folder, which is in no setting any more: put it back into"
        + " music_folders, or drop them with `crate forget` and the folder, a crate or albums")
    #expect(try client.status().problems == 1)

    try configure([other, home.music])
    try living.reload()
    try client.sync()
    #expect(try client.problems() == [])
    #expect(try client.songs().allSatisfy { $0.presence == .present })
    try living.stop()
  }

  @Test("A song that is left alone in a folder that left is one song")
  func oneSong() throws {
    unlink("\(other)/7-2.flac")
    unlink("\(other)/7-3.flac")
    try configure([home.music, other])
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    try configure([home.music])
    try living.reload()
    try client.sync()
    #expect(try client.problems().first?.message.hasPrefix("1 song lies in this folder, ") == true)
    try living.stop()
  }

  @Test("A page that others on the network can read is warned of while it is set")
  func page() throws {
    try configure([home.music], "web = \"0.0.0.0:8337\"")
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    func warnings() throws -> [String] {
      try client.status().warnings.filter { $0.hasPrefix("crated web ") }
    }
    let warning =
      "crated web serves the page at 0.0.0.0:8337 without encryption: others on that network can"
      + " read along (see web in crated.toml(5))"
    #expect(try warnings() == [warning])
    try configure([home.music])
    try living.reload()
    #expect(try warnings() == [])
    try living.stop()
  }

  @Test("What is ignored, the crate for new albums and the playlists are others from then on")
  func others() throws {
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let lists = home.folder.path("lists")
    try configure(
      [home.music],
      "ignore = [\"0-1.flac\"]\nnew_albums = \"Later\"\nplaylists = \"\(lists)\"")
    // Landlock leaves a daemon no directory that it did not have at its start.
    try home.folder.makeFolder("lists")
    try living.reload()
    try client.sync()
    #expect(try client.songs().map(\.title).count == 5)
    #expect(try client.status().newAlbums == "Later")
    #expect(try client.status().playlists == lists)
    let advice = "warning: \(lists): crated may write there when it is restarted, and not before"
    let isConfined = try living.daemon.rights.directories != nil
    #expect(living.log.all.contains(advice) == isConfined)
    try living.daemon.playlists.wait(forRounds: 1)
    try SmallLibrary.song(4, 1, to: home.music)
    try client.sync()
    #expect(try client.album("Album 4").crate == "Later")
    try configure([home.music])
    try living.reload()
    try client.sync()
    #expect(try client.songs().count == 7)
    // A folder begins anew where it is looked at otherwise.
    func folder() throws -> FolderService? { try living.daemon.folders.all.first }
    for (setting, isAnew) in [
      ("ignore = [\"4-1.flac\"]", true), ("ignore = [\"4-1.flac\"]", false),
      ("ignore = [\"4-1.flac\"]\nplaylists = \"\(lists)\"", true),
      ("ignore = [\"4-1.flac\"]\nplaylists = \"\(lists)\"\nnew_albums = \"Later\"", false),
    ] {
      let before = try folder()
      try configure([home.music], setting)
      try living.reload()
      #expect(try (folder() !== before) == isAnew, "\(setting)")
    }
    try living.stop()
  }

  @Test("The problems of what is not looked at any more go")
  func problems() throws {
    let bad = try home.folder.write("no music", to: "Other/bad.mp3")
    try configure([home.music, other])
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    for (folders, rest, isThere) in [
      ([home.music, other], "", true), ([home.music, other], "ignore = [\"x\"]", true),
      ([home.music, other], "ignore = [\"bad.mp3\"]", false), ([home.music, other], "", true),
      ([home.music], "", false),
    ] {
      try configure(folders, rest)
      try living.reload()
      try client.sync()
      #expect(
        try client.problems().filter { $0.kind != .folder }.map(\.path) == (isThere ? [bad] : []))
    }
    try living.stop()
  }

  @Test("A file whose song was forgotten is read anew by the folder that it lies in")
  func forgotten() throws {
    try configure([home.music, other])
    let living = try LivingDaemon(home)
    try CratesClient(home).sync()
    func looks() -> Int {
      living.log.all.count { $0.hasPrefix("debug: a scan found 1 files, 0 vanished") }
    }
    // On a slow machine the first one comes in pieces.
    let first = looks()
    let forget = try living.daemon.librarian.filesListener.withLock { $0 }
    forget([BytePath("\(home.music)/0-1.flac")], [])
    try CratesClient(home).sync()
    #expect(looks() == first + 1)
    forget([BytePath("/elsewhere/0-1.flac")], [])
    try CratesClient(home).sync()
    #expect(looks() == first + 1)
    #expect(try CratesClient(home).songs().count == 9)
    try living.stop()
  }

  @Test("A list follows what the person does, at the latest at the end")
  func lists() throws {
    let lists = try home.folder.makeFolder("lists")
    let strange = try home.folder.write("#EXTM3U\n", to: "lists/Music.m3u8")
    try configure([home.music], "playlists = \"\(lists)\"")
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    // The first round may be before the first song.
    #expect(try happensInTime { try client.problems().map(\.path) == [strange] })
    #expect(try client.problems().map(\.kind) == [.playlist])
    #expect(try client.status().problems == 1)
    try client.move(albums: [try client.album("Album 1").id], .top, to: "Best")
    try living.stop()
    #expect(try names(in: lists) == ["Best.m3u8", "Music.m3u8"])
  }

  @Test("Settings that are refused leave the former ones, and are a problem until good ones come")
  func refused() throws {
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    try living.daemon.refuse("line 1: there is no setting “music”")
    let told = try #require(try client.problems().first)
    #expect(told.kind == .settings && told.path == home.settings)
    #expect(
      told.message
        == "line 1: there is no setting “music”; the previous settings stay in force")
    #expect(told.since >= (try client.status().started))
    #expect(try client.status().problems == 1 && client.status().songs == 6)
    try living.reload()
    #expect(try client.problems() == [])
    try living.stop()
  }

  @Test("Sync and rescan wait for every folder that they are asked for, and for no other")
  func waits() throws {
    try configure([home.music, other])
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    try SmallLibrary.song(4, 1, to: home.music)
    try SmallLibrary.song(5, 1, to: other)
    try client.sync()
    #expect(try client.songs().count == 11)
    let daemon = try living.daemon
    // Written by a name elsewhere, of which nobody hears.
    let elsewhere = home.folder.path("elsewhere")
    try #require(link("\(home.music)/0-1.flac", "\(elsewhere)-0") == 0)
    try #require(link("\(other)/7-1.flac", "\(elsewhere)-7") == 0)
    try client.sync()
    for album in [0, 7] {
      try SmallLibrary.song(album, 9, to: home.folder.path)
      let song = try readFile("\(home.folder.path)/\(album)-9.flac")
      try writeFile(song, to: "\(elsewhere)-\(album)")
    }
    for (path, isKnown) in [
      (nil, true), (home.music, true), ("\(other)/inside", true), (home.folder.path, true),
      ("/nowhere", false), (home.music + "s", false),
    ] as [(String?, Bool)] {
      let answered = Monitor<String??>(nil)
      let isTaken = daemon.rescan(path.map { BytePath($0) }) { _ in
      } _: { refusal in
        answered.withLock { $0 = .some(refusal) }
      }
      #expect(isTaken == isKnown, "\(path ?? "all")")
      if isTaken { #expect(answered.wait { $0 } == nil) }
      #expect(try client.songs().filter { $0.title == "Song 9" }.count == 2)
    }
    // Without any folder there is nothing to wait for.
    let folders = daemon.folders.watched.withLock { folders in
      defer { folders = [] }
      return folders
    }
    defer { daemon.folders.watched.withLock { $0 = folders } }
    let answered = Monitor(0)
    daemon.synchronize { _ in answered.withLock { $0 += 1 } }
    #expect(daemon.rescan(nil, progress: { _ in }) { _ in answered.withLock { $0 += 1 } })
    #expect(answered.withLock { $0 } == 2)
  }
}
