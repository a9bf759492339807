import LibraryModel

/// Empty is not gone: a disk or a server that is missing may leave an empty directory behind, which
/// has the identity of the full one.
extension WatchCore {
  /// Asked before anything is told to have vanished of which no event told.
  ///
  /// - Parameter waited: how long what is about to be told has been absent.
  mutating func checkMissing(_ waited: Int64) -> Bool {
    let isUntold =
      rootWatch.deletions == .untold
      || (rootWatch.deletions == .told && !session.watching.coverage.isWhole)
    guard isUntold, tree.absent.isAnyOver(after: waited, at: now) else { return true }
    keepEmptied()
    guard tree.absent.hasKnown, isMostMissing else { return true }
    let sample = Self.sample(of: tree, kernel)
    guard 2 * sample.there < sample.tried else { return true }
    follow(rootWatch.emptied(at: now, name: tree.root.display))
    return false
  }

  /// Whether the folder has fewer than half as many files as were known in it, what is on absent
  /// mounts aside. Files that were moved inside it are there.
  private var isMostMissing: Bool {
    let (there, offline) = tree.countFiles(in: .root)
    return 2 * there < session.progress.knownFiles - offline
  }

  // MARK: Links and mounts inside

  /// Makes the absent files of links and mounts offline in which fewer than half of the known ones
  /// are. They stay so until they are seen, or `acceptEmptied` says that they are gone.
  private mutating func keepEmptied() {
    let portals = portals
    if portals.isEmpty { return }
    var absentFiles: [BytePath: [BytePath]] = [:]
    for path in tree.absent.all {
      var place = path.parent
      while portals[place] == nil, !place.isEmpty { place = place.parent }
      if portals[place] != nil { absentFiles[place, default: []].append(path) }
    }
    for (place, paths) in absentFiles.sorted(by: { $0.key < $1.key }) {
      guard let portal = portals[place], mayBeEmptied(portal, place) else { continue }
      let present = contents(of: portal)
      // One that was moved inside is there.
      let missing = paths.count { path in
        tree.absent[path]?.facts.map { !present.contains($0.stamp.contents) } ?? true
      }
      guard tree.countFiles(in: portal).there < missing else { continue }
      tree.mounts.emptied.insert(place)
      // A later run has to know what is missing from it.
      let mount = tree.catalogue[portal].mount
      tree.mounts.following { $0.hold(mount) }
      outbox.batch.note(emptiedProblem(place), at: tree.absolute(place))
      keepEmptied(paths)
    }
  }

  /// The directories that links or mounts lead to, as far as they were listed, by their paths.
  private var portals: [BytePath: Catalogue.ID] {
    var portals: [BytePath: Catalogue.ID] = [:]
    let catalogue = tree.catalogue
    for folder in catalogue.subtree(.root) where folder != .root {
      guard let status = catalogue[folder].status, catalogue[catalogue[folder].parent].status != nil
      else { continue }
      if catalogue.isPortal(folder, status) { portals[catalogue.path(of: folder)] = folder }
    }
    return portals
  }

  private func mayBeEmptied(_ portal: Catalogue.ID, _ place: BytePath) -> Bool {
    if tree.mounts.accepted.contains(place) { return false }
    let coverage = session.watching.coverage
    return rootWatch.deletions == .untold
      || tree.catalogue.subtree(portal).contains { !coverage.isTold($0) }
  }

  private func contents(of folder: Catalogue.ID) -> Set<FileStamp> {
    let folders = tree.catalogue.subtree(folder)
    return Set(
      folders.flatMap { tree.catalogue[$0].files.compactMap(\.state.stamp?.contents) })
  }

  private mutating func keepEmptied(_ paths: [BytePath]) {
    var away: [BytePath: Set<BytePath>] = [:]
    for path in paths {
      tree.keep(path, tree.absent.remove(path)?.facts)
      guard let folder = tree.catalogue.find(path.parent) else { continue }
      tree.mounts.set(.emptied, of: path.name, in: folder)
      // Where the directory is missing, too, it is the uppermost that is.
      var place = path
      while let above = tree.catalogue.find(place.parent), tree.catalogue[above].status == nil {
        place = place.parent
      }
      away[place.parent, default: []].insert(place)
    }
    tree.offlinePlaces.merge(away) { $0.union($1) }
  }

  func emptiedProblem(_ place: BytePath) -> FileProblem {
    FileProblem(
      .folder,
      "fewer than half of its songs are in it: is a disk or a server behind it missing? If they"
        + " were deleted: crate rescan \(tree.absolute(place).display)")
  }

  /// A person says that what is missing there is gone.
  mutating func acceptEmptied(_ place: BytePath) {
    guard tree.mounts.emptied.contains(place) else { return }
    tree.mounts.accepted.insert(place)
    forgetEmptied(place)
  }

  /// After a scan: what is missing is gone where most is there again.
  mutating func checkEmptied() {
    for place in tree.mounts.emptied {
      guard let portal = tree.catalogue.find(place) else {
        tree.mounts.emptied.remove(place)
        continue
      }
      let kept = tree.mounts.emptiedFiles(in: portal, tree.catalogue)
        .reduce(0) { $0 + $1.names.count }
      if tree.countFiles(in: portal).there >= kept { forgetEmptied(place) }
    }
  }

  /// What is missing there is as what is missing anywhere.
  private mutating func forgetEmptied(_ place: BytePath) {
    tree.mounts.emptied.remove(place)
    outbox.batch.clearProblem(at: tree.absolute(place))
    guard let portal = tree.catalogue.find(place) else { return }
    let mount = tree.catalogue[portal].mount
    for (folder, names) in tree.mounts.emptiedFiles(in: portal, tree.catalogue) {
      for name in names { tree.mounts.set(mount, of: name, in: folder) }
    }
    note([.other, .subtree], in: place)
  }
}

extension FileStamp {
  /// The same whatever the file is called: to rename it sets the time of its last change.
  fileprivate var contents: FileStamp {
    FileStamp(identity: identity, size: size, modified: modified, changed: 0)
  }
}
