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
    switch isLockIntact {
    case true?: break
    case false?: warnings.append("the lock file of the store was removed: restart crated")
    case nil: warnings.append("the disk of the store doesn't answer: check the drive or server")
    }
    warnings += rights.warnings + readers.missingProtections.warnings
    let current = settings.withLock { $0 }
    warnings += [current.web.warning].compactMap(\.self)
    let newAlbums = current.newAlbums ?? library.newAlbums
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
      problems: problems.count + playlists.problems.count + duplicates.count
        + ownProblems.count,
      warnings: warnings, newAlbums: newAlbums,
      settingsPath: surroundings.paths.settingsFile.display,
      playlists: current.playlists?.display, player: current.player?.text,
      mpd: current.mpd?.display)
  }

  /// Nil where the disk doesn't answer in time.
  private var isLockIntact: Bool? {
    answer(of: surroundings.paths.store.bytes, within: answerWithin) { [lock] in lock.isIntact }
  }

  /// Whether files of any folder are being read for the first time, or again.
  var isScanning: Bool { progress.scanned != nil }

  var progress: (scanned: Int?, toScan: Int?) {
    let all = folders.withLock { $0 }.compactMap(\.progress)
    let toScan = all.compactMap(\.toScan)
    return (
      all.isEmpty ? nil : all.reduce(0) { $0 + $1.scanned },
      toScan.isEmpty ? nil : toScan.reduce(0, +)
    )
  }

  /// Places in a folder that are not there now, and that songs are missed from.
  private func missed(of state: WatchState) -> [BytePath] {
    if state.offlineSubtrees.isEmpty { return [] }
    let away = folders.withLock { $0 }.flatMap(\.watchState.offlineSubtrees)
    let missed = missedPlaces.places(of: away, in: published.atHand)
    return state.offlineSubtrees.filter(missed.contains)
  }

  private func shown(_ folder: FolderService, _ counts: LibraryCounts) -> Interface.MusicFolder {
    let state = folder.watchState
    var shown = Interface.MusicFolder(
      path: folder.root.display, state: .watching, directories: state.foldersWatched,
      songs: counts.songsOfFolder[folder.root] ?? 0)
    switch state.mode {
    case .watching:
      let away = missed(of: state)
      if let first = away.first {
        let others = away.count - 1
        shown.reason =
          switch others {
          case 0: "\(first.display) is not there now: its songs are offline"
          case 1: "\(first.display) and another place are not there now: their songs are offline"
          default:
            "\(first.display) and \(others) other places are not there now: their songs are offline"
          }
      }
    case .polling(let reason): (shown.state, shown.reason) = (.polling, reason)
    case .offline(let reason): (shown.state, shown.reason) = (.offline, reason)
    }
    let progress = folder.progress
    shown.scanned = progress?.scanned
    shown.toScan = progress?.toScan
    return shown
  }

  func listProblems() -> [Interface.Problem] {
    var list = ownProblems
    list += (problems.all + playlists.problems.all).map { path, problem, since in
      Interface.Problem(
        kind: Interface.ProblemKind(rawValue: problem.kind.rawValue) ?? .unreadable,
        path: path.display, uri: path.fileURI, message: problem.message,
        since: Timestamp.text(since))
    }
    for duplicate in duplicates {
      list.append(
        Interface.Problem(
          kind: .duplicate, path: duplicate.file.display, uri: duplicate.file.fileURI,
          message: "the same sound as \(duplicate.original.display), in the same album: remove one"
            + " of them",
          since: Timestamp.text(started)))
    }
    return list
  }

  func pastChanges(before: Int, most: Int) throws(UnreadablePast) -> [Interface.Change] {
    try past.changes(before: before, most: most)
  }

  /// Files that may be removed, of two that are both known to be there.
  private var duplicates: [(file: BytePath, original: BytePath)] {
    let library = published.atHand
    if library.otherFileCount == 0 { return [] }
    let away = library.away
    let seen = folders.withLock { $0 }.filter(\.watchState.isSeen).map(\.root)
    func isThere(_ path: BytePath) -> Bool {
      !away.covers(path) && seen.contains { path.isInside($0) }
    }
    var found: [(file: BytePath, original: BytePath)] = []
    library.forEachOtherFile { file, song in
      if isThere(file.path), isThere(song.path) { found.append((file.path, song.path)) }
    }
    return found.sorted { $0.file < $1.file }
  }

  private var foldersLeft: [LeftFolders.Folder] {
    let counts = published.counts
    // Nearly always nothing has to be looked for.
    if counts.songs == counts.songsOfFolder.values.reduce(0, +) { return [] }
    return leftFolders.folders(in: published.atHand, roots: folderBook.roots)
  }

  /// What is wrong with the store, the settings and the music folders, the worst first.
  private var ownProblems: [Interface.Problem] {
    storeProblems + settingsProblems + clockProblems + folderProblems
  }

  private var storeProblems: [Interface.Problem] {
    let store = surroundings.paths.store
    return switch librarian.state {
    case .ready: []
    case .full(let reason):
      [problem(.store, at: store, "no change is taken: \(reason)", since: started)]
    case .readOnly(let reason): [problem(.damagedStore, at: store, reason, since: started)]
    }
  }

  private var settingsProblems: [Interface.Problem] {
    guard let (reason, since) = refusedSettings.withLock({ $0 }) else { return [] }
    let file = surroundings.paths.settingsFile
    // The problem names the file itself.
    let inside =
      reason.hasPrefix(file.display + ", ") ? reason.dropFirst(file.display.count + 2) : ""
    let message = "\(inside.isEmpty ? reason[...] : inside); the previous settings stay in force"
    return [problem(.settings, at: file, message, since: since)]
  }

  /// A clock that was ahead when the last change was made, or is behind now.
  private var clockProblems: [Interface.Problem] {
    let (newest, now) = (librarian.newestTime.load(ordering: .relaxed), surroundings.clock.wall())
    if newest <= now / 1_000_000 + Self.clockCorrections { return [] }
    let message =
      "the last change is dated \(Timestamp.text(newest)), and the clock shows"
      + " \(Timestamp.text(now / 1_000_000)): set the clock if it is wrong; the order of changes"
      + " does not depend on it"
    return [problem(.store, at: surroundings.paths.store, message, since: started)]
  }

  /// By how much a clock may be set back without a word, in milliseconds.
  private static let clockCorrections: Int64 = 60_000

  /// Folders that are away, wholly or in part, and those that left the settings.
  private var folderProblems: [Interface.Problem] {
    var list: [Interface.Problem] = []
    for folder in folders.withLock({ $0 }) {
      let state = folder.watchState
      if case .offline(let reason) = state.mode {
        let message =
          "is offline: \(reason); mount it or plug it in, or change music_folders; its places are"
          + " kept meanwhile"
        list.append(problem(.folder, at: folder.root, message, since: started))
      }
      // One for all: a drive that goes may take thousands of files along.
      let missed = missed(of: state)
      if let first = missed.first {
        let others = missed.count - 1
        let message =
          others == 0
          ? "is not there now: its songs are offline until you plug in or mount its drive"
          : "and \(others) more in \(folder.root.display) are not there now: their songs are"
            + " offline until you plug in or mount their drives"
        list.append(problem(.folder, at: first, message, since: started))
      }
    }
    return list
      + foldersLeft.map { folder in
        let songs = folder.songs == 1 ? "1 song lies" : "\(folder.songs) songs lie"
        let message =
          "\(songs) in this folder, which is in no setting any more: put it back into"
          + " music_folders, or drop them with `crate forget` and the folder, a crate or albums"
        return problem(.folder, at: folder.path, message, since: started)
      }
  }

  private func problem(
    _ kind: Interface.ProblemKind, at path: BytePath, _ message: String, since: Int64
  ) -> Interface.Problem {
    Interface.Problem(
      kind: kind, path: path.display, uri: path.fileURI, message: message,
      since: Timestamp.text(since))
  }

  func synchronize(_ done: @escaping MergeWaiters.Completion) {
    headStart.end()
    let folders = folders.withLock { $0 }
    let waiting = Countdown(folders.count, done)
    for folder in folders { folder.synchronize(waiting.count) }
  }

  func rescan(
    _ path: BytePath?, progress: @escaping @Sendable (WatchState.Progress) -> Void,
    _ done: @escaping MergeWaiters.Completion
  ) -> Bool {
    headStart.end()
    let folders = folders.withLock { $0 }.filter { folder in
      path.map { $0.isInside(folder.root) || folder.root.isInside($0) } ?? true
    }
    if folders.isEmpty && path != nil { return false }
    let waiting = Countdown(folders.count, done)
    for folder in folders {
      let below = path.flatMap { $0.isInside(folder.root) ? $0 : nil }
      folder.rescan(below, progress, waiting.count)
    }
    return true
  }
}

/// Calls when so many folders are merged, at once for none; and at the first refusal.
final class Countdown: Sendable {
  private let left: Mutex<Int>
  private let done: MergeWaiters.Completion

  init(_ count: Int, _ done: @escaping MergeWaiters.Completion) {
    left = Mutex(count)
    self.done = done
    if count == 0 { done(nil) }
  }

  func count(_ refusal: String?) {
    let isOver = left.withLock { left in
      guard left > 0 else { return false }
      left = refusal == nil ? left - 1 : 0
      return left == 0
    }
    if isOver { done(refusal) }
  }
}
