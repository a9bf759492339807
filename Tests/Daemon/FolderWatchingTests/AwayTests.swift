import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// Without any mount: what is known of them is passed in.
@Suite("Which files that are missing are away", .limited) struct AwayTests {
  private let events = MadeUpEvents()
  private let name = Array("1.mp3".utf8)
  private let drive = InnerFileSystem(
    .mount, at: BytePath("A"), fileSystem: 20, inode: 2, isInStamps: true)

  private func facts(on fileSystem: UInt64) -> FileFacts {
    FileFacts(
      stamp: FileStamp(
        identity: FileIdentity(fileSystem: fileSystem, inode: 7, birth: 0), size: 1, modified: 0,
        changed: 0),
      tags: SongTags(), audio: AudioProperties(), digest: nil, format: "")
  }

  @Test("a song is gone where a listing of the mount lacks it that it was last seen on")
  func mounts() throws {
    let loop = try SteppedWatcher(events: events).loop
    let onDrive = loop.knownMounts.note(drive)
    let folder = loop.catalogue.makeFolder(BytePath("A"))
    let song = Catalogue.State.settled(facts(on: 20))
    // The mount of the song, those of the listing, whether its file system is the song's, and
    // whether the song is away.
    for (home, listed, isSame, isAway) in [
      (onDrive, [onDrive], false, false), (onDrive, [.root, onDrive], false, false),
      (onDrive, [.root], true, true), (.root, [.root], false, false),
      (.root, [onDrive], true, true),
      // Where one of them isn't known, the file systems tell.
      (onDrive, [.unknown], true, false), (onDrive, [.unknown], false, true),
      (onDrive, [.root, .unknown], true, false), (.unknown, [.root], true, false),
      (.unknown, [.root], false, true), (.unknown, [.unknown], false, true),
      (.unknown, [.unknown], true, false),
    ] as [(KnownMounts.ID, Set<KnownMounts.ID>, Bool, Bool)] {
      loop.catalogue[folder].mount = home
      // What else is remembered of it says nothing, either.
      let state = home == .unknown ? .settled(facts(on: 77)) : song
      let fileSystem: UInt64 = home == .unknown ? 77 : 20
      let lack = WatchLoop.Lack(mounts: listed, fileSystem: isSame ? fileSystem : 5)
      #expect(
        loop.isOffline(name, state, in: folder, lack) == isAway, "\(home), \(listed), \(isSame)")
      // What was seen on another mount than its directory is on has that noted.
      loop.catalogue[folder].mount = home == .root ? onDrive : .root
      loop.strays[folder] = [name: home]
      if home != .unknown { #expect(loop.isOffline(name, state, in: folder, lack) == isAway) }
      loop.strays = [:]
    }
  }

  @Test("what is no song is never away, nor what another path leads to, unless it is a stray")
  func others() throws {
    let loop = try SteppedWatcher(events: events).loop
    let onDrive = loop.knownMounts.note(drive)
    let folder = loop.catalogue.makeFolder(BytePath("A"))
    loop.catalogue[folder].mount = onDrive
    var lack = WatchLoop.Lack(mounts: [.root], fileSystem: 5)
    func isAway(isSong: Bool, facts: FileFacts?) -> Bool {
      let file = Catalogue.Unsettled(facts: facts, isSong: isSong, stamp: nil, phase: .unread)
      return loop.isOffline(name, .unsettled(file), in: folder, lack)
    }
    #expect(isAway(isSong: true, facts: facts(on: 20)) && isAway(isSong: true, facts: nil))
    #expect(!isAway(isSong: false, facts: facts(on: 20)))
    // Nothing is known of it.
    lack.mounts = [.unknown]
    #expect(!isAway(isSong: true, facts: nil))
    lack.mounts = [.root]
    lack.isFollowed = true
    #expect(!isAway(isSong: true, facts: facts(on: 20)))
    loop.strays[folder] = [[9]: onDrive]
    #expect(!isAway(isSong: true, facts: facts(on: 20)))
    loop.strays[folder] = [name: onDrive]
    #expect(isAway(isSong: true, facts: facts(on: 20)))
  }

  @Test("what another path leads to from now on is not away, though it lies on another mount")
  func followed() throws {
    let outside = TemporaryFolder()
    outside.write("1.mp3", "1")
    let watcher = try SteppedWatcher(events: events)
    let loop = watcher.loop
    for name in ["b", "a"] {
      if let folder = loop.catalogue.find(BytePath("b")) {
        loop.catalogue[folder].mount = loop.knownMounts.note(drive)
      }
      symlink(outside.path.display, watcher.music(name))
      loop.pending.note(.other, in: BytePath([]), at: loop.now)
      for _ in 0..<4 {
        watcher.settle()
        watcher.turn(by: seconds / 4)
      }
      watcher.settle()
      #expect(watcher.songs == ["\(name)/1.mp3": "1"])
    }
    #expect(watcher.problems.keys.map { $0 } == [watcher.music.at("b")])
  }

