import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// A file is gone only where the mount it was last seen on lacks it. Only root may mount.
@Suite(.limited) struct MountTests {
  /// What is mounted over a directory of the music folder. It goes with this value.
  private final class Cover {
    let place: String

    init(_ place: String, bound source: String? = nil) throws {
      self.place = place
      let isMounted =
        source.map { mount($0, place, nil, UInt(MS_BIND), nil) == 0 }
        ?? (mount("tmpfs", place, "tmpfs", 0, "size=1m") == 0)
      try #require(isMounted, "this test mounts: run it as root")
    }

    func unmount() { umount2(place, Int32(MNT_DETACH)) }

    deinit { unmount() }
  }

  private func filled() -> WatchedFolder {
    let folder = WatchedFolder()
    folder.music.makeFolder("A/B")
    for name in ["A/1.mp3", "A/2.mp3", "A/B/3.mp3", "4.mp3"] { folder.music.write(name, name) }
    return folder
  }

  @Test("a mount over what the music folder's link leads to is heard of")
  func behindLink() throws {
    let drive = TemporaryFolder()
    drive.makeFolder("Music")
    drive.write("Music/1.mp3", "1")
    let home = TemporaryFolder()
    #expect(symlink(drive("Music"), home("Music")) == 0)
    let folder = WatchedFolder(home)
    try folder.start(root: home.at("Music"))
    #expect(folder.songs.count == 1)
    let cover = try Cover(drive.path.display)
    // Without being asked.
    let isOffline = folder.wait {
      if case .offline? = $0.states.last?.mode { true } else { false }
    }
    #expect(isOffline)
    cover.unmount()
    #expect(folder.wait { $0.states.last?.mode == .watching })
    #expect(folder.songs.count == 1)
  }

  @Test("what was covered for a while and is deleted afterwards is gone, and not with the cover")
  func uncovered() throws {
    let folder = filled()
    try folder.start()
    let cover = try Cover(folder.music("A"))
    folder.music.write("A/cover.mp3", "cover")
    folder.sync()
    #expect(folder.songs.count == 5)
    let hidden = ["A/1.mp3", "A/2.mp3", "A/B"].map { folder.music.at($0) }
    #expect(folder.folderState?.offlineSubtrees == hidden)
    cover.unmount()
    folder.sync()
    #expect(folder.songs.count == 5)
    #expect(folder.folderState?.offlineSubtrees == [folder.music.at("A/cover.mp3")])
    folder.music.delete("A/1.mp3")
    folder.sync()
    #expect(folder.songs.keys.sorted() == ["4.mp3", "A/2.mp3", "A/B/3.mp3", "A/cover.mp3"])
    folder.music.delete("A/B")
    folder.sync()
    #expect(folder.songs.keys.sorted() == ["4.mp3", "A/2.mp3", "A/cover.mp3"])
    folder.music.move("A", "C")
    folder.rescan()
    // What lay on the cover is still away.
    #expect(folder.songs.keys.sorted() == ["4.mp3", "A/cover.mp3", "C/2.mp3"])
    #expect(folder.foundAway.isEmpty)
  }

  @Test("a cover over an artist hides files of a root that was on other disks before")
  func coveredAfterAdoption() throws {
    let parent = TemporaryFolder()
    parent.makeFolder("music/A")
    for number in 0..<4 { parent.write("music/\(number).mp3", "\(number)") }
    parent.write("music/A/a.mp3", "a")
    let folder = WatchedFolder(parent)
    try folder.start(root: parent.at("music")) { $0.intervals.root = 20_000_000 }
    let disk = try Cover(parent("music"))
    for number in 0..<4 { parent.write("music/\(number).mp3", "\(number)") }
    parent.makeFolder("music/A")
    parent.write("music/A/a.mp3", "a")
    folder.sync()
    disk.unmount()
    folder.sync()
    #expect(folder.wait { $0.states.last?.mode == .watching })
    folder.sync()
    #expect(folder.songs.count == 5)
    let cover = try Cover(parent("music/A"))
    folder.rescan()
    #expect(folder.songs.count == 5)
    #expect(folder.folderState?.offlineSubtrees == [parent.at("music/A")])
    // The same after another look at what is beside it.
    parent.write("music/5.mp3", "5")
    parent.delete("music/5.mp3")
    folder.sync()
    #expect(folder.folderState?.offlineSubtrees == [parent.at("music/A")])
    cover.unmount()
    folder.rescan()
    #expect(folder.songs.count == 5)
    #expect(folder.folderState?.offlineSubtrees == [])
  }

