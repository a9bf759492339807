/// Files of formats that no encoder here writes: headers as their documents have them, and noise in
/// the place of sound.
enum HandMadeSound: String, CaseIterable, Sendable {
  case monkeys, musepack7, musepack8

  var pathExtension: String { self == .monkeys ? "ape" : "mpc" }

  /// 2 s of stereo at 44.1 kHz, as far as the headers go.
  var bytes: [UInt8] {
    header + noise(6_000)
  }

  private var header: [UInt8] {
    switch self {
    case .monkeys:
      // Version 3.99, then the descriptor's lengths (all but its own and the header's are of no
      // interest), and an MD5.
      Array("MAC ".utf8) + little(3990, 2) + [0, 0] + little(52, 4) + little(24, 4)
        + little(0, 4) + little(0, 4) + little(6000, 4) + little(0, 4) + little(0, 4)
        + [UInt8](repeating: 9, count: 16)
        // Level, flags, blocks of a frame and of the last one, frames, bits, channels, rate.
        + little(2000, 2) + little(0, 2) + little(44_100, 4) + little(44_100, 4) + little(2, 4)
        + little(16, 2) + little(2, 2) + little(44_100, 4)
    case .musepack7:
      // Frames of 1152 samples, flags of a rate of 44.1 kHz, gain; the rest is of no interest.
      Array("MP+".utf8) + [7] + little(77, 4) + little(0, 4) + [UInt8](repeating: 0, count: 16)
    case .musepack8:
      // The stream's header: checksum, version, samples (88,200 in groups of seven bits), silence,
      // rate and bands, channels. Then the gain, and sound.
      Array("MPCKSH".utf8) + [14, 0, 0, 0, 0, 8, 0x85, 0xB1, 0x08, 0, 0x1C, 0x10]
        + Array("RG".utf8) + [12, 1] + [UInt8](repeating: 0, count: 8) + Array("AP".utf8)
        + [0xAE, 0x74]
    }
  }

}

/// A number in so many bytes, the lowest first.
func little(_ number: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

/// A number in so many bytes, the highest first.
func big(_ number: Int, _ count: Int) -> [UInt8] { little(number, count).reversed() }

/// Bytes that are no sound, and none of them zero; the same ones every time.
func noise(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 73 >> 3) | 1 }
}
