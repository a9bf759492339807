import LibraryModel
import Platform
import Text

/// A piece of the store's text. The literal is written as it is. An interpolated value is written
/// in its own form, and escaped if it is free text:
/// `"move song \(id) in album \(album) \(after: anchor)"`.
struct StoreText: ExpressibleByStringInterpolation {
  let bytes: [UInt8]

  init(stringLiteral text: String) { bytes = Array(text.utf8) }
  init(stringInterpolation: Interpolation) { bytes = stringInterpolation.bytes }

  struct Interpolation: StringInterpolationProtocol {
    var bytes: [UInt8] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + 32 * interpolationCount)
    }

    mutating func appendLiteral(_ text: String) { bytes += text.utf8 }

    mutating func appendInterpolation(_ value: some BinaryInteger) { bytes += "\(value)".utf8 }
    mutating func appendInterpolation(_ id: AlbumID) { append(id.number) }
    mutating func appendInterpolation(_ id: SongID) { append(id.number) }
    mutating func appendInterpolation(_ id: CrateID) { append(id.number) }
    private mutating func append(_ id: UInt64) { IdentifierText.append(id, to: &bytes) }

    /// Words of the format if a condition holds.
    mutating func appendInterpolation(_ words: String, if condition: Bool) {
      if condition { bytes += words.utf8 }
    }

    /// Free text up to the end of the line.
    mutating func appendInterpolation(rest: some Collection<UInt8>) {
      appendPercentEscaped(rest, leaving: .text, to: &bytes)
    }
    mutating func appendInterpolation(rest: String) { appendInterpolation(rest: rest.utf8) }

    /// Free text for the user, up to the end of the line. A `=` in its first word is escaped, so
    /// that a text such as `fresh=` is not read as a key.
    mutating func appendInterpolation(title: String) {
      let text = Array(title.utf8)
      let word = text.prefix { $0 != 0x20 }
      let count = word.firstIndex(of: UInt8(ascii: "=")) ?? text.count
      appendInterpolation(rest: text[..<count])
      if count == text.count { return }
      appendLiteral("%3D")
      appendInterpolation(rest: text[(count + 1)...])
    }

    /// Free text as one word.
    mutating func appendInterpolation(word: some Collection<UInt8>) {
      appendPercentEscaped(word, leaving: .word, to: &bytes)
    }
    mutating func appendInterpolation(word: String) { appendInterpolation(word: word.utf8) }

    /// A crate's name as one word, after the crate's id if that is known.
    mutating func appendInterpolation(_ crate: String, _ id: CrateID?) {
      if let id { bytes += "\(id) ".utf8 }
      appendInterpolation(word: crate)
    }

    /// The place of an item: after another one, or first.
    mutating func appendInterpolation(after anchor: String?) {
      guard let anchor else { return appendLiteral("first") }
      appendLiteral("after ")
      appendInterpolation(word: anchor)
    }
    mutating func appendInterpolation(after anchor: AlbumID?) {
      bytes += (anchor.map { "after \($0)" } ?? "first").utf8
    }
    mutating func appendInterpolation(after anchor: SongID?) {
      bytes += (anchor.map { "after \($0)" } ?? "first").utf8
    }

    /// - Parameter time: in milliseconds since 1970.
    mutating func appendInterpolation(time: Int64) { bytes += Timestamp.text(time).utf8 }

    mutating func appendInterpolation(_ digest: AudioDigest?) {
      DigestText.append(digest, to: &bytes)
    }
    mutating func appendInterpolation(_ group: GroupKey) { GroupText.append(group, to: &bytes) }
    mutating func appendInterpolation(_ traits: Traits) { TraitsText.append(traits, to: &bytes) }
  }
}

func += (text: inout [UInt8], piece: StoreText) { text += piece.bytes }
