import CLinuxShims
import Glibc

/// Limits the allocator to two heaps, instead of one for each of many threads: memory freed by one
/// thread can't be used in another's heap. Large blocks always get pages of their own, which are
/// returned when they are freed. Must be called before any other thread starts.
package func limitHeaps() {
  crated_limit_heaps(2, 1 << 20, 128 << 10)
}

/// Returns memory to the system after much was freed: free memory that the allocator keeps, and
/// pages of the program's code, which are read from its file again when needed. Takes some
/// milliseconds, and a few more until the usual pages are back.
package func returnFreeMemory() {
  crated_trim_heap()
  guard let maps = fopen("/proc/self/maps", "re") else { return }
  defer { fclose(maps) }
  var line = [CChar](repeating: 0, count: 4_096)
  while fgets(&line, Int32(line.count), maps) != nil {
    let text = line.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    guard let range = codeRange(text) else { continue }
    // Code is never written, so nothing is lost.
    madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
  }
}

/// Returns the range of a line of maps if it is a file's code: `55e0-55f0 r-xp 00000000 fe:00 12
/// /usr/bin/crated`.
func codeRange(_ line: String) -> Range<UInt>? {
  let parts = line.split(separator: " ", omittingEmptySubsequences: true)
  guard parts.count > 5, parts[1] == "r-xp", parts[5].hasPrefix("/") else { return nil }
  let ends = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
  return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
}
