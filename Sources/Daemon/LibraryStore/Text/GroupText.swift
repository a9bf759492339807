import LibraryModel
import Text

/// A group as one text: family, two tabs, edition. An empty edition is left out, unless the family
/// has two tabs itself (`in`, a music folder's own directory, an album), which would be taken for
/// the gap.
enum GroupText {
  private static let gap: [UInt8] = [0x09, 0x09]

  static func append(_ group: GroupKey, to line: inout [UInt8]) {
    var text = Array(group.family.utf8)
    if !group.edition.isEmpty || lastGap(text) != nil {
      text += gap
      text += group.edition.utf8
    }
    appendPercentEscaped(text, leaving: .word, to: &line)
  }

  static func group(_ text: String) -> GroupKey {
    let bytes = Array(text.utf8)
    guard let start = lastGap(bytes) else { return GroupKey(family: text) }
    return GroupKey(
      family: String(decoding: bytes[..<start], as: UTF8.self),
      edition: String(decoding: bytes[(start + 2)...], as: UTF8.self))
  }

  private static func lastGap(_ text: [UInt8]) -> Int? {
    text.withUnsafeBufferPointer { text in
      var place = text.count - 2
      while place >= 0, text[place] != 0x09 || text[place + 1] != 0x09 { place -= 1 }
      return place < 0 ? nil : place
    }
  }
}
