import FolderWatching
import LibraryModel

/// A reader of tags that is a function of a test's.
struct TextReader: FileReader {
  let body:
    @Sendable (
      _ descriptor: Int32, _ stamp: FileStamp, _ answer: @escaping @Sendable (ReadOutcome) -> Void
    ) -> Void

  init(
    _ body:
      @escaping @Sendable (
        _ descriptor: Int32, _ stamp: FileStamp, _ answer: @escaping @Sendable (ReadOutcome) -> Void
      ) -> Void
  ) {
    self.body = body
  }

  func read(
    _ descriptor: Int32, _ stamp: FileStamp, _ pathExtension: String, isProbe: Bool,
    _ answer: @escaping @Sendable (ReadOutcome) -> Void
  ) {
    body(descriptor, stamp, answer)
  }

  var health: ReadingHealth { ReadingHealth() }
  func giveUp() {}
  func forgetTimeouts() {}
}
