import Glibc
package import Testing

/// How much random tests do: a sample that a change waits for, or all of it. `make nightly` sets
/// CRATED_NIGHTLY.
package enum Effort {
  package static let isNightly = getenv("CRATED_NIGHTLY") != nil

  /// - Parameter change: how many runs a change waits for.
  package static func runs(_ change: Int, nightly: Int) -> Int { isNightly ? nightly : change }

  /// All cases, or where a change waits one of each so many, the first one among them.
  package static func some<Case>(of cases: [Case], oneIn share: Int) -> [Case] {
    isNightly ? cases : stride(from: 0, to: cases.count, by: share).map { cases[$0] }
  }
}

extension Trait where Self == ConditionTrait {
  /// Takes longer than a change can wait for, and something shorter tests the same kind of thing.
  package static var nightly: Self { .enabled(if: Effort.isNightly, "only make nightly runs it") }
}
