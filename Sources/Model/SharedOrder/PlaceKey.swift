/// A place in a list that several machines order, as in a list CRDT: between any two places there
/// is always another one, and two machines never make the same one.
///
/// A key is a path in a tree. Each segment names a *run*, which one machine began in one action,
/// and a place in that run. Items that an action puts side by side are one run, and so are items
/// that the same machine later adds at either end of it. If two machines put albums at the same
/// place, the albums form two blocks there instead of being interleaved.
///
/// A run is before or behind the place of its parent path (or the whole list), or takes over that
/// place as its *slot*. Albums that are sorted take over each other's slots, so what was put behind
/// one of them stays in that slot.
package struct PlaceKey: Hashable, Sendable {
  package enum Side: UInt8, BitwiseCopyable, Sendable {
    // The raw values have the order of the places.
    case before = 0
    case slot = 2
    case after = 3
  }

  package struct Segment: Hashable, Sendable, BitwiseCopyable {
    var side: Side
    var clock: SharedClock
    var machine: MachineID
    /// The place in the run, negative if the run grew upwards.
    var index: Int32
  }

  package internal(set) var segments: [Segment]

  init(_ segments: [Segment]) { self.segments = segments }

  /// The number of characters of its text.
  package var length: Int {
    var text: [UInt8] = []
    append(to: &text)
    return text.count
  }

  /// The latest time in any segment.
  package var clock: SharedClock {
    segments.map(\.clock).max() ?? SharedClock(milliseconds: 0)
  }
}

extension PlaceKey: Comparable {
  package static func < (left: PlaceKey, right: PlaceKey) -> Bool {
    let (left, right) = (left.segments, right.segments)
    var place = 0
    while place < left.count, place < right.count {
      let (one, other) = (left[place], right[place])
      if one != other { return one.isBefore(other) }
      place += 1
    }
    // One of the keys is an ancestor of the other.
    if place < right.count { return right[place].side != .before }
    if place < left.count { return left[place].side == .before }
    return false
  }
}

extension PlaceKey.Segment {
  /// Whether the segment comes first. The newer a run is, the farther it is from its parent's
  /// place. An item put next to that place goes into or beside the runs that exist there, and an
  /// item put at an end of a list is directly below the root.
  fileprivate func isBefore(_ other: Self) -> Bool {
    if side != other.side { return side.rawValue < other.side.rawValue }
    if (clock, machine) != (other.clock, other.machine) {
      let isOlder = (clock, machine) < (other.clock, other.machine)
      return side == .before ? !isOlder : isOlder
    }
    return index < other.index
  }
}

// MARK: Making keys

extension PlaceKey {
  /// Returns keys for items that are put side by side between two neighbours.
  ///
  /// - Parameters:
  ///   - low: the neighbour above. Nil: the top of the list.
  ///   - high: the neighbour below, which is greater. Nil: the bottom.
  ///   - count: at least 1.
  ///   - clock: the time of the action, later than all times that this machine has seen.
  package static func between(
    _ low: PlaceKey?, _ high: PlaceKey?, count: Int, _ clock: SharedClock, _ machine: MachineID
  ) -> [PlaceKey] {
    func fits(_ first: PlaceKey, _ last: PlaceKey) -> Bool {
      low.map { $0 < first } ?? true && high.map { last < $0 } ?? true
    }
    func run(_ parent: [Segment], _ first: Segment) -> [PlaceKey]? {
      var segment = first
      let keys = (0..<count).map { number in
        segment.index = first.index + Int32(number)
        return PlaceKey(parent + [segment])
      }
      guard let one = keys.first, let last = keys.last, fits(one, last) else { return nil }
      return keys
    }
    // Extends a run of this machine.
    if let low, var last = low.segments.last, last.machine == machine, last.side != .slot {
      last.index += 1
      if let keys = run(low.segments.dropLast(), last) { return keys }
    }
    if let high, var first = high.segments.last, first.machine == machine, first.side != .slot {
      first.index -= Int32(count)
      if let keys = run(high.segments.dropLast(), first) { return keys }
    }
    // A new run begins as near to the root as it fits. An item that takes over a slot takes over
    // the items beside it, too. So nothing is attached to the former album of a slot, except
    // between two of the same slot.
    let (above, below) = (low?.segments ?? [], high?.segments ?? [])
    for hangsOnSlots in [false, true] {
      for depth in 0...max(above.count, below.count) {
        for (parent, side) in [(above, Side.after), (below, .before)] where depth <= parent.count {
          if depth > 0, parent[depth - 1].side == .slot, !hangsOnSlots { continue }
          let first = Segment(side: side, clock: clock, machine: machine, index: 0)
          if let keys = run(Array(parent.prefix(depth)), first) { return keys }
        }
      }
    }
    preconditionFailure(
      "nothing fits between \(low?.description ?? "") and \(high?.description ?? "")")
  }

