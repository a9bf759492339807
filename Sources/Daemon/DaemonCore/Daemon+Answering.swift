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
    if let failure = folders.readers.startFailure {
      warnings.append("no tags can be read: \(failure)")
    }
    switch isLockIntact {
    case true?: break
    case false?: warnings.append("the lock file of the store was removed: restart crated")
    case nil: warnings.append("the disk of the store doesn't answer: check the drive or server")
    }
    warnings += rights.warnings + folders.readers.missingProtections.warnings
    let current = settings
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
      sequence: library.sequence, folders: folders.shown(counts),
      store: state, storeReason: reason, storePath: surroundings.paths.store.display,
      crates: counts.crates, albums: counts.albums, songs: counts.songs, gone: counts.gone,
      problems: folders.problems.count + playlists.problems.count + machines.problems.count
        + folders.duplicates.count + ownProblems.count,
      warnings: warnings, newAlbums: newAlbums,
      settingsPath: surroundings.paths.settingsFile.display,
      playlists: current.playlists?.display, player: current.player?.text,
      mpd: current.mpd?.display)
  }

  /// Whether the lock file is intact; nil if the disk doesn't answer in time.
  private var isLockIntact: Bool? {
    answer(of: surroundings.paths.store.bytes, within: answerWithin) { [lock] in lock.isIntact }
  }

  /// Returns the problems, of each kind no more than fit into a reply.
  func listProblems() -> [Interface.Problem] { AnswerCount.problems(allProblems) }

  private var allProblems: [Interface.Problem] {
    var list = ownProblems
    let known = folders.problems.all + playlists.problems.all + machines.problems.all
    list += known.map { path, problem, since in
      Interface.Problem(
        Interface.ProblemKind(rawValue: problem.kind.rawValue) ?? .unreadable, at: path,
        problem.message, since: since)
    }
    for duplicate in folders.duplicates {
      let message =
        "the same sound as \(duplicate.original.display), in the same album, so it is not listed;"
        + " before you remove one, see that the other plays to its end"
      list.append(
        Interface.Problem(.duplicate, at: duplicate.file, message, since: started))
    }
    return list
  }

  var progress: (scanned: Int?, toScan: Int?) { folders.progress }

  func trace() -> [Interface.TraceEntry] {
    folders.all.flatMap { folder in
      folder.trace.map { entry in
        Interface.TraceEntry(
          folder: folder.root.display, time: Timestamp.text(entry.time),
          text: String("\(entry)".prefix(AnswerCount.traceText)))
      }
    }
  }

  func pastChanges(before: Int, most: Int) throws(UnreadablePast) -> [Interface.Change] {
    try past.changes(before: before, most: most)
  }

  /// The problems of the store, the settings and the music folders, the worst first.
  private var ownProblems: [Interface.Problem] {
    storeProblems + settingsProblems + clockProblems + folders.ownProblems(since: started)
  }

  private var storeProblems: [Interface.Problem] {
    let store = surroundings.paths.store
    return switch librarian.state {
    case .ready: []
    case .full(let reason):
      [Interface.Problem(.store, at: store, "no change is taken: \(reason)", since: started)]
    case .readOnly(let reason):
      [Interface.Problem(.damagedStore, at: store, reason, since: started)]
    }
  }

  private var settingsProblems: [Interface.Problem] {
    guard let (reason, since) = configuration.withLock({ $0.refused }) else { return [] }
    let file = surroundings.paths.settingsFile
    // The problem's path names the file already.
    let inside =
      reason.hasPrefix(file.display + ", ") ? reason.dropFirst(file.display.count + 2) : ""
    let message = "\(inside.isEmpty ? reason[...] : inside); the previous settings stay in force"
    return [Interface.Problem(.settings, at: file, message, since: since)]
  }

  /// The problem of a clock that was ahead at the last change, or is behind now.
  private var clockProblems: [Interface.Problem] {
    let (newest, now) = (librarian.newestTime.load(ordering: .relaxed), surroundings.clock.wall())
    if newest <= now / 1_000_000 + Self.clockCorrections { return [] }
    let message =
      "the last change is dated \(Timestamp.text(newest)), and the clock shows"
      + " \(Timestamp.text(now / 1_000_000)): set the clock if it is wrong; the order of changes"
      + " does not depend on it"
    return [Interface.Problem(.store, at: surroundings.paths.store, message, since: started)]
  }

  /// The time by which the clock may be set back without a problem, in milliseconds.
  private static let clockCorrections: Int64 = 60_000

  func synchronize(_ done: @escaping MergeWaiters.Completion) {
    startupGrace.end()
    folders.synchronize(done)
  }

  func rescan(
    _ path: BytePath?, progress: @escaping @Sendable (WatchState.Progress) -> Void,
    _ done: @escaping MergeWaiters.Completion
  ) -> Bool {
    startupGrace.end()
    return folders.rescan(path, progress: progress, done)
  }
}

extension Interface.Problem {
  /// - Parameter since: Milliseconds since 1970.
  init(_ kind: Interface.ProblemKind, at path: BytePath, _ message: String, since: Int64) {
    self.init(
      kind: kind, path: path.display, uri: path.fileURI, message: message,
      since: Timestamp.text(since))
  }
}
