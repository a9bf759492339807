import LibraryModel

/// The results for the receiver, and what was reported to it before.
struct Outbox {
  var batch: MergeBatch
  /// The last reported state; nil if the next one must be reported in any case.
  var told: WatchState?
  private var toldAt = Int64.min
  private(set) var isFirstScan: Bool
  /// When everything that the first scan finds counts as seen; nil if there is no first scan or it
  /// has not begun.
  private(set) var firstScanSeen: Int64?

  init(root: BytePath, memory: FolderMemory) {
    batch = MergeBatch(root: root)
    isFirstScan = memory.isFirstScan
    firstScanSeen = memory.isFirstScan ? memory.firstScanSeen : nil
  }

  // MARK: The first scan

  /// Returns when the results of a round count as seen. A first scan is one scan, however often it
  /// is interrupted.
  ///
  /// - Parameter next: returns the number of a scan that begins now.
  mutating func seen(next: () -> Int64) -> Int64 {
    let seen = firstScanSeen ?? next()
    if isFirstScan { firstScanSeen = seen }
    return seen
  }

  mutating func endFirstScan() { isFirstScan = false }

  /// Records that all results so far were reported.
  mutating func flushed() {
    if !isFirstScan { firstScanSeen = nil }
  }

  // MARK: State

  /// Returns whether to report the state now. If so, it counts as reported.
  ///
  /// - Parameter isInBetween: whether another state is about to follow, so that a small difference
  ///   can wait.
  mutating func tells(_ state: WatchState, isInBetween: Bool, at now: Int64) -> Bool {
    guard state != told else { return false }
    if isInBetween, let told, now - toldAt < 200 * milliseconds, state.says(asMuchAs: told) {
      return false
    }
    told = state
    toldAt = now
    return true
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
