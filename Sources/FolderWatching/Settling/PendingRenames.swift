import LibraryModel

/// Pairs the two halves of the kernel's renames, and follows a file through several of them. Pure.
struct PendingRenames {
  /// Beyond it the oldest half is given up: the file is then recognised by what it is.
  static let mostHalves = 1_024
  /// Beyond it renames are not noted.
  static let mostRenames = 65_536

  private var halves: [(cookie: UInt32, path: BytePath)] = []
  /// Where each file of the library is now, by where it was, and the other way round.
  private var places: [BytePath: BytePath] = [:]
  private var origins: [BytePath: BytePath] = [:]

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
    for one in moved where places.count < Self.mostRenames {
      guard let rest = one.place.relative(to: from) else { continue }
      let place = rest.isEmpty ? to : to.appending(rest.bytes)
      if let displaced = origins[place] { places[displaced] = nil }
      places[one.origin] = place
      origins[place] = one.origin
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
