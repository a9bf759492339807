import CratesInterface
import FolderWatching
import Glibc
import LibraryModel
import LibraryStore
import Platform
import Settings
import Synchronization
import TagReading

extension Daemon: AnsweringSource {
  func status() -> Interface.LibraryStatus {
    let library = published.atHand
    let counts = published.counts
    var warnings: [String] = []
    if let failure = readers.startFailure {
      warnings.append("no tags can be read: \(failure)")
    }
    if !lock.isIntact {
      warnings.append("the lock file of the store was removed: restart crated")
    }
    warnings += confinementWarnings + readers.missingProtections.warnings
    let (state, reason): (Interface.StoreState, String?) =
      switch librarian.state {
      case .ready: (.ready, nil)
      case .full(let reason): (.full, reason)
      case .readOnly(let reason): (.readOnly, reason)
      }
    return Interface.LibraryStatus(
      version: softwareVersion, pid: Int(getpid()), started: Timestamp.text(started),
      sequence: library.sequence, folders: folders.withLock { $0 }.map { shown($0, counts) },
      store: state, storeReason: reason, storePath: surroundings.paths.store.display,
      crates: counts.crates, albums: counts.albums, songs: counts.songs, gone: counts.gone,
      problems: problems.count + playlists.problems.count + librarian.duplicates.count
        + storeProblems.count,
      warnings: warnings)
  }

  /// Whether files of any folder are being read for the first time, or again.
  var isScanning: Bool {
    folders.withLock { $0 }.contains { $0.watchState.progress != nil }
  }

  private func shown(_ folder: FolderService, _ counts: LibraryCounts) -> Interface.MusicFolder {
    let state = folder.watchState
    var shown = Interface.MusicFolder(
      path: folder.root.display, state: .watching, directories: state.foldersWatched,
      songs: counts.songsOfFolder[folder.root] ?? 0)
    switch state.mode {
    case .watching:
      let away = state.offlineSubtrees
      if let first = away.first {
        let more = away.count == 1 ? "" : " and \(away.count - 1) more"
        shown.reason = "\(first.display)\(more) is not there now: its songs are offline"
      }
    case .polling(let reason): (shown.state, shown.reason) = (.polling, reason)
    case .offline(let reason): (shown.state, shown.reason) = (.offline, reason)
    }
    shown.scanned = state.progress?.scanned
    shown.toScan = state.progress?.toScan
    return shown
  }

  func listProblems() -> [Interface.Problem] {
    var list = storeProblems
    list += (problems.all + playlists.problems.all).map { path, problem, since in
      Interface.Problem(
        kind: Interface.ProblemKind(rawValue: problem.kind.rawValue) ?? .unreadable,
        path: path.display, uri: path.fileURI, message: problem.message,
        since: Timestamp.text(since))
    }
    for duplicate in librarian.duplicates {
      list.append(
        Interface.Problem(
          kind: .duplicate, path: duplicate.path.display, uri: duplicate.path.fileURI,
          message: "the same sound as \(duplicate.original.display), in the same album: remove one"
            + " of them",
          since: Timestamp.text(started)))
    }
    return list
  }

  func pastChanges(before: Int, most: Int) -> [CommittedChange] {
    past.changes(before: before, most: most, of: nil)
  }

  private var storeProblems: [Interface.Problem] {
    guard case .readOnly(let reason) = librarian.state else { return [] }
    return [
      Interface.Problem(
        kind: .damagedStore, path: surroundings.paths.store.display,
        uri: surroundings.paths.store.fileURI, message: reason, since: Timestamp.text(started))
    ]
  }

  func synchronize(_ done: @escaping @Sendable () -> Void) {
    let folders = folders.withLock { $0 }
    let waiting = Countdown(folders.count, done)
    for folder in folders { folder.synchronize { waiting.count() } }
  }

  func rescan(
    _ path: BytePath?, _ progress: @escaping @Sendable ((scanned: Int, toScan: Int)?) -> Void
  ) -> Bool {
    let folders = folders.withLock { $0 }.filter { folder in
      path.map { $0.isInside(folder.root) || folder.root.isInside($0) } ?? true
    }
    if folders.isEmpty && path != nil { return false }
    let waiting = Countdown(folders.count) { progress(nil) }
    for folder in folders {
      let below = path.flatMap { $0.isInside(folder.root) ? $0 : nil }
      folder.rescan(below) {
        progress(($0.scanned, $0.toScan))
      } _: {
        waiting.count()
      }
    }
    return true
  }
}

/// Calls when so many things are done; at once for none.
private final class Countdown: Sendable {
  private let left: Mutex<Int>
  private let done: @Sendable () -> Void

  init(_ count: Int, _ done: @escaping @Sendable () -> Void) {
    left = Mutex(count)
    self.done = done
    if count == 0 { done() }
  }

  func count() {
    let isLast = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isLast { done() }
  }
}
