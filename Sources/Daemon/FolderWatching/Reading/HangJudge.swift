import LibraryModel

/// Whether a folder's files can be read, or single ones can't. Pure.
///
/// Files that give nothing in time make a folder one that hangs where different ones do, and none
/// of its files was read since the first of them; and where another one, a witness, is among them,
/// rather one that was read before, if the folder has any other. So those that can't be read are a
/// problem each, however many they are and however often they are tried, and whether their readers
/// can be ended or not.
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
    } else if health.timeouts == 0, !health.isHeld {
      isHung = false
    } else if health.isHeld
      || (health.timeouts >= Self.timeoutsForHang && health.late.count >= Self.filesForHang)
    {
      switch witness {
      case .unasked: break
      case .none: isHung = true
      case .waiting(let since): if now >= since + Self.waitForWitness { isHung = true }
      case .asked(let stamp): if health.bad.contains(stamp) { isHung = true }
      }
    }
    return isHung
  }

  /// Two readers, which is what most machines have at least, see as many within the ten seconds
  /// after which a folder that hangs is to be offline.
  private static let timeoutsForHang = 4
  private static let filesForHang = 2
  private static let waitForWitness = 2 * seconds
}
