import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization

/// The records of the music folders themselves, stored beside the library.
final class KnownFolders: Sendable {
  private let records: Mutex<[BytePath: FolderRecord]>
  // Held during disk writes: changes wait for those, reads do not. ThreadSanitizer would report a
  // race after such a long wait for a `Mutex`.
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

  /// All folders that were ever scanned, configured or not.
  var roots: [BytePath] { records.withLock { Array($0.keys) } }

  /// The albums that the last merge of each folder passes on to the next one.
  var leaving: [BytePath: Set<AlbumID>] {
    records.withLock { $0.mapValues(\.leaving).filter { !$0.value.isEmpty } }
  }

  /// The maximum number of albums recorded for a folder. A restart forgets of any others that they
  /// may hand over their id; that costs the id, but no place.
  private static let mostLeaving = 1_000

  /// Records the state of the folder itself after a scan.
  func note(_ record: FolderRecord, at root: BytePath) {
    change(root) { former in
      var record = record
      record.leaving = former?.leaving ?? []
      return record
    }
  }

  /// Records what a merge passes on to the next one.
  func note(leaving albums: Set<AlbumID>, at root: BytePath) {
    change(root) { record in
      var record = record
      record?.leaving = Set(albums.sorted().prefix(Self.mostLeaving))
      return record
    }
  }

  /// Changes a record. No order depends on it, so that a failure is only logged.
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
