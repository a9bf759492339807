import TestSupport

/// Where the world may go one way or another: by chance, or every way in turn.
struct Choices {
  private enum Source {
    case chance(SeededGenerator)
    /// The choices made so far, and of how many each was one.
    case every(made: [(choice: Int, count: Int)], place: Int)
  }

  private var source: Source

  static func seeded(_ seed: UInt64) -> Choices {
    Choices(source: .chance(SeededGenerator(seed: seed)))
  }

  /// The first of all ways; `advance` goes to the next.
  static var first: Choices { Choices(source: .every(made: [], place: 0)) }

  var isByChance: Bool {
    if case .chance = source { true } else { false }
  }

  /// Less than the count.
  mutating func choose(_ count: Int) -> Int {
    switch source {
    case .chance(var generator):
      let choice = Int.random(in: 0..<count, using: &generator)
      source = .chance(generator)
      return choice
    case .every(var made, let place):
      if place == made.count { made.append((0, count)) }
      source = .every(made: made, place: place + 1)
      return made[place].choice
    }
  }

  /// Whether there is another way.
  mutating func advance() -> Bool {
    guard case .every(var made, _) = source else { return false }
    while let last = made.popLast() {
      if last.choice + 1 < last.count {
        made.append((last.choice + 1, last.count))
        source = .every(made: made, place: 0)
        return true
      }
    }
    return false
  }
}
