import CLinuxShims
import Glibc

/// Gives up writing, see landlock(7), for the rest of this thread's life, and for all threads and
/// programs that it starts.
package enum WriteConfinement {
  /// Enters the confinement. Afterwards, files can be made, changed and removed only below these
  /// directories. Open descriptors stay as they are. Must be called before other threads start.
  ///
  /// - Parameter directories: absolute paths without a terminating NUL. A missing one gets no
  ///   exception.
  /// - Throws: if the system lacks it (for example ENOSYS or EOPNOTSUPP).
  package static func enter(writingBelow directories: [[UInt8]]) throws(SystemCallError) {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for path in directories {
      let name = path.map { CChar(bitPattern: $0) } + [0]
      let descriptor = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      if descriptor >= 0 { opened.append(descriptor) }
    }
    guard crated_no_new_privileges() == 0 else { throw SystemCallError("prctl", "") }
    guard crated_landlock_confine_writing(opened, opened.count) == 0 else {
      throw SystemCallError("landlock", "")
    }
  }
}
