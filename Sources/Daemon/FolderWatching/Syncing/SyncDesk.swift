import LibraryModel

/// Somebody who waits until what was done before is merged.
struct SyncRequest {
  enum Phase: Equatable {
    case new
    /// A file was made, of which the kernel has not told yet; until then at most (monotonic).
    case cookie([UInt8], until: Int64)
    /// All news from before has been read.
    case heard
    /// All directories with news are being looked at.
    case looking
    /// The directories were looked at; the readings below this number belong to that.
    case looked(below: Int)
    /// Everything was read; these files have to stand still.
    case standing(Set<FileKey>)
  }

  /// Relative; nil: there is no rescan, only what is news.
  var rescan: BytePath?
  var phase = Phase.new
  var progress: @Sendable (WatchState.Progress) -> Void = { _ in }
  /// The number of its completion.
  let number: Int
}

/// Those who wait for a sync, and how far each has come: the kernel told of their cookie, what was
/// news by then was looked at, and what that found was read and stands still. Pure: what happened
/// is passed in. Times in nanoseconds, monotonic.
///
/// As many wait as the callers' threads are, which are bounded where they are made.
struct SyncDesk {
  private var requests: [SyncRequest] = []

  var isEmpty: Bool { requests.isEmpty }

  mutating func add(_ request: SyncRequest) { requests.append(request) }

  func tell(_ progress: WatchState.Progress) {
    for request in requests { request.progress(progress) }
  }

  /// When something has to be done at the latest; nil: what they wait for comes by itself.
  var nextTime: Int64? {
    requests.compactMap { request in
      switch request.phase {
      case .new, .heard, .looking: 0
      case .cookie(_, let until): until
      case .looked, .standing: nil
      }
    }.min()
  }

  // MARK: Hearing

  var hasNew: Bool { requests.contains { $0.phase == .new } }

  /// One cookie was made for all who are new.
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

  /// Whatever of the cookies, everything before is known to be news.
  mutating func allCookiesCame() {
    advance(from: { if case .cookie = $0 { true } else { false } }, to: .heard)
  }

  /// Waits no longer for cookies whose time is over. Whether there were any.
  mutating func giveUpCookies(at now: Int64) -> Bool {
    advance(
      from: { if case .cookie(_, let until) = $0 { until <= now } else { false } }, to: .heard)
  }

  // MARK: Looking

  var hasHeard: Bool { requests.contains { $0.phase == .heard } }

  /// A look begins for all who heard. Those who come meanwhile are for the next one.
  ///
  /// - Returns: what has to be looked at again, whatever was told of it.
  mutating func beginLook() -> [BytePath] {
    advance(from: { $0 == .heard }, to: .looking)
    return requests.filter { $0.phase == .looking }.compactMap(\.rescan)
  }

  /// - Parameter below: the readings below this number belong to it; nil: the look was broken off,
  ///   and is to be gone through again before anybody is answered.
  mutating func endLook(below: Int?) {
    advance(from: { $0 == .looking }, to: below.map { .looked(below: $0) } ?? .heard)
  }

  // MARK: Answering

  /// - Parameters:
  ///   - areRead: whether all readings below a number are back.
  ///   - fresh: files that have to stand still by now.
  mutating func follow(areRead: (Int) -> Bool, fresh: Set<FileKey>) {
    for index in requests.indices {
      switch requests[index].phase {
      case .looked(let below) where areRead(below): requests[index].phase = .standing(fresh)
      case .standing(let files): requests[index].phase = .standing(files.intersection(fresh))
      default: break
      }
    }
  }

  /// Whether somebody waits for nothing any more.
  var hasDone: Bool { requests.contains { $0.phase == .standing([]) } }

  /// Takes out those who wait for nothing any more.
  ///
  /// - Returns: the numbers of their completions, in the order in which they came.
  mutating func takeDone() -> [Int] {
    let done = requests.filter { $0.phase == .standing([]) }
    requests.removeAll { $0.phase == .standing([]) }
    return done.map(\.number)
  }

  /// Takes out everybody: there is nothing to wait for.
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
