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
    let known = filesOfLibrary(at: places)
    for place in places {
      if let folder = catalogue.find(place) {
        for folder in catalogue.subtree(folder) { compare(folder, with: known.inFolders[folder]) }
      } else if let folder = catalogue.find(place.parent) {
        compare(folder, with: known.inFolders[folder], only: place.name)
      }
    }
    // Of these directories nobody ever heard here.
    for (path, facts) in known.elsewhere where absent[path] == nil { keep(path, facts) }
  }

  /// Files by name, with what the library knows of each.
  private typealias Names = [(name: [UInt8], facts: FileFacts?)]

  /// What the library has at and below the places, in directories of the catalogue and elsewhere.
  private func filesOfLibrary(
    at places: Set<BytePath>
  ) -> (inFolders: [Catalogue.ID: Names], elsewhere: [(BytePath, FileFacts?)]) {
    var inFolders: [Catalogue.ID: Names] = [:]
    var elsewhere: [(BytePath, FileFacts?)] = []
    // Those of one directory come one after the other.
    var (parent, folder) = (BytePath([]), Catalogue.ID?.some(.root))
    var names: Names = []
    func endFolder() {
      if let folder, !names.isEmpty { inFolders[folder, default: []] += names }
      names.removeAll(keepingCapacity: true)
    }
    for file in self.known() {
      guard let path = file.path.relative(to: root), places.contains(where: path.isInside) else {
        continue
      }
      if path.parent != parent {
        endFolder()
        parent = path.parent
        folder = catalogue.find(parent)
      }
      if folder == nil {
        elsewhere.append((path, file.facts))
      } else {
        names.append((path.name, file.facts))
      }
    }
    endFolder()
    return (inFolders, elsewhere)
  }

  private func compare(_ folder: Catalogue.ID, with known: Names?, only name: [UInt8]? = nil) {
    let path = catalogue.path(of: folder)
    let files = catalogue[folder].files
    let known = (known ?? []).sorted { $0.name.lexicographicallyPrecedes($1.name) }
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
