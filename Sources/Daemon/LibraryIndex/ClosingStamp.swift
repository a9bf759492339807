import Glibc

/// A file beside the closed index that identifies the state in which crated closed it, and the
/// library that it then contained. If both are unchanged at the next start, the index needs neither
/// an integrity check nor a comparison with the library.
struct ClosingStamp: Equatable {
  /// Device, inode, size and times of the index: they change with each write to it.
  private let file: String
  /// The `Library.fingerprint` of the library in it.
  let library: UInt64

  /// Returns nil if there is no index, or if part of it is in a log because another program has it
  /// open.
  init?(of index: String, library: UInt64) {
    var file = stat()
    var log = stat()
    guard stat(index, &file) == 0, stat(index + "-wal", &log) != 0 || log.st_size == 0 else {
      return nil
    }
    let (modified, changed) = (file.st_mtim, file.st_ctim)
    self.file =
      "\(file.st_dev) \(file.st_ino) \(file.st_size) \(modified.tv_sec).\(modified.tv_nsec)"
      + " \(changed.tv_sec).\(changed.tv_nsec)"
    self.library = library
  }

  private static func path(_ index: String) -> String { index + ".closed" }

  /// Reads and removes the stamp of an index that is about to be opened.
  ///
  /// - Returns: the fingerprint of the library in the index; nil if the index was written to since
  ///   it was closed, or wasn't closed cleanly.
  static func consume(of index: String) -> UInt64? {
    guard let file = fopen(path(index), "re") else { return nil }
    var buffer = [CChar](repeating: 0, count: 512)
    let line = fgets(&buffer, Int32(buffer.count), file).map { String(cString: $0) }
    fclose(file)
    guard unlink(path(index)) == 0, let line, let space = line.firstIndex(of: " "),
      let library = UInt64(line[..<space], radix: 16),
      ClosingStamp(of: index, library: library)?.text == line
    else { return nil }
    return library
  }

  private var text: String { "\(String(library, radix: 16)) \(file)\n" }

  /// Writes the stamp beside the index. A failure is ignored: the next start takes longer.
  func write(besideIndex index: String) {
    guard let file = fopen(Self.path(index), "we") else { return }
    fputs(text, file)
    fclose(file)
  }
}
