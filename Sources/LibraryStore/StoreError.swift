/// What keeps a daemon from starting on a store: the daemon must stop, and nothing was written.
package enum StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Can't be read, or no generation is good.
  case unusable(String)
  /// A later version wrote it.
  case newerVersion(Int, file: String)

  package var description: String {
    switch self {
    case .unusable(let reason): reason
    case .newerVersion(let version, let file):
      "\(file) is of version \(version), which this crated does not know; use a newer crated"
    }
  }
}

/// Why changes can't be made durable just now. Nothing was changed, unless the outcome is unknown.
package struct StoreRefusal: Error, Hashable, Sendable {
  package var reason: String
  /// It can't be known whether the changes reached the disk.
  package var isUnknown: Bool

  package init(reason: String, isUnknown: Bool) {
    self.reason = reason
    self.isUnknown = isUnknown
  }
}

/// Whether changes can be made durable.
package enum StoreState: Hashable, Sendable {
  case ready
  /// The disk is full; heals by itself.
  case full(String)
  case readOnly(String)
}

/// The bounds of the store.
enum StoreLimits {
  /// Bytes. Far more than a million songs take; a larger file is not ours.
  static let largestFile = 4 << 30
  /// Bytes of journal, from which on a checkpoint is due.
  static let journalForCheckpoint = 8 << 20
  /// Bytes of journal, from which on a checkpoint is due when nothing happens.
  static let journalForIdleCheckpoint = 64 << 10
  /// Bytes of room that a disk must have not to count as full any more.
  static let probe = 64 << 10
  /// Digits of a generation or a sequence number: more than will ever be, and room for the next
  /// one.
  static let mostDigits = 15
  /// Bytes of a summary, which is for people; a longer one is cut.
  static let longestSummary = 4096
  /// Generations in backups that are kept whatever their age.
  static let backupsKept = 20
}
