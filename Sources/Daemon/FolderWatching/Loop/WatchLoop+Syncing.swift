import Glibc
import LibraryModel
import Platform

/// What others ask for, and answering those who wait.
extension WatchLoop {
  func takeRequests() {
    for request in mailbox.take() {
      note(.request(request.description))
      switch request {
      case .stop:
        isStopping = true
      case .sync(let number):
        syncs.add(SyncRequest(number: number))
      case .rescan(let path, let progress, let number):
        let place = path.flatMap { $0.relative(to: root) } ?? BytePath([])
        if path == root { rootWatch.accept(other: true) } else { acceptEmptied(place) }
        syncs.add(SyncRequest(rescan: place, progress: progress, number: number))
      case .forget(let paths):
        for path in paths { forget(path) }
      }
    }
  }

  /// Only files at rest: what is being read or waited for is told of anyhow.
  private func forget(_ path: BytePath) {
    guard let relative = path.relative(to: root), let folder = catalogue.find(relative.parent)
    else { return }
    let name = relative.name
    guard case .settled? = catalogue.state(name, in: folder) else { return }
    catalogue.setState(nil, name, in: folder)
    strays[folder]?[name] = nil
    // It may be back already, and not be news any longer.
    pending.note(.other, in: relative.parent, at: now)
  }

  func answerSyncs() {
    if syncs.isEmpty { return }
    if syncs.hasNew { begin() }
    if !isOnline { return answerAll() }
    if syncs.giveUpCookies(at: now) {
      readEvents()
      scanAll(because: .noCookie)
    }
    if syncs.hasHeard { lookForSyncs() }
    if !isOnline { return answerAll() }
    syncs.follow(areRead: readings.areClosed, fresh: readings.fresh)
    guard syncs.hasDone else { return }
    flush(withVanished: true, waited: 0)
    if isLookDone { walk.showsProgress = false }
    tellState()
    answer(syncs.takeDone())
  }

  /// Makes one cookie for all who wait for one.
  private func begin() {
    takeMountNews()
    if !isOnline || rootWatch.acceptsOther { checkRoot() }
    // What is not there now may be another one again when it comes.
    rootWatch.accept(other: false)
    guard isOnline else { return }
    cookieCount += 1
    let name = Array("cookie-\(getpid())-\(ObjectIdentifier(self).hashValue)-\(cookieCount)".utf8)
    let isMade = cookieWatch != nil && makeCookie(name)
    syncs.begin(cookie: isMade ? name : nil, until: now + longestCookie)
    // The kernel has told of it already, unless its queue is full.
    readEvents()
    // Nothing else says how far the kernel has told, so everything is looked at.
    if !isMade { scanAll(because: .noCookie) }
  }

  private func makeCookie(_ name: [UInt8]) -> Bool {
    settings.cookies.appending(name).withCPath { path in
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return false }
      close(descriptor)
      unlink(path)
      return true
    }
  }

  private func lookForSyncs() {
    if hasOverflowed && now < nextLookAfterOverflow { return }
    walk.isForSync = true
    defer { walk.isForSync = false }
    let rescans = syncs.beginLook()
    var isWhole = false
    defer { syncs.endLook(below: isWhole ? readings.next : nil) }
    if !rescans.isEmpty { compareWithLibrary(at: rescans) }
    guard isOnline else { return }
    if fullScan != nil || hasOverflowed || rescans.contains(where: \.isEmpty) {
      lookAtEverything(isRescan: !rescans.isEmpty)
    } else {
      let now = now
      for path in rescans { pending.note([.other, .subtree], in: path, at: now) }
      // Not all that becomes of a link's target is told of, as where what is above it is renamed.
      for folder in coverage.polled.union(linkTargets.linking) {
        pending.note(.other, in: catalogue.path(of: folder), at: now)
      }
      let due = pending.takeAll(at: now)
      let paths = Set(due.map(\.path))
      let second = readings.takeSecond { paths.contains(catalogue.path(of: $0.folder)) }
      for key in second { readAgain(key) }
      if !due.isEmpty { lookAtDue(due, isRescan: !rescans.isEmpty) }
    }
    lookAtWhatWasFound()
    for key in readings.waiting { askWhetherReady(key) }
    // A look that was broken off is gone through again before anybody is answered.
    isWhole = fullScan == nil || !isOnline
  }

  /// What was found may be news of other directories, as a link is of its target's.
  private func lookAtWhatWasFound() {
    // Bounded, because somebody may go on making news.
    for _ in 0..<4 where isOnline && fullScan == nil {
      let due = pending.takeAll(at: now)
      if due.isEmpty { return }
      lookAtDue(due)
    }
  }

  /// Of a folder that is away nothing can be seen.
  private func answerAll() {
    tellState()
    answer(syncs.takeAll())
  }

  func answer(_ numbers: [Int]) {
    if !numbers.isEmpty { note(.answered(numbers.count)) }
    for number in numbers { completions.answer(number) }
  }
}

/// How long is waited for the kernel to tell of a cookie: it does at once, or its queue is full, or
/// the cookie's directory has another file system than it was told.
private let longestCookie = 2 * seconds
