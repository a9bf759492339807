import LibraryModel

/// Decides by which path each directory and file is followed if symbolic links or mounts lead to it
/// by several, and which directories are not followed. Pure: what the kernel says is passed in.
///
/// An inode number only shows what is worth comparing. Two file systems under one FUSE mount may
/// both begin with number 1. So two paths are one directory only if one of them leads through a
/// link or begins a mount, and both lie at the same `MountPoints.Location`.
struct Paths {
  /// Why a directory is not followed.
  enum Skip: Equatable {
    case sameAs(BytePath)
    case above(BytePath)
    case ofKernel
  }

  /// The directories with one inode number.
  private struct Owners {
    var latest: Catalogue.ID
    var latestIsPortal: Bool
    /// Whether each begins a mount, or is behind a link.
    var others: [Catalogue.ID: Bool] = [:]
  }

  private var owners: [Inode: Owners] = [:]
  private var inodes: [Catalogue.ID: Inode] = [:]
  private var links: [Inode: Set<BytePath>] = [:]
  private var inodesOfLinks: [BytePath: Inode] = [:]

  // MARK: Directories

  /// Records that a directory is scanned. Returns the folders that may be the same directory, which
  /// their locations tell. Also returns the last folder with this inode if it cannot be the same:
  /// it may have been moved.
  mutating func enter(
    _ folder: Catalogue.ID, _ inode: Inode, isPortal: Bool
  ) -> (rivals: [Catalogue.ID], earlier: Catalogue.ID?) {
    if inodes[folder] != inode { leave(folder) }
    inodes[folder] = inode
    guard var known = owners[inode] else {
      owners[inode] = Owners(latest: folder, latestIsPortal: isPortal)
      return ([], nil)
    }
    if known.latest == folder {
      known.latestIsPortal = isPortal
    } else {
      known.others[known.latest] = known.latestIsPortal
      known.others[folder] = nil
      known.latest = folder
      known.latestIsPortal = isPortal
    }
    let earlier = owners[inode]?.latest
    owners[inode] = known
    let rivals = known.others.filter { isPortal || $0.value }.keys.sorted { $0.index < $1.index }
    return (rivals, earlier == folder || earlier.map(rivals.contains) == true ? nil : earlier)
  }

  mutating func leave(_ folder: Catalogue.ID) {
    guard let inode = inodes.removeValue(forKey: folder), var known = owners[inode] else { return }
    if known.latest == folder {
      guard let other = known.others.popFirst() else { return owners[inode] = nil }
      (known.latest, known.latestIsPortal) = other
    } else {
      known.others[folder] = nil
    }
    owners[inode] = known
  }

  // MARK: Files

  var hasLinks: Bool { !links.isEmpty }

  /// Returns the links to a file with this number.
  func links(to inode: Inode) -> Set<BytePath> { links[inode] ?? [] }

  /// Records a link. Returns whether it led to another file until now.
  mutating func noteLink(_ path: BytePath, to inode: Inode) -> Bool {
    let ledElsewhere = inodesOfLinks[path] != inode && forgetLink(path)
    inodesOfLinks[path] = inode
    links[inode, default: []].insert(path)
    return ledElsewhere
  }

  /// Forgets a link. Returns whether the path was one.
  mutating func forgetLink(_ path: BytePath) -> Bool {
    guard let inode = inodesOfLinks.removeValue(forKey: path) else { return false }
    links[inode]?.remove(path)
    if links[inode]?.isEmpty == true { links[inode] = nil }
    return true
  }
}

extension Paths.Skip {
  /// - Parameter root: the path of the music folder.
  func problem(root: BytePath) -> FileProblem {
    switch self {
    case .sameAs(let path):
      FileProblem(
        .skippedFolder,
        "is the same directory as \(root.appending(path).display), and its songs are listed there")
    case .above(let folder):
      FileProblem(
        .skippedFolder,
        "is not followed, because the music folder \(folder.display) lies inside it: link to the"
          + " directories that have music")
    case .ofKernel:
      FileProblem(
        .skippedFolder,
        "is not followed, because it leads to the kernel's own files (/proc, /sys), where no music"
          + " is")
    }
  }
}
