/// A batch of files for a tag reader. Their descriptors come with it by SCM_RIGHTS, in this order.
///
/// Every request has the same length, so that neither side ever searches for its end: `Q`, the
/// number of files, 1 if each answer is wanted at once, 1 if pictures are wanted and no tags, and
/// sixteen times sixteen bytes of extension.
package struct ReaderRequest: Equatable, Sendable {
  package static let filesMost = 16
  package static let byteCount = 4 + filesMost * extensionBytes

  private static let extensionBytes = 16
  private static let magic = UInt8(ascii: "Q")

  /// Whether the reader writes each answer before it looks at the next file, so that its end tells
  /// which file was its end.
  package var answersOneByOne: Bool
  package var wantsPictures: Bool
  /// In lower case, without a dot. One too long to mean anything arrives empty.
  package var pathExtensions: [String]

  package init(answersOneByOne: Bool, wantsPictures: Bool = false, pathExtensions: [String]) {
    precondition(
      (1...Self.filesMost).contains(pathExtensions.count), "a request is for 1 to 16 files")
    self.answersOneByOne = answersOneByOne
    self.wantsPictures = wantsPictures
    self.pathExtensions = pathExtensions
  }

  /// Nil for bytes that `encoded` can't have made.
  package init?(decoding bytes: some RandomAccessCollection<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == Self.byteCount, bytes[0] == Self.magic, bytes[2] <= 1, bytes[3] <= 1
    else { return nil }
    let count = Int(bytes[1])
    guard (1...Self.filesMost).contains(count) else { return nil }
    answersOneByOne = bytes[2] == 1
    wantsPictures = bytes[3] == 1
    pathExtensions = (0..<count).map { file in
      let slot = bytes[(4 + file * Self.extensionBytes)...].prefix(Self.extensionBytes)
      return String(decoding: slot.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  package func encoded() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.byteCount)
    bytes[0] = Self.magic
    bytes[1] = UInt8(pathExtensions.count)
    bytes[2] = answersOneByOne ? 1 : 0
    bytes[3] = wantsPictures ? 1 : 0
    for (file, pathExtension) in pathExtensions.enumerated() {
      let text = pathExtension.utf8
      guard text.count <= Self.extensionBytes, !text.contains(0) else { continue }
      var place = 4 + file * Self.extensionBytes
      for byte in text {
        bytes[place] = byte
        place += 1
      }
    }
    return bytes
  }
}
