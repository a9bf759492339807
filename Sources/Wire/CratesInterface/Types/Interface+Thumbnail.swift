extension Interface {
  /// What a shrunk cover is sent as.
  package enum ThumbnailForm: String, WireEnumeration {
    case pixels, jpeg
  }

  /// A cover, shrunk.
  package struct Thumbnail: WireStructure {
    /// What its longer side may be asked to be at most.
    package static let sides = 16...512
    /// Bytes of it in either form: a JPEG may have as many as the pixels of the largest.
    package static let bytesMost = sides.upperBound * sides.upperBound * 3

    package var album: String
    /// 0, as is the height: there is no cover, or none that could be shown.
    package var width = 0
    package var height = 0
    package var form: ThumbnailForm
    /// As pixels, red, green and blue of each, row by row from the top; or a JPEG. Empty where
    /// there is no cover.
    package var bytes: [UInt8] = []
    /// The cover's digest, as in `Album.cover`.
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

    /// A client draws pixels: not one more or less than there are.
    private var hasFittingBytes: Bool {
      switch form {
      case .pixels: bytes.count == width * height * 3
      case .jpeg: bytes.count <= Self.bytesMost && bytes.isEmpty == (width * height == 0)
      }
    }

    /// With either `rgb` or `jpeg`, so that one as pixels is as it was before there were forms.
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
