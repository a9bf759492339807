package import LibraryModel

/// The id of a folder's share of the pool.
struct ShareID: Hashable, Comparable {
  let number: Int

  static func < (left: ShareID, right: ShareID) -> Bool { left.number < right.number }
}

/// The state that callers and the pool's thread share: the waiting files, by folder. Each folder
/// has room of its own, so that no caller waits behind a folder that hangs.
struct ReaderQueue {
  enum Entry {
    case waiting, waitingForSleeper, refused
  }

  private struct Waiting {
    var files: [FileToRead] = []
    /// The waiting probes: one for each caller.
    var trials: [FileToRead] = []
    var hasFiles: Bool { !files.isEmpty || !trials.isEmpty }
    var health = ShareHealth()
    /// Grows when all earlier requests are given up.
    var generation = 0
    var folder: BytePath
    /// The number of holders, which may request more files.
    var holders = 1

    mutating func forgetFiles() { (files, trials) = ([], []) }
  }

  var isClosing = false
  var startFailure: String?
  var missing = ReaderProtections()
  private var shares: [ShareID: Waiting] = [:]
  private var next = 0
  /// Shares that were given up, of which the thread may still hold files.
  private var givenUp: Set<ShareID> = []
  // Whether the thread sleeps for lack of files. Waking it costs two system calls, so it is done
  // only then.
  private var threadWantsFiles = false

  /// Returns the folder's share, which is the same for all callers. So readers that were lost to it
  /// are not forgotten when watching starts again.
  mutating func share(of folder: BytePath) -> ShareID {
    if let known = shares.first(where: { $0.value.folder == folder })?.key {
      shares[known]?.holders += 1
      return known
    }
    let share = ShareID(number: next)
    next += 1
    shares[share] = Waiting(folder: folder)
    return share
  }

  mutating func leave(_ share: ShareID) {
    shares[share]?.holders -= 1
    forgetIfDone(share)
  }

  private mutating func forgetIfDone(_ share: ShareID) {
    guard let known = shares[share], known.holders == 0, !known.hasFiles,
      known.health.stuckReaders == 0
    else { return }
    shares[share] = nil
  }

  /// Adds a file. Returns nil while there is no room.
  mutating func enter(_ file: FileToRead, most: Int) -> Entry? {
    if isClosing { return .refused }
    guard let count = shares[file.share]?.files.count else { return .refused }
    if file.isProbe {
      shares[file.share]?.trials.append(file)
    } else {
      guard count < most else { return nil }
      shares[file.share]?.files.append(file)
    }
    // If there were other files before it, the thread knows of its folder.
    guard threadWantsFiles, count == 0 || file.isProbe else { return .waiting }
    threadWantsFiles = false
    return .waitingForSleeper
  }

  /// Removes and returns the first files of a folder, up to this many.
  mutating func take(_ most: Int, of share: ShareID) -> [ReaderJob] {
    guard let known = shares[share], !known.files.isEmpty else { return [] }
    let taken = known.files.prefix(most).map { ReaderJob($0, generation: known.generation) }
    shares[share]?.files.removeFirst(taken.count)
    forgetIfDone(share)
    return taken
  }

  func hasProbe(of share: ShareID) -> Bool { shares[share]?.trials.isEmpty == false }

  mutating func takeProbe(of share: ShareID) -> ReaderJob? {
    guard let known = shares[share], let first = known.trials.first else { return nil }
    shares[share]?.trials.removeFirst()
    forgetIfDone(share)
    return ReaderJob(first, generation: known.generation)
  }

  /// Returns the folders that have files here. From then on, the next file wakes the thread.
  mutating func wanted() -> Set<ShareID> {
    threadWantsFiles = true
    return Set(shares.lazy.filter { $0.value.hasFiles }.map(\.key))
  }

  mutating func takeAll() -> [FileToRead] {
    defer {
      for share in shares.keys { shares[share]?.forgetFiles() }
    }
    return shares.values.flatMap { $0.trials + $0.files }
  }

  // MARK: State of folders

  /// Removes and returns the waiting files, whose results are no longer needed.
  mutating func giveUp(_ share: ShareID) -> [FileToRead] {
    givenUp.insert(share)
    guard let known = shares[share] else { return [] }
    shares[share]?.generation += 1
    shares[share]?.forgetFiles()
    return known.trials + known.files
  }

  func generation(of share: ShareID) -> Int { shares[share]?.generation ?? 0 }

  mutating func takeGivenUp() -> Set<ShareID> {
    defer { givenUp = [] }
    return givenUp
  }

  func health(of share: ShareID) -> ShareHealth { shares[share]?.health ?? ShareHealth() }

  mutating func setHealth(_ health: ShareHealth, of share: ShareID) {
    shares[share]?.health = health
    forgetIfDone(share)
  }
}

/// The recent results of reading the files of a folder.
package struct ShareHealth: Equatable, Sendable {
  /// The number of consecutive readers that were ended because a file returned nothing for too
  /// long, without using processor time.
  package var timeouts = 0
  /// The files that certainly caused one of these timeouts: a single one that can't be read says
  /// nothing about the others. At most `lateMost`.
  package var late: Set<FileStamp> = []
  /// The files that certainly keep readers stuck in the kernel.
  package var lost: Set<FileStamp> = []
  /// Further files, of which each may keep one stuck.
  package var suspects: Set<FileStamp> = []
  /// The number of readers that were ended and are stuck in the kernel.
  package var stuckReaders = 0
  /// Whether reads are suspended: readers are stuck on different files, and no file was read since.
  /// Only probes are let through.
  package var isHeld = false
  /// Whether no further reader may be lost to this folder, not even to a probe.
  package var hasNoReader = false

  package init() {}

  static let lateMost = 64

  mutating func noteTimeout(of file: FileStamp?) {
    timeouts += 1
    if let file, late.count < Self.lateMost { late.insert(file) }
  }

  /// Resets the timeouts, because a file was read, or failed, in time.
  mutating func forgetTimeouts() {
    timeouts = 0
    late = []
  }
}
