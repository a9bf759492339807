import LibraryModel
import Platform

/// Answers the clients that wait, in stages of a turn.
extension WatchCore {
  /// Makes one cookie for all new requests.
  mutating func beginSyncs() {
    guard waiters.hasNew else { return }
    if kernel.haveMountsChanged() { readMounts() }
    if !isOnline || rootWatch.acceptsOther { checkRoot() }
    // The permission does not extend to a root that comes later, which may be another one.
    rootWatch.accept(other: false)
    guard isOnline else { return }
    let cookie = waiters.nextCookie()
    guard session.watching.cookieWatch != nil else { return cookieWasAsked(isMade: false) }
    emit(waitingFor: .makeCookie(cookie))
  }

  mutating func cookieWasAsked(isMade: Bool) {
    waiters.begin(cookie: isMade ? waiters.cookie : nil, until: now + longestCookie)
    // Without a cookie, it is unknown which events the kernel has delivered.
    if !isMade { scanAll(because: .noCookie) }
    // The event of the cookie is in the queue already, unless that is full.
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
    // Some changes of a link's target have no event, such as a rename of a directory above it.
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

  /// Scans directories that became dirty by what was found, such as that of a link's target.
  ///
  /// - Parameter most: the maximum number of repetitions, because a program may go on making
  ///   events.
  mutating func scanFound(_ most: Int) {
    guard most > 0, isOnline, session.agenda.fullScan == nil else { return }
    let due = session.agenda.pending.takeAll(at: now)
    if due.isEmpty { return }
    goOn(with: .scanFound(most - 1))
    beginScan(due)
  }

  mutating func endSyncScan() {
    for key in reads.standing { askWhetherReady(key) }
    // An interrupted scan is repeated before any client is answered.
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

  /// Answers all clients, because the folder is offline and nothing in it can be seen.
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

/// How long to wait for the event of a cookie. It comes at once, unless the kernel's queue is full,
/// or the cookie directory is on another file system than when it was watched.
private let longestCookie = 2 * seconds
private let mostScansOfFound = 4
