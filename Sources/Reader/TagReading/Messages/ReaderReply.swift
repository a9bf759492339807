package import LibraryModel

/// A tag reader's answer about one file.
///
/// On the wire: the length of the rest (4 bytes), the status, errno (4 bytes), then fields. Each
/// field has an id, a length (4 bytes) and that many bytes. Numbers are little-endian.
package enum ReaderReply: Equatable, Sendable {
  case song(Song)
  /// The number is the errno of a disk error or, if TagLib lacks the format, the version of TagLib:
  /// 11300 for 1.13.
  case problem(ReaderStatus, errorNumber: Int32)

  package struct Song: Equatable, Sendable {
    package var tags = SongTags()
    package var audio = AudioProperties()
    package var digest: AudioDigest?
    package var format = ""
    /// The digest of the picture in the file.
    package var cover: CoverDigest?
    /// The picture, if it was requested; empty if the file has none.
    package var picture: [UInt8] = []
    /// The shrunk cover, if it was requested; nil if there is no picture, or none that can be
    /// shown.
    package var thumbnail: Thumbnail?

    package init() {}
  }

  /// The first bytes from a reader. They distinguish a reader that can't start from one that a file
  /// has ended. The last byte is the version of this protocol. One byte follows: the protections
  /// that are missing.
  package static let greeting = Array("CRTREAD\u{4}".utf8)
  /// The maximum size of a record in bytes, without its length.
  package static let bytesMost = pictureBytesMost + (2 << 20)
  /// The maximum size of a picture in bytes: as base64, it still fits into one answer to a client.
  package static let pictureBytesMost = 6_000_000
  package static let textBytesMost = 64 << 10
  /// The size in bytes of the length that precedes a record.
  package static let lengthBytes = 4
}

/// The result of reading one file.
package enum ReaderStatus: UInt8, Sendable, CaseIterable {
  case song = 0
  case empty = 1
  case unknown = 2
  case tooLarge = 3
  case diskError = 4
  case broken = 5
  case unsupported = 6
  case damaged = 7
}

/// The ids of a reply's fields on the wire. Both ends always have the same version.
package enum ReaderField: UInt8, Sendable, CaseIterable {
  case title = 1
  case artist, album, albumArtist, composer, genre, date, originalDate
  case disc, discTotal, track, trackTotal, compilation
  case titleSort, artistSort, albumSort, albumArtistSort
  case recording, release, releaseArtist
  case codec, format
  case milliseconds, bitRate, sampleRate, channels
  case digest
  case picture
  case cover
  case thumbnail
  case jpegThumbnail

  /// The field that holds a thumbnail of this form.
  package init(_ form: Thumbnail.Form) {
    self =
      switch form {
      case .pixels: .thumbnail
      case .jpeg: .jpegThumbnail
      }
  }
}
