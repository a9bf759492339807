import Glibc

/// Beside the index while nobody has it open: what the file was like when crated closed it. Where
/// it is still like that, nobody has written to it since: it needs no check and no comparison.
struct ClosingStamp: Equatable {
  private let text: String

  /// Nil where there is no file, or part of it is elsewhere, because another program has it open.
  init?(of index: String) {
    var file = stat()
    var log = stat()
    guard stat(index, &file) == 0, stat(index + "-wal", &log) != 0 || log.st_size == 0 else {
      return nil
    }
    let (modified, changed) = (file.st_mtim, file.st_ctim)
    text =
      "\(file.st_dev) \(file.st_ino) \(file.st_size) \(modified.tv_sec).\(modified.tv_nsec)"
      + " \(changed.tv_sec).\(changed.tv_nsec)\n"
  }

  private static func path(_ index: String) -> String { index + ".closed" }

  /// Whether the index is as it was closed. Says so once: it is about to be opened.
  static func take(from index: String) -> Bool {
    guard let file = fopen(path(index), "r") else { return false }
    var buffer = [CChar](repeating: 0, count: 256)
    let line = fgets(&buffer, Int32(buffer.count), file).map { String(cString: $0) }
    fclose(file)
    guard unlink(path(index)) == 0 else { return false }
    return line != nil && ClosingStamp(of: index)?.text == line
  }

  /// Where it fails, the next start takes longer.
  func leave(at index: String) {
    guard let file = fopen(Self.path(index), "w") else { return }
    fputs(text, file)
    fclose(file)
  }
}
