import LibraryModel
import Platform

/// Reports what was found.
extension WatchCore {
  mutating func mergeWhatIsDue() {
    guard isOnline else { return }
    let endsFirstScan = outbox.isFirstScan && isScanDone
    let hasOverflowed = session.agenda.hasOverflowed
    let isOver = !hasOverflowed && tree.absent.isAnyOver(after: settings.vanishWait, at: now)
    if reads.isEmpty {
      if !outbox.batch.isEmpty || isOver || endsFirstScan { flush(withVanished: !hasOverflowed) }
      guard isOnline else { return }
      // The recorded renames have been used or are of no use.
      if tree.absent.isEmpty && session.agenda.pending.isEmpty {
        session.agenda.renames.removeAll()
      }
      if isScanDone { session.progress.isShown = false }
    } else {
      mergePieces()
      if isOver, tree.absent.isAnyOver(after: mostVanishWait, at: now) {
        flush(withVanished: true, waited: mostVanishWait)
      }
    }
  }

  /// Merges part of the results during a long scan.
  mutating func mergePieces() {
    if outbox.batch.isEmpty { return }
    let isLarge = outbox.batch.count >= settings.limits.pieceFiles
    let isOld = outbox.batch.since.map { now - $0 >= settings.limits.pieceTime } ?? true
    if isLarge || isOld { flush(withVanished: false) }
  }

  /// Merges what was collected.
  ///
  /// - Parameter waited: how long vanished files must have been absent; nil for the time in the
  ///   settings.
  mutating func flush(withVanished: Bool, waited: Int64? = nil) {
    // Nothing is reported if the folder went offline during the scan.
    guard isOnline, checkRoot() else { return }
    let waited = waited ?? settings.vanishWait
    if withVanished && !checkMissing(waited) { return }
    let taken = outbox.batch.take()
    var pieces = taken.pieces
    if pieces.isEmpty { pieces = [FolderContents(root: tree.root, seen: session.round.seen)] }
    if withVanished {
      let over = tree.absent.takeOver(since: now - waited).map(tree.absolute)
      // Until everything found is reported, the missing files may still be found to be later ones.
      if pieces.count > 1 { pieces[0].absent = over }
      pieces[pieces.count - 1].vanished = over
    }
    if pieces.contains(where: { !$0.found.isEmpty }) { tree.absent.noteAllUntold() }
    for index in pieces.indices { pieces[index].isFirstScan = outbox.isFirstScan }
    // A stop that interrupts reads does not complete the first scan.
    if outbox.isFirstScan && isScanDone && !isStopping {
      pieces[pieces.count - 1].endsFirstScan = true
      outbox.endFirstScan()
      tree.catalogue.compact()
    }
    pieces.removeAll { $0.found.isEmpty && $0.vanished.isEmpty && !$0.endsFirstScan }
    if !pieces.isEmpty {
      let news = tree.absent.takeNews()
      pieces[0].absent += news.absent.map(tree.absolute)
      pieces[0].returned = news.returned.map(tree.absolute)
    }
    if !taken.problems.isEmpty { emit(.report(taken.problems)) }
    for contents in pieces {
      // Files found in a place that is reported as offline would count as offline.
      tellState(isWalking: true)
      trace(
        .merged(
          found: contents.found.count, vanished: contents.vanished.count,
          absent: contents.absent.count))
      emit(.merge(contents))
    }
    outbox.flushed()
  }

  /// Drops results that were not reported before the folder went offline. The files are read again
  /// when it is back.
  mutating func dropBatch() {
    for found in outbox.batch.drop() {
      guard let path = found.path.relative(to: tree.root) else { continue }
      tree.keep(path, nil, isSong: !found.isNew)
    }
    let problems = outbox.batch.take().problems
    if !problems.isEmpty { emit(.report(problems)) }
  }

  // MARK: State

  /// Reports the folder's state.
  ///
  /// - Parameter isWalking: whether more is about to follow.
  mutating func tellState(isWalking: Bool = false) {
    guard var mode else { return }
    // The number of watches needed is known only when everything was seen.
    if isWalking, isOnline {
      mode = .watching
      if let told = outbox.told?.mode, case .polling = told { mode = told }
    }
    var state = WatchState(mode: mode, rootIdentity: rootWatch.identity)
    state.innerFileSystems = tree.mounts.remembered(below: tree.root)
    state.firstScanSeen = outbox.firstScanSeen
    state.isSeen = outbox.told?.isSeen == true || !isOnline || (isScanDone && !isWalking)
    state.offlineSubtrees = Set(tree.offlinePlaces.values.joined()).map(tree.absolute).sorted()
    if isOnline {
      state.foldersWatched = session.watching.table.count
      let isAllWalked = session.round.isFull && session.round.isGoing
      state.progress = session.progress.shown(
        unread: reads.count + session.round.newFiles.count,
        known: isAllWalked ? tree.catalogue.fileCount : 0, at: now)
    }
    let isInBetween = isWalking || state.progress != nil
    let former = outbox.told
    guard outbox.tells(state, isInBetween: isInBetween, at: now) else { return }
    if state.mode != former?.mode { trace(.mode(state.mode)) }
    emit(.tell(state))
    if let progress = state.progress, !waiters.isEmpty {
      emit(.progress(waiters.numbers, progress))
    }
  }

  /// The mode to report; nil before the first check of the root.
  private var mode: WatchState.Mode? {
    switch presence {
    case .unknown: nil
    case .offline(let reason): .offline(reason: reason)
    case .online:
      session.watching.coverage.reason(
        folderCount: tree.catalogue.folderCount, instanceFailure: session.watching.failure
      ).map { .polling(reason: $0) } ?? .watching
    }
  }
}

/// The longest time that vanished files wait for reads that may show where they are.
private let mostVanishWait = 10 * seconds
