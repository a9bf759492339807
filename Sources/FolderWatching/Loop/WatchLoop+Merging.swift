import LibraryModel
import Platform

/// Telling what was found.
extension WatchLoop {
  func mergeWhatIsDue() {
    sendRequests()
    guard isOnline else { return }
    let endsFirstScan = isFirstScan && isLookDone
    let isOver = absent.nextOver(after: settings.vanishWait).map { $0 <= now } ?? false
    if sequences.isEmpty {
      if !batch.isEmpty || isOver || endsFirstScan { flush(withVanished: true) }
      // What the kernel said of renames has been used, or is of no use.
      if absent.isEmpty && pending.isEmpty { renames.removeAll() }
      if isLookDone { walk.showsProgress = false }
    } else {
      mergePieces()
      if isOver, absent.nextOver(after: mostVanishWait).map({ $0 <= now }) ?? false {
        flush(withVanished: true, waited: mostVanishWait)
      }
    }
  }

  /// During a long look. As large as the absent files are many, which every piece repeats.
  func mergePieces() {
    if batch.isEmpty { return }
    let isLarge = batch.count >= max(settings.pieceFiles, absent.count)
    let isOld = batch.since.map { now - $0 >= settings.pieceTime } ?? true
    if isLarge || isOld { flush(withVanished: false) }
  }

  var isLookDone: Bool {
    !needsFullLook && !walk.isGoing && sequences.isEmpty && walk.newFiles.isEmpty
  }

  /// - Parameter waited: how long vanished files have to have been absent; nil: as in the settings.
  func flush(withVanished: Bool, waited: Int64? = nil) {
    // Nothing is told of a folder that was taken away during the look.
    guard isOnline, checkRoot() else { return }
    let taken = batch.take { path in
      guard let path = path.relative(to: root), absent[path] != nil else { return true }
      absent.noteUntold(path)
      return false
    }
    var contents = taken.contents
    if contents.seen == 0 { contents.seen = walk.seen }
    if withVanished {
      let over = absent.takeOver(since: now - (waited ?? settings.vanishWait))
      contents.vanished = over.map(absolute)
    }
    if !contents.found.isEmpty { contents.absent = absent.all.map(absolute) }
    contents.isFirstScan = isFirstScan
    // Readings that a stop cuts off are no end.
    if isFirstScan && isLookDone && !isStopping {
      contents.endsFirstScan = true
      isFirstScan = false
      catalogue.compact()
    }
    // The library's disk is not the music folder's.
    stuckCalls.end(.watcher)
    defer { stuckCalls.begin(.watcher) }
    if !taken.problems.isEmpty { receiver.report(taken.problems) }
    let isWorthTelling =
      !contents.found.isEmpty || !contents.vanished.isEmpty || contents.endsFirstScan
    if isWorthTelling { receiver.merge(contents) }
  }

  /// The music folder went before what was found there could be told: it is read again when it is
  /// back.
  func dropBatch() {
    let taken = batch.take { _ in true }
    if !taken.problems.isEmpty { receiver.report(taken.problems) }
    for found in taken.contents.found {
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
    var state = WatchState(mode: mode, rootIdentity: knownRoot)
    state.foldersWatched = watches.count
    state.isSeen = told?.isSeen == true || !isOnline || (isLookDone && !isWalking)
    state.offlineSubtrees = offlineSubtrees.map(absolute).sorted()
    let now = now
    if isOnline && walk.showsProgress && now - walk.seenAt >= 200 * milliseconds {
      let toScan = max(walk.filesListed, needsFullLook ? catalogue.fileCount : 0)
      let progress = WatchState.Progress(
        scanned: max(0, walk.filesListed - sequences.count - walk.newFiles.count),
        toScan: toScan)
      state.progress = progress
    }
    guard state != told else { return }
    let isInBetween = isWalking || state.progress != nil
    if isInBetween, told?.mode == state.mode, now - toldAt < 200 * milliseconds { return }
    told = state
    toldAt = now
    receiver.folderState(state)
    if let progress = state.progress {
      for sync in syncs { sync.progress(progress) }
    }
  }

  /// Nil before the first look at the root.
  private var mode: WatchState.Mode? {
    switch connection {
    case .unknown: nil
    case .offline(let reason): .offline(reason: reason)
    case .online: pollingReason.map { .polling(reason: $0) } ?? .watching
    }
  }

  private var pollingReason: String? {
    if inotify == nil {
      return "no inotify instance is left: raise fs.inotify.max_user_instances with sysctl"
    }
    if !unwatched.isEmpty {
      // Rounded, so that the advice stays the same while folders come and go.
      let needed = (catalogue.folderCount / 1_024 + 1) * 1_024
      return "not all directories can be watched; \(needed) watches are needed here: "
        + "`sysctl fs.inotify.max_user_watches` has to be larger"
    }
    return remote.isEmpty ? nil : "others may change a network or FUSE file system unheard"
  }
}

/// How long vanished files wait at most for readings that may show where they are.
private let mostVanishWait = 10 * seconds
