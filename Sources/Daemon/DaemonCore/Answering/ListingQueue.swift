import VarlinkServer

/// The queue of turns for listings. Turns are served in the order of their requests, and an
/// unfinished listing is appended again.
///
/// A gathered answer is in memory until it is complete, so only a few are gathered at a time. The
/// others wait outside the queue, in order, with nothing gathered and no library retained. Gathered
/// answers take turns like all others. An answer that is short, or is sent in many replies, waits
/// for each of them no longer than one batch takes.
struct ListingQueue: Sendable {
  enum Turn: Sendable {
    /// A call. With `hasPlace` it is one of the few that may be gathered.
    case call(Request, hasPlace: Bool)
    /// The rest of a listing. One that is gathered has a place.
    case rest(any ListingRest)
  }

  // Bounded by the number of clients, which have one active call each.
  private var turns: [Turn] = []
  /// Calls that wait for a place: those of connected clients, and of some that have just
  /// disconnected.
  private var waiting: [Request] = []
  private var places: Int

  /// - Parameter gathering: The maximum number of answers gathered at a time.
  init(gathering: Int) { places = gathering }

  mutating func add(_ turn: Turn) { turns.append(turn) }

  mutating func next() -> Turn? { turns.isEmpty ? nil : turns.removeFirst() }

  /// Returns whether a call may be gathered further. If not, it gets a turn when a place is free.
  mutating func takePlace(for request: Request) -> Bool {
    if places > 0 {
      places -= 1
      return true
    }
    waiting.removeAll { $0.answer.isAbandoned }
    waiting.append(request)
    return false
  }

  /// Frees the place of a call that is answered, or whose client has disconnected. The first
  /// waiting call gets it.
  ///
  /// - Returns: Whether a call was waiting. It has a turn now.
  mutating func freePlace() -> Bool {
    waiting.removeAll { $0.answer.isAbandoned }
    if waiting.isEmpty {
      places += 1
      return false
    }
    turns.append(.call(waiting.removeFirst(), hasPlace: true))
    return true
  }

  /// The approximate size of the gathered items in bytes.
  var gatheredBytes: Int {
    turns.reduce(0) { bytes, turn in
      if case .rest(let rest) = turn, rest.isGathered { bytes + rest.bytes } else { bytes }
    }
  }

  /// The number of calls that wait for a place.
  var waitingCount: Int { waiting.count }
}
