import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

/// Mounts as the kernel describes them.
@Suite(.limited) struct KnownMountsTests {
  private func status(
    mount: UInt64, device: UInt64, system: UInt64, inode: UInt64 = 2, isStable: Bool = true
  ) -> FolderStatus {
    FolderStatus(
      device: device, inode: inode, mount: mount, fileSystem: isStable ? system : 0,
      systemID: system, changed: 0, hasStableInodes: isStable, isRemote: false)
  }

  private let root = FolderStatus(
    device: 1, inode: 2, mount: 1, fileSystem: 10, systemID: 10, changed: 0,
    hasStableInodes: true, isRemote: false)
  private let here = BytePath("a/b")

  @Test("a volume of btrfs is on the mount it lies in, and goes like a directory, restarted or not")
  func volume() {
    var mounts = KnownMounts(rootSystem: 10)
    let volume = status(mount: 1, device: 7, system: 17, inode: 256)
    #expect(mounts.mount(of: here, volume, isLink: false, above: (root, .root)) == .root)
    let later = KnownMounts(mounts.remembered, rootSystem: 10)
    #expect(later.home(in: BytePath("a/b/c"), stamped: 17, root: 10) == .root)
    #expect(later.home(in: BytePath("a/c"), stamped: 17, root: 10) == .unknown)
    // One on a drive inside goes with the drive.
    let drive = status(mount: 2, device: 9, system: 19)
    let id = mounts.mount(of: BytePath("a"), drive, isLink: false, above: (root, .root))
    #expect(id != .root)
    #expect(
      mounts.mount(
        of: here, status(mount: 2, device: 8, system: 18), isLink: false, above: (drive, id)) == id)
    // Nothing was seen on it yet.
    #expect(mounts.home(in: here, stamped: 18, root: 10) == .root)
    mounts.hold(id)
    #expect(mounts.home(in: here, stamped: 18, root: 10) == id)
  }

  @Test("mounts are told apart by place, file system and directory, and known again")
  func identity() {
    var mounts = KnownMounts(rootSystem: 10)
    func mount(_ status: FolderStatus, at path: String = "a") -> KnownMounts.ID {
      mounts.mount(of: BytePath(path), status, isLink: false, above: (root, .root))
    }
    let first = mount(status(mount: 2, device: 1, system: 10, inode: 5))
    #expect(mount(status(mount: 3, device: 1, system: 10, inode: 6)) != first)
    #expect(mount(status(mount: 3, device: 1, system: 10, inode: 5), at: "b") != first)
    #expect(mount(status(mount: 4, device: 2, system: 11, inode: 5)) != first)
    #expect(mount(status(mount: 9, device: 1, system: 10, inode: 5)) == first)
    #expect(mount(root) == .root)
    // Where the kernel numbers no mounts, devices tell.
    var old = root
    old.mount = 0
    var other = status(mount: 0, device: 2, system: 12)
    let isMount = mounts.mount(of: here, other, isLink: false, above: (old, .root))
    #expect(isMount != .root)
    other.device = 1
    #expect(mounts.mount(of: here, other, isLink: false, above: (old, .root)) == .root)
  }

  @Test("where a file of an earlier run was is told by what is remembered, and by its stamp")
  func homes() throws {
    let drive = InnerFileSystem(
      .mount, at: BytePath("a"), fileSystem: 20, inode: 2, isInStamps: true)
    let stick = InnerFileSystem(
      .mount, at: BytePath("s"), fileSystem: 30, inode: 1, isInStamps: false)
    var mounts = KnownMounts([drive, stick], rootSystem: 9)
    let onDrive = mounts.note(drive)
    let onStick = mounts.note(stick)
    let inside = BytePath("a/b")
    #expect(mounts.home(in: inside, stamped: 20, root: 10) == onDrive)
    // Under the mount, on what it is mounted over, which the root was on then or is on now.
    #expect(mounts.home(in: inside, stamped: 9, root: 10) == .root)
    #expect(mounts.home(in: inside, stamped: 10, root: 10) == .root)
    #expect(mounts.home(in: inside, stamped: 77, root: 10) == .unknown)
    #expect(mounts.home(in: BytePath("ab"), stamped: 20, root: 10) == .unknown)
    #expect(mounts.home(in: BytePath("s"), stamped: 0, root: 10) == onStick)
    // Nothing is known of the file.
    #expect(mounts.home(in: inside, stamped: nil, root: 10) == onDrive)
    #expect(mounts.home(in: BytePath("c"), stamped: nil, root: 10) == .root)
    mounts.keepOnly([onStick]) { _ in false }
    #expect(mounts.remembered == [stick])
  }

  @Test("of drives used in turn at one place, only a file's stamp tells which one it was on")
  func inTurn() {
    let drives = [20, 30].map { system in
      InnerFileSystem(
        .mount, at: BytePath("usb"), fileSystem: system, inode: 2, isInStamps: true)
    }
    var mounts = KnownMounts(drives, rootSystem: 9)
    let ids = drives.map { mounts.note($0) }
    let inside = BytePath("usb/b")
    #expect([20, 30].map { mounts.home(in: inside, stamped: $0, root: 10) } == ids)
    #expect(mounts.home(in: inside, stamped: nil, root: 10) == .emptied)
  }

  @Test("the nearest of what is remembered counts, and volumes say where they lie")
  func nearest() {
    func system(
      _ kind: InnerFileSystem.Kind, _ path: String, _ number: UInt64
    ) -> InnerFileSystem {
      InnerFileSystem(kind, at: BytePath(path), fileSystem: number, inode: 2, isInStamps: true)
    }
    let all = [
      system(.mount, "a", 20), system(.mount, "a/b", 21), system(.volume, "a/b/v", 22),
      system(.volume, "w", 23),
      system(.link, "a/l", 24),
    ]
    var mounts = KnownMounts(all)
    let ids = all.map { mounts.note($0) }
    #expect(Set(ids).count == 5 && mounts.remembered == Set(all))
    func home(_ path: String, _ stamped: UInt64? = nil) -> KnownMounts.ID {
      mounts.home(in: BytePath(path), stamped: stamped, root: 10)
    }
    #expect(home("a/b/c") == ids[1] && home("a/c") == ids[0] && home("c") == .root)
    #expect(home("a/b/c", 20) == ids[0] && home("a/b/c", 21) == ids[1])
    // A volume doesn't tell by itself, and lies on the mount around it.
    #expect(home("a/b/v/x") == ids[1] && home("a/b/v/x", 22) == ids[1])
    #expect(home("w/x") == .root && home("w/x", 23) == .root && home("w/x", 22) == .unknown)
    #expect(mounts.links == [BytePath("a/l")])
    #expect(mounts.links(at: BytePath("a/l")) == [ids[4]])
    #expect(mounts.links(at: BytePath("a")) == [])
    // What nobody is on goes, and volumes, but for what is needed otherwise.
    mounts.keepOnly([ids[0], ids[2]]) { $0.path == BytePath("w") }
    #expect(mounts.remembered == [all[0], all[3]])
    mounts.hold(.root)
    mounts.hold(.unknown)
    #expect(mounts.remembered.count == 2)
    mounts.hold(ids[1])
    #expect(mounts.remembered == [all[0], all[1], all[3]])
  }

  @Test("what a link leads to is known by place and file system, and brings no volume")
  func links() {
    var mounts = KnownMounts(rootSystem: 10)
    func mount(_ status: FolderStatus, isLink: Bool = true) -> KnownMounts.ID {
      mounts.mount(of: here, status, isLink: isLink, above: (root, .root))
    }
    // On the mount of the directory above, whatever part of that it is.
    #expect(mount(status(mount: 1, device: 7, system: 17)) == .root)
    #expect(mounts.remembered.isEmpty && mounts.links.isEmpty)
    let away = mount(status(mount: 2, device: 9, system: 19))
    #expect(away != .root && mounts.links == [here] && mounts.links(at: here) == [away])
    // Any directory there is the same, but not another drive, nor a mount in the link's place.
    #expect(mount(status(mount: 5, device: 9, system: 19, inode: 77)) == away)
    let other = mount(status(mount: 3, device: 8, system: 18))
    let mounted = mount(status(mount: 2, device: 9, system: 19), isLink: false)
    #expect(Set([.root, away, other, mounted]).count == 4)
    #expect(mounts.links(at: here) == [away, other])
    for id in [away, mounted] { mounts.hold(id) }
    #expect(mounts.remembered.map(\.inode).sorted() == [0, 2])
    #expect(mounts.remembered.allSatisfy { $0.isInStamps && $0.fileSystem == 19 })
    // Where stamps leave the file system out, that is remembered, too.
    mounts.hold(mount(status(mount: 4, device: 6, system: 16, isStable: false)))
    #expect(mounts.remembered.filter { !$0.isInStamps }.map(\.fileSystem) == [16])
  }

  @Test("there is an end to the mounts that are told apart")
  func most() {
    var mounts = KnownMounts()
    for number in 0..<(KnownMounts.most + 9) {
      mounts.hold(
        mounts.note(
          InnerFileSystem(
            .mount, at: here, fileSystem: UInt64(number), inode: 2, isInStamps: true)))
    }
    #expect(mounts.remembered.count == KnownMounts.most)
    // Beyond it there are neither numbers nor volumes, and those that are known stay so.
    func system(_ kind: InnerFileSystem.Kind, _ number: UInt64) -> InnerFileSystem {
      InnerFileSystem(kind, at: here, fileSystem: number, inode: 2, isInStamps: true)
    }
    #expect(mounts.note(system(.volume, 5_000)) == .unknown)
    #expect(mounts.remembered.count == KnownMounts.most)
    #expect(mounts.note(system(.mount, UInt64(KnownMounts.most - 1))) != .unknown)
    #expect(mounts.note(system(.mount, UInt64(KnownMounts.most))) == .unknown)
  }
}
