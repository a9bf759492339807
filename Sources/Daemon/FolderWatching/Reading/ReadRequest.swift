import LibraryModel
import Platform

struct ReadRequest: Sendable {
  var sequence: Int
  /// The absolute path.
  var path: BytePath
  /// Whether the file's writer closed it, or it was moved in.
  var isFinished: Bool
  /// The file's stamp at an earlier scan that is long enough ago.
  var stoodStill: FileStamp?
}

struct ReadAnswer: Sendable {
  enum Result: Sendable {
    case read(ReadOutcome)
    /// The file may still be written.
    case notReady(Writers)
    /// The file does not exist, or is not a regular file.
    case notThere
    case failed(SystemCallError)
  }

  var sequence: Int
  /// The stamp of the file as it was opened.
  var stamp: FileStamp
  /// The time when it was opened, in nanoseconds since 1970.
  var opened: Int64
  var result: Result

  var isOfReading: Bool {
    if case .read = result { true } else { false }
  }
}

/// Conclusions from the time since the file's last change. Nanoseconds.
extension ReadAnswer {
  /// The time since the file's last change; negative if that is in the future.
  private var age: Int64 { opened - stamp.changed }

  /// Returns when to read the file a second time, because it may have changed again within the
  /// granularity of its timestamp; nil if that can't be.
  func secondTime(at now: Int64, _ settings: WatchSettings) -> Int64? {
    guard age < settings.timeGrain, age > -settings.standStill else { return nil }
    return now + 3 * settings.timeGrain
  }

  /// Returns until when the file must be unchanged.
  ///
  /// - Parameter before: the wait determined earlier, which holds for the same stamp.
  func standsStill(
    at now: Int64, _ settings: WatchSettings, before: Reads.Waits?
  ) -> Int64 {
    if let before, before.stamp == stamp, before.until > now { return before.until }
    // A timestamp in the future says nothing: two scans must find the same stamp.
    if age < 0 { return now + settings.standStill }
    return now + min(max(settings.standStill - age, Self.shortestWait), settings.standStill)
  }

  private static let shortestWait = 10 * milliseconds
}

extension ReadRequest {
  /// Whether it is unlikely that a program is writing the file. A timestamp in the future says
  /// nothing by itself.
  func isReady(
    _ stamp: FileStamp, now: Int64, standStill: Int64, writers: () -> Writers
  ) -> (isReady: Bool, writers: Writers) {
    if isFinished || stoodStill == stamp { return (true, .unknown) }
    if stamp.changed <= now - standStill { return (true, .unknown) }
    let writers = writers()
    return (writers == .none, writers)
  }
}
