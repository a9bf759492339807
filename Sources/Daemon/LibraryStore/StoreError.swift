import LibraryModel

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

/// Why changes can't be made durable. Nothing was changed, unless the outcome is unknown.
package struct StoreRefusal: Error, Hashable, Sendable {
  package enum Kind: Sendable {
    /// Another time it may be taken: a disk is full, or away.
    case mayPass
    /// These very changes are never taken.
    case neverPasses
  }

  package var reason: String
  /// Whether it can't be known if the changes reached the disk.
  package var isUnknown: Bool
  package var kind: Kind

  package init(reason: String, isUnknown: Bool, kind: Kind = .mayPass) {
    self.reason = reason
    self.isUnknown = isUnknown
    self.kind = kind
  }
}

/// Whether changes can be made durable.
package enum StoreState: Hashable, Sendable {
  case ready
  /// The disk is full; heals by itself.
  case full(String)
  case readOnly(String)
}

/// What is kept of the past at least.
package struct BackupBounds: Sendable {
  /// How many of the person's changes can be taken back.
  package var undoable = UndoHistory.kept
  /// Generations whatever their age.
  package var generations = 20
  /// Bytes beyond the newest two generations and four times the newest snapshot: more is thinned
  /// out whatever its age.
  package var bytes = 64 << 20

  package init() {}
}

/// The bounds of the store.
enum StoreLimits {
  /// Bytes. Far more than a million songs take; a larger file is not ours.
  static let largestFile = 4 << 30
  /// Bytes of journal, from which on a checkpoint is due; of a large snapshot a quarter, for it
  /// takes long to write.
  static let journalForCheckpoint = 8 << 20
  /// Bytes of journal, from which on a checkpoint is due when nothing happens; of a large snapshot
  /// a 256th.
  static let journalForIdleCheckpoint = 64 << 10
  /// Bytes of room that a disk must have not to count as full any more.
  static let probe = 64 << 10
  /// Digits of a generation or a sequence number: enough for any that will ever be, and to add one
  /// to it.
  static let mostDigits = 15
  /// Bytes of the sentence that a change was told in; of a longer one the beginning is kept.
  static let longestSentence = 1024
}
