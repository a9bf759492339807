/// A WAV, 16 bits in one channel at 8,000 Hz, whose size doesn't stand where it usually does.
struct LongWave {
  enum Kind: CaseIterable {
    /// The size stands in a chunk of its own, for files of more than 4 GiB.
    case rf64, bw64
    /// Written to a pipe: nobody knew how long it would get.
    case pipe
    /// Nor did this one, which takes half of the most.
    case otherPipe
  }

  var kind: Kind
  var seconds: Int
  /// Chunks that follow the sound.
  var behind: [UInt8] = []

  init(kind: Kind, seconds: Int) {
    self.kind = kind
    self.seconds = seconds
  }

  var bytes: [UInt8] {
    let sound = noise(16_000 * seconds)
    let format =
      Array("fmt ".utf8) + little(16, 4) + little(1, 2) + little(1, 2) + little(8_000, 4)
      + little(16_000, 4) + little(2, 2) + little(16, 2)
    let unknown = little(kind == .otherPipe ? 0x7FFF_FFDB : 0xFFFF_FFFF, 4)
    let name = kind == .rf64 ? "RF64" : kind == .bw64 ? "BW64" : "RIFF"
    var sizes: [UInt8] = []
    if kind == .rf64 || kind == .bw64 {
      let total = 72 + sound.count + behind.count
      sizes = Array("ds64".utf8) + little(28, 4) + little(total, 8) + little(sound.count, 8)
      sizes += little(sound.count / 2, 8) + little(0, 4)
    }
    return Array(name.utf8) + unknown + Array("WAVE".utf8) + sizes + format
      + Array("data".utf8) + unknown + sound + behind
  }
}
