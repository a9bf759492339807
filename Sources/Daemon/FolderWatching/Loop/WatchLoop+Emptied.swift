import LibraryModel

/// Empty is not gone: a disk or a server that is missing may leave an empty directory behind, which
/// has the identity of the full one.
extension WatchLoop {
  /// Asked before anything is told to have vanished of which no event told.
  ///
  /// - Parameter waited: how long what is about to be told has been absent.
  func checkMissing(_ waited: Int64) -> Bool {
    let isUntold =
      rootWatch.deletions == .untold || (rootWatch.deletions == .told && !coverage.isWhole)
    guard isUntold, absent.isAnyOver(after: waited, at: now) else { return true }
    keepEmptied()
    guard absent.hasKnown, isMostMissing else { return true }
    let sample = sampleKnownPaths()
    guard 2 * sample.there < sample.tried else { return true }
    follow(rootWatch.emptied(at: now, name: root.display))
    return false
  }

  /// Whether the folder has fewer than half as many files as were known in it, what is on absent
  /// mounts aside. Files that were moved inside it are there.
  private var isMostMissing: Bool {
    let (there, offline) = countFiles(in: .root)
    return 2 * there < walk.knownFiles - offline
  }

  private func countFiles(in folder: Catalogue.ID) -> (there: Int, offline: Int) {
    var (there, offline) = (0, 0)
    for folder in catalogue.subtree(folder) {
      let count = catalogue[folder].files.count
      let away = catalogue[folder].status == nil ? count : strays[folder]?.count ?? 0
      there += count - away
      offline += away
    }
    return (there, offline)
  }

  // MARK: Links and mounts inside

  /// Makes the absent files of links and mounts offline in which fewer than half of the known ones
  /// are. They stay so until they are seen, or `acceptEmptied` says that they are gone.
  private func keepEmptied() {
    let portals = portals
    if portals.isEmpty { return }
    var absentFiles: [BytePath: [BytePath]] = [:]
    for path in absent.all {
      var place = path.parent
      while portals[place] == nil, !place.isEmpty { place = place.parent }
      if portals[place] != nil { absentFiles[place, default: []].append(path) }
    }
    for (place, paths) in absentFiles.sorted(by: { $0.key < $1.key }) {
      guard let portal = portals[place], mayBeEmptied(portal, place) else { continue }
      let present = contents(of: portal)
      // One that was moved inside is there.
      let missing = paths.count { path in
        absent[path]?.facts.map { !present.contains($0.stamp.contents) } ?? true
      }
      guard countFiles(in: portal).there < missing else { continue }
      emptied.insert(place)
      // A later run has to know what is missing from it.
      following { $0.hold(catalogue[portal].mount) }
      batch.note(emptiedProblem(place), at: absolute(place))
      keepEmptied(paths)
    }
  }

  /// The directories that links or mounts lead to, as far as they were listed, by their paths.
  private var portals: [BytePath: Catalogue.ID] {
    var portals: [BytePath: Catalogue.ID] = [:]
    for folder in catalogue.subtree(.root) where folder != .root {
      guard let status = catalogue[folder].status,
        let above = catalogue[catalogue[folder].parent].status
      else { continue }
      if Self.isPortal(status, isLink: catalogue[folder].isLink, below: above) {
        portals[catalogue.path(of: folder)] = folder
      }
    }
    return portals
  }

  private func mayBeEmptied(_ portal: Catalogue.ID, _ place: BytePath) -> Bool {
    if acceptedPlaces.contains(place) { return false }
    return rootWatch.deletions == .untold
      || catalogue.subtree(portal).contains { !coverage.isTold($0) }
  }

  private func contents(of folder: Catalogue.ID) -> Set<FileStamp> {
    let folders = catalogue.subtree(folder)
    return Set(folders.flatMap { catalogue[$0].files.compactMap(\.state.stamp?.contents) })
  }

  private func keepEmptied(_ paths: [BytePath]) {
    var away: [BytePath: Set<BytePath>] = [:]
    for path in paths {
      keep(path, absent.remove(path)?.facts)
      guard let folder = catalogue.find(path.parent) else { continue }
      strays[folder, default: [:]][path.name] = .emptied
      // Where the directory is missing, too, it is the uppermost that is.
      var place = path
      while let above = catalogue.find(place.parent), catalogue[above].status == nil {
        place = place.parent
      }
      away[place.parent, default: []].insert(place)
    }
    offlinePlaces.merge(away) { $0.union($1) }
  }

  func emptiedProblem(_ place: BytePath) -> FileProblem {
    FileProblem(
      .folder,
      "fewer than half of its songs are in it: is a disk or a server behind it missing? If they"
        + " were deleted: crate rescan \(absolute(place).display)")
  }

  /// A person says that what is missing there is gone.
  func acceptEmptied(_ place: BytePath) {
    guard emptied.contains(place) else { return }
    acceptedPlaces.insert(place)
    forgetEmptied(place)
  }

  /// After a look: what is missing is gone where most is there again.
  func checkEmptied() {
    for place in emptied {
      guard let portal = catalogue.find(place) else {
        emptied.remove(place)
        continue
      }
      let kept = emptiedFiles(in: portal).reduce(0) { $0 + $1.names.count }
      if countFiles(in: portal).there >= kept { forgetEmptied(place) }
    }
  }

  /// What is missing there is as what is missing anywhere.
  private func forgetEmptied(_ place: BytePath) {
    emptied.remove(place)
    batch.clearProblem(at: absolute(place))
    guard let portal = catalogue.find(place) else { return }
    let mount = catalogue[portal].mount
    for (folder, names) in emptiedFiles(in: portal) {
      for name in names { strays[folder]?[name] = mount }
    }
    pending.note([.other, .subtree], in: place, at: now)
  }

  private func emptiedFiles(
    in portal: Catalogue.ID
  ) -> [(folder: Catalogue.ID, names: [[UInt8]])] {
    catalogue.subtree(portal).compactMap { folder in
      let names = strays[folder]?.filter { $0.value == .emptied }.map(\.key) ?? []
      return names.isEmpty ? nil : (folder, names)
    }
  }
}

extension FileStamp {
  /// The same whatever the file is called: to rename it sets the time of its last change.
  fileprivate var contents: FileStamp {
    FileStamp(identity: identity, size: size, modified: modified, changed: 0)
  }
}
