/// A shrunk cover, as a reader made it.
package struct Thumbnail: Hashable, Sendable {
  package enum Form: Sendable, CaseIterable {
    /// Red, green and blue of each pixel, row by row from the top.
    case pixels
    /// A JPEG file without metadata.
    case jpeg
  }

  /// The values that may be requested for the maximum length of the longer side.
  package static let sides = 16...512
  /// The maximum size of either form in bytes. A JPEG may have as many as the pixels of the largest
  /// thumbnail.
  package static let bytesMost = sides.upperBound * sides.upperBound * 3

  package let width: Int
  package let height: Int
  package let form: Form
  package let bytes: [UInt8]

  /// Returns nil if there are too many pixels or none, or if the bytes can't be of that form: not
  /// three for each pixel, or without the first or last marker of a JPEG.
  package init?(width: Int, height: Int, form: Form = .pixels, bytes: [UInt8]) {
    let lengths = 1...Self.sides.upperBound
    guard lengths.contains(width), lengths.contains(height) else { return nil }
    switch form {
    case .pixels: guard bytes.count == width * height * 3 else { return nil }
    case .jpeg:
      guard bytes.count <= Self.bytesMost, bytes.starts(with: [0xFF, 0xD8, 0xFF]),
        bytes.dropFirst(3).suffix(2).elementsEqual([0xFF, 0xD9])
      else { return nil }
    }
    self.width = width
    self.height = height
    self.form = form
    self.bytes = bytes
  }
}
