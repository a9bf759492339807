/// A batch of files for a tag reader. Their descriptors are sent with it by SCM_RIGHTS, in this
/// order.
///
/// Every request has the same length, so that neither side has to search for its end: `Q`, the
/// number of files, 1 if each answer is to be sent at once, the kind of data, the side of a
/// thumbnail (2 bytes, little-endian), and sixteen extensions of sixteen bytes each.
package struct ReaderRequest: Equatable, Sendable {
  package static let filesMost = 16
  package static let byteCount = headBytes + filesMost * extensionBytes

  private static let headBytes = 6
  private static let extensionBytes = 16
  private static let magic = UInt8(ascii: "Q")

  /// Whether the reader sends each answer before it starts with the next file. If it ends, that
  /// shows which file is the cause.
  package var answersOneByOne: Bool
  package var wants: Wanted
  /// The extensions in lower case, without a dot. One that is too long to mean anything is sent as
  /// empty.
  package var pathExtensions: [String]

  /// The data to be read from files.
  package enum Wanted: Hashable, Sendable {
    case tags
    /// The front cover, or the first picture, as it is.
    case picture
    /// The same picture, shrunk. If the file itself is a picture, that one. For the side, see
    /// `Thumbnail.sides`.
    case thumbnail(side: Int, form: Thumbnail.Form = .pixels)

    var code: UInt8 {
      switch self {
      case .tags: 0
      case .picture: 1
      case .thumbnail(_, .pixels): 2
      case .thumbnail(_, .jpeg): 3
      }
    }

    var side: Int { if case .thumbnail(let side, _) = self { side } else { 0 } }

    init?(code: UInt8, side: Int) {
      switch (code, side) {
      case (0, 0): self = .tags
      case (1, 0): self = .picture
      case (2, Thumbnail.sides): self = .thumbnail(side: side)
      case (3, Thumbnail.sides): self = .thumbnail(side: side, form: .jpeg)
      default: return nil
      }
    }
  }

  package init(answersOneByOne: Bool, wants: Wanted = .tags, pathExtensions: [String]) {
    precondition(
      (1...Self.filesMost).contains(pathExtensions.count), "a request is for 1 to 16 files")
    self.answersOneByOne = answersOneByOne
    self.wants = wants
    self.pathExtensions = pathExtensions
  }

  /// Returns nil for bytes that `encoded` can't have made.
  package init?(decoding bytes: some RandomAccessCollection<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == Self.byteCount, bytes[0] == Self.magic, bytes[2] <= 1,
      let wants = Wanted(code: bytes[3], side: Int(bytes[4]) | Int(bytes[5]) << 8)
    else { return nil }
    let count = Int(bytes[1])
    guard (1...Self.filesMost).contains(count) else { return nil }
    answersOneByOne = bytes[2] == 1
    self.wants = wants
    pathExtensions = (0..<count).map { file in
      let slot = bytes[(Self.headBytes + file * Self.extensionBytes)...].prefix(Self.extensionBytes)
      return String(decoding: slot.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  package func encoded() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.byteCount)
    bytes[0] = Self.magic
    bytes[1] = UInt8(pathExtensions.count)
    bytes[2] = answersOneByOne ? 1 : 0
    bytes[3] = wants.code
    bytes[4] = UInt8(truncatingIfNeeded: wants.side)
    bytes[5] = UInt8(truncatingIfNeeded: wants.side >> 8)
    for (file, pathExtension) in pathExtensions.enumerated() {
      let text = pathExtension.utf8
      guard text.count <= Self.extensionBytes, !text.contains(0) else { continue }
      var place = Self.headBytes + file * Self.extensionBytes
      for byte in text {
        bytes[place] = byte
        place += 1
      }
    }
    return bytes
  }
}
