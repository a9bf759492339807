import LibraryIndex
import LibraryModel
import Logging
import Platform
import Synchronization

/// Keeps the index in step, on its own thread. It may lag: what an answer shows does not come from
/// it.
final class IndexService: Sendable {
  /// From a change to the writing of the order. What happens meanwhile is written at once: a first
  /// scan has thousands of albums to come, and a row would be written again and again.
  private static let orderLag: Int64 = 1_000_000_000
  /// After an order that could not be written.
  private static let retryDelay: Int64 = 60_000_000_000

  private struct Pending {
    /// By path, so that it can't grow past the library; nil: the file is not known any longer.
    var files: [BytePath: IndexedFile?] = [:]
    /// The newest: what came between is not written.
    var library: Library?
    /// Whose songs changed on the way to it.
    var albums: Set<AlbumID> = []
    /// When the library is to be written.
    var orderDue = Int64.max
    var isStopping = false

    /// What is to be written now; nil as long as there is nothing and the time to wait for is the
    /// same.
    mutating func take(due: Int64, now: Int64) -> Pending? {
      let isOrderDue = orderDue <= now || isStopping
      if files.isEmpty, !isOrderDue, orderDue == due { return nil }
      var taken = self
      self = Pending(isStopping: isStopping)
      if !isOrderDue {
        (library, albums, orderDue) = (taken.library, taken.albums, taken.orderDue)
        (taken.library, taken.albums) = (nil, [])
      }
      return taken
    }
  }

  private let pending = Monitor(Pending())
  private let clock: Clock
  private let logger: Logger
  private let thread = Mutex<BlockingThread?>(nil)

  init(clock: Clock, logger: Logger) {
    self.clock = clock
    self.logger = logger
  }

  /// - Parameter library: what was recovered.
  func start(_ index: LibraryIndex, _ library: Library) {
    pending.withLock { pending in
      pending.library = library
      pending.orderDue = clock.monotonic() + Self.orderLag
    }
    let thread = BlockingThread("index") { [self] in run(index) }
    self.thread.withLock { $0 = thread }
  }

  /// What an edit or a merge came to.
  ///
  /// - Parameter files: as in `Merge.Outcome`.
  func note(
    _ changes: [Change], files: [BytePath: (song: SongID, facts: FileFacts?)?] = [:],
    from before: Library, to library: Library
  ) {
    let albums = Library.albumsTouched(by: changes, from: before, to: library)
    pending.withLock { pending in
      for (path, file) in files {
        if let file, let facts = file.facts {
          pending.files[path] = .some(IndexedFile(path: path, song: file.song, facts: facts))
        } else {
          pending.files[path] = .some(nil)
        }
      }
      if changes.isEmpty { return }
      pending.library = library
      pending.albums.formUnion(albums)
      pending.orderDue = min(pending.orderDue, clock.monotonic() + Self.orderLag)
    }
  }

  func drop(_ paths: [BytePath]) {
    pending.withLock { pending in
      for path in paths { pending.files[path] = .some(nil) }
    }
  }

  /// Writes what waits and ends.
  func stop() {
    pending.withLock { $0.isStopping = true }
    thread.withLock { $0.take() }?.join()
  }

  private func run(_ index: LibraryIndex) {
    while true {
      let due = pending.withLock { $0.orderDue }
      let work = pending.wait(until: due) { $0.take(due: due, now: clock.monotonic()) }
      guard let work else { continue }
      var batch = LibraryIndex.Batch()
      for (path, file) in work.files {
        if let file { batch.files.append(file) } else { batch.removed.append(path) }
      }
      batch.library = work.library
      batch.albums = work.albums
      do {
        if !batch.isEmpty { try index.write(batch) }
      } catch {
        logger.warning("the index could not be written: \(error)")
        // The files will be read again at the next start. The order is compared whole.
        let retry = clock.monotonic() + Self.retryDelay
        pending.withLock { pending in
          guard pending.library == nil, let library = batch.library else { return }
          pending.library = library
          pending.orderDue = retry
        }
      }
      if work.isStopping {
        try? index.close()
        return
      }
    }
  }
}
