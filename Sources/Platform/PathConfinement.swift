import CLinuxShims

/// Gives up all paths, see landlock(7), for the rest of this thread's life and that of all threads
/// and programs that it starts.
package enum PathConfinement {
  /// Afterwards nothing is opened, made, changed or removed by its path, and no TCP port is used,
  /// where the kernel knows how to forbid it; what is open already stays as it is. To be called
  /// before other threads start.
  ///
  /// - Throws: where the system lacks it, ENOSYS or EOPNOTSUPP among them.
  package static func enter() throws(SystemCallError) {
    guard crated_no_new_privileges() == 0 else { throw SystemCallError("prctl", "") }
    guard crated_landlock_forbid_all() == 0 else { throw SystemCallError("landlock", "") }
  }
}
