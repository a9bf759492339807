import LibraryIndex
import LibraryModel
import Logging
import Platform
import Synchronization

/// Reads the index at a start, on a thread of its own, in parallel with the store.
final class IndexReading: Sendable {
  /// The index's knowledge of the library's files.
  struct Result {
    /// Nil if no index can be opened.
    var index: LibraryIndex?
    /// The files that are not written to the index yet.
    var unwritten: [IndexedFile] = []
    /// Files that belong to no song, as after a backup was restored, or duplicates in folders that
    /// were removed from the settings. They have to be read again.
    var strangers: [BytePath] = []
  }

  private enum Progress {
    /// Before and after the store is read.
    case waitingForStore, newest(Int)
    case opened(LibraryIndex.Opened, IndexedFiles)
    case failed(any Error)
  }

  private let path: BytePath
  private let progress = Monitor(Progress.waitingForStore)

  init(_ path: BytePath) {
    self.path = path
    _ = BlockingThread("index") { self.read() }
  }

  private func read() {
    do {
      try makeDirectories(path.parent.bytes)
      var files = IndexedFiles()
      let opened = try LibraryIndex.open(at: path.display, newest: newest) { files.add($0) }
      if opened.note != nil { files = IndexedFiles() }
      opened.index.giveBackMemory()
      progress.withLock { $0 = .opened(opened, files) }
    } catch {
      progress.withLock { $0 = .failed(error) }
    }
  }

  private var newest: Int {
    progress.wait { progress in
      if case .newest(let newest) = progress { newest } else { nil }
    }
  }

  /// Ends the wait for the store if there is no library; what the index knows is not used then.
  func giveUp() {
    progress.withLock { progress in
      if case .waitingForStore = progress { progress = .newest(.max) }
    }
  }

  /// Passes on the library's sequence, and waits for the end of the reading.
  private func wait(newest: Int) -> Progress {
    progress.withLock { progress in
      if case .waitingForStore = progress { progress = .newest(newest) }
    }
    return progress.wait { progress in
      switch progress {
      case .waitingForStore, .newest: nil
      case .opened, .failed: progress
      }
    }
  }

  /// Returns the facts about the songs of a library with that sequence; nil if the index can't be
  /// used.
  func facts(newest: Int) -> KnownFacts? {
    guard case .opened(_, let files) = wait(newest: newest) else { return nil }
    return files.facts
  }

  /// Gives each song of the library the facts about its file, unless it has them already.
  func finish(_ library: inout Library, hasFacts: Bool, _ logger: Logger) -> Result {
    switch wait(newest: library.sequence) {
    case .waitingForStore, .newest: preconditionFailure("it was waited for")
    case .failed(let error):
      logger.warning(
        "there is no index (\(error)): every file is read at each start; check \(path.display)")
      return Result()
    case .opened(let opened, let files):
      if let note = opened.note { logger.warning("\(note)") }
      var result = Result(index: opened.index, unwritten: opened.unwritten)
      var others: [(song: SongID, file: DuplicateFile)] = []
      // A statement of its own: a library that is passed on while it is modified would be copied
      // whole.
      let own = hasFacts ? nil : files.attach(to: &library)
      files.forEachOther(library, than: own) { file, isDuplicate in
        // A file outside of all music folders belongs to no song.
        if isDuplicate, !library.away.isOutside(file.path) {
          others.append((file.song, DuplicateFile(path: file.path, facts: file.facts)))
        } else {
          result.strangers.append(file.path)
        }
      }
      result.strangers += library.attach(others)
      return result
    }
  }
}

/// The index's rows of files, by the songs that they are recorded for.
private struct IndexedFiles: Sendable {
  private struct Row {
    var song: SongID
    var facts: FileFacts
    /// The end of its path in `paths`; it begins at the end of the previous one.
    var pathEnd: Int
    /// The next row of the same song; -1 if there is none.
    var next: Int32
  }

  private var rows: [Row] = []
  private var newest: [SongID: Int32] = [:]
  // One allocation: many small ones would leave holes between those that last.
  private var paths: [UInt8] = []

  mutating func add(_ file: IndexedFile) {
    let place = Int32(rows.count)
    let next = newest.updateValue(place, forKey: file.song) ?? -1
    file.path.append(to: &paths)
    rows.append(Row(song: file.song, facts: file.facts, pathEnd: paths.count, next: next))
  }

  private func placeOfPath(_ row: Int) -> Range<Int> {
    (row == 0 ? 0 : rows[row - 1].pathEnd)..<rows[row].pathEnd
  }

  private func isOf(_ row: Int, _ path: BytePath, _ digest: AudioDigest?) -> Bool {
    let place = placeOfPath(row)
    return paths.withUnsafeBytes { path.isSame(as: UnsafeRawBufferPointer(rebasing: $0[place])) }
      && rows[row].facts.digest == digest
  }

  /// Returns the facts about the song's own file.
  func facts(_ song: SongID, _ path: BytePath, _ digest: AudioDigest?) -> FileFacts? {
    row(song, path, digest).map { rows[$0].facts }
  }

  private func row(_ song: SongID, _ path: BytePath, _ digest: AudioDigest?) -> Int? {
    var row = newest[song].map(Int.init) ?? -1
    while row >= 0, !isOf(row, path, digest) { row = Int(rows[row].next) }
    return row < 0 ? nil : row
  }

  /// Gives every song in the library the facts about its file.
  ///
  /// - Returns: For each row, whether it is a song's own.
  func attach(to library: inout Library) -> [Bool] {
    var parts = library.takeSongs()
    // Half of them are attached on another thread; the start has nothing else to do meanwhile.
    let half = parts.count / 2
    let others = Mutex((parts: Array(parts[half...]), own: [Int]()))
    parts.removeLast(parts.count - half)
    let thread = BlockingThread("facts") { others.withLock { $0.own = attach(to: &$0.parts) } }
    let own = attach(to: &parts)
    thread.join()
    let (rest, ownOfRest) = others.withLock { others in
      defer { others.parts = [] }
      return others
    }
    library.putBack(parts + rest)
    var areOwn = [Bool](repeating: false, count: rows.count)
    for row in own + ownOfRest { areOwn[row] = true }
    return areOwn
  }

  /// - Returns: The rows that are the songs' own.
  private func attach(to parts: inout [SongsPart]) -> [Int] {
    var own: [Int] = []
    for place in parts.indices {
      parts[place].attach { song, path, digest in
        guard let row = row(song, path, digest) else { return nil }
        own.append(row)
        return rows[row].facts
      }
    }
    return own
  }

  /// Calls back with each file that is no song's own, and whether it is a duplicate of one.
  ///
  /// - Parameter own: For each row, whether it is known to be a song's own; nil to look each one
  ///   up.
  func forEachOther(
    _ library: Library, than own: [Bool]?, _ body: (IndexedFile, _ isDuplicate: Bool) -> Void
  ) {
    for (place, row) in rows.enumerated() where own?[place] != true {
      let song = library.songs[row.song].flatMap { $0.isGone ? nil : $0 }
      if let song, isOf(place, song.path, song.digest) { continue }
      let isDuplicate = row.facts.digest != nil && song?.digest == row.facts.digest
      let path = BytePath(Array(paths[placeOfPath(place)]))
      body(IndexedFile(path: path, song: row.song, facts: row.facts), isDuplicate)
    }
  }
}
