import LibraryModel

/// Whether a folder's files can be read, or single ones can't. Pure.
///
/// A folder hangs when reads have timed out with no successful read in between, and a witness, a
/// file that none of them was of, gave nothing either. The witness is a file that was read before,
/// if there is any. So files that can't be read are a problem each, however many they are and
/// however often they are tried, and whether their readers can be ended or not.
///
/// How many readers the folder has, or can still start, makes no difference to when that is known:
/// a read takes 5 s, and a witness 4 s, which is asked after the first. With 1 reader these and a
/// second read of the first file have timed out after 10 s.
struct HangJudge {
  /// What is known of the file that was asked last whether files can be read.
  enum Witness: Equatable {
    /// Nobody was asked since a file was read last.
    case unasked
    /// There is none.
    case none
    /// It has waited to be opened since then, as where there is no room for others to be read.
    case waiting(since: Int64)
    /// It was given to the reader.
    case asked(FileStamp)
  }

  /// Until a file is read: what comes back says so.
  private(set) var isHung = false

  /// - Parameter now: monotonic, in nanoseconds, as is the time since which a witness waits.
  mutating func judge(_ health: ReadingHealth, _ witness: Witness, at now: Int64) -> Bool {
    if health.hasNoReader {
      isHung = true
    } else if health.isWell {
      isHung = false
    } else if isEvidence(health, witness, at: now) {
      isHung = true
    }
    return isHung
  }

  private func isEvidence(_ health: ReadingHealth, _ witness: Witness, at now: Int64) -> Bool {
    switch witness {
    case .unasked: false
    case .none:
      // Without a witness, different files are each tried twice.
      health.isHeld
        || (health.timeouts >= 2 * Self.filesForHang && health.late.count >= Self.filesForHang)
    case .waiting(let since):
      now >= since + Self.waitForWitness
        && (health.isHeld || health.timeouts >= Self.timeoutsForHang)
    case .asked(let stamp):
      health.bad.contains(stamp) && (health.isHeld || health.timeouts > Self.timeoutsForHang)
    }
  }

  /// Beside the witness's own.
  private static let timeoutsForHang = 2
  private static let filesForHang = 2
  /// As long as its reader is given.
  private static let waitForWitness = 4 * seconds
}
