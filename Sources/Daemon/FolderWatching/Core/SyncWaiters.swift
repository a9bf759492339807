import LibraryModel

/// A client that waits until everything done before is merged.
struct SyncRequest {
  enum Phase: Equatable {
    case new
    /// A cookie file was made, whose event has not arrived yet. The wait ends at this time
    /// (monotonic).
    case cookie([UInt8], until: Int64)
    /// All earlier events have been read.
    case heard
    /// All dirty directories are being scanned.
    case scanning
    /// The directories were scanned. The reads below this number belong to that scan.
    case scanned(below: Int)
    /// Everything was read. These files must still be unchanged for a while.
    case standing(Set<FileKey>)
  }

  /// The path to rescan, relative to the music folder; nil if only pending changes matter.
  var rescan: BytePath?
  var phase = Phase.new
  /// The number of its completion.
  let number: Int
}

/// The clients that wait for a sync, and the phase of each: the event of their cookie arrived, what
/// was pending by then was scanned, and the files found were read and are unchanged. Pure: what
/// happened is passed in. Times in nanoseconds, monotonic.
///
/// Bounded by the caller, which refuses further calls while too many wait.
struct SyncWaiters {
  private var requests: [SyncRequest] = []
  private let cookiePrefix: String
  private var cookieCount = 0

  /// - Parameter cookiePrefix: the prefix of cookie names, which no other watcher uses.
  init(cookiePrefix: String = "") { self.cookiePrefix = cookiePrefix }

  var isEmpty: Bool { requests.isEmpty }
  /// The numbers of the completions.
  var numbers: [Int] { requests.map(\.number) }

  mutating func add(_ request: SyncRequest) { requests.append(request) }

  /// The latest time at which something must be done; nil if the clients wait only for events that
  /// come by themselves.
  var nextTime: Int64? {
    requests.compactMap { request in
      switch request.phase {
      case .new, .heard, .scanning: 0
      case .cookie(_, let until): until
      case .scanned, .standing: nil
      }
    }.min()
  }

  // MARK: Events

  /// The name of the cookie that is being made.
  var cookie: [UInt8] { Array("\(cookiePrefix)\(cookieCount)".utf8) }

  mutating func nextCookie() -> [UInt8] {
    cookieCount += 1
    return cookie
  }

  var hasNew: Bool { requests.contains { $0.phase == .new } }

  /// Records that one cookie was made for all new requests.
  ///
  /// - Parameter cookie: the name of the cookie; nil if none could be made, and no event is
  ///   awaited.
  mutating func begin(cookie: [UInt8]?, until: Int64) {
    advance(from: { $0 == .new }, to: cookie.map { .cookie($0, until: until) } ?? .heard)
  }

  /// Records the event of a cookie, and so the end of all events before it.
  mutating func cookieCame(_ name: [UInt8]) {
    advance(
      from: { if case .cookie(name, _) = $0 { true } else { false } }, to: .heard)
  }

  /// Ends the wait for all cookies: everything before them is known to be pending.
  mutating func allCookiesCame() {
    advance(from: { if case .cookie = $0 { true } else { false } }, to: .heard)
  }

  /// Ends the wait for overdue cookies. Returns whether there were any.
  mutating func giveUpCookies(at now: Int64) -> Bool {
    advance(
      from: { if case .cookie(_, let until) = $0 { until <= now } else { false } }, to: .heard)
  }

  // MARK: Scanning

  var hasHeard: Bool { requests.contains { $0.phase == .heard } }

  /// Starts a scan for all requests whose events were read. Later ones wait for the next scan.
  ///
  /// - Returns: the paths that must be scanned again even without an event.
  mutating func beginScan() -> [BytePath] {
    advance(from: { $0 == .heard }, to: .scanning)
    return rescans
  }

  /// Whether a scan is running for any of the requests.
  var isScanning: Bool { requests.contains { $0.phase == .scanning } }
  /// The paths that the running scan must scan again.
  var rescans: [BytePath] { requests.filter { $0.phase == .scanning }.compactMap(\.rescan) }

  /// Ends the scan.
  ///
  /// - Parameter below: the reads below this number belong to the scan. Nil if it was interrupted:
  ///   then it is repeated before any client is answered.
  mutating func endScan(below: Int?) {
    advance(from: { $0 == .scanning }, to: below.map { .scanned(below: $0) } ?? .heard)
  }

  /// Scans once more for the requests whose scan listed a file that was not there when it was
  /// opened. It may be there again, for example because a directory was moved away and back.
  ///
  /// - Parameter number: the number of the file's read.
  mutating func scanAgain(after number: Int) {
    advance(
      from: { if case .scanned(let below) = $0 { number < below } else { false } }, to: .heard)
  }

  // MARK: Answering

  /// Advances the requests whose files were read or are unchanged.
  ///
  /// - Parameters:
  ///   - areRead: whether all reads below a number are done.
  ///   - fresh: the files that must still be unchanged for a while.
  mutating func follow(areRead: (Int) -> Bool, fresh: Set<FileKey>) {
    for index in requests.indices {
      switch requests[index].phase {
      case .scanned(let below) where areRead(below): requests[index].phase = .standing(fresh)
      case .standing(let files): requests[index].phase = .standing(files.intersection(fresh))
      default: break
      }
    }
  }

  /// Whether any request is complete.
  var hasDone: Bool { requests.contains { $0.phase == .standing([]) } }

  /// Removes the complete requests.
  ///
  /// - Returns: the numbers of their completions, in the order in which they came.
  mutating func takeDone() -> [Int] {
    let done = requests.filter { $0.phase == .standing([]) }
    requests.removeAll { $0.phase == .standing([]) }
    return done.map(\.number)
  }

  /// Removes all requests, because there is nothing to wait for. Returns their completion numbers.
  mutating func takeAll() -> [Int] {
    defer { requests = [] }
    return requests.map(\.number)
  }

  /// Moves requests to another phase. Returns whether there were any.
  @discardableResult
  private mutating func advance(
    from isMeant: (SyncRequest.Phase) -> Bool, to phase: SyncRequest.Phase
  ) -> Bool {
    var hasAny = false
    for index in requests.indices where isMeant(requests[index].phase) {
      requests[index].phase = phase
      hasAny = true
    }
    return hasAny
  }
}
