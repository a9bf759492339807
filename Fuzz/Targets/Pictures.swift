import CPictures

/// A picture, for a side that its length decides.
func fuzzPictures(_ input: [UInt8]) {
  let sides = Int(CRATED_SIDE_LEAST)...Int(CRATED_SIDE_MOST)
  let side = sides.lowerBound + input.count % sides.count
  let first = thumbnail(input, side: side)
  require(first == thumbnail(input, side: side), "a picture looks the same twice")
  require(thumbnail(input, side: sides.upperBound + 1).isEmpty, "no side is too long")
  guard !first.isEmpty else { return }
  let made = jpeg(first)
  require(made == jpeg(first), "a picture is written the same twice")
  let again = thumbnail(made, side: sides.upperBound)
  require(again.count == first.count, "what was written is read")
  require(again.prefix(headBytes) == first.prefix(headBytes), "and has the size that it had")
}

/// Of the sides, two each.
private let headBytes = 4

/// The thumbnail as a JPEG.
private func jpeg(_ thumbnail: [UInt8]) -> [UInt8] {
  // Exactly as much as is asked for, as below.
  let room = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(CRATED_THUMBNAIL_BYTES_MOST))
  defer { room.deallocate() }
  let sides = thumbnail.prefix(headBytes).map { UInt32($0) }
  let count = Array(thumbnail.dropFirst(headBytes)).withUnsafeBufferPointer { rgb in
    rgb.baseAddress.map {
      crated_encode_jpeg($0, sides[0] | sides[1] << 8, sides[2] | sides[3] << 8, room)
    } ?? 0
  }
  require((1...Int(CRATED_THUMBNAIL_BYTES_MOST)).contains(count), "any pixels are a JPEG")
  return Array(UnsafeBufferPointer(start: room, count: count))
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
  return [width, height].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    + UnsafeBufferPointer(start: rgb, count: count)
}
