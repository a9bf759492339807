import Glibc

/// Random numbers that can be had again: SplitMix64 from a seed. A test that fails names the seed
/// in its comment, and `CRATED_TEST_SEED` runs it again with that one.
package struct SeededGenerator: RandomNumberGenerator, Sendable, CustomStringConvertible {
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The seed that the environment asks for, or else this one.
  package init(usually seed: UInt64) {
    let asked = getenv("CRATED_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
    self.init(seed: asked ?? seed)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// For the comment of an expectation.
  package var description: String {
    "\(Effort.isNightly ? "CRATED_NIGHTLY=1 " : "")CRATED_TEST_SEED=\(seed)"
  }
}
