import Glibc
import LibraryModel
import Platform
import Playlists
import Settings

/// Where the daemon may write, for as long as it lives.
struct WritingRights {
  /// Nil where the system lets it write everywhere.
  fileprivate(set) var directories: [BytePath]?
  /// What the person should know of them.
  fileprivate(set) var warnings: [String] = []

  func hold(for directory: BytePath) -> Bool {
    directories?.contains { directory.isInside($0) } ?? true
  }
}

extension Daemon {
  /// Leaves this process nothing to write to but what is the daemon's, for the rest of its life: no
  /// mistake of ours, and no link in place of one of our directories, ends in a music folder.
  /// Reading stays free, as a drive may come later. To be called before other threads start.
  static func confineWriting(_ surroundings: Surroundings) -> WritingRights {
    let paths = surroundings.paths
    let music = surroundings.settings.musicFolders
    // Directories that can't be made are told of where they are needed.
    try? makeDirectories(paths.index.parent.bytes)
    try? makeDirectories(paths.runtime.bytes)
    // Caches are emptied as a whole by people and programs, and ours is made again then.
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
    // Never made: what carries it may not be there yet.
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

  /// Whether a directory can be opened now.
  private static func isThere(_ path: BytePath) -> Bool {
    answer(of: path.bytes, within: answerWithin) {
      OpenFile(owning: open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)).descriptor >= 0
    } ?? false
  }

  /// Makes the directory for playlists, where that is possible. One on a drive that hangs would
  /// keep the start waiting, here or when it is opened.
  private static func answers(_ playlists: BytePath) -> Bool {
    answer(of: playlists.bytes, within: answerWithin) {
      try? PlaylistFolder.make(playlists)
      _ = OpenFile(owning: open(playlists.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
      return true
    } ?? false
  }
}
