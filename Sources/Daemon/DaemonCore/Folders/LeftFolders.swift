import LibraryModel

/// A music folder that was removed from the settings, and whose songs keep their places.
struct LeftFolder: Hashable, Sendable {
  var path: BytePath
  /// The number of songs that are not gone; at least one.
  var songs: Int
}

extension Library {
  /// Returns the folders that were removed from the settings and have songs, in byte order of their
  /// paths.
  ///
  /// - Parameter roots: All known music folders, configured or not.
  func leftFolders(of roots: [BytePath]) -> [LeftFolder] {
    // Inner folders come before the folders around them.
    let former = roots.filter { !away.folders.contains($0) }.sorted().reversed()
    var counts: [BytePath: Int] = [:]
    var strangers: (folder: BytePath, songs: Int)?
    songs.forEach { _, song in
      guard !song.isGone, away.isOutside(song.path) else { return }
      if let root = former.first(where: song.path.isInside) {
        counts[root, default: 0] += 1
      } else {
        // The folder of these songs is not known: their common directory is it, or lies above or
        // below it.
        var folder = strangers?.folder ?? song.path.parent
        while !song.path.isInside(folder) { folder = folder.parent }
        strangers = (folder, (strangers?.songs ?? 0) + 1)
      }
    }
    if let strangers { counts[strangers.folder, default: 0] += strangers.songs }
    return counts.map { LeftFolder(path: $0.key, songs: $0.value) }.sorted { $0.path < $1.path }
  }
}
