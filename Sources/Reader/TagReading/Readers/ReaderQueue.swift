package import LibraryModel

/// Which folder's files a reading belongs to.
struct ShareID: Hashable, Comparable {
  let number: Int

  static func < (left: ShareID, right: ShareID) -> Bool { left.number < right.number }
}

/// What callers and the pool's thread share: the files that wait, by folder, each folder with room
/// of its own, so that nobody waits behind a folder that hangs.
struct ReaderQueue {
  enum Entry {
    case waiting, waitingForSleeper, refused
  }

  private struct Waiting {
    var files: [FileToRead] = []
    /// Those that are to show whether files can be read: one for each who asks.
    var trials: [FileToRead] = []
    var hasFiles: Bool { !files.isEmpty || !trials.isEmpty }
    var health = ShareHealth()
    /// Grows when what was asked for until then is wanted no longer.
    var generation = 0
    var folder: BytePath
    /// How many may ask for more.
    var holders = 1

    mutating func forgetFiles() { (files, trials) = ([], []) }
  }

  var isClosing = false
  var startFailure: String?
  var missing = ReaderProtections()
  private var shares: [ShareID: Waiting] = [:]
  private var next = 0
  /// Shares of folders with files in the thread's hands that nobody wants any longer.
  private var givenUp: Set<ShareID> = []
  // Whether the thread sleeps for want of files. Waking it costs two system calls, so it is done
  // only then.
  private var threadWantsFiles = false

  /// The folder's, which is the same for all who ask: readers that were lost to it are not
  /// forgotten when its watching begins anew.
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

  /// Nil while there is no room.
  mutating func enter(_ file: FileToRead, most: Int) -> Entry? {
    if isClosing { return .refused }
    guard let count = shares[file.share]?.files.count else { return .refused }
    if file.isTrial {
      shares[file.share]?.trials.append(file)
    } else {
      guard count < most else { return nil }
      shares[file.share]?.files.append(file)
    }
    // With others before it the thread knows of its folder.
    guard threadWantsFiles, count == 0 || file.isTrial else { return .waiting }
    threadWantsFiles = false
    return .waitingForSleeper
  }

  /// The first files of a folder, up to so many.
  mutating func take(_ most: Int, of share: ShareID) -> [ReaderJob] {
    guard let known = shares[share], !known.files.isEmpty else { return [] }
    let taken = known.files.prefix(most).map { ReaderJob($0, generation: known.generation) }
    shares[share]?.files.removeFirst(taken.count)
    forgetIfDone(share)
    return taken
  }

  func hasTrial(of share: ShareID) -> Bool { shares[share]?.trials.isEmpty == false }

  mutating func takeTrial(of share: ShareID) -> ReaderJob? {
    guard let known = shares[share], let first = known.trials.first else { return nil }
    shares[share]?.trials.removeFirst()
    forgetIfDone(share)
    return ReaderJob(first, generation: known.generation)
  }

  /// The folders that have files here. From then on the thread is woken by the next one.
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

  // MARK: How folders are

  /// Gives back the files that wait here.
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

/// How the files of a folder have answered lately.
package struct ShareHealth: Equatable, Sendable {
  /// Readers in a row that were ended because a file gave nothing for too long, without computing.
  package var timeouts = 0
  /// The files that were certainly the cause of one of them: one that can't be read says nothing of
  /// the others. At most `lateMost`.
  package var late: Set<FileStamp> = []
  /// The files that certainly keep readers in the kernel.
  package var lost: Set<FileStamp> = []
  /// Others, of which each may keep one.
  package var suspects: Set<FileStamp> = []
  /// Readers that were ended, and that the kernel doesn't let go.
  package var stuckReaders = 0
  /// Whether they are stuck with different files, none of the folder's was read since, and all but
  /// trials wait.
  package var isHeld = false
  /// Whether as many are stuck as this folder may have, so that there are no trials either.
  package var hasNoReader = false

  package init() {}

  static let lateMost = 64

  mutating func noteTimeout(of file: FileStamp?) {
    timeouts += 1
    if let file, late.count < Self.lateMost { late.insert(file) }
  }

  /// A file was read, or told an error, in time.
  mutating func forgetTimeouts() {
    timeouts = 0
    late = []
  }
}
