import LibraryModel
import Platform

/// Telling what was found.
extension WatchLoop {
  func mergeWhatIsDue() {
    guard isOnline else { return }
    let endsFirstScan = isFirstScan && isLookDone
    let isOver = !hasOverflowed && absent.isAnyOver(after: settings.vanishWait, at: now)
    if readings.isEmpty {
      if !batch.isEmpty || isOver || endsFirstScan { flush(withVanished: !hasOverflowed) }
      // What the kernel said of renames has been used, or is of no use.
      if absent.isEmpty && pending.isEmpty { renames.removeAll() }
      if isLookDone { walk.showsProgress = false }
    } else {
      mergePieces()
      if isOver, absent.isAnyOver(after: mostVanishWait, at: now) {
        flush(withVanished: true, waited: mostVanishWait)
      }
    }
  }

  /// During a long look.
  func mergePieces() {
    if batch.isEmpty { return }
    let isLarge = batch.count >= settings.pieceFiles
    let isOld = batch.since.map { now - $0 >= settings.pieceTime } ?? true
    if isLarge || isOld { flush(withVanished: false) }
  }

  var isLookDone: Bool { isWalkDone && readings.isEmpty }

  /// Whether all directories were listed that have to be, and what they hold is asked for.
  var isWalkDone: Bool {
    fullScan == nil && !hasOverflowed && !walk.isGoing && walk.newFiles.isEmpty
  }

  /// - Parameter waited: how long vanished files have to have been absent; nil: as in the settings.
  func flush(withVanished: Bool, waited: Int64? = nil) {
    // Nothing is told of a folder that was taken away during the look.
    guard isOnline, checkRoot() else { return }
    let waited = waited ?? settings.vanishWait
    if withVanished && !checkMissing(waited) { return }
    let taken = batch.take { path in
      guard let path = path.relative(to: root), absent[path] != nil else { return true }
      absent.noteUntold(path)
      return false
    }
    var pieces = taken.pieces
    if pieces.isEmpty { pieces = [FolderContents(root: root, seen: walk.seen)] }
    if withVanished {
      let over = absent.takeOver(since: now - waited).map(absolute)
      // Until all that was found is told, the others may still be found to be these.
      if pieces.count > 1 { pieces[0].absent = over }
      pieces[pieces.count - 1].vanished = over
    }
    if pieces.contains(where: { !$0.found.isEmpty }) { absent.noteAllUntold() }
    for index in pieces.indices { pieces[index].isFirstScan = isFirstScan }
    // Readings that a stop cuts off are no end.
    if isFirstScan && isLookDone && !isStopping {
      pieces[pieces.count - 1].endsFirstScan = true
      isFirstScan = false
      catalogue.compact()
    }
    pieces.removeAll { $0.found.isEmpty && $0.vanished.isEmpty && !$0.endsFirstScan }
    if !pieces.isEmpty {
      let news = absent.takeNews()
      pieces[0].absent += news.absent.map(absolute)
      pieces[0].returned = news.returned.map(absolute)
    }
    if !taken.problems.isEmpty { tell { receiver.report(taken.problems) } }
    for contents in pieces {
      // What was found in a place that is said to be away would be taken for offline.
      tellState(isWalking: true)
      note(
        .merged(
          found: contents.found.count, vanished: contents.vanished.count,
          absent: contents.absent.count))
      tell { receiver.merge(contents) }
    }
    if !isFirstScan { firstScanSeen = nil }
  }

  /// The receiver may have to wait for the library's disk, which is not the music folder's.
  func tell(_ body: () -> Void) {
    leaveKernel()
    defer { kernelCameBack() }
    body()
  }

  /// The music folder went before what was found there could be told: it is read again when it is
  /// back.
  func dropBatch() {
    let taken = batch.take { _ in true }
    if !taken.problems.isEmpty { receiver.report(taken.problems) }
    for found in taken.pieces.lazy.flatMap(\.found) {
      guard let path = found.path.relative(to: root), absent[path] == nil else { continue }
      keep(path, nil)
    }
  }

  // MARK: State

  /// - Parameter isWalking: more is about to follow.
  func tellState(isWalking: Bool = false) {
    guard var mode else { return }
    // How many watches are needed is known when everything was seen.
    if isWalking && isOnline {
      if case .polling? = told?.mode { mode = told?.mode ?? mode } else { mode = .watching }
    }
    var state = WatchState(mode: mode, rootIdentity: rootWatch.identity)
    state.innerFileSystems = rememberedMounts()
    state.firstScanSeen = firstScanSeen
    state.foldersWatched = watches.count
    state.isSeen = told?.isSeen == true || !isOnline || (isLookDone && !isWalking)
    state.offlineSubtrees = Set(offlinePlaces.values.joined()).map(absolute).sorted()
    let now = now
    if isOnline && walk.showsProgress && now - walk.began >= 200 * milliseconds {
      let known = walk.isFull && walk.isGoing ? catalogue.fileCount : 0
      let toScan = max(walk.filesListed, known)
      let progress = WatchState.Progress(
        scanned: max(0, walk.filesListed - readings.count - walk.newFiles.count),
        toScan: toScan)
      state.progress = progress
    }
    guard state != told else { return }
    if state.mode != told?.mode { note(.mode(state.mode)) }
    let isInBetween = isWalking || state.progress != nil
    if isInBetween, let told, now - toldAt < 200 * milliseconds, state.says(asMuchAs: told) {
      return
    }
    told = state
    toldAt = now
    tell { receiver.folderState(state) }
    if let progress = state.progress { syncs.tell(progress) }
  }

  /// Nil before the first look at the root.
  private var mode: WatchState.Mode? {
    switch rootWatch.connection {
    case .unknown: nil
    case .offline(let reason): .offline(reason: reason)
    case .online: pollingReason.map { .polling(reason: $0) } ?? .watching
    }
  }

  private var pollingReason: String? {
    coverage.reason(
      folderCount: catalogue.folderCount, instanceFailure: inotify == nil ? inotifyFailure : nil)
  }
}

extension WatchState {
  /// Whether only the counts differ.
  fileprivate func says(asMuchAs other: WatchState) -> Bool {
    var other = other
    other.foldersWatched = foldersWatched
    other.progress = progress
    return self == other
  }
}

/// How long vanished files wait at most for readings that may show where they are.
private let mostVanishWait = 10 * seconds
