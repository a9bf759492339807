import LibraryIndex
import LibraryModel
import Logging
import Platform

/// The reading of the index at a start, on a thread of its own, beside that of the store.
final class IndexReading: Sendable {
  /// What the index knows of the files of a library.
  struct Result {
    /// Nil where there can't be one.
    var index: LibraryIndex?
    var duplicates: [(BytePath, SongID, FileFacts)] = []
    /// No song's, as after a backup was restored: they have to be read again.
    var strangers: [BytePath] = []
  }

  private enum Progress {
    /// Until the store is read, and after.
    case waitingForStore, newest(Int)
    case opened(LibraryIndex.Opened, IndexedFiles)
    case failed(any Error)
    case taken
  }

  private let path: BytePath
  private let progress = Monitor(Progress.waitingForStore)

  init(_ path: BytePath) {
    self.path = path
    _ = BlockingThread("index") { self.read() }
  }

  private func read() {
    do {
      try makeDirectories(path.parent)
      var files = IndexedFiles()
      let opened = try LibraryIndex.open(at: path.display, newest: newest) { files.add($0) }
      if opened.note != nil { files = IndexedFiles() }
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

  /// There is no library: whatever the index knows, nobody will use it.
  func giveUp() {
    progress.withLock { progress in
      if case .waitingForStore = progress { progress = .newest(.max) }
    }
  }

  /// Waits for the end of the reading, and gives each song of the library what the index knows of
  /// its file.
  func finish(_ library: inout Library, _ logger: Logger) -> Result {
    progress.withLock { progress in
      if case .waitingForStore = progress { progress = .newest(library.sequence) }
    }
    let read = progress.wait { progress -> Progress? in
      switch progress {
      case .waitingForStore, .newest: return nil
      case .opened, .failed, .taken:
        defer { progress = .taken }
        return progress
      }
    }
    switch read {
    case .waitingForStore, .newest, .taken: preconditionFailure("it is finished once")
    case .failed(let error):
      logger.warning(
        "there is no index (\(error)): every file is read at each start; check \(path.display)")
      return Result()
    case .opened(let opened, var files):
      if let note = opened.note { logger.warning("\(note)") }
      library.attach { files.take($0) }
      var result = Result(index: opened.index)
      files.forEachLeft(library) { file, isDuplicate in
        if isDuplicate {
          result.duplicates.append((file.path, file.song, file.facts))
        } else {
          result.strangers.append(file.path)
        }
      }
      result.duplicates.sort { $0.0 < $1.0 }
      return result
    }
  }
}

/// What the index says of files, by the songs that it says they are.
private struct IndexedFiles: Sendable {
  private struct Row {
    var song: SongID
    var facts: FileFacts
    /// Where its path ends among the paths; it begins where the one before ends.
    var pathEnd: Int
    /// Of the same song; -1: there is none.
    var next: Int32
    var isTaken = false
  }

  private var rows: [Row] = []
  private var newest: [SongID: Int32] = [:]
  // All in one piece: small ones would leave holes between what lasts.
  private var paths: [UInt8] = []

  mutating func add(_ file: IndexedFile) {
    let place = Int32(rows.count)
    let next = newest.updateValue(place, forKey: file.song) ?? -1
    paths += file.path.bytes
    rows.append(Row(song: file.song, facts: file.facts, pathEnd: paths.count, next: next))
  }

  private func path(_ row: Int) -> ArraySlice<UInt8> {
    paths[(row == 0 ? 0 : rows[row - 1].pathEnd)..<rows[row].pathEnd]
  }

  /// What is known of the song's own file.
  mutating func take(_ song: Song) -> FileFacts? {
    guard !song.isGone, var place = newest[song.id] else { return nil }
    while place >= 0 {
      let row = Int(place)
      if path(row) == song.path.bytes[...], rows[row].facts.digest == song.digest {
        rows[row].isTaken = true
        return rows[row].facts
      }
      place = rows[row].next
    }
    return nil
  }

  /// Those that no song took, and whether they are further files of one.
  func forEachLeft(_ library: Library, _ body: (IndexedFile, _ isDuplicate: Bool) -> Void) {
    for (place, row) in rows.enumerated() where !row.isTaken {
      let path = BytePath(Array(path(place)))
      let song = library.songs[row.song]
      let isDuplicate =
        song.map {
          !$0.isGone && $0.path != path && row.facts.digest != nil && $0.digest == row.facts.digest
        } ?? false
      body(IndexedFile(path: path, song: row.song, facts: row.facts), isDuplicate)
    }
  }
}
