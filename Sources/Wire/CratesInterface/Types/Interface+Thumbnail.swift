extension Interface {
  /// The format in which a thumbnail is sent.
  package enum ThumbnailForm: String, WireEnumeration {
    case pixels, jpeg
  }

  /// A cover, scaled down.
  package struct Thumbnail: WireStructure {
    /// The lengths that a client may request for the longer side.
    package static let sides = 16...512
    /// The most bytes in either form. A JPEG may have as many as the pixels of the largest
    /// thumbnail.
    package static let bytesMost = sides.upperBound * sides.upperBound * 3

    package var album: String
    /// 0, like the height, if there is no cover or it cannot be decoded.
    package var width = 0
    package var height = 0
    package var form: ThumbnailForm
    /// For `pixels`: red, green and blue of each pixel, row by row from the top. For `jpeg`: the
    /// file. Empty if there is no cover.
    package var bytes: [UInt8] = []
    /// The digest of the cover, as in `Album.cover`.
    package var digest: String?

    package init(album: String, form: ThumbnailForm = .pixels, digest: String?) {
      self.album = album
      self.form = form
      self.digest = digest
    }

    package init(json: JSON) throws(FieldError) {
      let fields = try Fields(json)
      album = try fields.string("album")
      width = try fields.int("width")
      height = try fields.int("height")
      if let jpeg = try fields.optional("jpeg", { $0.string.flatMap(Base64.decoded) }) {
        (form, bytes) = (.jpeg, jpeg)
      } else {
        (form, bytes) = (.pixels, try fields.required("rgb") { $0.string.flatMap(Base64.decoded) })
      }
      digest = try fields.optional("digest", \.string)
      let lengths = 0...Self.sides.upperBound
      guard lengths.contains(width), lengths.contains(height), hasFittingBytes
      else { throw FieldError(form == .jpeg ? "jpeg" : "rgb") }
    }

    /// Whether the bytes match the size. A client draws exactly the pixels that the size promises.
    private var hasFittingBytes: Bool {
      switch form {
      case .pixels: bytes.count == width * height * 3
      case .jpeg: bytes.count <= Self.bytesMost && bytes.isEmpty == (width * height == 0)
      }
    }

    /// Has either `rgb` or `jpeg`. The form with pixels is the same as before forms were added.
    package var json: JSON {
      let (width, height) = (JSON(width), JSON(height))
      let base64 = JSON.string(Base64.encoded(bytes))
      return switch form {
      case .pixels:
        [
          "album": .string(album), "width": width, "height": height, "rgb": base64,
          "digest": JSON(digest),
        ]
      case .jpeg:
        [
          "album": .string(album), "width": width, "height": height, "digest": JSON(digest),
          "jpeg": base64,
        ]
      }
    }
  }
}
