import FolderWatching
import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

/// No way of losing a folder makes a song vanish.
@Suite(.limited) struct OfflineTests {
  private func isOffline(_ folder: WatchedFolder) -> Bool {
    if case .offline? = folder.folderState?.mode { true } else { false }
  }

  private func filled() -> (parent: TemporaryFolder, folder: WatchedFolder) {
    let parent = TemporaryFolder()
    parent.makeFolder("music")
    return (parent, WatchedFolder(parent))
  }

  /// A folder of ten songs in whose place another one is by now, with nothing in it.
  private func replaced() throws -> (parent: TemporaryFolder, folder: WatchedFolder) {
    let (parent, folder) = filled()
    for index in 0..<10 { parent.write("music/\(index).mp3", "\(index)") }
    try folder.start(root: parent.at("music")) { $0.intervals.root = 20_000_000 }
    parent.move("music", "away")
    parent.makeFolder("music")
    return (parent, folder)
  }

  @Test("a root that is renamed away is offline, and back it is as it was")
  func renamedRoot() throws {
    let (parent, folder) = filled()
    parent.write("music/1.mp3", "1")
    parent.write("music/2.mp3", "2")
    try folder.start(root: parent.at("music")) { $0.intervals.root = 20_000_000 }
    folder.forgetMerges()
    parent.move("music", "away")
    parent.delete("away/2.mp3")
    folder.sync()
    #expect(isOffline(folder))
    #expect(folder.merges.isEmpty)
    parent.move("away", "music")
    #expect(folder.wait { $0.states.last?.mode == .watching })
    folder.sync()
    #expect(folder.songs == ["music/1.mp3": "1"])
    parent.write("music/3.mp3", "3")
    folder.sync()
    #expect(folder.songs == ["music/1.mp3": "1", "music/3.mp3": "3"])
  }

  @Test(
    "a folder that was renamed while the root was away is found when the root is said to be back")
  func renamedMeanwhile() throws {
    let (parent, folder) = filled()
    for name in ["Ann/One", "Ann/Two", "Bob"] {
      parent.makeFolder("music/\(name)")
      parent.write("music/\(name)/1.mp3", name)
    }
    try folder.start(root: parent.at("music")) {
      $0.intervals.root = 20_000_000
      $0.timeGrain = 0
    }
    parent.move("music", "away")
    folder.sync()
    #expect(isOffline(folder))
    folder.forgetMerges()
    parent.move("away/Ann/One", "away/Bob/One")
    parent.move("away/Ann", "away/Anna")
    parent.move("away", "music")
    #expect(folder.wait { $0.states.last?.mode == .watching })
    folder.sync()
    let now = ["music/Anna/Two/1.mp3": "Ann/Two", "music/Bob/One/1.mp3": "Ann/One"]
    #expect(folder.songs == now.merging(["music/Bob/1.mp3": "Bob"]) { one, _ in one })
    #expect(folder.foundAway.isEmpty)
    #expect(folder.reads.withLock { $0 }.isEmpty, "they are known by their stamps")
  }

