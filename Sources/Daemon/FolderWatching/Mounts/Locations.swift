import LibraryModel

/// What is mounted where, as far as it was read last. Pure.
struct Locations {
  var mountPoints = MountPoints()
  /// The music folders by the directories above them; nil until asked for.
  private var above: [MountPoints.Location: BytePath]?

  init(mountPoints: MountPoints = MountPoints()) { self.mountPoints = mountPoints }

  /// The music folder that lies below a location, if any does.
  ///
  /// - Parameter folders: each with the path by which it is looked for.
  mutating func musicFolder(
    inside location: MountPoints.Location,
    of folders: @autoclosure () -> [(folder: BytePath, path: BytePath)]
  ) -> BytePath? {
    if let above { return above[location] }
    var above: [MountPoints.Location: BytePath] = [:]
    for (folder, path) in folders() {
      var path = path
      while !path.isEmpty, path != filesRoot {
        path = path.parentOrRoot
        if let location = mountPoints.location(of: path) { above[location] = folder }
      }
    }
    self.above = above
    return above[location]
  }
}

private let filesRoot = BytePath("/")
