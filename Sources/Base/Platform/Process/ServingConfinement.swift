import CLinuxShims
import Glibc

/// Gives up all paths but one directory's, see landlock(7), and sockets of the network, see
/// seccomp(2), for the rest of this thread's life and that of all threads that it starts.
package enum ServingConfinement {
  /// Afterwards no socket but a Unix one is made; those that are open go on. Nothing is opened,
  /// made or removed by its path but below the directory, and no program is started. To be called
  /// before other threads start.
  ///
  /// - Parameter directory: an absolute path.
  /// - Throws: where the system lacks one of both, ENOSYS or EOPNOTSUPP among them; then the other
  ///   holds.
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
