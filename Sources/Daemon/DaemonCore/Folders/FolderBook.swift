import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization

/// What is known of the music folders themselves, kept in the store.
final class FolderBook: Sendable {
  private let records: Mutex<[BytePath: FolderRecord]>
  // Held while the disk is waited for: who changes something waits for it, who asks does not.
  // ThreadSanitizer takes what comes after such a wait for a `Mutex` for a race.
  private let writing = Monitor(())
  private let files: DiskFiles
  private let logger: Logger

  init(_ files: DiskFiles, logger: Logger) {
    self.files = files
    self.logger = logger
    do {
      records = Mutex(try files.folderRecords())
    } catch {
      logger.warning("what was known of the music folders could not be read: \(error)")
      records = Mutex([:])
    }
  }

  subscript(root: BytePath) -> FolderRecord? { records.withLock { $0[root] } }

  /// Every folder that was ever looked at, configured or not.
  var roots: [BytePath] { records.withLock { Array($0.keys) } }

  /// What the last merge of each folder has to tell the next one.
  var leaving: [BytePath: Set<AlbumID>] {
    records.withLock { $0.mapValues(\.leaving).filter { !$0.value.isEmpty } }
  }

  /// More albums of one folder are not kept: that one of them hands itself over is forgotten by a
  /// restart, which costs its id, and no place.
  private static let mostLeaving = 1_000

  /// Keeps what a look says of the folder itself.
  func note(_ record: FolderRecord, at root: BytePath) {
    change(root) { former in
      var record = record
      record.leaving = former?.leaving ?? []
      return record
    }
  }

  /// Keeps what a merge has to tell the next one.
  func note(leaving albums: Set<AlbumID>, at root: BytePath) {
    change(root) { record in
      var record = record
      record?.leaving = Set(albums.sorted().prefix(Self.mostLeaving))
      return record
    }
  }

  /// No order depends on it, so that a failure is only said.
  private func change(_ root: BytePath, _ change: (FolderRecord?) -> FolderRecord?) {
    writing.withLock { _ in
      let changed = records.withLock { records -> [BytePath: FolderRecord]? in
        let record = change(records[root])
        if records[root] == record { return nil }
        records[root] = record
        return records
      }
      guard let changed else { return }
      do {
        try files.replaceFolderRecords(changed)
      } catch {
        logger.warning("what is known of \(root.display) could not be kept: \(error)")
      }
    }
  }
}
