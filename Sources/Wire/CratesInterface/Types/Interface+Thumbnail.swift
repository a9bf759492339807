extension Interface {
  /// A cover as pixels.
  package struct Thumbnail: WireStructure {
    /// What its longer side may be asked to be at most.
    package static let sides = 16...512

    package var album: String
    /// 0, as is the height: there is no cover, or none that could be shown.
    package var width = 0
    package var height = 0
    /// Red, green and blue of each pixel, row by row from the top.
    package var rgb: [UInt8] = []
    /// The cover's digest, as in `Album.cover`.
    package var digest: String?

    package init(album: String, digest: String?) {
      self.album = album
      self.digest = digest
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      album = try fields.string("album")
      width = try fields.int("width")
      height = try fields.int("height")
      rgb = try fields.required("rgb") { $0.string.flatMap(Base64.decoded) }
      digest = try fields.optional("digest", \.string)
      // A client draws them: not one pixel more or less than there are.
      let lengths = 0...Self.sides.upperBound
      guard lengths.contains(width), lengths.contains(height), rgb.count == width * height * 3
      else { throw FieldError("rgb") }
    }

    package var json: JSON {
      [
        "album": .string(album), "width": JSON(width), "height": JSON(height),
        "rgb": .string(Base64.encoded(rgb)), "digest": JSON(digest),
      ]
    }
  }
}
