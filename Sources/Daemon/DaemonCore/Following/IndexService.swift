import LibraryIndex
import LibraryModel
import Logging
import Platform
import Synchronization

/// Keeps the index in step, on its own thread. It may lag: what an answer shows does not come from
/// it.
final class IndexService: Sendable {
  /// The index as a search finds it.
  enum Written {
    /// All that was published before is in it.
    case wholly(LibraryIndex)
    /// The disk keeps it back.
    case late(LibraryIndex)
    case unusable
  }

  private let path: BytePath
  private let published: PublishedLibrary
  private let pending = Monitor(PendingIndex())
  /// What is held back in a first scan. Changed with `pending` locked, so that it never lacks what
  /// that has.
  private let unwritten: Mutex<UnwrittenFiles>
  private let headStart: HeadStart
  private let clock: Clock
  private let logger: Logger
  private let thread = Mutex<BlockingThread?>(nil)

  /// - Parameter path: where the index is opened again when it was lost.
  init(
    path: BytePath, published: PublishedLibrary, headStart: HeadStart = .none, clock: Clock,
    logger: Logger
  ) {
    self.path = path
    self.headStart = headStart
    unwritten = Mutex(UnwrittenFiles(besideIndex: path.display))
    self.published = published
    self.clock = clock
    self.logger = logger
  }

  /// - Parameters:
  ///   - index: nil where it could not be opened: that is tried again.
  ///   - unwritten: what the last daemon had yet to write.
  ///   - library: what was recovered.
  func start(_ index: LibraryIndex?, unwritten: [IndexedFile] = [], _ library: Library) {
    if index == nil { pending.withLock { $0.fail(library, now: clock.monotonic()) } }
    // The thread lasts, and should not keep them.
    let handover = Mutex(unwritten)
    let thread = BlockingThread("index") { [self] in
      headStart.wait()
      note(
        handover.withLock { files in
          defer { files = [] }
          return files
        })
      let index = checked(index)
      if let index {
        if index.isCurrent(library) {
          pending.withLock { $0.index = index }
        } else {
          pending.withLock { $0.follow(library, now: clock.monotonic()) }
        }
      }
      run(index)
    }
    self.thread.withLock { $0 = thread }
  }

  /// What the last daemon had yet to write, unless newer things have been told since.
  private func note(_ unwritten: [IndexedFile]) {
    if unwritten.isEmpty { return }
    // Before the lock is taken: of a first scan it is everything.
    let files = PendingIndex.byPath(unwritten)
    pending.withLock { $0.note(older: files) }
  }

  /// What an edit or a merge came to.
  ///
  /// - Parameters:
  ///   - files: as in `Merge.Outcome`.
  ///   - isScanning: more is to follow at once.
  func note(
    _ changes: [Change], files: [BytePath: FileOwner] = [:],
    isScanning: Bool = false, from before: Library, to library: Library
  ) {
    var albums = Library.albumsTouched(by: changes, from: before, to: library)
    // What a file is searched by may differ without a change: it may be the first reading.
    for song in files.values.compactMap(\.song) {
      if let song = library.songs[song] { albums.insert(song.album) }
    }
    pending.change { pending in
      let due = pending.due
      pending.note(
        files.lazy.map { path, owner in
          guard case .song(let id, let facts?) = owner else { return (path, nil) }
          return (path, IndexedFile(path: path, song: id, facts: facts))
        })
      unwritten.withLock { unwritten in
        guard isScanning || !unwritten.isEmpty else { return }
        unwritten.append(files.keys.compactMap { pending.files[$0] ?? nil })
      }
      let now = clock.monotonic()
      pending.hold(isScanning, now: now)
      if !changes.isEmpty || !albums.isEmpty { pending.note(library, albums, now: now) }
      // Who already waits for this time, or for an earlier one, finds it by then.
      return pending.files.isEmpty && pending.due >= due ? .none : .all
    }
  }

  func drop(_ paths: [BytePath]) {
    pending.withLock { $0.note(paths.map { ($0, nil) }) }
  }

