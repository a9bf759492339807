import Glibc
import Platform

/// Closes a file that was written to, and waits until nobody has it open for writing any more.
///
/// A program that another test is just starting has all our files open, too, from its first moment
/// until it runs. Who looks at a file in that time sees one that is being written still.
package func endWriting(_ descriptor: Int32) {
  let file = OpenFile(owning: open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC))
  close(descriptor)
  let isOver = happensInTime {
    if file.descriptor >= 0, case .some = Writers(descriptor: file.descriptor) { return false }
    return true
  }
  precondition(isOver, "nobody else writes to the file")
}
