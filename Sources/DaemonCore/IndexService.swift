import LibraryIndex
import LibraryModel
import Logging
import Platform
import Synchronization

/// Keeps the index in step, on its own thread. It may lag: what an answer shows does not come from
/// it.
final class IndexService: Sendable {
  private struct Pending {
    /// By path, so that it can't grow past the library; nil: the file is not known any longer.
    var files: [BytePath: IndexedFile?] = [:]
    var folders: [BytePath: LibraryIndex.Folder] = [:]
    var sequence = 0
    var isStopping = false
  }

  private let pending = Monitor(Pending())
  private let logger: Logger
  private let thread = Mutex<BlockingThread?>(nil)

  init(logger: Logger) {
    self.logger = logger
  }

  func start(_ index: LibraryIndex) {
    let thread = BlockingThread("index") { [self] in run(index) }
    self.thread.withLock { $0 = thread }
  }

  func note(_ outcome: Merge.Outcome, sequence: Int) {
    pending.withLock { pending in
      for (path, file) in outcome.files {
        if let file, let facts = file.facts {
          pending.files[path] = .some(IndexedFile(path: path, song: file.song, facts: facts))
        } else {
          pending.files[path] = .some(nil)
        }
      }
      pending.sequence = sequence
    }
  }

  func note(_ folder: LibraryIndex.Folder, at path: BytePath) {
    pending.withLock { $0.folders[path] = folder }
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
      let (work, isLast) = pending.wait { pending -> (Pending, Bool)? in
        let isIdle = pending.files.isEmpty && pending.folders.isEmpty
        if isIdle && !pending.isStopping { return nil }
        defer {
          pending.files = [:]
          pending.folders = [:]
        }
        return (pending, pending.isStopping)
      }
      var batch = LibraryIndex.Batch()
      batch.sequence = work.sequence
      batch.folders = work.folders
      for (path, file) in work.files {
        if let file { batch.files.append(file) } else { batch.removed.append(path) }
      }
      if !(batch.files.isEmpty && batch.removed.isEmpty && batch.folders.isEmpty) {
        do {
          try index.write(batch)
        } catch {
          // The files will be read again at the next start.
          logger.warning("the index could not be written: \(error)")
        }
      }
      if isLast {
        try? index.close()
        return
      }
    }
  }
}
