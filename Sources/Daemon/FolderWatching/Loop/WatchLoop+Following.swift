import LibraryModel
import Platform

/// Which directories are followed (`Paths`), as far as the kernel has to be asked.
extension WatchLoop {
  /// Whether the directory that was opened is followed by this path. Of several paths to one
  /// directory the first in byte order is.
  func follows(
    _ folder: Catalogue.ID, _ path: BytePath, _ status: FolderStatus
  ) -> Bool {
    if status.isOfKernel { return skip(folder, path, .ofKernel) }
    let isPortal = Self.isPortal(
      status, isLink: catalogue[folder].isLink,
      below: catalogue[catalogue[folder].parent].status)
    if isPortal, let above = musicFolder(inside: path, status) {
      return skip(folder, path, .above(above))
    }
    let inode = Inode(status)
    let (rivals, earlier) = paths.enter(folder, inode, isPortal: isPortal)
    if let earlier { lookWhetherMoved(earlier, inode) }
    if !rivals.isEmpty, let location = location(of: path, inode) {
      for rival in rivals where isInCatalogue(rival) || rival == .root {
        let rivalPath = catalogue.path(of: rival)
        guard let other = self.location(of: rivalPath, inode) else {
          lookWhetherMoved(rival, inode)
          continue
        }
        if other != location { continue }
        guard path < rivalPath else { return skip(folder, path, .sameAs(rivalPath)) }
        _ = skip(rival, rivalPath, .sameAs(path))
      }
    }
    unskip(path)
    return true
  }

  /// Whether a link or a mount leads to a directory, and not the one above alone.
  ///
  /// - Parameter above: what the directory above was when it was last looked at; nil: it wasn't.
  static func isPortal(
    _ status: FolderStatus, isLink: Bool, below above: FolderStatus?
  ) -> Bool {
    guard let above, !isLink else { return true }
    return above.mount != status.mount || above.device != status.device
  }

  /// Where the directory is that another was last seen as may have been left by it: the place is
  /// looked at soon, in this round if it is known to have lost something. Another may be there now,
  /// which has no watch yet.
  private func lookWhetherMoved(_ folder: Catalogue.ID, _ inode: Inode) {
    guard folder != .root, isInCatalogue(folder) else { return }
    let path = catalogue.path(of: folder)
    if status(of: path).map({ Inode($0) == inode }) == true { return }
    pending.note(.deletion, in: path.parent, at: now)
    pending.note(.other, in: path, at: now)
  }

  /// Always false.
  private func skip(_ folder: Catalogue.ID, _ path: BytePath, _ why: Paths.Skip) -> Bool {
    takeOut(folder, isFollowed: true)
    paths.skip(path)
    batch.note(why.problem(root: root), at: absolute(path))
    return false
  }

  func unskip(_ path: BytePath) {
    if paths.unskip(path) { batch.clearProblem(at: absolute(path)) }
  }

  /// What the directory that was listed has no longer.
  func unskipMissing(in folder: BytePath) {
    var names = paths.skipped(in: folder)
    if names.isEmpty { return }
    for entry in listing.entries where entry.kind == .folder { names.remove(listing.name(entry)) }
    for name in names { unskip(folder.appending(name)) }
  }

  // MARK: Locations

  /// Where what the path leads to lies; nil where that is not what the number says.
  func location(of path: BytePath, _ inode: Inode) -> MountPoints.Location? {
    guard let status = status(of: path), Inode(status) == inode,
      let real = absolute(path).resolved()
    else { return nil }
    return location(of: real, status.mount, status.device)
  }

  private func location(
    of real: BytePath, _ mount: UInt64, _ device: UInt64
  ) -> MountPoints.Location {
    if !mountPoints.knows(mount) { readMounts() }
    return mountPoints.location(of: real, on: mount)
      ?? MountPoints.Location(device: Array("device \(device)".utf8), path: real)
  }

  func status(of path: BytePath) -> FileStatus? {
    absolute(path).withCPath { FileStatus(name: $0, followsLinks: true) }
  }

  /// The music folder that lies below the directory, if any does.
  private func musicFolder(inside path: BytePath, _ status: FolderStatus) -> BytePath? {
    guard let real = absolute(path).resolved() else { return nil }
    let location = location(of: real, status.mount, status.device)
    if let locationsAbove { return locationsAbove[location] }
    var above: [MountPoints.Location: BytePath] = [:]
    // Of the others the path has to do: they might not answer.
    for folder in settings.musicFolders + [root] {
      var path = folder == root ? root.resolved() ?? root : folder
      while !path.isEmpty, path != filesRoot {
        path = path.parent.isEmpty ? filesRoot : path.parent
        if let location = mountPoints.location(of: path) { above[location] = folder }
      }
    }
    locationsAbove = above
    return above[location]
  }
}

extension Inode {
  init(_ status: FileStatus) {
    self.init(device: status.device, inode: status.inode)
  }
}

private let filesRoot = BytePath("/")
