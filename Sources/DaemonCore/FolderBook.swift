import LibraryModel
import LibraryStore
import Logging
import Platform

/// What is known of the music folders themselves, kept in the store.
final class FolderBook: Sendable {
  // Held while the disk is waited for, so that others wait for it, too; ThreadSanitizer takes what
  // comes after such a wait for a `Mutex` for a race.
  private let records: Monitor<[BytePath: FolderRecord]>
  private let files: DiskFiles
  private let logger: Logger

  init(_ files: DiskFiles, logger: Logger) {
    self.files = files
    self.logger = logger
    do {
      records = Monitor(try files.folderRecords())
    } catch {
      logger.warning("what was known of the music folders could not be read: \(error)")
      records = Monitor([:])
    }
  }

  subscript(root: BytePath) -> FolderRecord? { records.withLock { $0[root] } }

  /// Every folder that was ever looked at, configured or not.
  var roots: [BytePath] { records.withLock { Array($0.keys) } }

  /// Nothing depends on it but recognising the folder after the index was lost too, so that a
  /// failure is only said.
  func note(_ record: FolderRecord, at root: BytePath) {
    records.withLock { records in
      if records[root] == record { return }
      records[root] = record
      do {
        try files.keep(records)
      } catch {
        logger.warning("what is known of \(root.display) could not be kept: \(error)")
      }
    }
  }
}
