import Glibc
import LibraryModel
import Platform

/// Somebody who waits until what was done before is merged.
struct SyncRequest {
  enum Phase: Equatable {
    case new
    /// A file was made, of which the kernel has not told yet; until then at most (monotonic).
    case cookie([UInt8], until: Int64)
    /// All news from before has been read.
    case heard
    /// All directories with news were looked at; the readings below this number belong to it.
    case looked(below: Int)
    /// These files have to stand still.
    case standing
  }

  /// Relative; nil: there is no rescan, only what is news.
  var rescan: BytePath?
  var phase = Phase.new
  var standing: Set<WatchLoop.FileKey> = []
  var progress: @Sendable (WatchState.Progress) -> Void = { _ in }
  /// Of its completion.
  let number: Int

  /// When something has to be done about it at the latest.
  var nextTime: Int64? {
    switch phase {
    case .new, .heard: 0
    case .cookie(_, let until): until
    case .looked, .standing: nil
    }
  }

  /// Whatever of its cookie, everything before is known to have been read.
  mutating func cookieCame() {
    if case .cookie = phase { phase = .heard }
  }
}

extension WatchLoop {
  func takeRequests() {
    for request in mailbox.take() {
      switch request {
      case .stop:
        isStopping = true
      case .sync(let number):
        syncs.append(SyncRequest(number: number))
      case .rescan(let path, let progress, let number):
        let place = path.flatMap { $0.relative(to: root) } ?? BytePath([])
        if path == root { acceptsOtherRoot = true }
        syncs.append(SyncRequest(rescan: place, progress: progress, number: number))
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

  func cookieCame(_ name: [UInt8]) {
    for index in syncs.indices {
      if case .cookie(name, _) = syncs[index].phase { syncs[index].phase = .heard }
    }
  }

  func answerSyncs() {
    if syncs.isEmpty { return }
    if syncs.contains(where: { $0.phase == .new }) { begin() }
    if !isOnline { return answerAll() }
    giveUpCookies()
    if syncs.contains(where: { $0.phase == .heard }) { lookForSyncs() }
    if !isOnline { return answerAll() }
    for index in syncs.indices {
      if case .looked(let below) = syncs[index].phase, sequences.areClosed(below: below) {
        syncs[index].standing = freshFiles
        syncs[index].phase = .standing
      }
      if syncs[index].phase == .standing { syncs[index].standing.formIntersection(freshFiles) }
    }
    let isDone = { (sync: SyncRequest) in sync.phase == .standing && sync.standing.isEmpty }
    let done = syncs.filter(isDone)
    if done.isEmpty { return }
    flush(withVanished: true, waited: 0)
    if isLookDone { walk.showsProgress = false }
    tellState()
    syncs.removeAll(where: isDone)
    for sync in done { completions.answer(sync.number) }
  }

  /// Makes one cookie for all who wait for one.
  private func begin() {
    takeMountNews()
    if !isOnline || acceptsOtherRoot { checkRoot() }
    // What is not there now may be another one again when it comes.
    acceptsOtherRoot = false
    guard isOnline else { return }
    cookieCount += 1
    let name = Array("cookie-\(getpid())-\(ObjectIdentifier(self).hashValue)-\(cookieCount)".utf8)
    let isMade = cookieWatch != nil && makeCookie(name)
    for index in syncs.indices where syncs[index].phase == .new {
      syncs[index].phase =
        isMade ? .cookie(name, until: now + 2 * seconds) : .heard
    }
    if isMade {
      // The kernel has told already, unless its queue is full.
      readEvents()
    } else {
      // Nothing says how far the kernel has told, so everything is looked at.
      readEvents()
      needsFullLook = true
    }
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

  private func giveUpCookies() {
    let now = now
    for index in syncs.indices {
      guard case .cookie(_, let until) = syncs[index].phase, until <= now else { continue }
      readEvents()
      syncs[index].phase = .heard
      needsFullLook = true
    }
  }

  private func lookForSyncs() {
    if hasOverflowed && now < nextLookAfterOverflow { return }
    walk.isForSync = true
    defer { walk.isForSync = false }
    let heard = syncs.indices.filter { syncs[$0].phase == .heard }
    let rescans = heard.compactMap { syncs[$0].rescan }
    if !rescans.isEmpty { compareWithLibrary(at: rescans) }
    guard isOnline else { return }
    if needsFullLook || hasOverflowed || rescans.contains(where: \.isEmpty) {
      lookAtEverything(retriesFailures: !rescans.isEmpty)
    } else {
      let now = now
      for path in rescans { pending.note([.other, .subtree], in: path, at: now) }
      for folder in coverage.polled {
        pending.note(.other, in: catalogue.path(of: folder), at: now)
      }
      let due = pending.takeAll(at: now)
      let paths = Set(due.map(\.path))
      for key in racy.keys where paths.contains(catalogue.path(of: key.folder)) { readAgain(key) }
      if !due.isEmpty { lookAtDue(due, isRescan: !rescans.isEmpty) }
    }
    lookAtWhatWasFound()
    for key in Array(fileTimers.keys) { askWhetherReady(key) }
    // A look that was broken off is gone through again before anybody is answered.
    if needsFullLook && isOnline { return }
    for index in heard where index < syncs.count {
      syncs[index].phase = .looked(below: sequences.next)
    }
  }

  /// What was found may be news of other directories, as a link is of its target's.
  private func lookAtWhatWasFound() {
    // Bounded, because somebody may go on making news.
    for _ in 0..<4 where isOnline && !needsFullLook {
      let due = pending.takeAll(at: now)
      if due.isEmpty { return }
      lookAtDue(due)
    }
  }

  /// Of a folder that is away nothing can be seen.
  private func answerAll() {
    tellState()
    let done = syncs
    syncs = []
    for sync in done { completions.answer(sync.number) }
  }
}
