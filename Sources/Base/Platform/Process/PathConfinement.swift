import CLinuxShims

/// Gives up all paths, see landlock(7), and all system calls but those on what is open, see
/// seccomp(2), for the rest of this thread's life and that of all threads that it starts.
package enum PathConfinement {
  /// Afterwards nothing is opened, made, changed or removed by its path, nothing connected, and no
  /// program started, where the kernel knows how to forbid it; what is open already stays as it is.
  /// To be called before other threads start.
  ///
  /// - Throws: where the system lacks one of both, ENOSYS or EOPNOTSUPP among them; then the other
  ///   holds.
  package static func enter() throws(SystemCallError) {
    guard crated_no_new_privileges() == 0 else { throw SystemCallError("prctl", "") }
    let landlock = crated_landlock_forbid_all() == 0 ? nil : SystemCallError("landlock", "")
    guard crated_seccomp_keep_open() == 0 else { throw SystemCallError("seccomp", "") }
    if let landlock { throw landlock }
  }
}