  /// The kernel's events; something happens between the look at one directory and the next.
  private final class Interrupting: KernelEvents {
    private let kernel: Inotify
    /// The inode of the directory that is being looked at then, and what happens.
    var interruption: (inode: UInt64, body: () throws -> Void)?
    private(set) var failure: (any Error)?

    init() throws { kernel = try Inotify() }

    var descriptor: Int32 { kernel.descriptor }

    func add(openDirectory: Int32) throws(SystemCallError) -> Int32 {
      if let (inode, body) = interruption,
        FileStatus(descriptor: openDirectory)?.inode == inode
      {
        interruption = nil
        do { try body() } catch { failure = error }
      }
      return try kernel.add(openDirectory: openDirectory)
    }

    func add(cookies path: UnsafePointer<CChar>) -> Int32? { kernel.add(cookies: path) }
    func remove(_ watch: Int32) { kernel.remove(watch) }
    func read(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool { kernel.read(body) }
  }

  @Test(
    "what was seen while a drive came, or went, is known to have been on it",
    arguments: [true, false])
  func coveredInTheMidst(comes: Bool) throws {
    let music = TemporaryFolder()
    music.makeFolder("a/b")
    music.write("a/b/1.mp3", "below")
    let drive = TemporaryFolder()
    let disk = try Cover(drive.path.display)
    defer { disk.unmount() }
    drive.makeFolder("b")
    drive.write("b/1.mp3", "drive")
    let events = try Interrupting()
    var cover: Cover?
    if !comes { cover = try Cover(music("a"), bound: drive.path.display) }
    let looked = music("a").withCString { FileStatus(name: $0, followsLinks: false) }
    let watcher = try SteppedWatcher(music, events: events)
    #expect(watcher.songs == ["a/b/1.mp3": comes ? "below" : "drive"])
    events.interruption = (
      try #require(looked).inode,
      {
        cover?.unmount()
        cover = comes ? try Cover(music("a"), bound: drive.path.display) : nil
      }
    )
    watcher.core.scanAll(because: .mountsChanged)
    watcher.settle()
    #expect(events.interruption == nil && events.failure == nil)
    #expect(watcher.songs == ["a/b/1.mp3": comes ? "drive" : "below"])
    music.delete("a/b")
    watcher.turn(by: 1_000_000_000)
    watcher.settle()
    watcher.turn(by: 1_000_000_000)
    watcher.settle()
    #expect(watcher.songs == [:])
  }

  /// Where the next run of the watcher begins.
  private func restarted(
    _ folder: WatchedFolder, isIndexLost: Bool = false
  ) throws -> WatchedFolder {
    let state = folder.folderState
    var known = folder.receiver.library
    if isIndexLost { known = known.map { KnownFile(path: $0.path, facts: nil) } }
    folder.stop()
    let next = WatchedFolder(folder.music)
    return try next.start(
      known: known, knownRoot: state?.rootIdentity, isFirstScan: false,
      inner: state?.innerFileSystems ?? [])
  }

  @Test("a directory bound into the folder is remembered while nobody watches")
  func boundBefore() throws {
    let folder = filled()
    let outside = TemporaryFolder()
    outside.makeFolder("C")
    outside.write("C/5.mp3", "5")
    folder.music.makeFolder("bound")
    let bound = try Cover(folder.music("bound"), bound: outside.path.display)
    try folder.start()
    #expect(folder.folderState?.innerFileSystems.map(\.path) == [folder.music.at("bound")])
    bound.unmount()
    folder.music.delete("A/1.mp3")
    let second = try restarted(folder)
    #expect(second.merges.flatMap(\.vanished) == [folder.music.at("A/1.mp3")])
    #expect(second.folderState?.offlineSubtrees == [folder.music.at("bound/C")])
    // However often one looks.
    second.rescan()
    second.rescan()
    #expect(second.folderState?.offlineSubtrees == [folder.music.at("bound/C")])
    let again = try Cover(folder.music("bound"), bound: outside.path.display)
    second.sync()
    #expect(second.folderState?.offlineSubtrees == [])
    outside.delete("C/5.mp3")
    second.sync()
    #expect(second.merges.flatMap(\.vanished).contains(folder.music.at("bound/C/5.mp3")))
    again.unmount()
    second.rescan()
    #expect(second.folderState?.innerFileSystems == [])
  }

