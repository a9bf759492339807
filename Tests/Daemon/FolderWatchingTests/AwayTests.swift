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
  func mounts() {
    var tree = Tree.made()
    let onDrive = tree.mounts.known.note(drive)
    let folder = tree.catalogue.makeFolder(BytePath("A"))
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
      tree.catalogue[folder].mount = home
      // What else is remembered of it says nothing, either.
      let state = home == .unknown ? .settled(facts(on: 77)) : song
      let fileSystem: UInt64 = home == .unknown ? 77 : 20
      let listing = ListingContext(mounts: listed, fileSystem: isSame ? fileSystem : 5)
      #expect(
        tree.isOffline(name, state, in: folder, listing) == isAway, "\(home), \(listed), \(isSame)")
      // What was seen on another mount than its directory is on has that noted.
      tree.catalogue[folder].mount = home == .root ? onDrive : .root
      tree.mounts.set(home, of: name, in: folder)
      if home != .unknown { #expect(tree.isOffline(name, state, in: folder, listing) == isAway) }
      tree.mounts.forget(folder)
    }
  }

  @Test("what is no song is never away, nor what another path leads to, unless it is a stray")
  func others() {
    var tree = Tree.made()
    let onDrive = tree.mounts.known.note(drive)
    let folder = tree.catalogue.makeFolder(BytePath("A"))
    tree.catalogue[folder].mount = onDrive
    var listing = ListingContext(mounts: [.root], fileSystem: 5)
    func isAway(isSong: Bool, facts: FileFacts?) -> Bool {
      let file = Catalogue.Unsettled(facts: facts, isSong: isSong, stamp: nil)
      return tree.isOffline(name, .unsettled(file), in: folder, listing)
    }
    #expect(isAway(isSong: true, facts: facts(on: 20)) && isAway(isSong: true, facts: nil))
    #expect(!isAway(isSong: false, facts: facts(on: 20)))
    // Nothing is known of it.
    listing.mounts = [.unknown]
    #expect(!isAway(isSong: true, facts: nil))
    listing.mounts = [.root]
    listing.isFollowed = true
    #expect(!isAway(isSong: true, facts: facts(on: 20)))
    tree.mounts.set(onDrive, of: [9], in: folder)
    #expect(!isAway(isSong: true, facts: facts(on: 20)))
    tree.mounts.set(onDrive, of: name, in: folder)
    #expect(isAway(isSong: true, facts: facts(on: 20)))
  }

  @Test("what another path leads to from now on is not away, though it lies on another mount")
  func followed() throws {
    let outside = TemporaryFolder()
    outside.write("1.mp3", "1")
    let watcher = try SteppedWatcher(events: events)
    let loop = watcher.loop
    for name in ["b", "a"] {
      if let folder = loop.core.tree.catalogue.find(BytePath("b")) {
        loop.core.tree.catalogue[folder].mount = loop.core.tree.mounts.known.note(drive)
      }
      symlink(outside.path.display, watcher.music(name))
      loop.core.session.agenda.pending.note(.other, in: BytePath([]), at: loop.now)
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
  func noted() {
    var tree = Tree.made()
    let onDrive = tree.mounts.known.note(drive)
    let folder = tree.catalogue.makeFolder(BytePath("A"))
    let other = tree.catalogue.makeFolder(BytePath("B"))
    tree.catalogue.setState(.settled(facts(on: 77)), name, in: folder)
    let unread = Catalogue.Unsettled(
      facts: facts(on: 77), isSong: false, stamp: nil)
    tree.catalogue.setState(.unsettled(unread), [9], in: folder)
    // The mount of the directory until now, that of the listing, and what is noted.
    for (before, listed, noted) in [
      (.root, onDrive, .root), (onDrive, .root, onDrive), (.root, .root, nil),
      (onDrive, onDrive, nil), (.unknown, .root, .unknown), (.unknown, .unknown, .unknown),
    ] as [(KnownMounts.ID, KnownMounts.ID, KnownMounts.ID?)] {
      tree.mounts.set(.root, of: name, in: other)
      tree.catalogue[folder].mount = before
      // Another that is no song, and one that nobody knows.
      tree.mounts.settle(folder, on: listed, away: [name, [9], [8]], tree.catalogue)
      #expect(tree.mounts.absent[folder] == noted.map { [name: $0] }, "\(before), \(listed)")
      #expect(tree.mounts.absent[other] == [name: .root])
      tree.mounts.settle(folder, on: listed, away: [], tree.catalogue)
      #expect(tree.mounts.absent[folder] == nil)
    }
    for (mount, isNoted) in [(KnownMounts.ID.root, false), (onDrive, false), (.unknown, true)] {
      tree.mounts.forget(folder)
      tree.catalogue[folder].mount = mount
      tree.keepLastMount(name, .settled(facts(on: 77)), in: folder)
      #expect(tree.mounts.absent[folder] == (isNoted ? [name: .unknown] : nil))
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
    let onDrive = loop.core.tree.mounts.known.note(drive)
    let folder = try #require(loop.core.tree.catalogue.find(BytePath("A")))
    let other = Array("2.mp3".utf8)
    for name in [name, other] { loop.core.tree.mounts.set(onDrive, of: name, in: folder) }
    let path = music.at("A/1.mp3")
    if isRescan {
      watcher.receiver.state.withLock { $0.library[path] = nil }
      loop.core.waiters.add(SyncRequest(rescan: BytePath([]), phase: .scanning, number: 0))
      loop.core.compareWithLibrary(watcher.receiver.library)
    } else {
      watcher.forget([music.at("A/none.mp3"), music.at("B/1.mp3"), path])
    }
    #expect(loop.core.tree.mounts.absent == [folder: [other: onDrive]])
    #expect(
      loop.core.tree.catalogue.state(name, in: folder) == nil
        && loop.core.tree.catalogue.fileCount == 1)
    // It is there, and so it is told of again.
    let count = watcher.receiver.state.withLock { $0.merges.count }
    for _ in 0..<2 {
      loop.feed(.wokeUp)
      watcher.settle()
    }
    let found = watcher.receiver.state.withLock { $0.merges[count...].flatMap(\.found) }
    #expect(found.map(\.path) == [path])
  }

  @Test("a mount that covers a directory after a look at the one above is seen as that")
  func covered() throws {
    let loop = try SteppedWatcher(events: events).loop
    let above = loop.core.tree.catalogue.makeFolder(BytePath("A"))
    let folder = loop.core.tree.catalogue.makeFolder(BytePath("A/B"))
    var status = FolderStatus()
    status.mount = 4
    status.isMountRoot = false
    #expect(!loop.core.isCoveredSince(folder, status))
    loop.core.tree.catalogue[above].status = FolderStatus(mount: 3)
    #expect(loop.core.isCoveredSince(folder, status))
    // Each of these alone says that it isn't, or that nobody knows.
    loop.core.tree.catalogue[above].isUnreadable = true
    #expect(!loop.core.isCoveredSince(folder, status))
    loop.core.tree.catalogue[above].isUnreadable = false
    loop.core.tree.catalogue[folder].isLink = true
    #expect(!loop.core.isCoveredSince(folder, status))
    loop.core.tree.catalogue[folder].isLink = false
    for isMountRoot in [true, nil] {
      status.isMountRoot = isMountRoot
      #expect(!loop.core.isCoveredSince(folder, status))
    }
    status.isMountRoot = false
    loop.core.tree.catalogue[above].status?.mount = 4
    #expect(!loop.core.isCoveredSince(folder, status))
  }
}
