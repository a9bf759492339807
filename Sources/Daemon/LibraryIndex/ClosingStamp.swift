import Glibc

/// Beside the index while nobody has it open: what the file was like when crated closed it, and
/// which library it then held. Where both are still so, it needs no check and no comparison.
struct ClosingStamp: Equatable {
  /// What tells a file that nobody has written to since.
  private let file: String
  /// `Library.fingerprint` of what was written to it.
  let library: UInt64

  /// Nil where there is no file, or part of it is elsewhere, because another program has it open.
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

  /// The library that an index holds which is as it was closed; nil for any other. Says so once:
  /// it is about to be opened.
  static func take(from index: String) -> UInt64? {
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

  /// Leaves the stamp beside the index; where that fails, the next start takes longer.
  func leave(at index: String) {
    guard let file = fopen(Self.path(index), "we") else { return }
    fputs(text, file)
    fclose(file)
  }
}
