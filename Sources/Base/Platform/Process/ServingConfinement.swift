import CLinuxShims
import Glibc

/// Gives up all paths but those below one directory, see landlock(7), and network sockets, see
/// seccomp(2). This holds for the rest of this thread's life, and for all threads that it starts.
package enum ServingConfinement {
  /// Enters the confinement. Afterwards, only Unix sockets can be made; open ones continue to work.
  /// Nothing can be opened, made or removed by its path except below the directory, and no program
  /// can be started. Must be called before other threads start.
  ///
  /// - Parameter directory: an absolute path.
  /// - Throws: if the system lacks one of the two (for example ENOSYS or EOPNOTSUPP); then the
  ///   other still applies.
  package static func enter(keeping directory: String) throws(SystemCallError) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemCallError("open", directory) }
    let opened = OpenFile(owning: descriptor)
    guard crated_no_new_privileges() == 0 else { throw SystemCallError("prctl", "") }
    let landlock =
      crated_landlock_keep_directory(opened.descriptor) == 0
      ? nil : SystemCallError("landlock", "")
    guard crated_seccomp_forbid_network() == 0 else { throw SystemCallError("seccomp", "") }
    if let landlock { throw landlock }
  }
}
