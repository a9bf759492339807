import LibraryModel

/// Why a daemon can't start on a store. Nothing was written.
package enum StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The store can't be read, or no generation is good.
  case unusable(String)
  /// A later version of crated wrote the file.
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
    /// The same changes may go through later: the disk is full or offline.
    case mayPass
    /// The same changes are refused each time.
    case neverPasses
  }

  package var reason: String
  /// Whether the next start may find the changes on the disk.
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
  /// The disk is full; recovers by itself.
  case full(String)
  case readOnly(String)
}

/// The minimum of the past that is kept.
package struct BackupBounds: Sendable {
  /// The number of the user's changes that can be undone.
  package var undoable = UndoHistory.kept
  /// The number of generations that are kept whatever their age.
  package var generations = 20
  /// The bytes of backups beyond the newest two generations and four times the newest snapshot.
  /// Older ones beyond that are thinned out whatever their age.
  package var bytes = 64 << 20

  package init() {}
}

/// The bounds of the store.
enum StoreLimits {
  /// The bytes of the largest file that is read: far more than a million songs take.
  static let largestFile = 4 << 30
  /// The bytes of journal beyond which a checkpoint is due; a quarter of the snapshot's size if
  /// that is more, since a large snapshot takes long to write.
  static let journalForCheckpoint = 8 << 20
  /// The bytes of journal beyond which a checkpoint is due when nothing happens; a 256th of the
  /// snapshot's size if that is more.
  static let journalForIdleCheckpoint = 64 << 10
  /// The bytes of free room with which a disk no longer counts as full.
  static let probe = 64 << 10
  /// The digits of a generation or a sequence number, with room to add one.
  static let mostDigits = 15
  /// The bytes of a transaction's sentence. A longer one is cut.
  static let longestSentence = 1024
}
