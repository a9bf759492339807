import Glibc
import LibraryModel
import Platform

/// Rounds of scans.
extension WatchCore {
  mutating func scanDue() {
    guard isOnline else { return }
    if session.agenda.fullScan != nil {
      beginFullScan()
    } else if !session.agenda.hasOverflowed {
      // After an overflow, the lost events may be the other half of what a scan would find.
      // What was found and is about to be merged may have been moved from where a deletion is
      // pending: `mkdir new; mv old/* new` is listed before the events of the move arrive.
      let due = session.agenda.pending.takeDue(at: now, withDeletions: outbox.batch.count > 0)
      if !due.isEmpty { beginScan(due) }
    }
  }

  /// - Parameter isRescan: whether a client requested it, so that failed reads are retried.
  mutating func beginFullScan(isRescan: Bool = false) {
    guard checkRoot() else { return }
    let isOverflow = session.agenda.hasOverflowed
    let reason = session.agenda.beginFullScan(at: now)
    trace(.fullScan(reason))
    emit(.willScan(reason))
    begin(session.agenda.pending.takeAll(at: now), isFull: true, retriesFailures: isRescan)
    session.round.answersOverflow = isOverflow
    session.round.steps = [Round.Step(folder: .root, descends: true)]
  }

  /// Scans the dirty directories.
  mutating func beginScan(_ due: [PendingFolders.Due], isRescan: Bool = false) {
    guard checkRoot() else { return }
    // If another folder took the root's place, everything must be scanned.
    if !session.agenda.isWhole { return beginFullScan(isRescan: isRescan) }
    begin(due, isFull: false, retriesFailures: isRescan)
    for one in due.reversed() {
      let folder = tree.catalogue.nearest(to: one.path)
      // For an unknown directory, the nearest known one is scanned, which finds it.
      let isKnown = tree.catalogue.find(one.path) == folder
      session.round.steps.append(
        Round.Step(folder: folder, descends: isKnown && one.changes.contains(.subtree)))
    }
  }

  private mutating func begin(
    _ due: [PendingFolders.Due], isFull: Bool, retriesFailures: Bool
  ) {
    let kernel = kernel
    let seen = outbox.seen { kernel.nextScan() }
    // Progress is reported until the files of the round are read.
    if reads.isEmpty { session.progress.began = now }
    if tree.absent.isEmpty { session.progress.knownFiles = tree.catalogue.fileCount }
    if isFull {
      session.progress.isShown = true
      session.progress.filesListed = 0
    }
    session.round.begin(due, isFull: isFull, seen: seen)
    session.round.retriesFailures = retriesFailures
    goOn(with: .scan)
  }

  /// Opens the next directory. Without one, the round ends.
  mutating func scanNext() {
    // When the folder goes offline, so does its round.
    guard isOnline else { return }
    let catalogue = tree.catalogue
    guard let step = session.round.next(where: { $0 == .root || catalogue.has($0) }) else {
      return endRound()
    }
    let path = catalogue.path(of: step.folder)
    session.round.current = Round.Current(
      folder: step.folder, path: path, descends: step.descends,
      former: catalogue[step.folder].status)
    emit(
      waitingFor: .open(
        tree.absolute(path), isLink: step.folder == .root || catalogue[step.folder].isLink))
  }

  /// Called after some scans. Keeps the kernel's queue short and the reader busy during a long
  /// scan.
  mutating func betweenScans() {
    if isOnline {
      if session.round.newFiles.count >= Round.mostNewFiles { resolveNewFiles() }
      mergePieces()
    }
    tellState(isWalking: true)
    guard isOnline else { return }
    guard isStopping else { return goOn(with: .scan) }
    scanAll(because: .brokenOff)
    endRound()
  }

