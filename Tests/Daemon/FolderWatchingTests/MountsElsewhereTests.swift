import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// Which mounts are looked for. Only root may mount.
@Suite("Mounts elsewhere, and mounts without music", .limited) struct MountsElsewhereTests {
  private let music = TemporaryFolder()
  private let elsewhere = TemporaryFolder()

  private func mount(_ place: String) throws {
    let isMounted = Glibc.mount("tmpfs", place, "tmpfs", 0, "size=1m") == 0
    try #require(isMounted, "this test mounts: run it as root")
  }

  /// Whether everything is scanned after a mount, or the folder looked for that is away.
  private func isHeard(_ watcher: SteppedWatcher, mounting place: String) throws -> Bool {
    watcher.loop.kernel.openMounts()
    try mount(place)
    watcher.takeMountNews()
    let isHeard =
      watcher.core.isOnline
      ? watcher.core.session.agenda.fullScan == .mountsChanged
      : watcher.core.rootWatch.nextProbe == 0
    umount2(place, Int32(MNT_DETACH))
    return isHeard
  }

  @Test("a mount elsewhere is no news, wherever links lead, and although something is away")
  func nothing() throws {
    music.makeFolder("A")
    music.makeFolder("B")
    music.makeFolder("C")
    music.write("A/1.mp3", "1")
    try mount(music("B"))
    music.write("B/2.mp3", "2")
    #expect(symlink("A/1.mp3", music("inside.mp3")) == 0)
    #expect(symlink("nowhere", music("C/nowhere.mp3")) == 0)
    let other = TemporaryFolder()
    other.write("3.mp3", "3")
    #expect(symlink(other("3.mp3"), music("outside.mp3")) == 0)
    #expect(symlink(other.path.display, music("outside")) == 0)
    let watcher = try SteppedWatcher(music)
    #expect(watcher.songs.count == 3)
    umount2(music("B"), Int32(MNT_DETACH))
    watcher.loop.feed(.mountsChanged)
    watcher.settle()
    #expect(watcher.songs.count == 3 && !watcher.core.tree.offlinePlaces.isEmpty)
    #expect(try !isHeard(watcher, mounting: elsewhere.path.display))
    #expect(try isHeard(watcher, mounting: music("A")))
  }

  @Test(
    "a mount elsewhere is news where a link leads to it, or to what lies in it",
    arguments: ["", "/", "/1.mp3", "/there", "/there/1.mp3", "/away", "/away/further/1.mp3"])
  func links(target: String) throws {
    elsewhere.makeFolder("there")
    elsewhere.write("1.mp3", "1")
    elsewhere.write("there/1.mp3", "1")
    music.makeFolder("A")
    let end = target.hasSuffix("mp3") ? ".mp3" : ""
    #expect(symlink(elsewhere.path.display + target, music("A/link\(end)")) == 0)
    let watcher = try SteppedWatcher(music)
    #expect(try isHeard(watcher, mounting: elsewhere.path.display))
    watcher.settle()
    // A link that is gone leads nowhere.
    music.delete("A")
    for _ in 0..<4 {
      watcher.turn(by: seconds)
      watcher.settle()
    }
    #expect(try !isHeard(watcher, mounting: elsewhere.path.display))
  }

  @Test("a mount that is heard of in the midst of a look is heard of all the same")
  func inTheMidst() throws {
    music.makeFolder("A")
    let watcher = try SteppedWatcher(music)
    try mount(music("A"))
    defer { umount2(music("A"), Int32(MNT_DETACH)) }
    #expect(watcher.core.session.agenda.fullScan == nil)
    // Who asks where something lies learns of it.
    watcher.loop.feed(.mountsChanged)
    #expect(watcher.core.session.agenda.fullScan == .mountsChanged)
  }

  @Test("a mount is remembered once a file was seen on it, and is no longer when none is left")
  func remembered() throws {
    music.makeFolder("A")
    try mount(music("A"))
    defer { umount2(music("A"), Int32(MNT_DETACH)) }
    let watcher = try SteppedWatcher(music)
    let remembered = {
      watcher.receiver.state.withLock { $0.states.last?.innerFileSystems.map(\.path) }
    }
    #expect(remembered() == [])
    music.write("A/1.mp3", "1")
    watcher.settle()
    #expect(remembered() == [music.at("A")])
    music.delete("A/1.mp3")
    for _ in 0..<4 {
      watcher.turn(by: seconds)
      watcher.settle()
    }
    #expect(watcher.songs.isEmpty)
    // Until the next look at everything.
    #expect(remembered() == [music.at("A")])
    watcher.loop.feed(.wokeUp)
    watcher.settle()
    #expect(remembered() == [])
  }

  @Test("a folder that is away is looked for as soon as something is mounted where it was")
  func lookedFor() throws {
    let watcher = try SteppedWatcher(music)
    let away = music.path.display + "-away"
    #expect(rename(music.path.display, away) == 0)
    watcher.checkRoot()
    watcher.settle()
    #expect(rename(away, music.path.display) == 0)
    watcher.settle()
    #expect(!watcher.core.isOnline)
    #expect(try !isHeard(watcher, mounting: elsewhere.path.display))
    watcher.settle()
    #expect(!watcher.core.isOnline)
    #expect(try isHeard(watcher, mounting: music.path.display))
    watcher.settle()
    #expect(watcher.mode == .watching)
  }

  @Test("a folder behind a link that leads nowhere at the start is looked for with its drive")
  func behindLink() throws {
    let home = TemporaryFolder()
    #expect(symlink(elsewhere("drive/Music"), home("Music")) == 0)
    let folder = try WatchedFolder(home).start(root: home.at("Music")) {
      $0.intervals.root = 3_600 * seconds
    }
    elsewhere.makeFolder("drive")
    try mount(elsewhere("drive"))
    defer { umount2(elsewhere("drive"), Int32(MNT_DETACH)) }
    // The mount wakes the watcher, and what is mounted next finds the folder.
    elsewhere.makeFolder("drive/Music")
    try mount(elsewhere("drive/Music"))
    defer { umount2(elsewhere("drive/Music"), Int32(MNT_DETACH)) }
    elsewhere.write("drive/Music/1.mp3", "1")
    #expect(folder.wait { $0.songs.count == 1 })
    folder.stop()
  }

  @Test("what lies above another music folder is known anew when mounts change")
  func above() throws {
    #expect(symlink(elsewhere.path.display, music("link")) == 0)
    let watcher = try SteppedWatcher(music) {
      $0.musicFolders = [elsewhere.at("music2")]
    }
    let link = watcher.core.tree.absolute(BytePath("link"))
    #expect(watcher.problems.keys.map { $0 } == [link])
    watcher.loop.kernel.openMounts()
    try mount(elsewhere.path.display)
    defer { umount2(elsewhere.path.display, Int32(MNT_DETACH)) }
    elsewhere.makeFolder("music2")
    elsewhere.write("1.mp3", "1")
    watcher.takeMountNews()
    watcher.settle()
    #expect(watcher.songs.isEmpty && watcher.problems.keys.map { $0 } == [link])
  }

  @Test("a watcher that sleeps is woken by a mount, and asks nobody else")
  func woken() throws {
    music.makeFolder("A")
    music.write("A/1.mp3", "1")
    let folder = try WatchedFolder(music).start { $0.standStill = 0 }
    #expect(folder.songs.count == 1)
    try mount(music("A"))
    defer { umount2(music("A"), Int32(MNT_DETACH)) }
    #expect(folder.wait { $0.states.last?.offlineSubtrees == [folder.music.at("A")] })
    folder.stop()
  }
}
