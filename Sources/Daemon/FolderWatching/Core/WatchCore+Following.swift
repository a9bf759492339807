import LibraryModel
import Platform

/// Decides which directories are followed (`Paths`), as far as the kernel has to be asked.
extension WatchCore {
  /// Returns whether the opened directory is followed by this path. Of several paths to one
  /// directory, the first in byte order is followed.
  mutating func follows(
    _ folder: Catalogue.ID, _ path: BytePath, _ status: FolderStatus
  ) -> Bool {
    if status.isOfKernel {
      skip(folder, path, .ofKernel)
      return false
    }
    let isPortal = tree.catalogue.isPortal(folder, status)
    if isPortal, let above = musicFolder(inside: path, status) {
      skip(folder, path, .above(above))
      return false
    }
    let inode = Inode(status)
    let (rivals, earlier) = session.paths.enter(folder, inode, isPortal: isPortal)
    if let earlier { checkWhetherMoved(earlier, inode) }
    if !rivals.isEmpty, let location = location(of: path, inode) {
      for rival in rivals where tree.catalogue.has(rival) || rival == .root {
        let rivalPath = tree.catalogue.path(of: rival)
        guard let other = self.location(of: rivalPath, inode) else {
          checkWhetherMoved(rival, inode)
          continue
        }
        if other != location { continue }
        guard path < rivalPath else {
          skip(folder, path, .sameAs(rivalPath))
          return false
        }
        skip(rival, rivalPath, .sameAs(path))
      }
    }
    unskip(path)
    return true
  }

  /// Checks whether the folder that last had this inode still has it. If not, the directory was
  /// moved: the former place and its parent become dirty. Another directory may be there now, which
  /// has no watch yet.
  private mutating func checkWhetherMoved(_ folder: Catalogue.ID, _ inode: Inode) {
    guard folder != .root, tree.catalogue.has(folder) else { return }
    let path = tree.catalogue.path(of: folder)
    if status(of: path).map({ Inode($0) == inode }) == true { return }
    note(.deletion, in: path.parent)
    note(.other, in: path)
  }

  private mutating func skip(_ folder: Catalogue.ID, _ path: BytePath, _ why: Paths.Skip) {
    takeOut(folder, isFollowed: true)
    tree.skip(path)
    outbox.batch.note(why.problem(root: tree.root), at: tree.absolute(path))
  }

  mutating func unskip(_ path: BytePath) {
    if tree.unskip(path) { outbox.batch.clearProblem(at: tree.absolute(path)) }
  }

  /// Unskips the directories that the listed directory no longer has.
  mutating func unskipMissing(from listing: FolderListing, in folder: BytePath) {
    var names = tree.skipped(in: folder)
    if names.isEmpty { return }
    for entry in listing.entries where entry.kind == .folder { names.remove(listing.name(entry)) }
    for name in names { unskip(folder.appending(name)) }
  }

  // MARK: Locations

  /// Returns where the path's target lies; nil if it no longer has this inode.
  mutating func location(of path: BytePath, _ inode: Inode) -> MountPoints.Location? {
    guard let status = status(of: path), Inode(status) == inode,
      let real = kernel.resolved(tree.absolute(path))
    else { return nil }
    return location(of: real, status.mount, status.device)
  }

  private mutating func location(
    of real: BytePath, _ mount: UInt64, _ device: UInt64
  ) -> MountPoints.Location {
    if !locations.mountPoints.knows(mount) { readMounts() }
    return locations.mountPoints.location(of: real, on: mount)
      ?? MountPoints.Location(device: Array("device \(device)".utf8), path: real)
  }

  func status(of path: BytePath) -> FileStatus? { kernel.status(of: tree.absolute(path)) }

  /// Returns a music folder that lies below the directory, if there is one.
  private mutating func musicFolder(inside path: BytePath, _ status: FolderStatus) -> BytePath? {
    guard let real = kernel.resolved(tree.absolute(path)) else { return nil }
    let location = location(of: real, status.mount, status.device)
    let (root, kernel) = (tree.root, kernel)
    // The other music folders are located by their paths alone: they might not answer.
    return locations.musicFolder(
      inside: location,
      of: (settings.musicFolders + [root]).map { folder in
        (folder, folder == root ? kernel.resolved(root) ?? root : folder)
      })
  }

  /// Reads the mount table. Everything is scanned if a mount came or went in the music folder, in
  /// the targets of its links, or in what these lie on. Other mounts cost nothing.
  mutating func readMounts() {
    guard let text = kernel.mountTable() else { return }
    let former = locations.mountPoints
    locations = Locations(mountPoints: MountPoints(text))
    // A root that was never seen may be a link to a drive.
    let real = rootWatch.resolved ?? kernel.target(of: tree.root)
    var places: Set<BytePath> = [tree.root, real]
    places.formUnion(session.links.mountedPlaces)
    guard locations.mountPoints.concerning(places) != former.concerning(places) else { return }
    scanAll(because: .mountsChanged)
    rootWatch.mountsChanged()
  }
}

extension Catalogue {
  /// Whether the directory is reached by a link or mount of its own, not just through its parent.
  func isPortal(_ folder: ID, _ status: FolderStatus) -> Bool {
    let known = self[folder]
    return Self.isPortal(status, isLink: known.isLink, below: self[known.parent].status)
  }

  /// - Parameter above: the status of the directory above at its last scan; nil if there was none.
  static func isPortal(
    _ status: FolderStatus, isLink: Bool, below above: FolderStatus?
  ) -> Bool {
    guard let above, !isLink else { return true }
    return above.mount != status.mount || above.device != status.device
  }
}

extension Inode {
  init(_ status: FileStatus) {
    self.init(device: status.device, inode: status.inode)
  }
}
