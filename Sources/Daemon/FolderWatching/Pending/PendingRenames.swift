import LibraryModel

/// Pairs the two halves of the kernel's renames, and follows a file through several of them. Pure.
struct PendingRenames {
  /// Beyond it the oldest half is given up: the file is then recognised by what it is.
  static let mostHalves = 1_024
  /// Beyond it renames are not noted.
  static let mostRenames = 65_536
  /// Beyond it all renames are given up.
  static let mostFolders = 256

  private var halves: [(cookie: UInt32, path: BytePath)] = []
  /// Where a file of the library is now, and where it was before its last rename.
  private enum Place: Equatable {
    case known(BytePath, before: BytePath)
    case unknown
  }

  /// By where each file was at first, and that by where it is now.
  private var places: [BytePath: Place] = [:]
  private var origins: [BytePath: BytePath] = [:]
  /// Renamed directories: what happens in them goes on to be told by where they were.
  private var folders: [(from: BytePath, to: BytePath)] = []

  var isEmpty: Bool { places.isEmpty }

  mutating func movedFrom(_ path: BytePath, cookie: UInt32) {
    if halves.count >= Self.mostHalves { halves.removeFirst() }
    halves.append((cookie, path))
  }

  /// The path that the other half named.
  mutating func movedTo(cookie: UInt32) -> BytePath? {
    guard let index = halves.lastIndex(where: { $0.cookie == cookie }) else { return nil }
    return halves.remove(at: index).path
  }

  /// All of it is moved: known files at or below the one path are now at or below the other.
  ///
  /// Two files that exchange their names are told like one that goes and comes back, so that
  /// afterwards nobody knows which file either name has.
  mutating func rename(_ from: BytePath, to: BytePath, known: [BytePath], isFolder: Bool) {
    var moved: [(origin: BytePath, place: BytePath)] = []
    if let origin = origins[from] { moved.append((origin, from)) }
    if isFolder {
      for (place, origin) in origins where place != from && place.isInside(from) {
        moved.append((origin, place))
      }
    }
    for path in known where places[path] == nil && origins[path] == nil {
      moved.append((path, path))
    }
    for one in moved { origins[one.place] = nil }
    ended(at: to, isFolder: isFolder)
    ended(at: from, isFolder: isFolder)
    if isFolder { folders.append((from, to)) }
    if folders.count > Self.mostFolders { return removeAll() }
    var mayBeExchange = false
    for one in moved where places.count < Self.mostRenames {
      guard let rest = one.place.relative(to: from) else { continue }
      let place = to.appending(rest)
      if case .known(_, before: place)? = places[one.origin] {
        mayBeExchange = true
        places[one.origin] = .unknown
        continue
      }
      places[one.origin] = .known(place, before: one.place)
      origins[place] = one.origin
    }
    guard mayBeExchange else { return }
    for path in known where places.count < Self.mostRenames { places[path] = .unknown }
  }

  /// What came to the path is there no longer: it was deleted, or moved to where nobody watches.
  mutating func ended(at path: BytePath, isFolder: Bool) {
    if origins.isEmpty { return }
    end(path, isFolder)
    var path = path
    for folder in folders {
      guard let rest = path.relative(to: folder.from), !rest.isEmpty else { continue }
      path = folder.to.appending(rest)
      end(path, isFolder)
    }
  }

  private mutating func end(_ path: BytePath, _ isFolder: Bool) {
    if let origin = origins.removeValue(forKey: path) { places[origin] = .unknown }
    // Rare, and not for each file of many: it goes through all.
    if !isFolder { return }
    for (place, origin) in origins where place.isInside(path) {
      origins[place] = nil
      places[origin] = .unknown
    }
  }

  /// Where the file at the path came from; asked once, when the file is told of.
  mutating func takeOrigin(of path: BytePath) -> BytePath? {
    guard let origin = origins.removeValue(forKey: path) else { return nil }
    places[origin] = nil
    return origin == path ? nil : origin
  }

  mutating func removeAll() {
    self = PendingRenames()
  }
}
