import Glibc
package import Testing

/// How much random and exhaustive tests do: a sample for a change, and all of it in `make nightly`,
/// which sets CRATED_NIGHTLY.
package enum Effort {
  package static let isNightly = nights != nil
  /// How many times as much is done as in a night; nil by day.
  private static let nights = getenv("CRATED_NIGHTLY").map { Int(String(cString: $0)) ?? 1 }

  /// - Parameters:
  ///   - change: how many runs a change waits for.
  ///   - nightly: how many a night has. Where these are fewer, they are steps, of which all nights
  ///     have the same.
  package static func runs(_ change: Int, nightly: Int) -> Int {
    guard let nights else { return change }
    return nightly > change ? nights * nightly : nightly
  }

  /// All cases at night; for a change one of each `share`, beginning with the first.
  package static func some<Case>(of cases: [Case], oneIn share: Int) -> [Case] {
    isNightly ? cases : stride(from: 0, to: cases.count, by: share).map { cases[$0] }
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs the test only at night: it takes long, and a shorter one tests the same kind of thing.
  package static var nightly: Self { .enabled(if: Effort.isNightly, "only make nightly runs it") }
}

extension Unicode.Scalar {
  /// All of Unicode; for a change those below U+3100, those that have case, and one in 16 others.
  package static var tested: some Sequence<Unicode.Scalar> {
    (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init(_:)).filter {
      Effort.isNightly || $0.value < 0x3100 || $0.value % 16 == 5
        || $0.properties.changesWhenCaseFolded
    }
  }
}
