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
    var playlists = surroundings.settings.playlists
    var warnings: [String] = []
    if let wanted = playlists {
      try? makeDirectories(paths.playlistState)
      if !answers(wanted) {
        playlists = nil
        warnings.append(
          "\(wanted.display) doesn't answer, and no playlists can be written there: see that its"
            + " drive or network is there, then restart crated")
      }
    }
    // Caches are emptied as a whole by people and programs, and ours is made again then.
    let caches = paths.index.parent.parent
    let holdsMusic = music.contains { $0.isInside(caches) }
    let ours =
      [paths.store, paths.runtime, holdsMusic ? paths.index.parent : caches]
      + [playlists, surroundings.settings.playlists.map { _ in paths.playlistState }]
      .compactMap { $0 }
    do {
      try WriteConfinement.enter(writingBelow: ours.map(\.bytes))
      return warnings
    } catch {
      let reason =
        [ENOSYS, EOPNOTSUPP].contains(error.code)
        ? "Linux has it from 5.19 on, where it is switched on" : error.reason
      return warnings + [
        "the daemon writes to no music folder, but this system can't keep it from doing so: there"
          + " is no Landlock (\(reason))"
      ]
    }
  }

  /// Makes the directory for playlists, where that is possible. One on a drive that hangs would
  /// keep the start waiting, here or when it is opened.
  private static func answers(_ playlists: BytePath) -> Bool {
    answer(within: answerWithin) {
      try? PlaylistFolder.make(playlists)
      _ = OpenFile(owning: open(playlists.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
      return true
    } ?? false
  }
}
