/// A tune in a minor pentatonic scale over a slow bass, as 16-bit mono samples. A little noise
/// prevents exact repetitions.
struct Melody {
  let seed: UInt64
  let sampleRate: Int

  func samples(count: Int) -> [Int16] {
    // Any seed is valid, including 0.
    var dice = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0xD1B5_4A32_D192_ED03
    func roll(_ sides: UInt64) -> Int {
      dice ^= dice << 13
      dice ^= dice >> 7
      dice ^= dice << 17
      return Int(dice % sides)
    }
    let root = 196.0 * power(semitone, roll(12))
    let noteLength = max(sampleRate / (3 + roll(3)), 1)
    let scale = [0, 3, 5, 7, 10, 12, 15]
    var result: [Int16] = []
    result.reserveCapacity(count)
    var step = roll(UInt64(scale.count))
    var note = Oscillator(frequency: root, sampleRate: sampleRate)
    var bass = Oscillator(frequency: root / 2, sampleRate: sampleRate)
    for index in 0..<count {
      let place = index % noteLength
      if place == 0 {
        step = min(max(step + roll(5) - 2, 0), scale.count - 1)
        note = Oscillator(frequency: root * power(semitone, scale[step]), sampleRate: sampleRate)
      }
      let fade = 1 - Double(place) / Double(noteLength)
      let hiss = Double(roll(129) - 64)
      let sample = 11_000 * fade * note.next() + 5_000 * bass.next() + hiss
      result.append(Int16(sample))
    }
    return result
  }

  private var semitone: Double { 1.059_463_094_359_295 }

  private func power(_ base: Double, _ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }
}

/// A triangle wave, which is nearly as soft as a sine. A sine would need a mathematics library,
/// whose last digit differs between machines.
private struct Oscillator {
  private var phase = 0.25
  private let step: Double

  init(frequency: Double, sampleRate: Int) {
    step = frequency / Double(sampleRate)
  }

  /// Returns the next value, from -1 to 1.
  mutating func next() -> Double {
    phase += step
    if phase >= 1 { phase -= phase.rounded(.down) }
    return phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase
  }
}
