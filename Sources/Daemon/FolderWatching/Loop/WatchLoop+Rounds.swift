import Glibc
import LibraryModel
import Platform

/// Rounds of looks.
extension WatchLoop {
  private struct Step {
    var folder: Catalogue.ID
    var descends: Bool
  }

  /// - Parameter isRescan: whether a client asked for it, and what failed is to be tried again.
  func lookAtEverything(isRescan: Bool = false) {
    guard checkRoot() else { return }
    let wasOverflow = hasOverflowed
    let reason = fullScan ?? (wasOverflow ? .overflow : .rescan)
    fullScan = nil
    note(.fullScan(reason))
    tell { receiver.willScan(because: reason) }
    hasOverflowed = false
    nextFullLook = now + settings.fullLook
    failedLooks = [:]
    beginRound(pending.takeAll(at: now), isFull: true, retriesFailures: isRescan)
    goThrough([Step(folder: .root, descends: true)])
    endRound()
    if wasOverflow { nextLookAfterOverflow = now + settings.betweenOverflows }
  }

  /// Looks at the directories of which there are news.
  func lookAtDue(_ due: [PendingFolders.Due], isRescan: Bool = false) {
    guard checkRoot() else { return }
    // A root that was replaced by a like one has to be looked at as a whole.
    if fullScan != nil || hasOverflowed { return lookAtEverything(isRescan: isRescan) }
    beginRound(due, isFull: false, retriesFailures: isRescan)
    var steps: [Step] = []
    for one in due.reversed() {
      let folder = catalogue.nearest(to: one.path)
      // Of an unknown directory the nearest known one is looked at, which finds it.
      let isKnown = catalogue.find(one.path) == folder
      steps.append(Step(folder: folder, descends: isKnown && one.news.contains(.subtree)))
    }
    goThrough(steps)
    endRound()
  }

  /// The uppermost directory whose last scan found that this one is offline.
  private func scanSayingOffline(_ path: BytePath) -> BytePath? {
    if offlinePlaces.isEmpty { return nil }
    var place = path
    var uppermost: BytePath?
    while !place.isEmpty {
      let above = place.parent
      if let offline = offlinePlaces[above], offline.contains(place) || offline.contains(above) {
        uppermost = above
      }
      place = above
    }
    return uppermost
  }

  private func beginRound(
    _ due: [PendingFolders.Due], isFull: Bool, retriesFailures: Bool
  ) {
    // A first scan is one look, however often it is cut off.
    walk.seen = firstScanSeen ?? looks.next(clock.wall())
    if isFirstScan && firstScanSeen == nil { firstScanSeen = walk.seen }
    // Progress is told until the readings of the round are done.
    if readings.isEmpty { walk.began = now }
    walk.isFull = isFull
    if absent.isEmpty { walk.knownFiles = catalogue.fileCount }
    walk.retriesFailures = retriesFailures
    if isFull {
      walk.showsProgress = true
      walk.filesListed = 0
    }
    walk.looked.removeAll(keepingCapacity: true)
    walk.gone = []
    for one in due {
      if !one.finished.isEmpty { walk.finished[one.path] = one.finished }
      if one.news.contains(.deletion) { walk.since[one.path] = one.since }
    }
  }

  private func goThrough(_ first: [Step]) {
    walk.isGoing = true
    defer { walk.isGoing = false }
    var steps = first
    var count = 0
    while let step = steps.popLast() {
      // A directory may have gone with another one since the step was noted.
      guard step.folder == .root || isInCatalogue(step.folder) else { continue }
      if !step.descends && walk.looked.contains(step.folder) { continue }
      walk.looked.insert(step.folder)
      kernelCameBack()
      let began = now
      let below = visit(step.folder, descends: step.descends)
      noteLength(of: step.folder, since: began)
      for (folder, descends) in below.reversed() {
        steps.append(Step(folder: folder, descends: descends))
      }
      count += 1
      if count % 16 == 0 {
        doBetweenLooks()
        if isStopping || !isOnline {
          scanAll(because: .brokenOff)
          return
        }
      }
    }
  }

  /// Only of a large directory: another one that took long had to wait for its disk.
  private func noteLength(of folder: Catalogue.ID, since began: Int64) {
    if catalogue[folder].files.count < settings.manyFiles { return }
    let now = now
    pending.looked(at: catalogue.path(of: folder), for: now - began, at: now)
  }

  func isInCatalogue(_ folder: Catalogue.ID) -> Bool {
    // What was taken out has none.
    !catalogue[folder].name.isEmpty
  }

  /// Keeps the kernel's queue short and the reader busy during a long walk.
  private func doBetweenLooks() {
    readEvents()
    noteHangs()
    takeAnswers()
    takeRequests()
    if walk.newFiles.count >= Walk.mostNewFiles { resolveNewFiles() }
    mergePieces()
    tellState(isWalking: true)
  }

  private func endRound() {
    resolveNewFiles()
    walk.finished = [:]
    walk.since = [:]
    checkEmptied()
    // Unless it was broken off.
    if walk.isFull && fullScan == nil { forgetMounts() }
  }

  // MARK: One directory

