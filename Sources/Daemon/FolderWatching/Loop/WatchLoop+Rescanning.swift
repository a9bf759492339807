import LibraryModel

/// A rescan relies on nothing: neither on what the watcher believes to have told, nor on what it
/// believes to have heard.
extension WatchLoop {
  /// Puts what the library knows of the files at and below these places beside the catalogue. What
  /// differs is read and told again, or found to be missing, by the look that follows.
  func compareWithLibrary(at places: [BytePath]) {
    flush(withVanished: false)
    guard isOnline else { return }
    // Several may have asked for the same, and each file is compared once.
    let places = Set(places).filter { place in
      !places.contains { $0 != place && place.isInside($0) }
    }
    let agreement = Agreement(of: catalogue, with: known(), below: root)
    let isAll = places.contains(where: \.isEmpty)
    let meant = agreement.others.filter { file in
      isAll || file.path.relative(to: root).map { places.contains(where: $0.isInside) } ?? false
    }
    var inFolders: [Catalogue.ID: KnownNames] = [:]
    var elsewhere: [(BytePath, KnownNames)] = []
    for (path, files) in filesByFolder(meant) {
      if let folder = catalogue.find(path) {
        inFolders[folder] = files
      } else {
        elsewhere.append((path, files))
      }
    }
    for place in places {
      if let folder = catalogue.find(place) {
        for folder in catalogue.subtree(folder) where !agreement.isWhole(folder) {
          compare(folder, with: inFolders[folder] ?? [])
        }
      } else if let folder = catalogue.find(place.parent), !agreement.isWhole(folder) {
        compare(folder, with: inFolders[folder] ?? [], only: place.name)
      }
    }
    // Of these directories nobody ever heard here.
    for (path, files) in elsewhere {
      for file in files where absent[path.appending(file.name)] == nil {
        keep(path.appending(file.name), file.facts)
      }
    }
  }

  /// Files of one folder in the order of their names, with what the library knows of each.
  typealias KnownNames = [(name: [UInt8], facts: FileFacts?)]

  /// The files in this music folder by the directories they lie in, those in the order of their
  /// paths.
  func filesByFolder(_ files: [KnownFile]) -> [(folder: BytePath, files: KnownNames)] {
    var places: [BytePath: Int] = [:]
    var folders: [(folder: BytePath, files: KnownNames)?] = []
    for file in files {
      let beside = file.path.beside
      var place = places[beside]
      if place == nil {
        place = folders.count
        places[beside] = folders.count
        folders.append(file.path.relative(to: root).map { ($0.parent, []) })
      }
      if let place, !file.path.name.isEmpty {
        folders[place]?.files.append((file.path.name, file.facts))
      }
    }
    return folders.compactMap { folder in
      folder.map { folder, files in
        (folder, files.sorted { $0.name.lexicographicallyPrecedes($1.name) })
      }
    }.sorted { $0.folder < $1.folder }
  }

  private func compare(_ folder: Catalogue.ID, with known: KnownNames, only name: [UInt8]? = nil) {
    let path = catalogue.path(of: folder)
    let files = catalogue[folder].files
    var next = 0
    func isMeant(_ other: [UInt8]) -> Bool { name == nil || other == name }
    func takeUnheard() {
      let file = known[next]
      next += 1
      guard isMeant(file.name) else { return }
      let path = path.appending(file.name)
      if absent[path] == nil { keep(path, file.facts) }
    }
    for file in files {
      while next < known.count, known[next].name.lexicographicallyPrecedes(file.name) {
        takeUnheard()
      }
      var inLibrary: FileFacts??
      while next < known.count, known[next].name == file.name {
        inLibrary = .some(known[next].facts)
        next += 1
      }
      if isMeant(file.name) { compare(file, in: folder, with: inLibrary) }
    }
    while next < known.count { takeUnheard() }
  }

  private func compare(
    _ file: Catalogue.File, in folder: Catalogue.ID, with inLibrary: FileFacts??
  ) {
    switch (file.state, inLibrary) {
    case (.settled(let facts), .some(let other)):
      // Mostly the very same value, which costs no unpacking.
      if other == facts || other?.stamp == facts.stamp { return }
      let unread = Catalogue.Unsettled(facts: other, isSong: true, stamp: nil, phase: .unread)
      catalogue.setState(.unsettled(unread), file.name, in: folder)
    case (.settled, nil):
      catalogue.setState(nil, file.name, in: folder)
      strays[folder]?[file.name] = nil
    case (.unsettled(var unsettled), .some(let other)):
      unsettled.isSong = true
      unsettled.facts = unsettled.facts ?? other
      catalogue.setState(.unsettled(unsettled), file.name, in: folder)
    case (.unsettled(var unsettled), nil):
      unsettled.isSong = false
      unsettled.facts = nil
      catalogue.setState(.unsettled(unsettled), file.name, in: folder)
    }
  }
}
