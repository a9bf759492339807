import LibraryModel

/// The mounts that files of one music folder were seen on. A file is gone only where a listing of
/// the mount it was last seen on lacks it: whatever is mounted over that mount, or left where it
/// was, says nothing. Pure; paths are relative to the music folder.
struct KnownMounts {
  struct ID: Hashable {
    fileprivate let index: Int32

    /// The one that the music folder's root lies on, whichever that is at the time.
    static let root = ID(index: 0)
    static let unknown = ID(index: -1)
    /// That of files which were missing from a link or a mount with most of what was known there:
    /// no listing lacks them, until they are seen again.
    static let emptied = ID(index: -2)
  }

  /// Beyond it mounts are told apart by their file systems alone.
  static let most = 1_024

  /// The file system of each number, from 1.
  private var systems: [InnerFileSystem] = []
  private var ids: [InnerFileSystem: ID] = [:]
  /// File systems that tell where a file was of which nothing else is known: volumes, and mounts
  /// that files were seen on. A mount that holds none covers what was there, and says nothing of
  /// it.
  private(set) var remembered: Set<InnerFileSystem> = []
  /// File systems that the root was on when the files were last seen.
  private var rootSystems: Set<UInt64> = []

  /// - Parameters:
  ///   - remembered: from an earlier run.
  ///   - rootSystem: which one the root lay on then.
  init(_ remembered: some Sequence<InnerFileSystem> = [], rootSystem: UInt64? = nil) {
    for system in remembered { hold(note(system)) }
    if let rootSystem { rootSystems.insert(rootSystem) }
  }

  /// The number of what begins there; unknown where there are too many.
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

  /// Files were seen on it.
  mutating func hold(_ id: ID) {
    if id.index > 0 { remembered.insert(systems[Int(id.index) - 1]) }
  }

  /// Which mount a directory is on.
  ///
  /// - Parameters:
  ///   - above: what its parent is, and which mount that is on.
  mutating func mount(
    of path: BytePath, _ status: FolderStatus, isLink: Bool,
    above: (status: FolderStatus, mount: ID)
  ) -> ID {
    var isOther = above.status.mount != status.mount
    // Devices tell mounts apart where the kernel does not number them.
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

  /// The mount of a file that was not seen in this run yet.
  ///
  /// - Parameters:
  ///   - folder: where it was.
  ///   - stamped: the file system of its stamp; nil where nothing is known of it.
  ///   - root: what stamps of files on the root's file system say.
  func home(in folder: BytePath, stamped: UInt64?, root: UInt64?) -> ID {
    let above = remembered.filter { folder.isInside($0.path) }.sorted { $0.path > $1.path }
    let found = above.first { system in
      stamped.map { system.stamped == $0 } ?? (system.kind != .volume)
    }
    guard let found else {
      guard let stamped, stamped != root, !rootSystems.contains(stamped) else { return .root }
      return .unknown
    }
    if found.kind != .volume { return ids[found] ?? .unknown }
    let around = above.first { $0.kind != .volume && found.path.isInside($0.path) }
    return around.flatMap { ids[$0] } ?? .root
  }

  /// What a link at the path ever led to.
  func links(at path: BytePath) -> Set<ID> {
    Set(systems.lazy.filter { $0.kind == .link && $0.path == path }.compactMap { ids[$0] })
  }

  /// Where links led to other mounts.
  var links: [BytePath] { systems.filter { $0.kind == .link }.map(\.path) }

  /// Forgets what no file is on and nothing is at any more.
  mutating func keepOnly(_ used: Set<ID>, orWhere isNeeded: (InnerFileSystem) -> Bool) {
    remembered = remembered.filter { system in
      let isUsed = system.kind != .volume && ids[system].map(used.contains) ?? false
      return isUsed || isNeeded(system)
    }
  }
}
