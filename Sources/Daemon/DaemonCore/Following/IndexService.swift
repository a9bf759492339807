import LibraryIndex
import LibraryModel
import Logging
import Platform
import Synchronization

/// Updates the index on a thread of its own. It may lag behind: answers show nothing that comes
/// from it.
final class IndexService: Sendable {
  /// The index in the state that a search finds.
  enum Written {
    /// Contains everything that was published before.
    case wholly(LibraryIndex)
    /// Lags behind, since the disk is slow.
    case late(LibraryIndex)
    case unusable
  }

  private let path: BytePath
  private let published: PublishedLibrary
  private let pending = Monitor(PendingIndex())
  /// The files held back in a first scan. Changed only with `pending` locked, so that it never
  /// lacks a file of that.
  private let unwritten: Mutex<UnwrittenFiles>
  private let startupGrace: StartupGrace
  private let clock: Clock
  private let logger: Logger
  private let thread = Mutex<BlockingThread?>(nil)

  /// - Parameter path: The path at which a lost index is opened again.
  init(
    path: BytePath, published: PublishedLibrary, startupGrace: StartupGrace = .none, clock: Clock,
    logger: Logger
  ) {
    self.path = path
    self.startupGrace = startupGrace
    unwritten = Mutex(UnwrittenFiles(besideIndex: path.display))
    self.published = published
    self.clock = clock
    self.logger = logger
  }

  /// - Parameters:
  ///   - index: Nil if it could not be opened, which is retried.
  ///   - unwritten: The files that the last daemon had not written.
  ///   - library: The recovered library.
  func start(_ index: LibraryIndex?, unwritten: [IndexedFile] = [], _ library: Library) {
    if index == nil { pending.withLock { $0.fail(library, now: clock.monotonic()) } }
    // Handed over, since the thread lasts and must not retain them.
    let handover = Mutex(unwritten)
    let thread = BlockingThread("index") { [self] in
      startupGrace.wait()
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

  /// Records what the last daemon had not written, except where newer facts are known.
  private func note(_ unwritten: [IndexedFile]) {
    if unwritten.isEmpty { return }
    // Before the lock is taken: in a first scan it is everything.
    let files = PendingIndex.byPath(unwritten)
    pending.withLock { $0.note(older: files) }
  }

  /// Records the result of an edit or a merge.
  ///
  /// - Parameters:
  ///   - files: As in `Merge.Outcome`.
  ///   - isScanning: Whether more follows at once.
  func note(
    _ changes: [Change], files: [BytePath: FileOwner] = [:],
    isScanning: Bool = false, from before: Library, to library: Library
  ) {
    var albums = Library.albumsTouched(by: changes, from: before, to: library)
    // The words of a file may differ without a change, as after its first reading.
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
      // A thread that waits for this time or an earlier one finds the change then.
      return pending.files.isEmpty && pending.due >= due ? .none : .all
    }
  }

  func drop(_ paths: [BytePath]) {
    pending.withLock { $0.note(paths.map { ($0, nil) }) }
  }

  /// Writes what is pending, and waits until that is done.
  ///
  /// - Parameter nanoseconds: The maximum time to wait.
  func written(within nanoseconds: Int64) -> Written {
    startupGrace.end()
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

  /// Writes what is pending, and ends the thread.
  func stop() {
    startupGrace.end()
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
        // On any doubt the index is opened again, which checks it.
        try? index?.close()
        index = nil
        pending.withLock { $0.fail(newest(work.library), now: clock.monotonic()) }
      }
      let known = index
      pending.withLock { pending in
        pending.index = known
        // After the end no caller may wait.
        pending.answered = work.isStopping ? .max : work.asked
      }
      if work.isStopping {
        try? index?.close(with: published.library)
        return
      }
    }
  }

  /// Removes the held-back files once everything is in the index, unless more came meanwhile.
  private func forgetUnwritten() {
    pending.withLock { pending in
      if pending.files.isEmpty { unwritten.withLock { $0.remove() } }
    }
  }

  /// Returns nil if the index is damaged; everything is written anew then.
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
      // Files or a search alone do not open the index before the retry is due, which writes
      // everything.
      try? index?.close()
      index = try begin(with: work.library)
    }
  }

  /// Opens or creates the index, and writes everything that is known.
  private func begin(with noted: Library?) throws -> LibraryIndex {
    let newest = newest(noted)
    try makeDirectories(path.parent.bytes)
    let opened = try LibraryIndex.open(at: path.display, newest: newest.sequence)
    let index = opened.index
    if let note = opened.note { logger.warning("\(note)") }
    var batch = LibraryIndex.Batch()
    batch.library = newest
    // The library's duplicates are not written, and are read again at the next start.
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
