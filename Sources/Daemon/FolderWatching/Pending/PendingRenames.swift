import LibraryModel

/// Pairs the two halves of the kernel's renames, and follows files through several renames. Pure.
struct PendingRenames {
  /// Beyond this limit, the oldest half is dropped: the file is then recognized by other evidence.
  static let mostHalves = 1_024
  /// Beyond this limit, renames are not recorded.
  static let mostRenames = 65_536
  /// Beyond this limit, all renames are dropped.
  static let mostFolders = 256

  private var halves: [(cookie: UInt32, path: BytePath)] = []
  /// The present path of a file of the library, and its path before the last rename.
  private enum Place: Equatable {
    case known(BytePath, before: BytePath)
    case unknown
  }

  /// The places by the original path of each file, and the original paths by the present one.
  private var places: [BytePath: Place] = [:]
  private var origins: [BytePath: BytePath] = [:]
  /// The renamed directories. Events in them still come with the former paths.
  private var folders: [(from: BytePath, to: BytePath)] = []

  var isEmpty: Bool { places.isEmpty }

  mutating func movedFrom(_ path: BytePath, cookie: UInt32) {
    if halves.count >= Self.mostHalves { halves.removeFirst() }
    halves.append((cookie, path))
  }

  /// Returns the path in the other half.
  mutating func movedTo(cookie: UInt32) -> BytePath? {
    guard let index = halves.lastIndex(where: { $0.cookie == cookie }) else { return nil }
    return halves.remove(at: index).path
  }

  /// Records a rename: known files at or below the first path are now at or below the second.
  ///
  /// Two files that exchange their names look like one that goes and comes back. So afterwards it
  /// is unknown which file has which name.
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

  /// Records that the file at the path is gone: deleted, or moved to where nothing is watched.
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
    // This goes through all entries. It is rare, and is not done for each of many files.
    if !isFolder { return }
    for (place, origin) in origins where place.isInside(path) {
      origins[place] = nil
      places[origin] = .unknown
    }
  }

  /// Returns where the file at the path came from. Called once, when the file is reported.
  mutating func takeOrigin(of path: BytePath) -> BytePath? {
    guard let origin = origins.removeValue(forKey: path) else { return nil }
    places[origin] = nil
    return origin == path ? nil : origin
  }

  mutating func removeAll() {
    self = PendingRenames()
  }
}
