import LibraryModel

/// Rescans. A rescan relies neither on what the watcher believes it has reported, nor on the events
/// that it believes it has received.
extension WatchCore {
  /// Compares the catalogue with what the library knows of the files at and below the rescanned
  /// places. The scan that follows reads and reports the differences again, or finds the files
  /// missing.
  mutating func compareWithLibrary(_ known: [KnownFile]) {
    guard isOnline else { return }
    // Several clients may rescan the same place, and each file is compared once.
    let all = Set(waiters.rescans)
    let places = all.filter { place in
      !all.contains { $0 != place && place.isInside($0) }
    }
    let root = tree.root
    let agreement = Agreement(of: tree.catalogue, with: known, below: root)
    let isAll = places.contains(where: \.isEmpty)
    let wanted = agreement.others.filter { file in
      isAll || file.path.relative(to: root).map { places.contains(where: $0.isInside) } ?? false
    }
    var inFolders: [Catalogue.ID: KnownFiles.Names] = [:]
    var elsewhere: [(BytePath, KnownFiles.Names)] = []
    for (path, files) in KnownFiles.byFolder(wanted, below: root) {
      if let folder = tree.catalogue.find(path) {
        inFolders[folder] = files
      } else {
        elsewhere.append((path, files))
      }
    }
    for place in places {
      if let folder = tree.catalogue.find(place) {
        for folder in tree.catalogue.subtree(folder) where !agreement.isWhole(folder) {
          compare(folder, with: inFolders[folder] ?? [])
        }
      } else if let folder = tree.catalogue.find(place.parent), !agreement.isWhole(folder) {
        compare(folder, with: inFolders[folder] ?? [], only: place.name)
      }
    }
    // The catalogue knows nothing of these directories.
    for (path, files) in elsewhere {
      for file in files where tree.absent[path.appending(file.name)] == nil {
        tree.keep(path.appending(file.name), file.facts)
      }
    }
  }

  private mutating func compare(
    _ folder: Catalogue.ID, with known: KnownFiles.Names, only name: [UInt8]? = nil
  ) {
    let path = tree.catalogue.path(of: folder)
    let files = tree.catalogue[folder].files
    var next = 0
    func isWanted(_ other: [UInt8]) -> Bool { name == nil || other == name }
    var unheard: KnownFiles.Names = []
    for file in files {
      while next < known.count, known[next].name.lexicographicallyPrecedes(file.name) {
        unheard.append(known[next])
        next += 1
      }
      var inLibrary: FileFacts??
      while next < known.count, known[next].name == file.name {
        inLibrary = .some(known[next].facts)
        next += 1
      }
      if isWanted(file.name) { compare(file, in: folder, with: inLibrary) }
    }
    unheard += known[next...]
    for file in unheard where isWanted(file.name) {
      let path = path.appending(file.name)
      if tree.absent[path] == nil { tree.keep(path, file.facts) }
    }
  }

  private mutating func compare(
    _ file: Catalogue.File, in folder: Catalogue.ID, with inLibrary: FileFacts??
  ) {
    switch (file.state, inLibrary) {
    case (.settled(let facts), .some(let other)):
      // Usually this is the very same value, which needs no unpacking.
      if other == facts || other?.stamp == facts.stamp { return }
      reads.forget(FileKey(folder: folder, name: file.name))
      let unread = Catalogue.Unsettled(facts: other, isSong: true, stamp: nil)
      tree.catalogue.setState(.unsettled(unread), file.name, in: folder)
    case (.settled, nil):
      reads.forget(FileKey(folder: folder, name: file.name))
      tree.catalogue.setState(nil, file.name, in: folder)
      tree.mounts.forget(file.name, in: folder)
    case (.unsettled(var unsettled), .some(let other)):
      unsettled.isSong = true
      unsettled.facts = unsettled.facts ?? other
      tree.catalogue.setState(.unsettled(unsettled), file.name, in: folder)
    case (.unsettled(var unsettled), nil):
      unsettled.isSong = false
      unsettled.facts = nil
      tree.catalogue.setState(.unsettled(unsettled), file.name, in: folder)
    }
  }
}
