import LibraryModel

/// The mounts as they were last read. Pure.
struct Locations {
  var mountPoints = MountPoints()
  /// The music folders by the directories above them; nil until needed.
  private var above: [MountPoints.Location: BytePath]?

  init(mountPoints: MountPoints = MountPoints()) { self.mountPoints = mountPoints }

  /// Returns the music folder that lies below a location, if there is one.
  ///
  /// - Parameter folders: the music folders, each with the path by which it is located.
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
