import LibraryModel

/// The mounts that files were last seen on, where they differ from the mounts of their directories.
/// Pure; paths are relative to the music folder.
struct LastMounts {
  var known: KnownMounts
  /// Missing files that were last seen on another mount than their directory's present one.
  private(set) var absent: [Catalogue.ID: [[UInt8]: KnownMounts.ID]] = [:]
  /// Links and mounts in which fewer than half of the known files were found.
  var emptied: Set<BytePath> = []
  /// Emptied places whose missing files the user has declared gone since.
  var accepted: Set<BytePath> = []
  /// The last result of `remembered(below:)`; nil if it may be out of date.
  private var cached: [InnerFileSystem]?

  /// - Parameter memory: the state of an earlier run, with absolute paths.
  init(_ memory: FolderMemory, root: BytePath) {
    let inside = memory.innerFileSystems.compactMap { system -> InnerFileSystem? in
      guard let path = system.path.relative(to: root), !path.isEmpty else { return nil }
      var system = system
      system.path = path
      return system
    }
    known = KnownMounts(inside, rootSystem: memory.rootIdentity?.fileSystem)
  }

  // MARK: Mounts

  /// Performs a change that may add a mount to remember.
  mutating func following<Result>(_ change: (inout KnownMounts) -> Result) -> Result {
    let count = known.remembered.count
    defer { if known.remembered.count != count { cached = nil } }
    return change(&known)
  }

  /// Returns the mounts to remember, with absolute paths.
  mutating func remembered(below root: BytePath) -> [InnerFileSystem] {
    if let cached { return cached }
    let remembered = known.remembered.map { system in
      var system = system
      system.path = root.appending(system.path)
      return system
    }.sorted {
      ($0.path, $0.fileSystem, $0.inode) < ($1.path, $1.fileSystem, $1.inode)
    }
    cached = remembered
    return remembered
  }

  /// Forgets mounts that hold no files any more. Called after a full scan.
  mutating func forgetUnused(in catalogue: Catalogue) {
    var used: Set<KnownMounts.ID> = []
    for id in catalogue.subtree(.root)
    where catalogue[id].files.count > absent[id]?.count ?? 0 {
      used.insert(catalogue[id].mount)
    }
    for mounts in absent.values { used.formUnion(mounts.values) }
    // A later run must know the mounts that files are missing from.
    for folder in emptied.compactMap(catalogue.find) { used.insert(catalogue[folder].mount) }
    known.keepOnly(used) { system in
      guard let folder = catalogue.find(system.path) else { return false }
      return system.kind == .volume
        || catalogue.subtree(folder).contains { catalogue.hasFilesOnUnknownMount($0) }
    }
    cached = nil
  }

  // MARK: Absent files

  var hasAbsent: Bool { !absent.isEmpty }

  func absentCount(in folder: Catalogue.ID) -> Int { absent[folder]?.count ?? 0 }

  func isAbsent(_ name: [UInt8], in folder: Catalogue.ID) -> Bool { absent[folder]?[name] != nil }

  mutating func set(_ mount: KnownMounts.ID, of name: [UInt8], in folder: Catalogue.ID) {
    absent[folder, default: [:]][name] = mount
  }

  mutating func forget(_ name: [UInt8], in folder: Catalogue.ID) {
    if !absent.isEmpty { absent[folder]?[name] = nil }
  }

  mutating func forget(_ folder: Catalogue.ID) { absent[folder] = nil }

  /// Returns the mount that the file was last seen on.
  func lastMount(
    of name: [UInt8], _ state: Catalogue.State, in folder: Catalogue.ID, _ catalogue: Catalogue
  ) -> KnownMounts.ID {
    let noted = absent[folder]?[name] ?? catalogue[folder].mount
    if noted != .unknown { return noted }
    return known.home(
      in: catalogue.path(of: folder), stamped: state.facts?.stamp.identity.fileSystem,
      root: catalogue[.root].status?.fileSystem)
  }

  /// Records a listing of the directory: its files are on this mount. Only those that are offline
  /// or could not be examined may be on others.
  mutating func settle(
    _ folder: Catalogue.ID, on mount: KnownMounts.ID, away names: [[UInt8]], _ catalogue: Catalogue
  ) {
    var others: [[UInt8]: KnownMounts.ID] = [:]
    for name in names {
      guard let state = catalogue.state(name, in: folder), state.isSong else { continue }
      let last = lastMount(of: name, state, in: folder, catalogue)
      if last != mount || last == .unknown { others[name] = last }
    }
    absent[folder] = others.isEmpty ? nil : others
  }

  // MARK: Emptied places

  /// Returns the files of the place that became offline because most of its files were missing.
  func emptiedFiles(
    in portal: Catalogue.ID, _ catalogue: Catalogue
  ) -> [(folder: Catalogue.ID, names: [[UInt8]])] {
    catalogue.subtree(portal).compactMap { folder in
      let names = absent[folder]?.filter { $0.value == .emptied }.map(\.key) ?? []
      return names.isEmpty ? nil : (folder, names)
    }
  }
}

/// The listing in which a known file did not appear.
struct ListingContext {
  /// The mounts that the listing covered.
  var mounts: Set<KnownMounts.ID>
  /// The file system, as in the stamps of files there.
  var fileSystem: UInt64
  /// Whether the directory is dropped because another path leads to it, or because it is no longer
  /// followed at all.
  var isFollowed = false
}

extension Catalogue {
  /// Whether the folder has files of which only the remembered mounts may tell the mount.
  fileprivate func hasFilesOnUnknownMount(_ folder: ID) -> Bool {
    self[folder].mount == .unknown && !self[folder].files.isEmpty
  }
}
