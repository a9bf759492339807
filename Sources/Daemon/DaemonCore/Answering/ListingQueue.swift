import VarlinkServer

/// Whose turn it is. Turns come in the order in which they were asked for, and everybody who is
/// not done asks again at the end.
///
/// An answer that is gathered is in memory until it is whole, so only a few are at a time: the
/// others wait outside of the turns, in their order, with nothing gathered and keeping no library.
/// Meanwhile those take turns as everybody does. One that is short, or is sent in many replies,
/// waits for none of them longer than for a batch.
struct ListingQueue: Sendable {
  enum Turn: Sendable {
    /// `hasPlace`: it is one of the few that may be gathered.
    case call(Request, hasPlace: Bool)
    /// One that is gathered has a place.
    case rest(any ListingRest)
  }

  // Bounded by the clients, who have one call each in work.
  private var turns: [Turn] = []
  /// Calls that wait for a place. Of clients that are there, and of some that have just gone.
  private var waiting: [Request] = []
  private var places: Int

  /// - Parameter gathering: answers that are gathered at a time.
  init(gathering: Int) { places = gathering }

  mutating func add(_ turn: Turn) { turns.append(turn) }

  mutating func next() -> Turn? { turns.isEmpty ? nil : turns.removeFirst() }

  /// Whether a call may go on being gathered. If not, it has a turn when there is a place for it.
  mutating func takePlace(for request: Request) -> Bool {
    if places > 0 {
      places -= 1
      return true
    }
    waiting.removeAll { $0.answer.isAbandoned }
    waiting.append(request)
    return false
  }

  /// One that had a place is answered, or its client has gone. The first that waits gets the place.
  ///
  /// - Returns: whether there is one, who has a turn now.
  mutating func freePlace() -> Bool {
    waiting.removeAll { $0.answer.isAbandoned }
    if waiting.isEmpty {
      places += 1
      return false
    }
    turns.append(.call(waiting.removeFirst(), hasPlace: true))
    return true
  }

  /// Bytes, roughly, of what is gathered.
  var gatheredBytes: Int {
    turns.reduce(0) { bytes, turn in
      if case .rest(let rest) = turn, rest.isGathered { bytes + rest.bytes } else { bytes }
    }
  }

  /// How many wait for a place.
  var waitingCount: Int { waiting.count }
}