  @Test("what a mount without music covers stays away, although all stamps are lost")
  func coveredAndForgotten() throws {
    let folder = filled()
    try folder.start()
    let cover = try Cover(folder.music("A"))
    folder.rescan()
    let hidden = ["A", "A/B"].map { folder.music.at($0) }
    #expect(folder.folderState?.offlineSubtrees == hidden)
    #expect(folder.folderState?.innerFileSystems == [])
    let later = try restarted(folder, isIndexLost: true)
    later.rescan()
    #expect(later.merges.flatMap(\.vanished) == [])
    #expect(later.receiver.library.count == 4)
    #expect(later.folderState?.offlineSubtrees == hidden)
    // What is copied onto it, into a directory of its own, was on it.
    folder.music.makeFolder("A/C")
    later.sync()
    folder.music.write("A/C/5.mp3", "5")
    later.sync()
    #expect(later.folderState?.innerFileSystems.map(\.path) == [hidden[0]])
    cover.unmount()
    let last = try restarted(later, isIndexLost: true)
    #expect(last.merges.flatMap(\.vanished) == [])
    #expect(last.folderState?.offlineSubtrees == [folder.music.at("A/C")])
    #expect(last.receiver.library.count == 5)
  }

  @Test(
    "a link to another drive that is taken away by hand is gone, watched or not",
    arguments: [true, false])
  func linkTakenAway(whileRunning: Bool) throws {
    let folder = filled()
    let drive = TemporaryFolder()
    let cover = try Cover(drive.path.display)
    drive.makeFolder("C")
    drive.write("C/5.mp3", "5")
    #expect(symlink(drive.path.display, folder.music("link")) == 0)
    try folder.start()
    #expect(folder.songs.count == 5)
    // The drive is away: what it leads to is another directory.
    cover.unmount()
    folder.rescan()
    #expect(folder.songs.count == 5)
    #expect(unlink(folder.music("link")) == 0)
    let later = whileRunning ? folder : try restarted(folder)
    later.sync()
    #expect(later.merges.flatMap(\.vanished) == [folder.music.at("link/C/5.mp3")])
  }

  @Test("a rescan relies on what the library knows, and not on what it was told")
  func rescan() throws {
    let folder = filled()
    try folder.start { $0.timeGrain = 0 }
    folder.forgetMerges()
    let lost = [folder.music.at("A/1.mp3"), folder.music.at("A/B/3.mp3")]
    let never = folder.music.at("never/was.mp3")
    folder.receiver.state.withLock { state in
      for path in lost { state.library[path] = nil }
      state.library[folder.music.at("4.mp3")] = .some(nil)
      state.library[never] = .some(nil)
    }
    folder.sync()
    #expect(folder.merges.isEmpty)
    folder.rescan(folder.music.at("A/1.mp3"))
    #expect(folder.merges.flatMap { $0.found.map(\.path) } == [lost[0]])
    folder.rescan()
    #expect(folder.merges.flatMap { $0.found.map(\.path) }.count == 3)
    #expect(folder.merges.flatMap(\.vanished) == [never])
    #expect(folder.receiver.library.count == 4)
    folder.forgetMerges()
    folder.rescan()
    #expect(folder.merges.isEmpty)
    #expect(folder.reads.withLock { $0 }.isEmpty)
  }

