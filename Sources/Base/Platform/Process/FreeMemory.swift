import CLinuxShims
import Glibc

/// Has the allocator use two heaps instead of one for each of many threads, since what one thread
/// frees is of no use to another's heap, and put large things on pages of their own for good, which
/// go when they are freed. To be called before there is any other thread.
package func limitHeaps() {
  crated_limit_heaps(2, 1 << 20, 128 << 10)
}

/// Gives back to the system what a phase that is over needed: free memory that the allocator keeps,
/// and pages of the program itself, which come again from its file when they are needed. For when
/// much was freed; takes some milliseconds, and a few more until the usual pages are back.
package func returnFreeMemory() {
  crated_trim_heap()
  guard let maps = fopen("/proc/self/maps", "re") else { return }
  defer { fclose(maps) }
  var line = [CChar](repeating: 0, count: 4_096)
  while fgets(&line, Int32(line.count), maps) != nil {
    let text = line.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    guard let range = codeRange(text) else { continue }
    // Code is never written, so nothing can be lost.
    madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
  }
}

/// Where a line of maps tells of a file's code: `55e0-55f0 r-xp 00000000 fe:00 12 /usr/bin/crated`.
func codeRange(_ line: String) -> Range<UInt>? {
  let parts = line.split(separator: " ", omittingEmptySubsequences: true)
  guard parts.count > 5, parts[1] == "r-xp", parts[5].hasPrefix("/") else { return nil }
  let ends = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
  return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
}
