import LibraryModel

/// What goes out to the receiver, and what it was told.
struct Outbox {
  var batch: MergeBatch
  /// The last state that was told; nil: it is to be told whatever it is.
  var told: WatchState?
  private var toldAt = Int64.min
  private(set) var isFirstScan: Bool
  /// When everything that the first scan finds counts as seen; nil: there is none, or it has yet to
  /// begin.
  private(set) var firstScanSeen: Int64?

  init(root: BytePath, memory: FolderMemory) {
    batch = MergeBatch(root: root)
    isFirstScan = memory.isFirstScan
    firstScanSeen = memory.isFirstScan ? memory.firstScanSeen : nil
  }

  // MARK: The first scan

  /// When what a round finds counts as seen. A first scan is one scan, however often it is cut off.
  ///
  /// - Parameter next: of a scan that begins now.
  mutating func seen(next: () -> Int64) -> Int64 {
    let seen = firstScanSeen ?? next()
    if isFirstScan { firstScanSeen = seen }
    return seen
  }

  mutating func endFirstScan() { isFirstScan = false }

  /// All that was found by then is told.
  mutating func flushed() {
    if !isFirstScan { firstScanSeen = nil }
  }

  // MARK: State

  /// Whether the state is to be told now, which then counts as told.
  ///
  /// - Parameter isInBetween: another one is about to follow, so that a small difference can wait.
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
