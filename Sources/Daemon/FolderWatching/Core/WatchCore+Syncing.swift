import LibraryModel
import Platform

/// Answering the clients that wait, in stages of a turn.
extension WatchCore {
  /// Makes one cookie for all that are new.
  mutating func beginSyncs() {
    guard waiters.hasNew else { return }
    if kernel.haveMountsChanged() { readMounts() }
    if !isOnline || rootWatch.acceptsOther { checkRoot() }
    // What is not there now may be another one again when it comes.
    rootWatch.accept(other: false)
    guard isOnline else { return }
    let cookie = waiters.nextCookie()
    guard session.watching.cookieWatch != nil else { return cookieWasAsked(isMade: false) }
    emit(waitingFor: .makeCookie(cookie))
  }

  mutating func cookieWasAsked(isMade: Bool) {
    waiters.begin(cookie: isMade ? waiters.cookie : nil, until: now + longestCookie)
    // Nothing else says how far the kernel has told, so everything is scanned.
    if !isMade { scanAll(because: .noCookie) }
    // The kernel has told of it already, unless its queue is full.
    emit(waitingFor: .takeEvents)
  }

  mutating func hearSyncs() {
    guard isOnline, waiters.giveUpCookies(at: now) else { return }
    scanAll(because: .noCookie)
    emit(waitingFor: .takeEvents)
  }

  mutating func scanForSyncs() {
    if waiters.isEmpty { return }
    goOn(with: .answerSyncs)
    guard isOnline, waiters.hasHeard, !session.agenda.waitsForOverflow(at: now) else { return }
    guard !waiters.beginScan().isEmpty else { return scanForSyncsCompared() }
    flush(withVanished: false)
    goOn(with: .scanForSyncsCompared)
    if isOnline { emit(waitingFor: .askLibrary) }
  }

  mutating func scanForSyncsCompared() {
    guard isOnline else { return waiters.endScan(below: nil) }
    goOn(with: .scanFound(mostScansOfFound), .endSyncScan)
    let rescans = waiters.rescans
    if !session.agenda.isWhole || rescans.contains(where: \.isEmpty) {
      return beginFullScan(isRescan: !rescans.isEmpty)
    }
    for path in rescans { note([.other, .subtree], in: path) }
    // Not all that becomes of a link's target is told of, as where what is above it is renamed.
    for folder in session.watching.coverage.polled.union(session.links.linking) {
      note(.other, in: tree.catalogue.path(of: folder))
    }
    let due = session.agenda.pending.takeAll(at: now)
    let paths = Set(due.map(\.path))
    for key in reads.racy where paths.contains(tree.catalogue.path(of: key.folder)) {
      readAgain(key)
    }
    if !due.isEmpty { beginScan(due, isRescan: !rescans.isEmpty) }
  }

  /// What was found may make other directories dirty, as a link does its target's.
  ///
  /// - Parameter most: how often that is asked, because a client may go on making events.
  mutating func scanFound(_ most: Int) {
    guard most > 0, isOnline, session.agenda.fullScan == nil else { return }
    let due = session.agenda.pending.takeAll(at: now)
    if due.isEmpty { return }
    goOn(with: .scanFound(most - 1))
    beginScan(due)
  }

  mutating func endSyncScan() {
    for key in reads.standing { askWhetherReady(key) }
    // A scan that was broken off is gone through again before any client is answered.
    let isWhole = !isOnline || session.agenda.fullScan == nil
    waiters.endScan(below: isWhole ? reads.next : nil)
  }

  mutating func answerSyncs() {
    guard isOnline else { return answerAll() }
    let reads = reads
    waiters.follow(areRead: { reads.areClosed(below: $0) }, fresh: reads.fresh)
    guard waiters.hasDone else { return }
    flush(withVanished: true, waited: 0)
    if isOnline, isScanDone { session.progress.isShown = false }
    tellState()
    answer(waiters.takeDone())
  }

  /// Of a folder that is away nothing can be seen.
  private mutating func answerAll() {
    tellState()
    answer(waiters.takeAll())
  }

  mutating func answer(_ numbers: [Int]) {
    if numbers.isEmpty { return }
    trace(.answered(numbers.count))
    emit(.answer(numbers))
  }
}

/// How long is waited for the kernel to tell of a cookie: it does at once, or its queue is full, or
/// the cookie's directory has another file system than it was told.
private let longestCookie = 2 * seconds
private let mostScansOfFound = 4
