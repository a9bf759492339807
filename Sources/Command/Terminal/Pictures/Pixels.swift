/// A picture as pixels, row by row from the top, with three bytes each.
package struct Pixels: Sendable, Hashable {
  /// The most pixels of either side. No screen shows more, and computations with them don't
  /// overflow.
  package static let sideMost = 4096

  package let width: Int
  package let height: Int
  /// Red, green and blue of each pixel.
  package let bytes: [UInt8]

  /// Returns nil if a side is out of range or the number of bytes doesn't match.
  package init?(width: Int, height: Int, bytes: [UInt8]) {
    let sides = 1...Self.sideMost
    guard sides.contains(width), sides.contains(height), bytes.count == width * height * 3 else {
      return nil
    }
    self.init(checkedWidth: width, height: height, bytes: bytes)
  }

  private init(checkedWidth width: Int, height: Int, bytes: [UInt8]) {
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  package subscript(column: Int, row: Int) -> RGB {
    let place = (row * width + column) * 3
    return RGB(bytes[place], bytes[place + 1], bytes[place + 2])
  }

  /// Returns the picture in another size. Each pixel is the mean of the area under it, with partly
  /// covered pixels weighted. Sides are limited to 1 to `sideMost`.
  package func scaled(width newWidth: Int, height newHeight: Int) -> Pixels {
    let newWidth = min(max(newWidth, 1), Self.sideMost)
    let newHeight = min(max(newHeight, 1), Self.sideMost)
    if newWidth == width, newHeight == height { return self }
    let across = Shares(from: width, to: newWidth)
    let down = Shares(from: height, to: newHeight)
    // Two passes. The means between them have eight additional bits.
    var narrow = [UInt32](repeating: 0, count: newWidth * height * 3)
    for row in 0..<height {
      for column in 0..<newWidth {
        for channel in 0..<3 {
          let sum = across.sum(column) { UInt32(bytes[(row * width + $0) * 3 + channel]) << 8 }
          narrow[(row * newWidth + column) * 3 + channel] = across.mean(sum)
        }
      }
    }
    var result = [UInt8](repeating: 0, count: newWidth * newHeight * 3)
    let rowBytes = newWidth * 3
    for row in 0..<newHeight {
      for place in 0..<rowBytes {
        let sum = down.sum(row) { narrow[$0 * rowBytes + place] }
        result[row * rowBytes + place] = UInt8((down.mean(sum) + 128) >> 8)
      }
    }
    return Pixels(checkedWidth: newWidth, height: newHeight, bytes: result)
  }
}

/// The old pixels under each new one along one side, with their weights. The unit is such that both
/// sizes are integers: an old pixel is `new` units wide, and a new pixel is `old` units wide.
private struct Shares {
  let old: Int
  let new: Int

  init(from old: Int, to new: Int) {
    self.old = old
    self.new = new
  }

  /// Returns the weighted sum of the values under a new pixel.
  func sum(_ pixel: Int, _ value: (Int) -> UInt32) -> UInt64 {
    let (start, end) = (pixel * old, (pixel + 1) * old)
    var sum: UInt64 = 0
    var index = start / new
    while index * new < end {
      let share = min(end, (index + 1) * new) - max(start, index * new)
      sum += UInt64(value(index)) * UInt64(share)
      index += 1
    }
    return sum
  }

  func mean(_ sum: UInt64) -> UInt32 { UInt32((sum + UInt64(old / 2)) / UInt64(old)) }
}
