/// The text of a track's tag: "3", "3/12", "2-05" with its disc, "B2" with its side.
struct TrackText {
  /// The number, from 0 to 9,999: a 0 that is written is a track before the first.
  private(set) var number: Int?
  private(set) var total: Int?
  private var disc: Int?
  /// The side of a record; A is 1.
  private var side: Int?

  init(_ bytes: UnsafeRawBufferPointer) {
    let text: Slice<UnsafeRawBufferPointer>
    (text, total) = TagText.dividedByTotal(bytes)
    let written = text.drop { $0 == UInt8(ascii: " ") }
    guard let first = written.first else { return }
    if let letter = Self.place(ofLetter: first) {
      let rest = written.dropFirst().drop { Self.isBetween($0) }
      // "B" alone is a side with one track. "N/A" is no track.
      let isAlone = rest.isEmpty && text.endIndex == bytes.endIndex
      number = isAlone ? 1 : TagText.number(rest, least: 0)
      side = number == nil ? nil : letter
      return
    }
    number = TagText.number(written, least: 0)
    let rest = written.drop { TagText.isDigit($0) }
    if number != nil, rest.first == UInt8(ascii: "-"),
      let behind = TagText.number(rest.dropFirst(), least: 0)
    {
      (disc, number) = (TagText.number(written), behind)
    }
  }

  /// Returns the disc by which the song is sorted.
  ///
  /// Sides count like discs, through a whole set: C1 is on the third, and so is A1 of disc 2, where
  /// the letters start again.
  ///
  /// - Parameter tagged: the disc in its own tag, if it has one.
  func disc(tagged: Int?) -> Int? {
    guard let side else { return tagged ?? disc }
    let before = 2 * ((tagged ?? 1) - 1)
    return side > before ? side : min(before + side, TagText.mostNumber)
  }

  private static func place(ofLetter byte: UInt8) -> Int? {
    let lower = byte | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower)
      ? Int(lower - UInt8(ascii: "a")) + 1 : nil
  }

  /// Whether the byte separates a side from a number, as in "A-1", "A.1" and "A 1".
  private static func isBetween(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: " ")].contains(byte)
  }
}
