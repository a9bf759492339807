import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// What is mounted in a music folder, or where a link in it leads, may come up empty by itself.
@Suite("Empty is not gone inside a folder", .limited) final class EmptiedInsideTests {
  enum Kind: CaseIterable { case link, mount }

  private let outside = TemporaryFolder()
  private let folder = WatchedFolder()
  private var music: TemporaryFolder { folder.music }
  private var pool: BytePath { music.at("pool") }

  deinit { unmount() }

  /// The pool has ten songs, and the music folder twelve.
  private func fill(_ kind: Kind) throws {
    for index in 0..<12 { music.write("own \(index).mp3", "own") }
    outside.makeFolder("A")
    for index in 0..<10 { outside.write(Self.name(index), "\(index)") }
    switch kind {
    case .link: #expect(symlink(outside.path.display, pool.display) == 0)
    case .mount:
      music.makeFolder("pool")
      try mountPool()
    }
  }

  private func mountPool() throws {
    let isMounted = mount(outside.path.display, pool.display, nil, UInt(MS_BIND), nil) == 0
    try #require(isMounted, "this test mounts: run it as root")
  }

  private func unmount() { umount2(pool.display, Int32(MNT_DETACH)) }

  /// Half of them in a directory.
  private static func name(_ index: Int) -> String { (index < 5 ? "A/" : "") + "\(index).mp3" }

  private func delete(_ indices: Range<Int>) {
    for index in indices { outside.delete(Self.name(index)) }
  }

  /// Lets something be done while nobody watches.
  private func restart(
    _ former: WatchedFolder? = nil, after body: () throws -> Void
  ) throws -> WatchedFolder {
    let folder = former ?? folder
    let known = folder.known
    let state = folder.folderState
    folder.stop()
    try body()
    let next = WatchedFolder(music)
    next.receiver.state.withLock { state in
      for file in known { state.songs[file.path] = file.facts }
    }
    return try next.start(
      known: known, knownRoot: state?.rootIdentity, isFirstScan: false,
      inner: state?.innerFileSystems ?? [])
  }

  private func expectAway(_ watched: WatchedFolder, songs: Int = 22) {
    #expect(watched.folderState?.mode == .watching)
    #expect(watched.songs.count == songs && watched.merges.flatMap(\.vanished).isEmpty)
    let places = watched.folderState?.offlineSubtrees ?? []
    #expect(!places.isEmpty && places.allSatisfy { $0.isInside(pool) }, "\(places)")
    #expect(
      watched.problems[pool]?.message.hasSuffix("crate rescan \(pool.display)") == true,
      "\(watched.problems)")
  }

  private func expectWell(_ watched: WatchedFolder, songs: Int) {
    #expect(watched.folderState?.mode == .watching)
    #expect(watched.songs.count == songs && watched.problems.isEmpty)
    #expect(watched.folderState?.offlineSubtrees == [])
  }

  @Test(
    "with fewer than half of its songs at a start it is offline until it is accepted",
    arguments: Kind.allCases, [(6, true), (10, true), (5, false)])
  func atStart(kind: Kind, deleted: (count: Int, isAway: Bool)) throws {
    try fill(kind)
    try folder.start()
    #expect(folder.songs.count == 22)
    let next = try restart { delete(0..<deleted.count) }
    guard deleted.isAway else { return expectWell(next, songs: 22 - deleted.count) }
    expectAway(next)
    // Neither a look at everything accepts it, nor one at the music folder.
    next.rescan()
    next.rescan(music.path)
    expectAway(next)
    next.rescan(pool)
    expectWell(next, songs: 22 - deleted.count)
    // What is deleted from now on is told of.
    delete(deleted.count..<10)
    next.sync()
    expectWell(next, songs: 12)
  }

  @Test("when the songs are there again, all is as it was", arguments: Kind.allCases)
  func back(kind: Kind) throws {
    try fill(kind)
    try folder.start()
    let next = try restart {
      outside.makeFolder(".disk")
      for index in 0..<10 { outside.move(Self.name(index), ".disk/\(index)") }
    }
    expectAway(next)
    for index in 0..<10 { outside.move(".disk/\(index)", Self.name(index)) }
    next.rescan()
    expectWell(next, songs: 22)
    #expect(next.merges.flatMap(\.vanished).isEmpty)
    // With most of them back, the others are gone.
    delete(0..<1)
    next.sync()
    expectWell(next, songs: 21)
  }

  @Test("it stays so over another start", arguments: Kind.allCases)
  func started(kind: Kind) throws {
    try fill(kind)
    try folder.start()
    let next = try restart { delete(0..<10) }
    expectAway(next)
    next.rescan()
    let last = try restart(next) {}
    expectAway(last)
    last.rescan(pool)
    expectWell(last, songs: 12)
  }

  @Test("a drive that is mounted again without its songs is offline")
  func mountedEmpty() throws {
    try fill(.mount)
    try folder.start()
    unmount()
    folder.sync()
    #expect(folder.folderState?.offlineSubtrees.isEmpty == false)
    delete(0..<10)
    rmdir(outside("A"))
    try mountPool()
    folder.sync()
    expectAway(folder)
  }

  @Test("what is deleted while it is watched is gone", arguments: Kind.allCases)
  func watched(kind: Kind) throws {
    try fill(kind)
    try folder.start()
    delete(0..<10)
    folder.sync()
    expectWell(folder, songs: 12)
  }

  @Test("songs that were moved inside it meanwhile are there", arguments: Kind.allCases)
  func moved(kind: Kind) throws {
    try fill(kind)
    try folder.start()
    let next = try restart {
      outside.makeFolder("B")
      for index in 1..<10 { outside.move(Self.name(index), "B/\(index).mp3") }
      delete(0..<1)
    }
    expectWell(next, songs: 21)
  }

  @Test("a link that is taken away goes with what was missing behind it")
  func linkTakenAway() throws {
    try fill(.link)
    try folder.start()
    let next = try restart { delete(0..<8) }
    expectAway(next)
    #expect(unlink(pool.display) == 0)
    next.sync()
    expectWell(next, songs: 12)
  }
}
