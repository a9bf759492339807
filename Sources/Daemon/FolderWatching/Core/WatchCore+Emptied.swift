import LibraryModel

/// Handles emptied directories. A disk or server that is missing may leave an empty directory
/// behind that has the identity of the full one. So its files don't count as deleted.
extension WatchCore {
  /// Returns whether missing files may be reported as vanished. Files for whose deletion there may
  /// have been no event become offline instead if a disk or server seems to be missing.
  ///
  /// - Parameter waited: how long the files to be reported have been absent.
  mutating func checkMissing(_ waited: Int64) -> Bool {
    let isUntold =
      rootWatch.deletions == .untold
      || (rootWatch.deletions == .told && !session.watching.coverage.isWhole)
    guard isUntold, tree.absent.isAnyOver(after: waited, at: now) else { return true }
    keepEmptied()
    guard isMostMissing else { return true }
    let sample = Self.sample(of: tree, kernel)
    guard 2 * sample.there < sample.tried else { return true }
    follow(rootWatch.emptied(at: now, name: tree.root.display))
    return false
  }

  /// Whether the folder has fewer than half of the known files, apart from those on absent mounts.
  /// Files that were moved inside it count as present.
  private var isMostMissing: Bool {
    let (there, offline) = tree.countFiles(in: .root)
    return 2 * there < session.progress.knownFiles - offline
  }

  // MARK: Links and mounts inside

  /// Makes absent files offline if they belong to a link or mount with fewer than half of its known
  /// files. They stay offline until they are seen, or until `acceptEmptied` declares them gone.
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
      // A file that was moved inside counts as present.
      let missing = paths.count { path in
        tree.absent[path]?.facts.map { !present.contains($0.stamp.contents) } ?? true
      }
      guard tree.countFiles(in: portal).there < missing else { continue }
      tree.mounts.emptied.insert(place)
      // A later run must know the mount that files are missing from.
      let mount = tree.catalogue[portal].mount
      tree.mounts.following { $0.hold(mount) }
      outbox.batch.note(emptiedProblem(place), at: tree.absolute(place))
      keepEmptied(paths)
    }
  }

  /// The directories that links or mounts lead to, by their paths, if they were listed.
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
      tree.keep(path, tree.absent.remove(path)?.toldFacts)
      guard let folder = tree.catalogue.find(path.parent) else { continue }
      tree.mounts.set(.emptied, of: path.name, in: folder)
      // If the directory is missing too, the topmost missing one is offline.
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

  /// Declares the files that are missing there gone, on the user's request.
  mutating func acceptEmptied(_ place: BytePath) {
    guard tree.mounts.emptied.contains(place) else { return }
    tree.mounts.accepted.insert(place)
    forgetEmptied(place)
  }

  /// Ends the emptied state, after a scan, where most files are present again. The rest then counts
  /// as gone.
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

  /// Treats the files missing there like files that are missing anywhere.
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
  /// The stamp without the change time, which a rename of the file sets.
  fileprivate var contents: FileStamp {
    FileStamp(identity: identity, size: size, modified: modified, changed: 0)
  }
}
