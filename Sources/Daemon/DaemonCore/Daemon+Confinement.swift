import Glibc
import LibraryModel
import Platform
import Playlists
import Settings

/// The directories that the daemon may write to, for the lifetime of the process.
struct WritingRights {
  /// Nil if the system lets it write everywhere.
  fileprivate(set) var directories: [BytePath]?
  /// Warnings about the confinement that the status shows to the user.
  fileprivate(set) var warnings: [String] = []

  func hold(for directory: BytePath) -> Bool {
    directories?.contains { directory.isInside($0) } ?? true
  }
}

extension Daemon {
  /// Confines this process to writing in the daemon's own directories, for the rest of its life. No
  /// bug, and no symbolic link in place of one of them, can then write to a music folder. Reading
  /// stays unrestricted, since a drive may be mounted later. Must be called before other threads
  /// start.
  static func confineWriting(_ surroundings: Surroundings) -> WritingRights {
    let paths = surroundings.paths
    let music = surroundings.settings.musicFolders
    // A directory that can't be made is reported where it is needed.
    try? makeDirectories(paths.index.parent.bytes)
    try? makeDirectories(paths.runtime.bytes)
    // Users and programs empty cache directories as a whole; the daemon then makes its own again.
    let caches = paths.index.parent.parent
    let holdsMusic = music.contains { $0.isInside(caches) }
    var ours = [paths.store, paths.runtime, holdsMusic ? paths.index.parent : caches]
    var rights = WritingRights()
    if let playlists = surroundings.settings.playlists {
      try? makeDirectories(paths.playlistState.bytes)
      ours.append(paths.playlistState)
      if answers(playlists) {
        ours.append(playlists)
      } else {
        rights.warnings.append(
          "\(playlists.display) doesn't answer, and no playlists can be written there: see that its"
            + " drive or network is there, then restart crated")
      }
    }
    // The directory is never made: its drive or share may not be mounted yet.
    if let machines = surroundings.settings.machines, isThere(machines) { ours.append(machines) }
    do {
      try WriteConfinement.enter(writingBelow: ours.map(\.bytes))
      rights.directories = ours
    } catch {
      let reason =
        [ENOSYS, EOPNOTSUPP].contains(error.code)
        ? "Linux has it from 5.19 on, where it is switched on" : error.reason
      rights.warnings.append(
        "the daemon writes to no music folder, but this system can't keep it from doing so: there"
          + " is no Landlock (\(reason))")
    }
    return rights
  }

  /// Returns whether the directory can be opened now.
  private static func isThere(_ path: BytePath) -> Bool {
    answer(of: path.bytes, within: answerWithin) {
      OpenFile(owning: open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)).descriptor >= 0
    } ?? false
  }

  /// Makes the playlist directory if possible, and returns whether it answers in time. A hung drive
  /// would otherwise block the start, here or when the directory is opened.
  private static func answers(_ playlists: BytePath) -> Bool {
    answer(of: playlists.bytes, within: answerWithin) {
      try? PlaylistFolder.make(playlists)
      _ = OpenFile(owning: open(playlists.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
      return true
    } ?? false
  }
}
