import LibraryModel
import Platform

/// One file to be read.
struct ReadRequest: Sendable {
  var sequence: Int
  /// Absolute.
  var path: BytePath
  /// Whether the file's writer closed it, or it was moved in.
  var isFinished: Bool
  /// The file as it was at an earlier scan, which is long enough ago.
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

/// What the time says that went by since the file's last change. Nanoseconds.
extension ReadAnswer {
  /// Negative where the last change lies in the future.
  private var age: Int64 { opened - stamp.changed }

  /// When the file is to be read a second time, because it may have changed once more in the very
  /// instant of its last change; nil: nothing of that kind is to be feared.
  func secondTime(at now: Int64, _ settings: WatchSettings) -> Int64? {
    guard age < settings.timeGrain, age > -settings.standStill else { return nil }
    return now + 3 * settings.timeGrain
  }

  /// Until when the file has to stand still.
  ///
  /// - Parameter before: until when the one of this stamp has to, as was found earlier.
  func standsStill(
    at now: Int64, _ settings: WatchSettings, before: Reads.Waits?
  ) -> Int64 {
    if let before, before.stamp == stamp, before.until > now { return before.until }
    // A time in the future says nothing: two scans have to find the same.
    if age < 0 { return now + settings.standStill }
    return now + min(max(settings.standStill - age, Self.shortestWait), settings.standStill)
  }

  private static let shortestWait = 10 * milliseconds
}

extension ReadRequest {
  /// Whether no program is likely to be writing the file. A time in the future says nothing by
  /// itself.
  func isReady(
    _ stamp: FileStamp, now: Int64, standStill: Int64, writers: () -> Writers
  ) -> (isReady: Bool, writers: Writers) {
    if isFinished || stoodStill == stamp { return (true, .unknown) }
    if stamp.changed <= now - standStill { return (true, .unknown) }
    let writers = writers()
    return (writers == .none, writers)
  }
}
