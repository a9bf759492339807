import CratesInterface
import FolderWatching
import Glibc
import LibraryModel
import LibraryStore
import LogSupport
import Platform
import ProgramSupport
import Synchronization
import TestSupport
import Testing

@testable import DaemonCore

@Suite("What the daemon says of itself and its folders", .serialized, .limited)
struct DaemonStatusTests {
  private let home: Home

  init() throws {
    home = try Home()
    try SmallLibrary.write(albums: 2, to: home.music)
  }

  /// Its only music folder.
  private func folder(_ living: LivingDaemon) throws -> FolderService {
    try #require(try living.daemon.folders.all.first)
  }

  @Test("All that it was given, and what it has")
  func whole() throws {
    try home.configure(
      """
      music_folders = ["\(home.music)"]
      new_albums = "Fresh"
      playlists = "\(home.folder.path("lists"))"
      player = "mpd"
      mpd = "\(home.folder.path("mpd"))"
      """)
    let before = Clock.system.wall() / 1_000_000
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let status = try client.status()
    #expect(status.version == softwareVersion && status.pid == Int(getpid()))
    #expect(status.started >= Timestamp.text(before))
    #expect(status.started <= Timestamp.text(Clock.system.wall() / 1_000_000))
    #expect(status.sequence == (try living.daemon.published.library.sequence))
    #expect(status.store == .ready && status.storeReason == nil)
    #expect(status.storePath == home.store && status.settingsPath == home.settings)
    #expect([status.crates, status.albums, status.songs, status.gone] == [1, 2, 6, 0])
    // No reader is confined under a sanitizer.
    #expect(status.problems == 0 && status.warnings.isEmpty != isSanitized)
    #expect(status.newAlbums == "Fresh" && status.player == "mpd")
    #expect(status.playlists == home.folder.path("lists"))
    #expect(status.mpd == home.folder.path("mpd"))
    let folder = try #require(status.folders.first)
    #expect(folder.path == home.music && folder.state == .watching && folder.reason == nil)
    #expect(folder.songs == 6 && folder.directories == 1)
    #expect(folder.scanned == nil && folder.toScan == nil)
    try living.stop()
  }

  @Test("A reader that can't be started is told, and so is every song that waits for it")
  func noReader() throws {
    let living = try LivingDaemon(home, reader: home.folder.path("no-reader"))
    let client = try CratesClient(home)
    try client.sync()
    let status = try client.status()
    #expect(status.warnings.count == 1)
    #expect(status.warnings.first?.hasPrefix("no tags can be read: ") == true)
    #expect(status.songs == 0 && status.folders.map(\.songs) == [0])
    try living.stop()
  }

  @Test("A clock that is behind the last change is told until a change has its date")
  func clock() throws {
    let future: Int64 = 4_294_944_000_000
    let files = try DiskFiles(directory: BytePath(home.store))
    do {
      let opened = try Recovery.open(files)
      let made = Change.crateAdded("Jazz", after: nil)
      _ = try opened.store.commit(
        [Transaction(by: .person, time: future, sentence: "Jazz", changes: [made])],
        to: opened.library)
    }
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    let problems = try client.problems()
    #expect(problems.map(\.path) == [home.store])
    #expect(problems.first?.message.hasPrefix("the last change is dated 2106-02-07T") == true)
    try client.sync()
    #expect(try client.problems() == [])
    let newest = try #require(try PastLibrary(files).newestTime())
    #expect(newest <= Clock.system.wall() / 1_000_000)
    try living.stop()
  }

