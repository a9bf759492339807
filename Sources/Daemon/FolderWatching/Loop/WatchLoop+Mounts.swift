import LibraryModel

/// Which mount each file was last seen on, and so whether it is gone or offline when it is missing.
extension WatchLoop {
  /// What a file is missing from.
  struct Lack {
    /// The mounts of the listing that lacks it.
    var mounts: Set<KnownMounts.ID>
    /// As in the stamps of files there.
    var fileSystem: UInt64
    /// Another path leads to what was there: it is followed by that one.
    var isFollowed = false
  }

  /// Which mount the directory that is being looked at is on.
  func currentMount(
    of folder: Catalogue.ID, _ path: BytePath, _ status: FolderStatus
  ) -> KnownMounts.ID {
    if folder == .root { return .root }
    let parent = catalogue[catalogue[folder].parent]
    guard let above = parent.status else { return catalogue[folder].mount }
    return following { mounts in
      mounts.mount(
        of: path, status, isLink: catalogue[folder].isLink, above: (above, parent.mount))
    }
  }

  /// Whether something was mounted over the directory above, or taken from it, since that was
  /// looked at: this one is on another mount, which doesn't begin here. What it is on is not known
  /// then.
  func isCoveredSince(_ folder: Catalogue.ID, _ status: FolderStatus) -> Bool {
    let parent = catalogue[catalogue[folder].parent]
    guard let above = parent.status, !parent.isUnreadable, !catalogue[folder].isLink,
      status.isMountRoot == false
    else { return false }
    // A kernel that says where mounts begin numbers them, too.
    return above.mount != status.mount
  }

  /// Files were seen on the mount of the directory that is being looked at.
  func holdMount() { following { $0.hold(walk.mount) } }

  /// Does something that may bring a mount that is to be remembered.
  func following<Result>(_ change: (inout KnownMounts) -> Result) -> Result {
    let count = knownMounts.remembered.count
    defer { if knownMounts.remembered.count != count { innerFileSystems = nil } }
    return change(&knownMounts)
  }

  /// The mount that the file was last seen on.
  func home(_ name: [UInt8], _ state: Catalogue.State, in folder: Catalogue.ID)
    -> KnownMounts.ID
  {
    let noted = strays[folder]?[name] ?? catalogue[folder].mount
    if noted != .unknown { return noted }
    return knownMounts.home(
      in: catalogue.path(of: folder), stamped: state.facts?.stamp.identity.fileSystem,
      root: catalogue[.root].status?.fileSystem)
  }

  /// Whether a file that is missing is so because its mount is.
  func isOffline(
    _ name: [UInt8], _ state: Catalogue.State, in folder: Catalogue.ID, _ lack: Lack
  ) -> Bool {
    guard state.isSong else { return false }
    if lack.isFollowed { return strays[folder]?[name] != nil }
    let home = home(name, state, in: folder)
    if home == .emptied { return !lack.mounts.contains(.emptied) }
    if home != .unknown, lack.mounts.contains(home) { return false }
    guard home == .unknown || lack.mounts.contains(.unknown) else { return true }
    return state.facts.map { $0.stamp.identity.fileSystem != lack.fileSystem } ?? false
  }

  /// Where nothing but what is remembered of mounts tells a file's home, it is noted with the file.
  func keepHome(_ name: [UInt8], _ state: Catalogue.State, in folder: Catalogue.ID) {
    guard catalogue[folder].mount == .unknown else { return }
    strays[folder, default: [:]][name] = home(name, state, in: folder)
  }

  /// The directory was listed: what is in it is on its mount, and only what is away, or could not
  /// be seen, may be on others.
  func settleMount(of folder: Catalogue.ID, away names: [[UInt8]]) {
    var homes: [[UInt8]: KnownMounts.ID] = [:]
    for name in names {
      guard let state = catalogue.state(name, in: folder), state.isSong else { continue }
      let home = home(name, state, in: folder)
      if home != walk.mount || home == .unknown { homes[name] = home }
    }
    strays[folder] = homes.isEmpty ? nil : homes
    catalogue[folder].mount = walk.mount
  }

  /// After a full look: mounts on which nothing is any more are not remembered.
  func forgetMounts() {
    var used: Set<KnownMounts.ID> = []
    for id in catalogue.subtree(.root)
    where catalogue[id].files.count > strays[id]?.count ?? 0 {
      used.insert(catalogue[id].mount)
    }
    for homes in strays.values { used.formUnion(homes.values) }
    // Where files are missing, which a later run has to know.
    for folder in emptied.compactMap(catalogue.find) { used.insert(catalogue[folder].mount) }
    knownMounts.keepOnly(used) { system in
      guard let folder = catalogue.find(system.path) else { return false }
      return system.kind == .volume || catalogue.subtree(folder).contains(where: isUnseen)
    }
    innerFileSystems = nil
  }

  /// Whether what is remembered of mounts may have to tell where the folder's files were.
  private func isUnseen(_ folder: Catalogue.ID) -> Bool {
    catalogue[folder].mount == .unknown && !catalogue[folder].files.isEmpty
  }

  /// What is to be remembered of mounts, with absolute paths.
  func rememberedMounts() -> [InnerFileSystem] {
    if let innerFileSystems { return innerFileSystems }
    let remembered = knownMounts.remembered.map { system in
      var system = system
      system.path = absolute(system.path)
      return system
    }.sorted {
      ($0.path, $0.fileSystem, $0.inode) < ($1.path, $1.fileSystem, $1.inode)
    }
    innerFileSystems = remembered
    return remembered
  }
}
