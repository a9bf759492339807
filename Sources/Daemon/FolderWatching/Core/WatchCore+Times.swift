import LibraryModel
import Platform

/// Does what has become due, and polls the directories that have no events.
extension WatchCore {
  /// Returns when something is due, regardless of further input. Bounded by the next full scan.
  func nextTime(at now: Int64) -> Int64 {
    var next = rootWatch.nextProbe
    func consider(_ time: Int64?) {
      if let time { next = min(next, time) }
    }
    var waits = waiters.nextTime
    switch presence {
    case .unknown: return now
    case .offline: break
    case .online:
      let agenda = session.agenda
      if agenda.fullScan != nil { return now }
      next = agenda.nextTime()
      consider(session.watching.polling.next)
      consider(reads.nextTime)
      if !outbox.batch.isEmpty || !reads.isEmpty { consider(now + settings.limits.pieceTime) }
      if agenda.hasOverflowed {
        waits = waits.map { max($0, agenda.nextAfterOverflow) }
      } else if let over = tree.absent.nextOver(after: settings.vanishWait) {
        // While reads are running, absent files wait for them to end.
        consider(reads.isEmpty ? over : max(over, now + settings.limits.pieceTime))
      }
    }
    consider(waits)
    return next
  }

  mutating func checkTimes() {
    if !isOnline && now >= rootWatch.nextProbe { checkRoot() }
    guard isOnline else { return }
    session.agenda.checkTimes(at: now)
    readWhatIsDue()
    let isNeeded = session.watching.needsPolling
    session.watching.polling.need(isNeeded, at: now)
    guard isNeeded else { return }
    if now >= session.watching.polling.files.next { goOn(with: .pollFiles) }
    if now >= session.watching.polling.folders.next { goOn(with: .pollFolders) }
  }

  mutating func pollFolders() {
    guard isOnline else { return }
    if !session.watching.hasInstance {
      session.watching.opened(kernel.openEvents())
      if session.watching.hasInstance {
        scanAll(because: .watchAvailable)
        session.watching.polling.folders.polled(hasFound: true, at: now)
        return
      }
    }
    var hasFound = false
    for folder in session.watching.coverage.polled {
      let path = tree.catalogue.path(of: folder)
      guard status(of: path)?.changed != tree.catalogue[folder].status?.changed else { continue }
      note(.finished, in: path)
      hasFound = true
    }
    // One directory that has no watch is tried; if it gets one, the others are scanned too.
    guard session.watching.hasInstance, let one = session.watching.coverage.oneWithoutWatch else {
      session.watching.polling.folders.polled(hasFound: hasFound, at: now)
      return
    }
    session.watching.coverage.triedToWatch(one)
    note(.finished, in: tree.catalogue.path(of: one))
    goOn(with: .triedToWatch(one, hasFound: hasFound))
    beginScan(session.agenda.pending.takeDue(at: now))
  }

  mutating func triedToWatch(_ folder: Catalogue.ID, hasFound: Bool) {
    guard isOnline else { return }
    let coverage = session.watching.coverage
    if !coverage.lacksWatch(folder), coverage.oneWithoutWatch != nil {
      scanAll(because: .watchAvailable)
    }
    session.watching.polling.folders.polled(hasFound: hasFound, at: now)
  }

  mutating func pollFiles() {
    guard isOnline else { return }
    let before = outbox.batch.count
    for folder in session.watching.coverage.polled {
      note(.finished, in: tree.catalogue.path(of: folder))
    }
    goOn(with: .polledFiles(before: before))
    beginScan(session.agenda.pending.takeDue(at: now))
  }

  mutating func polledFiles(before: Int) {
    guard isOnline else { return }
    let hasFound = outbox.batch.count > before || !reads.isEmpty || !tree.absent.isEmpty
    session.watching.polling.files.polled(hasFound: hasFound, at: now)
  }
}