  private mutating func endRound() {
    resolveNewFiles()
    session.round.end()
    checkEmptied()
    // Not after an interrupted scan.
    if session.round.isFull && session.agenda.fullScan == nil {
      tree.mounts.forgetUnused(in: tree.catalogue)
    }
    if session.round.answersOverflow { session.agenda.answeredOverflow(at: now) }
    // Nothing else may wake the watcher before the first poll is due.
    let needsPolling = session.watching.needsPolling
    session.watching.polling.need(needsPolling, at: now)
  }

  // MARK: One directory

  mutating func opened(_ result: Result<FolderStatus, SystemCallError>) {
    guard isOnline, let current = session.round.current else { return }
    let now = now
    session.round.current?.began = now
    switch result {
    case .failure(let error): scanFailed(current, error)
    case .success(let status):
      guard accepts(current, status) else { return scanEnded(below: []) }
      session.round.current?.isRemote = status.isRemote
      emit(
        waitingFor: .list(
          Listing(path: current.path, isWatched: mayWatch(current.folder), ignoring: tree.ignoring))
      )
    }
  }

  mutating func listed(
    _ watch: Result<Int32, SystemCallError>?, _ result: Result<FolderListing, SystemCallError>
  ) {
    guard isOnline, let current = session.round.current else { return }
    watched(current, watch)
    switch result {
    case .failure(let error): scanFailed(current, error)
    case .success(let listing): scanSucceeded(current, listing)
    }
  }

  /// Whether the directory may get a watch. If not, it is polled.
  private func mayWatch(_ folder: Catalogue.ID) -> Bool {
    guard session.watching.hasInstance else { return false }
    let count = session.watching.table.count + session.links.watchCount
    return count < settings.limits.watches || session.watching.table.watch(of: folder) != nil
  }

  /// - Parameter watch: nil if none was requested.
  private mutating func watched(
    _ current: Round.Current, _ watch: Result<Int32, SystemCallError>?
  ) {
    var failure: Int32?
    switch watch {
    case .success(let number):
      if let other = session.watching.table.set(number, of: current.folder) {
        emit(.unwatch(other))
      }
    case .failure(let error): failure = error.code
    case nil: failure = session.watching.failure ?? ENOSPC
    }
    session.watching.coverage.note(
      current.folder, isRemote: current.isRemote, failure: failure)
  }

  private mutating func scanSucceeded(_ current: Round.Current, _ listing: FolderListing) {
    let (folder, path) = (current.folder, current.path)
    if tree.catalogue[folder].isUnreadable {
      tree.catalogue[folder].isUnreadable = false
      session.agenda.scanSucceeded(path)
    }
    outbox.batch.clearProblem(at: tree.absolute(path))
    if tree.mounts.emptied.contains(path) {
      outbox.batch.note(emptiedProblem(path), at: tree.absolute(path))
    }
    for failure in listing.failures {
      outbox.batch.note(
        FileProblem(failure.error), at: tree.absolute(path.appending(failure.name)))
    }
    // A different directory under the old name has different ones below it.
    let isOther = current.former.map { Inode($0) } != Inode(listing.status)
    let haveRulesChanged = tree.ignoring.store(listing.ignoreRules, of: path)
    let descends = current.descends || isOther || haveRulesChanged
    scanEnded(below: compare(current, listing, descends: descends))
  }

  private mutating func scanEnded(below: [(folder: Catalogue.ID, descends: Bool)]) {
    guard let current = session.round.current else { return }
    // Only for large directories: a small one that took long had to wait for its disk.
    if tree.catalogue[current.folder].files.count >= settings.limits.manyFiles {
      let path = tree.catalogue.path(of: current.folder)
      session.agenda.pending.scanned(path, for: now - current.began, at: now)
    }
    session.round.descend(below)
    guard session.round.endScan() else { return goOn(with: .scan) }
    goOn(with: .betweenScans)
    emit(waitingFor: .takeAll)
  }

