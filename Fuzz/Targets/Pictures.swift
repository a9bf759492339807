import CPictures

/// A picture, for a side that its length decides.
func fuzzPictures(_ input: [UInt8]) {
  let sides = Int(CRATED_SIDE_LEAST)...Int(CRATED_SIDE_MOST)
  let side = sides.lowerBound + input.count % sides.count
  let first = thumbnail(input, side: side)
  require(first == thumbnail(input, side: side), "a picture looks the same twice")
  require(thumbnail(input, side: sides.upperBound + 1).isEmpty, "no side is too long")
}

/// Its sides and pixels; nothing where it has none.
private func thumbnail(_ input: [UInt8], side: Int) -> [UInt8] {
  let most = side * side * 3
  // Exactly as much as was promised, so that the address sanitizer sees who writes behind it.
  let rgb = UnsafeMutablePointer<UInt8>.allocate(capacity: most)
  defer { rgb.deallocate() }
  var (width, height): (UInt32, UInt32) = (0, 0)
  guard crated_make_thumbnail(input, input.count, UInt32(side), rgb, &width, &height) != 0 else {
    require(width == 0 && height == 0, "what can't be decoded has no size")
    return []
  }
  require(crated_is_picture(input, input.count) != 0, "what is decoded begins like a picture")
  let lengths = 1...UInt32(side)
  require(lengths.contains(width) && lengths.contains(height), "a thumbnail is as small as asked")
  let count = Int(width * height) * 3
  return [UInt8(truncatingIfNeeded: width), UInt8(truncatingIfNeeded: height)]
    + UnsafeBufferPointer(start: rgb, count: count)
}
