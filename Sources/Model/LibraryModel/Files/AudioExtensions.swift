/// The file names that are taken for songs (1.2.6 of the rules): what TagLib reads in any version,
/// and a few that it knows by another name. One that the linked TagLib can't read becomes a problem
/// that says so. What is nearly always video (mkv, webm) is left out: each clip would be one.
package enum AudioExtensions {
  /// The extensions, in lower case and without a dot.
  package static let all = [
    "mp3", "mp2", "mp1", "aac", "flac", "ogg", "oga", "opus", "spx", "mpc", "mp+", "mpp", "wv",
    "ape",
    "tta", "wav", "aif", "aiff", "aifc", "afc", "wma", "asf",
    "m4a", "m4b", "m4p", "m4r", "m4v", "mp4", "3g2",
    "mod", "module", "nst", "wow", "s3m", "it", "xm",
    "dsf", "dff", "dsdiff", "shn", "mka",
  ]

  /// Whether a file's name ends in one of them, in any case.
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
  // The extensions as numbers, since every name of every folder is asked.
  private static let words = Set(all.map { $0.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } })
}
