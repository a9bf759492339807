import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// A disk or a server that is missing may leave the folder there, with its identity, and empty.
@Suite("Empty is not gone", .limited) struct EmptiedTests {
  private let folder = WatchedFolder()
  private var music: TemporaryFolder { folder.music }

  private func fill(_ count: Int) { for index in 0..<count { music.write(Self.name(index), "") } }

  private func delete(_ indices: Range<Int>) {
    for index in indices { music.delete(Self.name(index)) }
  }

  private static func name(_ index: Int) -> String { "\(index).mp3" }

  private func isOffline(_ folder: WatchedFolder) -> Bool {
    if case .offline? = folder.folderState?.mode { true } else { false }
  }

  /// Stops, lets something be done meanwhile, and starts again.
  private func restart(
    after body: () -> Void, _ change: (inout WatchSettings) -> Void = { _ in }
  ) throws -> WatchedFolder {
    let known = folder.known
    let state = folder.folderState
    folder.stop()
    body()
    let next = WatchedFolder(music)
    next.receiver.state.withLock { state in
      for file in known { state.songs[file.path] = file.facts }
    }
    return try next.start(
      known: known, knownRoot: state?.rootIdentity, isFirstScan: false,
      inner: state?.innerFileSystems ?? []
    ) { settings in
      settings.intervals.root = 20_000_000
      change(&settings)
    }
  }

  @Test(
    "a folder in which fewer than half of the songs are at a start is offline until it is accepted",
    arguments: [(10, 6, true), (10, 10, true), (10, 5, false), (1, 1, true), (300, 160, true)])
  func atStart(count: Int, deleted: Int, isOffline: Bool) throws {
    fill(count)
    try folder.start()
    let next = try restart { delete(0..<deleted) }
    #expect(self.isOffline(next) == isOffline)
    #expect(next.songs.count == (isOffline ? count : count - deleted))
    guard isOffline else { return }
    guard case .offline(let reason)? = next.folderState?.mode else { return }
    #expect(reason.hasSuffix("crate rescan \(music.path.display)"))
    // One of everything accepts nothing.
    next.rescan()
    #expect(self.isOffline(next) && next.songs.count == count)
    next.rescan(music.path)
    #expect(next.folderState?.mode == .watching)
    #expect(next.songs.count == count - deleted)
    // What is deleted from now on is told of.
    delete(deleted..<count)
    next.sync()
    #expect(next.folderState?.mode == .watching && next.songs.isEmpty)
  }

  @Test("when the songs are there again, the folder is as it was")
  func back() throws {
    fill(10)
    try folder.start()
    let next = try restart {
      music.makeFolder(".disk")
      for index in 0..<10 { music.move(Self.name(index), ".disk/\(index)") }
    }
    #expect(isOffline(next))
    for index in 0..<10 { music.move(".disk/\(index)", Self.name(index)) }
    #expect(next.wait { $0.states.last?.mode == .watching })
    next.sync()
    #expect(next.songs.count == 10)
    #expect(next.merges.flatMap(\.vanished).isEmpty)
  }

  @Test("a folder that was emptied while it was watched is empty")
  func watched() throws {
    fill(10)
    try folder.start()
    delete(0..<10)
    folder.sync()
    #expect(folder.folderState?.mode == .watching)
    #expect(folder.songs.isEmpty)
  }

  @Test("what is deleted while the files of a first scan are read is told of")
  func duringFirstScan() throws {
    fill(10)
    let watcher = try SteppedWatcher(music, keepsAnswers: true)
    watcher.release(8)
    watcher.settle()
    watcher.turn(by: seconds)
    watcher.settle()
    #expect(watcher.songs.count == 8)
    delete(0..<6)
    watcher.settle()
    watcher.turn(by: 11 * seconds)
    watcher.settle()
    #expect(watcher.songs.count == 2 && watcher.core.isOnline)
    watcher.release()
    watcher.settle()
    #expect(watcher.songs.count == 4)
  }

  @Test("songs that were moved inside the folder meanwhile are there")
  func moved() throws {
    fill(10)
    try folder.start()
    let next = try restart {
      music.makeFolder("A")
      for index in 1..<10 { music.move(Self.name(index), "A/\(index).mp3") }
      delete(0..<1)
    }
    #expect(next.folderState?.mode == .watching)
    #expect(next.songs.keys.sorted() == (1..<10).map { "A/\($0).mp3" })
  }

  @Test("songs that are left out by a new rule are there, and go")
  func ignored() throws {
    fill(10)
    try folder.start()
    let next = try restart(after: {}) { $0.ignorePatterns = ["*.mp3", "!1.mp3"] }
    #expect(next.folderState?.mode == .watching)
    #expect(next.songs.keys.sorted() == ["1.mp3"])
  }

  @Test("what is on a drive that is away doesn't count, and neither does the drive's place")
  func drive() throws {
    fill(2)
    music.makeFolder("drive")
    let isMounted = mount("tmpfs", music("drive"), "tmpfs", 0, "size=1m") == 0
    try #require(isMounted, "this test mounts: run it as root")
    defer { umount2(music("drive"), Int32(MNT_DETACH)) }
    for index in 0..<10 { music.write("drive/\(index).mp3", "") }
    try folder.start { $0.timeGrain = 0 }
    let next = try restart {
      umount2(music("drive"), Int32(MNT_DETACH))
      delete(0..<1)
    }
    #expect(next.folderState?.mode == .watching)
    #expect(next.folderState?.offlineSubtrees == [music.at("drive")])
    #expect(next.songs.count == 11)
  }

  @Test("a polled folder is asked about at each look, however its files went")
  func polled() throws {
    fill(10)
    try folder.start {
      $0.limits.watches = 0
      $0.intervals.root = 20_000_000
    }
    delete(0..<5)
    folder.sync()
    #expect(folder.songs.count == 5 && !isOffline(folder))
    delete(5..<8)
    folder.sync()
    #expect(folder.songs.count == 5 && isOffline(folder))
    music.write("7.mp3", "")
    #expect(folder.wait { if case .polling? = $0.states.last?.mode { true } else { false } })
    folder.sync()
    #expect(folder.songs.keys.sorted() == ["7.mp3", "8.mp3", "9.mp3"])
    // Who says it at once is not asked.
    delete(7..<10)
    folder.rescan(music.path)
    #expect(folder.songs.isEmpty && !isOffline(folder))
  }

  @Test("after a mount inside the folder or over it, and only then", arguments: [true, false])
  func mounts(isMounted: Bool) throws {
    fill(10)
    music.makeFolder("A")
    let watcher = try SteppedWatcher(music, events: MadeUpEvents())
    watcher.loop.kernel.openMounts()
    delete(0..<6)
    if isMounted {
      let isMounted = mount("tmpfs", music("A"), "tmpfs", 0, "size=1m") == 0
      try #require(isMounted, "this test mounts: run it as root")
    }
    defer { umount2(music("A"), Int32(MNT_DETACH)) }
    watcher.takeMountNews()
    watcher.core.scanAll(because: .mountsChanged)
    watcher.settle()
    watcher.turn(by: seconds)
    watcher.settle()
    #expect(watcher.core.isOnline == !isMounted)
    #expect(watcher.songs.count == (isMounted ? 10 : 4))
  }
}