  /// Writes what waits, and does not come back before.
  ///
  /// - Parameter nanoseconds: for so long at most.
  func written(within nanoseconds: Int64) -> Written {
    headStart.end()
    let number = pending.withLock { pending in
      pending.asked += 1
      return pending.asked
    }
    let until = clock.monotonic() + nanoseconds
    let index: LibraryIndex?? = pending.wait(until: until) { pending in
      pending.answered >= number ? .some(pending.index) : nil
    }
    if let index { return index.map(Written.wholly) ?? .unusable }
    return pending.withLock(\.index).map(Written.late) ?? .unusable
  }

  /// Writes what waits and ends.
  func stop() {
    headStart.end()
    pending.withLock { $0.isStopping = true }
    thread.withLock { $0.take() }?.join()
  }

  private func run(_ first: LibraryIndex?) {
    var index = first
    while true {
      let due = pending.withLock { $0.due }
      let work = pending.wait(until: due) { $0.take(due: due, now: clock.monotonic()) }
      guard let work else { continue }
      do {
        try write(work, to: &index)
        if index != nil { forgetUnwritten() }
      } catch {
        logger.warning("the index could not be written: \(error)")
        // On any doubt it is opened anew, which checks it.
        try? index?.close()
        index = nil
        pending.withLock { $0.fail(newest(work.library), now: clock.monotonic()) }
      }
      let known = index
      pending.withLock { pending in
        pending.index = known
        // After the end nobody is to wait.
        pending.answered = work.isStopping ? .max : work.asked
      }
      if work.isStopping {
        try? index?.close(with: published.library)
        return
      }
    }
  }

  /// All is in the index, unless more came meanwhile.
  private func forgetUnwritten() {
    pending.withLock { pending in
      if pending.files.isEmpty { unwritten.withLock { $0.remove() } }
    }
  }

  /// Nil where it is damaged: then all is written anew.
  private func checked(_ index: LibraryIndex?) -> LibraryIndex? {
    do {
      try index?.check()
      return index
    } catch {
      logger.warning("the index is damaged (\(error)) and is built anew")
      pending.withLock { $0.follow(published.library, lag: 0, now: clock.monotonic()) }
      return nil
    }
  }

  private func write(_ work: PendingIndex, to index: inout LibraryIndex?) throws {
    if let index, index.isInPlace {
      var batch = LibraryIndex.Batch()
      for (path, file) in work.files {
        if let file { batch.files.append(file) } else { batch.removed.append(path) }
      }
      batch.library = work.library
      batch.albums = work.albums
      if try !batch.isEmpty && index.write(batch) { giveBackMemory(index) }
    } else if index != nil || work.library != nil {
      // A file or a search doesn't open it while it is not yet time to try again: all is written
      // then.
      try? index?.close()
      index = try begin(with: work.library)
    }
  }

  /// Opens or makes the index, and writes everything that is known.
  private func begin(with noted: Library?) throws -> LibraryIndex {
    let newest = newest(noted)
    try makeDirectories(path.parent.bytes)
    let opened = try LibraryIndex.open(at: path.display, newest: newest.sequence)
    let index = opened.index
    if let note = opened.note { logger.warning("\(note)") }
    var batch = LibraryIndex.Batch()
    batch.library = newest
    // What the library holds twice is read again at the next start.
    newest.songs.forEach { id, song in
      guard let facts = song.facts, !song.isGone else { return }
      batch.files.append(IndexedFile(path: song.path, song: id, facts: facts))
    }
    try index.write(batch)
    logger.notice("the index is written anew")
    giveBackMemory(index)
    return index
  }

  /// Gives back the memory of a phase that is over.
  private func giveBackMemory(_ index: LibraryIndex?) {
    index?.giveBackMemory()
    returnFreeMemory()
  }

  private func newest(_ noted: Library?) -> Library {
    let published = published.library
    guard let noted, noted.sequence > published.sequence else { return published }
    return noted
  }
}
