import Glibc

/// The directories for which the kernel doesn't report every change, and why. They are polled.
/// Pure.
struct Coverage {
  /// Directories without a watch, each with the error number that explains it.
  private var unwatched: [Catalogue.ID: Int32] = [:]
  /// Directories whose contents may be changed elsewhere without events, watched or not.
  private var remote: Set<Catalogue.ID> = []
  /// Directories with links to files for which the kernel doesn't report every change.
  private var linking: Set<Catalogue.ID> = []
  /// The directory that was tried last for a watch.
  private var lastTried: Int32 = -1

  /// Records whether a directory got its watch.
  ///
  /// - Parameter failure: an error number; nil if the directory is watched.
  mutating func note(_ folder: Catalogue.ID, isRemote: Bool, failure: Int32?) {
    if isRemote { remote.insert(folder) } else { remote.remove(folder) }
    unwatched[folder] = failure
  }

  mutating func note(_ folder: Catalogue.ID, hasUntoldLinks: Bool) {
    if hasUntoldLinks { linking.insert(folder) } else { linking.remove(folder) }
  }

  mutating func forget(_ folder: Catalogue.ID) {
    unwatched[folder] = nil
    linking.remove(folder)
    remote.remove(folder)
  }

  /// Whether every change in the directories of the music folder is reported.
  var isWhole: Bool { unwatched.isEmpty && remote.isEmpty }

  /// Whether every change in the directory is reported.
  func isTold(_ folder: Catalogue.ID) -> Bool {
    unwatched[folder] == nil && !remote.contains(folder)
  }

  var polled: Set<Catalogue.ID> { remote.union(unwatched.keys).union(linking) }

  /// A directory without a watch, which may get one if it is tried again: the one after that which
  /// was tried last.
  var oneWithoutWatch: Catalogue.ID? {
    let keys = unwatched.keys
    return keys.lazy.filter { $0.index > lastTried }.min { $0.index < $1.index }
      ?? keys.min { $0.index < $1.index }
  }

  mutating func triedToWatch(_ folder: Catalogue.ID) { lastTried = folder.index }

  func lacksWatch(_ folder: Catalogue.ID) -> Bool { unwatched[folder] != nil }

  /// Returns why directories are polled and what the user can do about it; nil if there is nothing
  /// to report.
  ///
  /// - Parameters:
  ///   - folderCount: the number of known directories.
  ///   - instanceFailure: the error number for which nothing can be watched at all.
  func reason(folderCount: Int, instanceFailure: Int32?) -> String? {
    if let code = instanceFailure {
      if code == EMFILE {
        return "no inotify instance is left: raise fs.inotify.max_user_instances with sysctl"
      }
      return "nothing can be watched: \(String(cString: strerror(code)))"
    }
    if unwatched.values.contains(ENOSPC) {
      // Rounded, so that the advice stays the same while folders come and go.
      let needed = (folderCount / 1_024 + 1) * 1_024
      return "not all directories can be watched; \(needed) watches are needed here: "
        + "`sysctl fs.inotify.max_user_watches` has to be larger"
    }
    if let code = unwatched.values.max() {
      let advice = code == ENOENT ? ": is /proc mounted?" : ""
      return "not all directories can be watched (\(String(cString: strerror(code))))\(advice)"
    }
    if remote.isEmpty { return nil }
    return
      "changes made elsewhere to a network or FUSE file system are not reported, so this folder"
      + " is also looked at from time to time"
  }
}