  @Test("where a file was is noted where its directory doesn't tell it")
  func noted() throws {
    let loop = try SteppedWatcher(events: events).loop
    let onDrive = loop.knownMounts.note(drive)
    let folder = loop.catalogue.makeFolder(BytePath("A"))
    let other = loop.catalogue.makeFolder(BytePath("B"))
    loop.catalogue.setState(.settled(facts(on: 77)), name, in: folder)
    let unread = Catalogue.Unsettled(
      facts: facts(on: 77), isSong: false, stamp: nil, phase: .unread)
    loop.catalogue.setState(.unsettled(unread), [9], in: folder)
    // The mount of the directory until now, that of the listing, and what is noted.
    for (before, listed, noted) in [
      (.root, onDrive, .root), (onDrive, .root, onDrive), (.root, .root, nil),
      (onDrive, onDrive, nil), (.unknown, .root, .unknown), (.unknown, .unknown, .unknown),
    ] as [(KnownMounts.ID, KnownMounts.ID, KnownMounts.ID?)] {
      loop.strays = [other: [name: .root]]
      loop.catalogue[folder].mount = before
      loop.walk.mount = listed
      // Another that is no song, and one that nobody knows.
      loop.settleMount(of: folder, away: [name, [9], [8]])
      #expect(loop.strays[folder] == noted.map { [name: $0] }, "\(before), \(listed)")
      #expect(loop.catalogue[folder].mount == listed && loop.strays[other] == [name: .root])
      loop.settleMount(of: folder, away: [])
      #expect(loop.strays[folder] == nil)
    }
    for (mount, isNoted) in [(KnownMounts.ID.root, false), (onDrive, false), (.unknown, true)] {
      loop.strays = [:]
      loop.catalogue[folder].mount = mount
      loop.keepHome(name, .settled(facts(on: 77)), in: folder)
      #expect(loop.strays == (isNoted ? [folder: [name: .unknown]] : [:]))
    }
  }

  @Test(
    "of a file that the library has forgotten no mount is noted any more",
    arguments: [false, true])
  func forgotten(isRescan: Bool) throws {
    let music = TemporaryFolder()
    music.makeFolder("A")
    for name in ["1", "2"] { music.write("A/\(name).mp3", name) }
    let watcher = try SteppedWatcher(music, events: events)
    let loop = watcher.loop
    let onDrive = loop.knownMounts.note(drive)
    let folder = try #require(loop.catalogue.find(BytePath("A")))
    let other = Array("2.mp3".utf8)
    loop.strays = [folder: [name: onDrive, other: onDrive]]
    let path = music.at("A/1.mp3")
    if isRescan {
      watcher.receiver.state.withLock { $0.library[path] = nil }
      loop.compareWithLibrary(at: [BytePath([])])
    } else {
      watcher.forget([music.at("A/none.mp3"), music.at("B/1.mp3"), path])
    }
    #expect(loop.strays == [folder: [other: onDrive]])
    #expect(loop.catalogue.state(name, in: folder) == nil && loop.catalogue.fileCount == 1)
    // It is there, and so it is told of again.
    let count = watcher.receiver.state.withLock { $0.merges.count }
    for _ in 0..<2 {
      loop.wokeUp()
      watcher.settle()
    }
    let found = watcher.receiver.state.withLock { $0.merges[count...].flatMap(\.found) }
    #expect(found.map(\.path) == [path])
  }

  @Test("a mount that covers a directory after a look at the one above is seen as that")
  func covered() throws {
    let loop = try SteppedWatcher(events: events).loop
    let above = loop.catalogue.makeFolder(BytePath("A"))
    let folder = loop.catalogue.makeFolder(BytePath("A/B"))
    var status = FolderStatus()
    status.mount = 4
    status.isMountRoot = false
    #expect(!loop.isCoveredSince(folder, status))
    loop.catalogue[above].status = FolderStatus(mount: 3)
    #expect(loop.isCoveredSince(folder, status))
    // Each of these alone says that it isn't, or that nobody knows.
    loop.catalogue[above].isUnreadable = true
    #expect(!loop.isCoveredSince(folder, status))
    loop.catalogue[above].isUnreadable = false
    loop.catalogue[folder].isLink = true
    #expect(!loop.isCoveredSince(folder, status))
    loop.catalogue[folder].isLink = false
    for isMountRoot in [true, nil] {
      status.isMountRoot = isMountRoot
      #expect(!loop.isCoveredSince(folder, status))
    }
    status.isMountRoot = false
    loop.catalogue[above].status?.mount = 4
    #expect(!loop.isCoveredSince(folder, status))
  }
}
