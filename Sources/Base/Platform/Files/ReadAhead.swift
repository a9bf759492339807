import CLinuxShims
import Glibc

/// Has the kernel begin to read what a reader of tags will ask for: both ends of a file, where tags
/// are, and all of a small one. It goes on while other files are read, so that a disk with many
/// heads or queues has more to do than one thing at a time.
///
/// Does nothing where the beginning is in memory: that is asked first, and costs a microsecond.
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

/// Has the kernel forget what it holds of the file, so that the next who reads it asks the disk, or
/// the server that it is on.
package func forgetPages(_ descriptor: Int32) {
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
}
