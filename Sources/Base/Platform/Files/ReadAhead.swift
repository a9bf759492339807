import CLinuxShims
import Glibc

/// Makes the kernel start to read what a tag reader will need: both ends of a file, where tags are,
/// and all of a small file. This continues while other files are read, so that a disk with many
/// heads or queues has several things to do at a time.
///
/// Does nothing if the beginning is in memory. That check comes first and costs a microsecond.
package func readAhead(_ descriptor: Int32, size: Int64) {
  let (wholeMost, head, tail) = (256 << 10, 128 << 10, 64 << 10)
  let size = off_t(size)
  if crated_is_in_memory(descriptor) != 0 { return }
  if size <= wholeMost {
    posix_fadvise(descriptor, 0, size, POSIX_FADV_WILLNEED)
  } else {
    posix_fadvise(descriptor, 0, head, POSIX_FADV_WILLNEED)
    posix_fadvise(descriptor, size - tail, tail, POSIX_FADV_WILLNEED)
  }
}

/// Makes the kernel drop its cached pages of the file, so that the next read goes to the disk or
/// server.
package func forgetPages(_ descriptor: Int32) {
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
}