  @Test("What is away of a folder is told in the status and among the problems")
  func away() throws {
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let folder = try folder(living)
    // Of the first, nothing is missed.
    let empty = BytePath("\(home.music)/Drive")
    var songs: [BytePath] = []
    try living.daemon.published.library.songs.forEach { songs.append($1.path) }
    let drives = Array(songs.sorted().prefix(3))
    let reasons = [
      "is not there now: its songs are offline",
      "and another place are not there now: their songs are offline",
      "and 2 other places are not there now: their songs are offline",
    ]
    for (count, reason) in zip(1..., reasons) {
      var state = folder.watchState
      state.offlineSubtrees = [empty] + drives.prefix(count)
      folder.folderState(state)
      let shown = try #require(try client.status().folders.first)
      #expect(shown.state == .watching)
      #expect(shown.reason == "\(drives[0].display) \(reason)")
      let listed = try client.problems()
      #expect(listed.count == 1)
      #expect(listed[0].kind == .folder && listed[0].path == drives[0].display)
      #expect(listed[0].since == (try client.status().started))
      #expect(
        listed[0].message
          == (count == 1
            ? "is not there now: its songs are offline until you plug in or mount its drive"
            : "and \(count - 1) more in \(home.music) are not there now: their songs are offline"
              + " until you plug in or mount their drives"))
      #expect(try client.status().problems == 1)
      #expect(try living.daemon.published.library.away.places == state.offlineSubtrees)
    }
    var state = folder.watchState
    state.offlineSubtrees = [empty]
    folder.folderState(state)
    #expect(try client.status().folders.first?.reason == nil && client.status().problems == 0)
    #expect(try client.problems() == [])
    try living.stop()
  }

  @Test("A store that takes nothing is the first of the problems, in the words of its kind")
  func store() throws {
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let librarian = try living.daemon.librarian
    try living.daemon.refuse("no")
    for (state, shown, kind, message) in [
      (.full("it is full"), .full, .store, "no change is taken: it is full"),
      (.readOnly("it is damaged"), .readOnly, .damagedStore, "it is damaged"),
    ] as [(StoreState, Interface.StoreState, Interface.ProblemKind, String)] {
      var (status, listed) = (try client.status(), try client.problems())
      // The store's own state is told at the end of a turn, which may come in between.
      _ = try happensInTime {
        librarian.storeState.withLock { $0 = state }
        (status, listed) = (try client.status(), try client.problems())
        return status.store == shown && listed.map(\.kind) == [kind, .settings]
      }
      #expect(status.store == shown && status.problems == 2)
      #expect(status.storeReason == (shown == .full ? "it is full" : "it is damaged"))
      #expect(listed.map(\.kind) == [kind, .settings])
      #expect(listed[0].message == message && listed[0].path == home.store)
      #expect(listed[0].since == status.started)
    }
    librarian.storeState.withLock { $0 = .ready }
    #expect(try client.problems().map(\.kind) == [.settings])
    try living.stop()
  }

  @Test("What a folder's watcher did last is told to a client that asks")
  func trace() throws {
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    guard case .trace(let entries) = try client.ask(.trace) else {
      return #expect(Bool(false), "the trace is told")
    }
    #expect(entries.allSatisfy { $0.folder == home.music })
    let texts = entries.map(\.text)
    #expect(texts.contains("full scan: the daemon has started") && texts.contains("request: sync"))
    try living.stop()
  }

  @Test("A music folder that never was there is one to make")
  func missing() throws {
    let empty = try Home()
    let living = try LivingDaemon(empty)
    let client = try CratesClient(empty)
    try client.sync()
    var state = try folder(living).watchState
    state.mode = .offline(reason: "it is not there")
    try folder(living).folderState(state)
    #expect(
      try client.problems().map(\.message) == [
        "is offline: it is not there; make it, mount it or plug it in, or change music_folders"
      ])
  }

  @Test("A folder that is polled, offline and watched again says so, once each time")
  func modes() throws {
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let folder = try folder(living)
    let watched = folder.watchState
    var state = watched
    state.mode = .polling(reason: "it is far away")
    folder.folderState(state)
    var shown = try #require(try client.status().folders.first)
    #expect(shown.state == .polling && shown.reason == "it is far away")
    #expect(try client.problems() == [])
    state.mode = .offline(reason: "it is not there")
    folder.folderState(state)
    folder.folderState(state)
    shown = try #require(try client.status().folders.first)
    #expect(shown.state == .offline && shown.reason == "it is not there")
    #expect(
      try client.problems().map(\.message) == [
        "is offline: it is not there; mount it or plug it in, or change music_folders; its places"
          + " are kept meanwhile"
      ])
    #expect(try client.problems().map(\.path) == [home.music])
    #expect(try client.songs().map(\.presence) == .init(repeating: .offline, count: 6))
    folder.folderState(watched)
    #expect(try client.songs().map(\.presence) == .init(repeating: .present, count: 6))
    #expect(
      living.log.all.filter { $0.contains(home.music) } == [
        "info: \(home.music): full scan: the daemon has started",
        "warning: \(home.music) is polled: it is far away",
        "warning: \(home.music) is offline: it is not there",
        "notice: \(home.music) is watched",
      ])
    try living.stop()
  }

  @Test("A scan is told to the service manager as it goes on, each number once")
  func scanning() throws {
    let living = try LivingDaemon(home)
    try CratesClient(home).sync()
    _ = living.news()
    let folder = try folder(living)
    #expect(try !living.daemon.folders.isScanning)
    let still = folder.watchState
    for (scanned, total) in [(1, 9), (1, 9), (2, 9)] {
      var state = still
      state.progress = .init(scanned: scanned, toScan: total)
      folder.folderState(state)
      #expect(try living.daemon.folders.isScanning)
      let shown = try living.daemon.status().folders.first
      #expect(shown?.scanned == scanned && shown?.toScan == total)
    }
    folder.folderState(still)
    folder.folderState(still)
    #expect(
      living.news() == [
        "STATUS=Scanning: 1 of 9 files", "STATUS=Scanning: 2 of 9 files",
        "STATUS=Watching 1 folder",
      ])
    try living.stop()
  }

  @Test("Two files of one sound in an album are a problem while both can be seen")
  func duplicates() throws {
    try home.folder.makeFolder("Music/Copies")
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    try copy("\(home.music)/1-2.flac", to: "\(home.music)/1-2 again.flac")
    try client.sync()
    #expect(try client.problems().map(\.path) == ["\(home.music)/1-2 again.flac"])
    try copy("\(home.music)/0-1.flac", to: "\(home.music)/0-1 again.flac")
    try client.sync()
    let listed = try client.problems()
    #expect(listed.map(\.kind) == [.duplicate, .duplicate])
    #expect(
      listed.map(\.path) == ["0-1 again.flac", "1-2 again.flac"].map { "\(home.music)/\($0)" })
    #expect(
      listed[1].message
        == "the same sound as \(home.music)/1-2.flac, in the same album, so it is not listed;"
        + " before you remove one, see that the other plays to its end")
    #expect(try client.status().problems == 2 && client.songs().count == 6)
    let folder = try folder(living)
    var state = folder.watchState
    state.mode = .offline(reason: "it is not there")
    folder.folderState(state)
    #expect(try client.problems().map(\.kind) == [.folder])
    state.mode = .watching
    state.isSeen = false
    folder.folderState(state)
    #expect(try client.problems() == [])
    try living.stop()
  }

  @Test("Files that can't be read are problems, with what is wrong with each")
  func unreadable() throws {
    try home.folder.write("no song", to: "Music/bad.flac")
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    #expect(try client.problems().map(\.path) == ["\(home.music)/bad.flac"])
    #expect(try client.status().problems == 1)
    living.log.wait(for: "debug: \(home.music)/bad.flac: ")
    unlink("\(home.music)/bad.flac")
    try client.sync()
    #expect(try client.problems() == [])
    try living.stop()
  }
}
