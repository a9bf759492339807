/// What a tag says of a track: "3", "3/12", "2-05" with its disc, "B2" with its side.
struct TrackText {
  /// From 0 to 9,999: a 0 that is written is a track before the first.
  private(set) var number: Int?
  private(set) var total: Int?
  private var disc: Int?
  /// Of a record, from A on.
  private var side: Int?

  init(_ bytes: UnsafeRawBufferPointer) {
    let text: Slice<UnsafeRawBufferPointer>
    (text, total) = TagText.dividedByTotal(bytes)
    let written = text.drop { $0 == UInt8(ascii: " ") }
    guard let first = written.first else { return }
    if let letter = Self.place(ofLetter: first) {
      let rest = written.dropFirst().drop { Self.isBetween($0) }
      // A side with one track is called "B". "N/A" is none.
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

  /// The disc by which the song is sorted, where its own tag says this one.
  ///
  /// Sides count as discs do, through all of a set: C1 is on the third, and so is A1 of disc 2,
  /// where letters begin anew.
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

  /// "A-1", "A.1" and "A 1" are written, too.
  private static func isBetween(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: " ")].contains(byte)
  }
}
