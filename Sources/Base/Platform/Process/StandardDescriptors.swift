import Glibc

/// Opens /dev/null for each of standard input, output and error that the program was started
/// without, in the wrong direction. So no later file gets their numbers, and using them fails. Must
/// be called before anything else is opened.
package func fillStandardDescriptors() throws(SystemCallError) {
  for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
    guard fcntl(descriptor, F_GETFD) < 0 else { continue }
    // The lowest free number is used, and those below are taken.
    let flags = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
    guard open("/dev/null", flags) >= 0 else { throw SystemCallError("open", "/dev/null") }
  }
}