  @Test("a folder that was renamed on a drive inside is found when the drive is said to be back")
  func renamedOnDrive() throws {
    let folder = WatchedFolder()
    let drive = TemporaryFolder()
    try #require(canMount(drive.path.display), "this test mounts: run it as root")
    defer { umount2(drive.path.display, Int32(MNT_DETACH)) }
    drive.makeFolder("One")
    drive.write("One/1.mp3", "1")
    folder.music.makeFolder("drive")
    let place = folder.music("drive")
    func plugIn() { #expect(mount(drive.path.display, place, nil, UInt(MS_BIND), nil) == 0) }
    plugIn()
    defer { umount2(place, Int32(MNT_DETACH)) }
    try folder.start()
    #expect(umount2(place, Int32(MNT_DETACH)) == 0)
    folder.sync()
    #expect(folder.folderState?.offlineSubtrees.isEmpty == false)
    drive.move("One", "Two")
    plugIn()
    folder.sync()
    #expect(folder.songs == ["drive/Two/1.mp3": "1"])
    #expect(folder.foundAway.isEmpty)
  }

  @Test("a file that was forgotten while the root was away is told of when it is back")
  func forgottenAway() throws {
    let (parent, folder) = filled()
    parent.write("music/1.mp3", "1")
    parent.makeFolder("music/b")
    parent.write("music/b/2.mp3", "2")
    try folder.start(root: parent.at("music")) { $0.intervals.root = 20_000_000 }
    parent.move("music", "away")
    folder.sync()
    #expect(isOffline(folder))
    folder.forgetMerges()
    folder.post { $0.forget([parent.at("music/b/2.mp3"), parent.at("music/none.mp3")]) }
    parent.move("away", "music")
    #expect(folder.wait { $0.states.last?.mode == .watching })
    folder.sync()
    #expect(folder.merges.flatMap { $0.found.map(\.path) } == [parent.at("music/b/2.mp3")])
    // A file that is there already is told of at once.
    folder.forgetMerges()
    folder.post { $0.forget([parent.at("music/1.mp3")]) }
    folder.sync()
    #expect(folder.merges.flatMap { $0.found.map(\.path) } == [parent.at("music/1.mp3")])
  }

  @Test("a file that is known again is told to have vanished if it is not there, now or later")
  func remembered() throws {
    let (parent, folder) = filled()
    for name in ["1", "2"] { parent.write("music/\(name).mp3", name) }
    try folder.start(root: parent.at("music")) { $0.intervals.root = 20_000_000 }
    let facts = folder.receiver.state.withLock { $0.songs[parent.at("music/2.mp3")] }
    parent.move("music", "away")
    folder.sync()
    #expect(isOffline(folder))
    folder.forgetMerges()
    folder.post { $0.forget([parent.at("music/2.mp3")]) }
    folder.post { $0.remember([KnownFile(path: parent.at("music/2.mp3"), facts: facts)]) }
    parent.delete("away/2.mp3")
    parent.move("away", "music")
    #expect(folder.wait { $0.states.last?.mode == .watching })
    folder.sync()
    #expect(folder.merges.flatMap(\.found).isEmpty)
    #expect(folder.merges.flatMap(\.vanished) == [parent.at("music/2.mp3")])
    folder.forgetMerges()
    let none = [parent.at("music/2.mp3"), parent.at("music/none/3.mp3")]
    folder.post {
      $0.remember((none + [parent.at("music/1.mp3")]).map { KnownFile(path: $0, facts: facts) })
    }
    folder.sync()
    #expect(folder.merges.flatMap(\.vanished).sorted() == none)
  }

  @Test("an empty folder in the known one's place is offline until a rescan accepts it")
  func otherRoot() throws {
    let (parent, folder) = try replaced()
    folder.sync()
    #expect(isOffline(folder))
    #expect(folder.songs.count == 10)
    // One of everything accepts nothing.
    folder.rescan()
    #expect(isOffline(folder))
    folder.rescan(parent.at("music"))
    #expect(folder.folderState?.mode == .watching)
    #expect(folder.songs.isEmpty)
  }

  @Test("a folder of links that lead nowhere is not the known one in whose place it is")
  func linksToNowhere() throws {
    let (parent, folder) = try replaced()
    for index in 0..<10 {
      #expect(symlink("../elsewhere/\(index).mp3", parent("music/\(index).mp3")) == 0)
    }
    folder.sync()
    #expect(isOffline(folder) && folder.songs.count == 10)
  }

  @Test("a copy of the folder in its place is the folder")
  func copiedRoot() throws {
    let (parent, folder) = filled()
    for index in 0..<10 { parent.write("music/\(index).mp3", "\(index)") }
    try folder.start(root: parent.at("music")) { $0.intervals.root = 20_000_000 }
    let before = folder.folderState?.rootIdentity
    parent.move("music", "away")
    parent.makeFolder("music")
    for index in 0..<6 { parent.write("music/\(index).mp3", "new \(index)") }
    folder.sync()
    #expect(folder.wait { $0.states.last?.mode == .watching })
    folder.sync()
    #expect(folder.songs.count == 6)
    #expect(folder.songs["3.mp3"] == nil && folder.songs["music/3.mp3"] == "new 3")
    #expect(folder.folderState?.rootIdentity != before)
  }

  @Test("a start over an unchanged folder tells nothing and reads nothing")
  func startUnchanged() throws {
    let first = WatchedFolder()
    for index in 0..<5 { first.music.write("\(index).mp3", "\(index)") }
    try first.start()
    let known = first.known
    let identity = first.folderState?.rootIdentity
    first.stop()
    let second = WatchedFolder(first.music)
    try second.start(known: known, knownRoot: identity, isFirstScan: false)
    #expect(second.merges.isEmpty)
    #expect(second.reads.withLock { $0 }.isEmpty)
  }

  @Test("a song that has to be read again is read at the start")
  func startUnread() throws {
    let folder = WatchedFolder()
    folder.music.write("1.mp3", "1")
    let known = [KnownFile(path: folder.music.at("1.mp3"), facts: nil)]
    try folder.start(known: known, isFirstScan: false)
    #expect(folder.songs == ["1.mp3": "1"])
  }

  private func canMount(_ path: String) -> Bool {
    mount("tmpfs", path, "tmpfs", 0, "size=1m") == 0
  }

  /// A file that was read is closed just after that is told, by a thread that may wait for it.
  private func canEject(_ path: String) -> Bool {
    var code: Int32 = 0
    return happensInTime {
      code = umount(path) == 0 ? 0 : errno
      return code != EBUSY
    } && code == 0
  }

  @Test("an unmounted drive is offline whichever way it went, and back it is as it was")
  func unmountedRoot() throws {
    let (parent, folder) = filled()
    // Only root may mount; the other tests of this suite need no mounts.
    try #require(canMount(parent("music")), "this test mounts: run it as root")
    defer { umount2(parent("music"), Int32(MNT_DETACH)) }
    parent.write("music/1.mp3", "1")
    try folder.start(root: parent.at("music")) { settings in
      settings.intervals.root = 20_000_000
      // A second reading of what was just written would keep the drive busy.
      settings.timeGrain = 0
    }
    // Nothing keeps the drive from being ejected.
    #expect(canEject(parent("music")))
    #expect(folder.wait { if case .offline? = $0.states.last?.mode { true } else { false } })
    folder.sync()
    #expect(folder.songs.count == 1)
    // Another drive.
    #expect(canMount(parent("music")))
    parent.write("music/other.mp3", "other")
    folder.sync()
    #expect(isOffline(folder))
    #expect(folder.songs == ["music/1.mp3": "1"])
  }

  @Test("a drive inside the folder that is unmounted is offline, and the rest is not")
  func unmountedInside() throws {
    let folder = WatchedFolder()
    folder.music.makeFolder("drive")
    try #require(canMount(folder.music("drive")), "this test mounts: run it as root")
    defer { umount2(folder.music("drive"), Int32(MNT_DETACH)) }
    folder.music.makeFolder("drive/A")
    folder.music.write("drive/A/1.mp3", "1")
    folder.music.write("2.mp3", "2")
    try folder.start { $0.timeGrain = 0 }
    #expect(folder.songs.count == 2)
    #expect(canEject(folder.music("drive")))
    folder.sync()
    folder.music.delete("2.mp3")
    folder.rescan()
    #expect(folder.songs == ["drive/A/1.mp3": "1"])
    #expect(folder.folderState?.offlineSubtrees.isEmpty == false)
    let known = folder.known
    let identity = folder.folderState?.rootIdentity
    folder.stop()
    // The same holds at the next start.
    let second = WatchedFolder(folder.music)
    try second.start(known: known, knownRoot: identity, isFirstScan: false)
    second.rescan()
    #expect(second.merges.flatMap(\.vanished).isEmpty)
    #expect(second.folderState?.offlineSubtrees.isEmpty == false)
  }

  @Test("a directory bound into the folder is offline when it is taken away, and comes back")
  func bindMount() throws {
    let folder = WatchedFolder()
    let outside = TemporaryFolder()
    outside.write("1.mp3", "1")
    folder.music.makeFolder("bound")
    guard mount(outside.path.display, folder.music("bound"), nil, UInt(MS_BIND), nil) == 0
    else { return }
    defer { umount2(folder.music("bound"), Int32(MNT_DETACH)) }
    try folder.start()
    #expect(folder.songs.count == 1)
    #expect(umount2(folder.music("bound"), Int32(MNT_DETACH)) == 0)
    folder.rescan()
    #expect(folder.songs.count == 1)
    #expect(folder.folderState?.offlineSubtrees == [folder.music.at("bound")])
    mount(outside.path.display, folder.music("bound"), nil, UInt(MS_BIND), nil)
    folder.rescan()
    #expect(folder.songs.count == 1)
    #expect(folder.folderState?.offlineSubtrees == [])
    outside.delete("1.mp3")
    folder.sync()
    #expect(folder.songs.isEmpty)
  }

  @Test("a file system mounted over a directory hides its songs, and they are not gone")
  func mountedOver() throws {
    let folder = WatchedFolder()
    folder.music.makeFolder("A")
    folder.music.write("A/1.mp3", "1")
    try folder.start()
    try #require(canMount(folder.music("A")), "this test mounts: run it as root")
    defer { umount2(folder.music("A"), Int32(MNT_DETACH)) }
    folder.rescan()
    #expect(folder.songs.count == 1)
    #expect(folder.folderState?.offlineSubtrees == [folder.music.at("A")])
  }
}