  /// Looks at one directory, and returns those below it that have to be looked at too.
  private func visit(
    _ folder: Catalogue.ID, descends: Bool
  ) -> [(Catalogue.ID, Bool)] {
    let path = catalogue.path(of: folder)
    let former = catalogue[folder].status
    let isLink = folder == .root || catalogue[folder].isLink
    do throws(SystemCallError) {
      // The listing is filled outside of this object, whose other parts are read meanwhile.
      var listing = FolderListing()
      swap(&listing, &self.listing)
      defer { swap(&listing, &self.listing) }
      let isListed = try directoryLook.list(
        absolute(path), isLink: isLink, into: &listing,
        hasRules: hasRules,
        isLeftOut: { listing, entry in isLeftOut(entry, in: path, listing) },
        watch: { descriptor, status in
          accept(folder, path, status) && watch(folder, descriptor, status)
        })
      guard isListed else { return [] }
    } catch {
      lookFailed(folder, path, error)
      return []
    }
    if catalogue[folder].isUnreadable {
      catalogue[folder].isUnreadable = false
      failedLooks[path] = nil
      folderTimers[path] = nil
    }
    batch.clearProblem(at: absolute(path))
    if emptied.contains(path) { batch.note(emptiedProblem(path), at: absolute(path)) }
    for failure in listing.failures {
      batch.note(problem(failure.error), at: absolute(path.appending(failure.name)))
    }
    // Another directory under the old name has others below it.
    let isOther = former.map { Inode($0) } != Inode(listing.status)
    let haveRulesChanged = takeIgnoreRules(path)
    return compare(folder, path, descends: descends || isOther || haveRulesChanged)
  }

  /// Whether the directory is to be listed: it is the root that was checked, or was not reached by
  /// another path.
  private func accept(
    _ folder: Catalogue.ID, _ path: BytePath, _ status: FolderStatus
  ) -> Bool {
    if folder == .root {
      guard status.inode == rootWatch.identity?.inode else { return false }
      _ = paths.enter(folder, Inode(status), isPortal: true)
    } else if isCoveredSince(folder, status) {
      scanAll(because: .mountsChanged)
      return false
    } else if let above = scanSayingOffline(path) {
      // It came back since then, and what is found in it would be taken for offline.
      for path in [above, path] { pending.note(.other, in: path, at: now) }
      return false
    } else if !follows(folder, path, status) {
      return false
    }
    walk.mount = currentMount(of: folder, path, status)
    return true
  }

  private func watch(
    _ folder: Catalogue.ID, _ descriptor: Int32, _ status: FolderStatus
  ) -> Bool {
    coverage.note(
      folder, isRemote: status.isRemote, failure: failureToWatch(folder, descriptor))
    return true
  }

  /// An error number; nil: it is watched.
  private func failureToWatch(_ folder: Catalogue.ID, _ descriptor: Int32) -> Int32? {
    guard let inotify else { return inotifyFailure }
    if watches.count + linkTargets.watchCount >= settings.mostWatches,
      watches.watch(of: folder) == nil
    {
      return ENOSPC
    }
    do throws(SystemCallError) {
      let watch = try inotify.add(openDirectory: descriptor)
      if let other = watches.set(watch, of: folder) { inotify.remove(other) }
      return nil
    } catch {
      return error.code
    }
  }

  /// What is in a directory that cannot be looked at is unknown, and stays as it was.
  private func lookFailed(
    _ folder: Catalogue.ID, _ path: BytePath, _ error: SystemCallError
  ) {
    let now = now
    note(.scanFailed(path, code: error.code))
    if [ENOENT, ENOTDIR, ELOOP].contains(error.code) {
      if folder == .root {
        // The next check tells whether it is there.
        pending.note(.other, in: path, at: now)
        return
      }
      // Gone or replaced, which only a look at what is above tells for certain. The kernel may tell
      // of it, too; but who waits for a sync is not to wait for that.
      guard let above = nearestThere(above: folder) else { return }
      if walk.isForSync || !walk.looked.contains(above) {
        pending.note(.deletion, in: catalogue.path(of: above), at: now)
      }
      return
    }
    catalogue[folder].isUnreadable = true
    batch.note(problem(error), at: absolute(path))
    let times = failedLooks[path, default: 0]
    failedLooks[path] = times + 1
    // The root, which nothing above tells of, again and again.
    let last = folder == .root ? settings.retries.last : nil
    let wait = times < settings.retries.count ? settings.retries[times] : last
    folderTimers[path] = wait.map { now + $0 }
  }

  /// The root, or what is there of the directories above this one. Nil where one of them is gone
  /// that was asked about in this round: of many directories in each other, each is asked once.
  private func nearestThere(above folder: Catalogue.ID) -> Catalogue.ID? {
    walk.gone.insert(catalogue.path(of: folder))
    var above = catalogue[folder].parent
    while above != .root {
      let path = catalogue.path(of: above)
      if walk.gone.contains(path) { return nil }
      if status(of: path) != nil { return above }
      walk.gone.insert(path)
      above = catalogue[above].parent
    }
    return above
  }

  func problem(_ error: SystemCallError) -> FileProblem {
    switch error.code {
    case EACCES, EPERM:
      FileProblem(.permission, "may not be read: check its permissions")
    case ENAMETOOLONG:
      FileProblem(.unreadable, "is nested too deeply: its path is longer than 4,095 bytes")
    default:
      FileProblem(.unreadable, "cannot be read: \(error.reason)")
    }
  }
}

extension Inode {
  init(_ status: FolderStatus) {
    self.init(device: status.device, inode: status.inode)
  }
}