  /// Returns keys for items that take over the slots of these keys, in this order.
  ///
  /// - Parameter keys: ascending.
  package static func slots(
    of keys: [PlaceKey], _ clock: SharedClock, _ machine: MachineID
  ) -> [PlaceKey] {
    func slot(_ parent: some Collection<Segment>, _ index: Int32) -> PlaceKey {
      let segment = Segment(side: .slot, clock: clock, machine: machine, index: index)
      return PlaceKey(parent + [segment])
    }
    var slots: [PlaceKey] = []
    var former: (parent: ArraySlice<Segment>, index: Int32)?
    for key in keys {
      let parent = key.segments.last?.side == .slot ? key.segments.dropLast() : key.segments[...]
      let index = former.map { $0.parent == parent ? $0.index + 1 : 0 } ?? 0
      former = (parent, index)
      slots.append(slot(parent, index))
    }
    if zip(slots, slots.dropFirst()).allSatisfy(<) { return slots }
    // Something is attached to the former album of a slot.
    return zip(keys, places(among: keys)).map { slot($0.segments, $1) }
  }

  /// Returns the position of each key among the keys that are equal to it.
  ///
  /// - Parameter keys: ascending.
  private static func places(among keys: [PlaceKey]) -> [Int32] {
    var places: [Int32] = []
    for (number, key) in keys.enumerated() {
      places.append(number > 0 && keys[number - 1] == key ? places[number - 1] + 1 : 0)
    }
    return places
  }
}

// MARK: As text

extension PlaceKey: CustomStringConvertible {
  package var description: String { text(append) }

  package func append(to text: inout [UInt8]) {
    for segment in segments { segment.append(to: &text) }
  }

  /// Returns nil unless the text is a complete key.
  package init?(_ text: ArraySlice<UInt8>) {
    var segments: [Segment] = []
    var rest = text
    while let sign = rest.first {
      guard let side = Side(sign: sign) else { return nil }
      rest.removeFirst()
      let end = rest.firstIndex { Side(sign: $0) != nil } ?? rest.endIndex
      guard let segment = Segment(side, rest[..<end]) else { return nil }
      segments.append(segment)
      rest = rest[end...]
    }
    if segments.isEmpty { return nil }
    self.segments = segments
  }
}

extension PlaceKey.Segment {
  /// Appends the sign of the side, the machine, the time, and the place in the run unless it is 0.
  fileprivate func append(to text: inout [UInt8]) {
    text.append(side.sign)
    machine.append(to: &text)
    clock.append(to: &text)
    if index != 0 { text += ".\(index)".utf8 }
  }

  /// - Parameter text: the text after the sign.
  fileprivate init?(_ side: PlaceKey.Side, _ text: ArraySlice<UInt8>) {
    let dot = text.firstIndex(of: UInt8(ascii: ".")) ?? text.endIndex
    guard let machine = MachineID(text.prefix(MachineID.length)),
      let clock = SharedClock(text[..<dot].dropFirst(MachineID.length))
    else { return nil }
    var index: Int32 = 0
    if dot != text.endIndex {
      let digits = String(decoding: text[(dot + 1)...], as: UTF8.self)
      guard let number = Int32(digits), number != 0, "\(number)" == digits,
        number.magnitude <= Self.farthest
      else { return nil }
      index = number
    }
    (self.side, self.clock, self.machine, self.index) = (side, clock, machine, index)
  }

  /// The most items of a run in each direction. A run grows by the items that a machine puts side
  /// by side, and a library has at most a million albums.
  private static let farthest: UInt32 = 1 << 30
}

extension PlaceKey.Side {
  fileprivate var sign: UInt8 {
    switch self {
    case .before: UInt8(ascii: "<")
    case .slot: UInt8(ascii: "=")
    case .after: UInt8(ascii: ">")
    }
  }

  fileprivate init?(sign: UInt8) {
    switch sign {
    case UInt8(ascii: "<"): self = .before
    case UInt8(ascii: "="): self = .slot
    case UInt8(ascii: ">"): self = .after
    default: return nil
    }
  }
}
