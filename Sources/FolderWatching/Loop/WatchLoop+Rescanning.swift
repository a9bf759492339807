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
    var known: [BytePath: FileFacts?] = [:]
    for file in self.known() {
      guard let path = file.path.relative(to: root), places.contains(where: path.isInside) else {
        continue
      }
      known[path] = .some(file.facts)
    }
    for place in places {
      if let folder = catalogue.find(place) {
        for folder in catalogue.subtree(folder) { compare(folder, with: &known) }
      } else if let folder = catalogue.find(place.parent) {
        compare(folder, with: &known, only: place.name)
      }
    }
    // What is left was never heard of here.
    for (path, facts) in known where absent[path] == nil { keep(path, facts) }
  }

  private func compare(
    _ folder: Catalogue.ID, with known: inout [BytePath: FileFacts?], only name: [UInt8]? = nil
  ) {
    let path = catalogue.path(of: folder)
    for file in catalogue[folder].files where name == nil || file.name == name {
      let inLibrary = known.removeValue(forKey: path.appending(file.name))
      switch (file.state, inLibrary) {
      case (.settled(let facts), .some(let other)):
        if other?.stamp == facts.stamp { continue }
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
}
