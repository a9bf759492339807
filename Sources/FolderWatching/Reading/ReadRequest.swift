import LibraryModel
import Platform

/// One file to be read.
struct ReadRequest: Sendable {
  var sequence: Int
  /// Absolute.
  var path: BytePath
  /// Whether the file's writer closed it, or it was moved in.
  var isFinished: Bool
  /// The file as it was at an earlier look, which is long enough ago.
  var stoodStill: FileStamp?
}

/// What came of it.
struct ReadAnswer: Sendable {
  enum Result: Sendable {
    case read(ReadOutcome)
    /// The file may still be written.
    case notReady(Writers)
    /// The file is not there, or is no file.
    case notThere
    case failed(SystemCallError)
  }

  var sequence: Int
  /// The stamp of the file as it was opened.
  var stamp: FileStamp
  /// When it was opened, in nanoseconds since 1970.
  var opened: Int64
  var result: Result

  var isOfReading: Bool {
    if case .read = result { true } else { false }
  }
}

extension ReadRequest {
  /// Whether nobody is likely to be writing the file. A time in the future says nothing by itself.
  func isReady(
    _ stamp: FileStamp, now: Int64, standStill: Int64, writers: () -> Writers
  ) -> (isReady: Bool, writers: Writers) {
    if isFinished || stoodStill == stamp { return (true, .unknown) }
    if stamp.changed <= now - standStill { return (true, .unknown) }
    let writers = writers()
    return (writers == .none, writers)
  }
}
