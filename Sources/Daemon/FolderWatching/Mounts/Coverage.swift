import Glibc

/// Which directories the kernel doesn't tell everything of, and why; they are looked at from time
/// to time. Pure.
struct Coverage {
  /// Directories without a watch, each with the error number that says why.
  private var unwatched: [Catalogue.ID: Int32] = [:]
  /// Watched or not, somebody else may change what is in them.
  private var remote: Set<Catalogue.ID> = []
  /// With links to files of which the kernel doesn't tell everything.
  private var linking: Set<Catalogue.ID> = []

  /// A directory was to be watched.
  ///
  /// - Parameter failure: an error number; nil: it is watched.
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

  /// Whether everything is told of that happens in the music folder.
  var isWhole: Bool { unwatched.isEmpty && remote.isEmpty }

  /// The same of one directory.
  func isTold(_ folder: Catalogue.ID) -> Bool {
    unwatched[folder] == nil && !remote.contains(folder)
  }

  var polled: Set<Catalogue.ID> { remote.union(unwatched.keys).union(linking) }

  /// One that may get a watch if it is tried again.
  var oneWithoutWatch: Catalogue.ID? { unwatched.keys.first }

  func lacksWatch(_ folder: Catalogue.ID) -> Bool { unwatched[folder] != nil }

  /// Why directories are polled, and what the person can do; nil: they aren't.
  ///
  /// - Parameters:
  ///   - folderCount: directories that are known.
  ///   - instanceFailure: why nothing at all can be watched.
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