  /// Whether to list the directory: it is the checked root, or was not reached by another path.
  private mutating func accepts(_ current: Round.Current, _ status: FolderStatus) -> Bool {
    let (folder, path) = (current.folder, current.path)
    if folder == .root {
      guard status.inode == rootWatch.identity?.inode else { return false }
      _ = session.paths.enter(folder, Inode(status), isPortal: true)
    } else if isCoveredSince(folder, status) {
      scanAll(because: .mountsChanged)
      return false
    } else if let above = tree.scanSayingOffline(path) {
      // It has come back since, and files found in it would count as offline.
      for path in [above, path] { note(.other, in: path) }
      return false
    } else if !follows(folder, path, status) {
      return false
    }
    let mount = mount(of: folder, path, status)
    session.round.current?.mount = mount
    return true
  }

  /// Returns the mount of the directory that is being scanned.
  private mutating func mount(
    of folder: Catalogue.ID, _ path: BytePath, _ status: FolderStatus
  ) -> KnownMounts.ID {
    if folder == .root { return .root }
    let parent = tree.catalogue[tree.catalogue[folder].parent]
    guard let above = parent.status else { return tree.catalogue[folder].mount }
    let isLink = tree.catalogue[folder].isLink
    return tree.mounts.following { known in
      known.mount(of: path, status, isLink: isLink, above: (above, parent.mount))
    }
  }

  /// Whether something was mounted over the directory above, or unmounted from it, since that was
  /// scanned. If so, this one is on another mount, which doesn't begin here, and that mount is
  /// unknown.
  func isCoveredSince(_ folder: Catalogue.ID, _ status: FolderStatus) -> Bool {
    let parent = tree.catalogue[tree.catalogue[folder].parent]
    guard let above = parent.status, !parent.isUnreadable, !tree.catalogue[folder].isLink,
      status.isMountRoot == false
    else { return false }
    // A kernel that reports where mounts begin also numbers them.
    return above.mount != status.mount
  }

  // MARK: Failures

  /// Handles a directory that cannot be scanned. Its contents are unknown, and stay as they were.
  private mutating func scanFailed(_ current: Round.Current, _ error: SystemCallError) {
    trace(.scanFailed(current.path, code: error.code))
    if [ENOENT, ENOTDIR, ELOOP].contains(error.code) {
      isNotThere(current)
    } else {
      tree.catalogue[current.folder].isUnreadable = true
      outbox.batch.note(FileProblem(error), at: tree.absolute(current.path))
      session.agenda.scanFailed(current.path, isRoot: current.folder == .root, at: now)
    }
    scanEnded(below: [])
  }

  /// Handles a directory that is gone or was replaced. Only a scan of what is above tells for
  /// certain. An event may report it, too, but a sync must not wait for that.
  private mutating func isNotThere(_ current: Round.Current) {
    if current.folder == .root {
      // The next check of the root decides.
      note(.other, in: current.path)
    } else if let above = nearestThere(above: current.folder),
      waiters.isScanning || !session.round.hasScanned(above)
    {
      note(.deletion, in: tree.catalogue.path(of: above))
    }
  }

  /// Returns the nearest present directory above this one, or the root. Nil if one between them was
  /// already found gone in this round: of many nested directories, each is checked once.
  private mutating func nearestThere(above folder: Catalogue.ID) -> Catalogue.ID? {
    session.round.gone.insert(tree.catalogue.path(of: folder))
    var above = tree.catalogue[folder].parent
    while above != .root {
      let path = tree.catalogue.path(of: above)
      if session.round.gone.contains(path) { return nil }
      if status(of: path) != nil { return above }
      session.round.gone.insert(path)
      above = tree.catalogue[above].parent
    }
    return above
  }
}

extension FileProblem {
  init(_ error: SystemCallError) {
    switch error.code {
    case EACCES, EPERM:
      self.init(.permission, "may not be read: check its permissions")
    case ENAMETOOLONG:
      self.init(.unreadable, "is nested too deeply: its path is longer than 4,095 bytes")
    default:
      self.init(.unreadable, "cannot be read: \(error.reason)")
    }
  }
}

extension Inode {
  init(_ status: FolderStatus) {
    self.init(device: status.device, inode: status.inode)
  }
}
