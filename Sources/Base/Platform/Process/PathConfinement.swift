import CLinuxShims

/// Gives up all paths, see landlock(7), and all system calls but those on open descriptors, see
/// seccomp(2). This holds for the rest of this thread's life, and for all threads that it starts.
package enum PathConfinement {
  /// Enters the confinement. Afterwards, nothing can be opened, made, changed or removed by its
  /// path, no socket connected, and no program started, as far as the kernel can forbid it. Open
  /// descriptors stay as they are. Must be called before other threads start.
  ///
  /// - Throws: if the system lacks one of the two (for example ENOSYS or EOPNOTSUPP); then the
  ///   other still applies.
  package static func enter() throws(SystemCallError) {
    guard crated_no_new_privileges() == 0 else { throw SystemCallError("prctl", "") }
    let landlock = crated_landlock_forbid_all() == 0 ? nil : SystemCallError("landlock", "")
    guard crated_seccomp_keep_open() == 0 else { throw SystemCallError("seccomp", "") }
    if let landlock { throw landlock }
  }
}
