import LibraryModel

/// The traits that identify an absent song, as `key=value` words with a blank before each.
enum TraitsText {
  static let keys: Set<String> = [
    "album", "albumartist", "artist", "disc", "recording", "release", "seconds", "title", "track",
    "year",
  ]

  static func append(_ traits: Traits, to line: inout [UInt8]) {
    // Tags may have any value; only what can be read again is written.
    if let disc = traits.disc, disc >= 0 { line += " disc=\(disc)".utf8 }
    if let track = traits.track, track >= 0 { line += " track=\(track)".utf8 }
    appendText("title", traits.title, to: &line)
    if traits.milliseconds > 0 {
      let milliseconds = min(traits.milliseconds, 999_999_999_999)
      let fraction = String(1000 + milliseconds % 1000).dropFirst()
      line += " seconds=\(milliseconds / 1000).\(fraction)".utf8
    }
    appendText("recording", traits.recording, to: &line)
    appendText("release", traits.release, to: &line)
    appendText("artist", traits.artist, to: &line)
    appendText("album", traits.album, to: &line)
    appendText("albumartist", traits.albumArtist, to: &line)
    if let year = traits.year, year >= 0 { line += " year=\(year)".utf8 }
  }

  private static func appendText(_ key: String, _ text: String, to line: inout [UInt8]) {
    if text.isEmpty { return }
    line += " \(key, if: true)=\(word: text)"
  }

  /// Sets the trait of that key. Returns false if there is no such trait.
  ///
  /// - Throws: why the key can't have the value.
  static func set(
    _ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, into traits: inout Traits
  ) throws(ParseError) -> Bool {
    switch String(decoding: key, as: UTF8.self) {
    case "disc": traits.disc = try value.count()
    case "track": traits.track = try value.count()
    case "title": traits.title = try value.text()
    case "seconds": traits.milliseconds = try milliseconds(value)
    case "recording": traits.recording = try value.text()
    case "release": traits.release = try value.text()
    case "artist": traits.artist = try value.text()
    case "album": traits.album = try value.text()
    case "albumartist": traits.albumArtist = try value.text()
    case "year": traits.year = try value.count()
    default: return false
    }
    return true
  }

  private static func milliseconds(_ value: ArraySlice<UInt8>) throws(ParseError) -> Int {
    let parts = value.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 3, parts[0].count <= 9 else {
      throw ParseError("\(value.display) is not a number of seconds")
    }
    return try parts[0].count() * 1000 + parts[1].count()
  }
}
