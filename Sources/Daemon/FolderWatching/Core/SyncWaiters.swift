import LibraryModel

/// A client that waits until what was done before is merged.
struct SyncRequest {
  enum Phase: Equatable {
    case new
    /// A file was made, of which the kernel has not told yet; until then at most (monotonic).
    case cookie([UInt8], until: Int64)
    /// All events from before have been read.
    case heard
    /// All dirty directories are being scanned.
    case scanning
    /// The directories were scanned; the readings below this number belong to that.
    case scanned(below: Int)
    /// Everything was read; these files have to stand still.
    case standing(Set<FileKey>)
  }

  /// Relative; nil: there is no rescan, only what is pending.
  var rescan: BytePath?
  var phase = Phase.new
  /// The number of its completion.
  let number: Int
}

/// The clients that wait for a sync, and how far each has come: the kernel told of their cookie,
/// what was pending by then was scanned, and what that found was read and stands still. Pure: what
/// happened is passed in. Times in nanoseconds, monotonic.
///
/// Bounded by the number of clients, which have one call each.
struct SyncWaiters {
  private var requests: [SyncRequest] = []
  private let cookiePrefix: String
  private var cookieCount = 0

  /// - Parameter cookiePrefix: of the names of cookies, which no other watcher uses.
  init(cookiePrefix: String = "") { self.cookiePrefix = cookiePrefix }

  var isEmpty: Bool { requests.isEmpty }
  /// The numbers of their completions.
  var numbers: [Int] { requests.map(\.number) }

  mutating func add(_ request: SyncRequest) { requests.append(request) }

  /// When something has to be done at the latest; nil: what they wait for comes by itself.
  var nextTime: Int64? {
    requests.compactMap { request in
      switch request.phase {
      case .new, .heard, .scanning: 0
      case .cookie(_, let until): until
      case .scanned, .standing: nil
      }
    }.min()
  }

  // MARK: Hearing

  /// The name of the cookie that is being made.
  var cookie: [UInt8] { Array("\(cookiePrefix)\(cookieCount)".utf8) }

  mutating func nextCookie() -> [UInt8] {
    cookieCount += 1
    return cookie
  }

  var hasNew: Bool { requests.contains { $0.phase == .new } }

  /// One cookie was made for all that are new.
  ///
  /// - Parameter cookie: its name; nil: none could be made, and all that can be heard was.
  mutating func begin(cookie: [UInt8]?, until: Int64) {
    advance(from: { $0 == .new }, to: cookie.map { .cookie($0, until: until) } ?? .heard)
  }

  /// The kernel told of it, and so of everything before.
  mutating func cookieCame(_ name: [UInt8]) {
    advance(
      from: { if case .cookie(name, _) = $0 { true } else { false } }, to: .heard)
  }

  /// Whatever became of the cookies, everything before is known to be pending.
  mutating func allCookiesCame() {
    advance(from: { if case .cookie = $0 { true } else { false } }, to: .heard)
  }

  /// Waits no longer for cookies whose time is over. Whether there were any.
  mutating func giveUpCookies(at now: Int64) -> Bool {
    advance(
      from: { if case .cookie(_, let until) = $0 { until <= now } else { false } }, to: .heard)
  }

  // MARK: Scanning

  var hasHeard: Bool { requests.contains { $0.phase == .heard } }

  /// A scan begins for all that heard. Those that come meanwhile are for the next one.
  ///
  /// - Returns: what has to be scanned again, whatever was told of it.
  mutating func beginScan() -> [BytePath] {
    advance(from: { $0 == .heard }, to: .scanning)
    return rescans
  }

  /// Whether a scan is going on for any of them.
  var isScanning: Bool { requests.contains { $0.phase == .scanning } }
  /// What that has to scan again.
  var rescans: [BytePath] { requests.filter { $0.phase == .scanning }.compactMap(\.rescan) }

  /// - Parameter below: the readings below this number belong to it; nil: the scan was broken off,
  ///   and is to be gone through again before any client is answered.
  mutating func endScan(below: Int?) {
    advance(from: { $0 == .scanning }, to: below.map { .scanned(below: $0) } ?? .heard)
  }

  // MARK: Answering

  /// - Parameters:
  ///   - areRead: whether all readings below a number are back.
  ///   - fresh: files that have to stand still by now.
  mutating func follow(areRead: (Int) -> Bool, fresh: Set<FileKey>) {
    for index in requests.indices {
      switch requests[index].phase {
      case .scanned(let below) where areRead(below): requests[index].phase = .standing(fresh)
      case .standing(let files): requests[index].phase = .standing(files.intersection(fresh))
      default: break
      }
    }
  }

  /// Whether any of them waits for nothing any more.
  var hasDone: Bool { requests.contains { $0.phase == .standing([]) } }

  /// Takes out those that wait for nothing any more.
  ///
  /// - Returns: the numbers of their completions, in the order in which they came.
  mutating func takeDone() -> [Int] {
    let done = requests.filter { $0.phase == .standing([]) }
    requests.removeAll { $0.phase == .standing([]) }
    return done.map(\.number)
  }

  /// Takes out all: there is nothing to wait for.
  mutating func takeAll() -> [Int] {
    defer { requests = [] }
    return requests.map(\.number)
  }

  /// Whether there were any.
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
