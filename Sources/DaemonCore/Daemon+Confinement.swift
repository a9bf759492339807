import Glibc
import LibraryModel
import Platform
import Playlists
import Settings

extension Daemon {
  /// Leaves this process nothing to write to but what is the daemon's, for the rest of its life: no
  /// mistake of ours, and no link in place of one of our directories, ends in a music folder.
  /// Reading stays free, as a drive may come later. To be called before other threads start.
  ///
  /// - Returns: what the person should know: that the system doesn't do it.
  static func confineWriting(_ surroundings: Surroundings) -> [String] {
    let paths = surroundings.paths
    let music = surroundings.settings.musicFolders
    // Directories that can't be made are told of where they are needed.
    try? makeDirectories(paths.index.parent)
    try? makeDirectories(paths.runtime)
    let playlists = surroundings.settings.playlists
    if let playlists {
      try? PlaylistFolder.make(playlists)
      try? makeDirectories(paths.playlistState)
    }
    // Caches are emptied as a whole by people and programs, and ours is made again then.
    let caches = paths.index.parent.parent
    let holdsMusic = music.contains { $0.isInside(caches) }
    let ours =
      [paths.store, paths.runtime, holdsMusic ? paths.index.parent : caches]
      + [playlists, playlists.map { _ in paths.playlistState }].compactMap { $0 }
    do {
      try WriteConfinement.enter(writingBelow: ours.map(\.bytes))
      return []
    } catch {
      let reason =
        [ENOSYS, EOPNOTSUPP].contains(error.code)
        ? "Linux has it from 5.19 on, where it is switched on" : error.reason
      return [
        "the daemon writes to no music folder, but this system can't keep it from doing so: there"
          + " is no Landlock (\(reason))"
      ]
    }
  }
}
