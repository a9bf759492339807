import Glibc

/// Puts /dev/null in the place of standard input, output and errors that the program was started
/// without, opened the wrong way round: what is opened later never gets their numbers, and whoever
/// uses them is told that it can't be done. To be called before anything else is opened.
package func fillStandardDescriptors() throws(SystemCallError) {
  for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
    guard fcntl(descriptor, F_GETFD) < 0 else { continue }
    // The lowest free number is given out, and those below are taken.
    let flags = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
    guard open("/dev/null", flags) >= 0 else { throw SystemCallError("open", "/dev/null") }
  }
}
