import LibraryModel
import Synchronization

/// Music folders that left the settings, and whose songs keep their places. Looked for once for
/// each value of the library, and only when somebody asks.
final class LeftFolders: Sendable {
  struct Folder: Hashable, Sendable {
    var path: BytePath
    /// Songs that are not gone; more than none.
    var songs: Int
  }

  private struct Found {
    var sequence: Int
    var away: Away
    var folders: [Folder]
  }

  private let last = Mutex<Found?>(nil)

  /// In byte order of their paths.
  ///
  /// - Parameter roots: every music folder that is known of, configured or not.
  func folders(in library: Library, roots: [BytePath]) -> [Folder] {
    if library.isOutline { return [] }
    let known = last.withLock { $0 }
    if let known, known.sequence == library.sequence, known.away == library.away {
      return known.folders
    }
    let found = Self.look(library, roots)
    last.withLock { last in
      last = Found(sequence: library.sequence, away: library.away, folders: found)
    }
    return found
  }

  private static func look(_ library: Library, _ roots: [BytePath]) -> [Folder] {
    // The innermost first.
    let former = roots.filter { !library.away.folders.contains($0) }.sorted().reversed()
    var counts: [BytePath: Int] = [:]
    var strangers: (folder: BytePath, songs: Int)?
    library.songs.forEach { _, song in
      guard !song.isGone, library.away.isOutside(song.path) else { return }
      if let root = former.first(where: song.path.isInside) {
        counts[root, default: 0] += 1
      } else {
        // Nothing is remembered of their folder: what they have in common is above or below it.
        var folder = strangers?.folder ?? song.path.parent
        while !song.path.isInside(folder) { folder = folder.parent }
        strangers = (folder, (strangers?.songs ?? 0) + 1)
      }
    }
    if let strangers { counts[strangers.folder, default: 0] += strangers.songs }
    return counts.map { Folder(path: $0.key, songs: $0.value) }.sorted { $0.path < $1.path }
  }
}
