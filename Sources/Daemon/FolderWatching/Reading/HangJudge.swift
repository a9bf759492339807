import LibraryModel

/// Decides whether a whole folder hangs or only single files can't be read. Pure.
///
/// A folder counts as hung when reads have timed out with no successful read in between, and a
/// probe of one more file times out too. The probe is a file that was read before, if there is one.
/// So files that can't be read are separate problems, however many they are, however often they are
/// tried, and whether or not their readers can be ended.
///
/// The number of readers that the folder has, or can still start, doesn't affect when this is
/// known. A read times out after 5 s. The probe is requested after the first timeout and times out
/// after 4 s. With one reader, the probe and a second read of the first file have timed out after
/// 10 s.
struct HangJudge {
  /// The state of the last probe.
  enum Probe: Equatable {
    /// No probe was requested since the last successful read.
    case unasked
    /// There is no file to probe.
    case none
    /// The probe has waited to be opened since this time, for example because there is no room.
    case waiting(since: Int64)
    /// The probe was given to the reader.
    case asked(FileStamp)
  }

  /// Whether the folder hangs. Stays true until a file is read.
  private(set) var isHung = false

  /// - Parameter now: monotonic, in nanoseconds, like the time since which a probe waits.
  mutating func judge(_ health: ReadingHealth, _ probe: Probe, at now: Int64) -> Bool {
    if health.hasNoReader {
      isHung = true
    } else if health.isWell {
      isHung = false
    } else if isEvidence(health, probe, at: now) {
      isHung = true
    }
    return isHung
  }

  private func isEvidence(_ health: ReadingHealth, _ probe: Probe, at now: Int64) -> Bool {
    switch probe {
    case .unasked: false
    case .none:
      // Without a probe, several different files must have been tried twice each.
      health.isHeld
        || (health.timeouts >= 2 * Self.filesForHang && health.late.count >= Self.filesForHang)
    case .waiting(let since):
      now >= since + Self.waitForProbe
        && (health.isHeld || health.timeouts >= Self.timeoutsForHang)
    case .asked(let stamp):
      health.bad.contains(stamp) && (health.isHeld || health.timeouts > Self.timeoutsForHang)
    }
  }

  /// The number of timeouts besides the probe's own.
  private static let timeoutsForHang = 2
  private static let filesForHang = 2
  /// As long as the reader may take for a probe.
  private static let waitForProbe = 4 * seconds
}