  @Test("covers come and go at random, and each hides what is below it", arguments: 0..<8)
  func covers(seed: UInt64) throws {
    var numbers = SeededGenerator(usually: seed)
    let folder = WatchedFolder()
    folder.music.makeFolder("a")
    let drive = TemporaryFolder()
    let disk = try Cover(drive.path.display)
    defer { disk.unmount() }
    var operations = RandomOperations(folder.music, TemporaryFolder(), .none)
    folder.music.writeLasting()
    drive.writeLasting()
    try folder.start()
    /// Whether each file that is told was last seen on the drive.
    var told: [String: (text: String, isOnDrive: Bool)] = [:]
    var cover: Cover?
    for round in 0..<24 {
      if Int.random(in: 0..<2, using: &numbers) == 0 {
        cover?.unmount()
        cover = nil
        folder.music.makeFolder("a")
        if Bool.random(using: &numbers) {
          cover = try Cover(folder.music("a"), bound: drive.path.display)
          // What goes from a drive before it was seen there may be missing.
          folder.sync()
        }
      }
      for _ in 0..<Int.random(in: 0...6, using: &numbers) { operations.operate(&numbers) }
      folder.sync()
      let there = ListedSongs(of: folder.music.path.display).songs
      for (path, text) in there { told[path] = (text, cover != nil && path.hasPrefix("a/")) }
      told = told.filter { path, file in
        there[path] != nil || file.isOnDrive != (cover != nil && path.hasPrefix("a/"))
      }
      let expected = told.mapValues(\.text)
      #expect(folder.songs == expected, "\(numbers), round \(round)")
      #expect(folder.foundAway.isEmpty)
      if folder.songs != expected { break }
    }
  }
}

/// When things count as seen.
@Suite(.limited) struct SeenTests {
  @Test("no two looks are at one time, whatever the clock does, nor before an earlier run's")
  func lookTimes() {
    let scanTimes = ScanTimes()
    scanTimes.note(5_000)
    let clock: [Int64] = [1, 4_999, 5_000, 5_000, 9_000, 100, 9_001]
    let times = clock.map { scanTimes.next($0 * 1_000_000 + 7) }
    #expect(times == [5_001, 5_002, 5_003, 5_004, 9_000, 9_001, 9_002])
    #expect(ScanTimes().next(-3_000_000) == -3)
  }

  @Test("a first scan is one look, also where it was cut off, and looks after it are later")
  func firstScan() throws {
    let folder = WatchedFolder()
    for number in 0..<40 { folder.music.write("\(number).mp3", "\(number)") }
    let began: Int64 = 4_000_000_000_000
    try folder.start(firstScanSeen: began) { $0.limits.pieceFiles = 1 }
    #expect(Set(folder.merges.map(\.seen)) == [began])
    #expect(folder.merges.last?.endsFirstScan == true)
    #expect(folder.receiver.state.withLock { $0.states.contains { $0.firstScanSeen == began } })
    #expect(folder.folderState?.firstScanSeen == nil)
    folder.forgetMerges()
    folder.music.write("later.mp3", "later")
    folder.sync()
    folder.music.write("last.mp3", "last")
    folder.sync()
    let later = folder.merges.filter { !$0.found.isEmpty }.map(\.seen)
    #expect(later.count == 2)
    #expect(later.allSatisfy { $0 > began } && later == later.sorted() && Set(later).count == 2)
  }

  @Test("files that one look found are seen at one time, however they are told")
  func pieces() throws {
    let folder = WatchedFolder()
    try folder.start()
    folder.isHeld.withLock { $0 = true }
    let outside = TemporaryFolder()
    outside.makeFolder("new")
    outside.write("new/1.mp3", "1")
    outside.write("new/2.mp3", "slow 2")
    #expect(rename(outside("new"), folder.music("new")) == 0)
    #expect(folder.wait { $0.songs.keys.contains { $0.name == Array("1.mp3".utf8) } })
    folder.music.write("3.mp3", "3")
    #expect(folder.wait { $0.songs.keys.contains { $0.name == Array("3.mp3".utf8) } })
    folder.isHeld.withLock { $0 = false }
    folder.sync()
    var seen: [String: Int64] = [:]
    for merge in folder.merges {
      for found in merge.found {
        seen[String(decoding: found.path.name, as: UTF8.self)] = merge.seen
      }
    }
    #expect(seen.count == 3)
    #expect(seen["1.mp3"] == seen["2.mp3"])
    #expect(try #require(seen["2.mp3"]) < #require(seen["3.mp3"]))
  }
}
