import LibraryModel

/// The mounts that files of one music folder were seen on. A file is gone only if a listing of the
/// mount it was last seen on lacks it. Whatever is mounted over that mount, or remains in its
/// place, says nothing. Pure; paths are relative to the music folder.
struct KnownMounts {
  struct ID: Hashable {
    fileprivate let index: Int32

    /// The mount that the music folder's root lies on, whichever that is at the time.
    static let root = ID(index: 0)
    static let unknown = ID(index: -1)
    /// The mount of files that were missing along with most files of a link or a mount, or that may
    /// have been on one of several drives. They count as missing from no listing until they are
    /// seen again.
    static let emptied = ID(index: -2)
  }

  /// The maximum number of IDs. Further mounts are told apart by their file systems alone.
  static let most = 1_024

  /// The file system of each number, from 1.
  private var systems: [InnerFileSystem] = []
  private var ids: [InnerFileSystem: ID] = [:]
  /// The file systems that tell which mount a file was on if nothing else is known of it: volumes,
  /// and mounts that files were seen on. A mount without files covers what was there before and
  /// says nothing about it.
  private(set) var remembered: Set<InnerFileSystem> = []
  /// The file systems that the root was on when the files were last seen.
  private var rootSystems: Set<UInt64> = []

  /// - Parameters:
  ///   - remembered: the file systems of an earlier run.
  ///   - rootSystem: the file system of the root in that run.
  init(_ remembered: some Sequence<InnerFileSystem> = [], rootSystem: UInt64? = nil) {
    for system in remembered { hold(note(system)) }
    if let rootSystem { rootSystems.insert(rootSystem) }
  }

  /// Registers a mount and returns its number; `unknown` if there are too many.
  @discardableResult
  mutating func note(_ system: InnerFileSystem) -> ID {
    if system.kind == .volume, remembered.count < Self.most { remembered.insert(system) }
    if let id = ids[system] { return id }
    guard systems.count < Self.most else { return .unknown }
    systems.append(system)
    let id = ID(index: Int32(systems.count))
    ids[system] = id
    return id
  }

  /// Records that files were seen on the mount.
  mutating func hold(_ id: ID) {
    if id.index > 0 { remembered.insert(systems[Int(id.index) - 1]) }
  }

  /// Returns the mount that a directory is on.
  ///
  /// - Parameters:
  ///   - above: the status of its parent, and the mount that this is on.
  mutating func mount(
    of path: BytePath, _ status: FolderStatus, isLink: Bool,
    above: (status: FolderStatus, mount: ID)
  ) -> ID {
    var isOther = above.status.mount != status.mount
    // Without mount numbers from the kernel, the devices tell mounts apart.
    if status.mount == 0 { isOther = above.status.device != status.device }
    func system(_ kind: InnerFileSystem.Kind) -> InnerFileSystem {
      InnerFileSystem(
        kind, at: path, fileSystem: status.systemID, inode: isLink ? 0 : status.inode,
        isInStamps: status.hasStableInodes)
    }
    if isOther { return note(system(isLink ? .link : .mount)) }
    if !isLink, above.status.fileSystem != status.fileSystem { note(system(.volume)) }
    return above.mount
  }

  /// Returns the mount of a file that was not seen in this run yet.
  ///
  /// - Parameters:
  ///   - folder: the directory that it was in.
  ///   - stamped: the file system in its stamp; nil if nothing is known of it.
  ///   - root: the file system in the stamps of files on the root's file system.
  func home(in folder: BytePath, stamped: UInt64?, root: UInt64?) -> ID {
    let above = remembered.filter { folder.isInside($0.path) }
      .sorted { ($1.path, $0.fileSystem, $0.inode) < ($0.path, $1.fileSystem, $1.inode) }
    let fitting = above.filter { system in
      stamped.map { system.stamped == $0 } ?? (system.kind != .volume)
    }
    guard let found = fitting.first else {
      guard let stamped, stamped != root, !rootSystems.contains(stamped) else { return .root }
      return .unknown
    }
    // Drives were used in turn at one place, and nothing tells which one had the file.
    if stamped == nil, fitting.dropFirst().first?.path == found.path { return .emptied }
    if found.kind != .volume { return ids[found] ?? .unknown }
    let around = above.first { $0.kind != .volume && found.path.isInside($0.path) }
    return around.flatMap { ids[$0] } ?? .root
  }

  /// Returns all mounts that a link at the path ever led to.
  func links(at path: BytePath) -> Set<ID> {
    Set(systems.lazy.filter { $0.kind == .link && $0.path == path }.compactMap { ids[$0] })
  }

  /// The paths of links that led to other mounts.
  var links: [BytePath] { systems.filter { $0.kind == .link }.map(\.path) }

  /// Forgets mounts that hold no files and are not needed.
  mutating func keepOnly(_ used: Set<ID>, orWhere isNeeded: (InnerFileSystem) -> Bool) {
    remembered = remembered.filter { system in
      let isUsed = system.kind != .volume && ids[system].map(used.contains) ?? false
      return isUsed || isNeeded(system)
    }
  }
}
