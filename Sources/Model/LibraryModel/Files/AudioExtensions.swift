/// The file extensions that are treated as songs: those that any version of
/// TagLib reads, and a few aliases. A file that the linked TagLib can't read is reported as a
/// problem. Extensions that are nearly always video (mkv, webm) are excluded, because each clip
/// would become a song.
package enum AudioExtensions {
  /// The extensions in lowercase, without a dot.
  package static let all = [
    "mp3", "mp2", "mp1", "aac", "flac", "ogg", "oga", "opus", "spx", "mpc", "mp+", "mpp", "wv",
    "ape",
    "tta", "wav", "aif", "aiff", "aifc", "afc", "wma", "asf",
    "m4a", "m4b", "m4p", "m4r", "m4v", "mp4", "3g2",
    "mod", "module", "nst", "wow", "s3m", "it", "xm",
    "dsf", "dff", "dsdiff", "shn", "mka",
  ]

  /// Whether a file name ends in one of the extensions, case-insensitively.
  package static func areOf(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return false }
    let count = name.count - dot - 1
    guard (2...longest).contains(count) else { return false }
    var word: UInt64 = 0
    for byte in name[(dot + 1)...] {
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      word = word << 8 | UInt64(isCapital ? byte + 32 : byte)
    }
    return words.contains(word)
  }

  private static let longest = all.map(\.utf8.count).max() ?? 0
  // Packed into integers, since every name of every folder is checked.
  private static let words = Set(all.map { $0.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } })
}
