import LibraryModel

/// Turns the bytes of a reader, which may be anything, into valid values.
package struct ReplyParser {
  // Songs of one album follow each other: equal texts share their memory.
  private var last = ReaderReply.Song()

  package init() {}

  /// Returns the length of the record that begins here; nil if it isn't complete yet, -1 if it is
  /// longer than allowed.
  package static func recordLength(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= ReaderReply.lengthBytes else { return nil }
    let length = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
    if length > ReaderReply.bytesMost { return -1 }
    return bytes.count >= ReaderReply.lengthBytes + length ? length : nil
  }

  /// Parses a record without its length. Returns nil for bytes that no intact reader writes.
  package mutating func parse(_ record: UnsafeRawBufferPointer) -> ReaderReply? {
    var rest = ByteCursor(record)
    guard let code = rest.take(UInt8.self), let status = ReaderStatus(rawValue: code),
      let errorNumber = rest.take(UInt32.self)
    else { return nil }
    guard status == .song else {
      guard rest.isAtEnd else { return nil }
      return .problem(status, errorNumber: Int32(bitPattern: errorNumber))
    }
    var song = ReaderReply.Song()
    while !rest.isAtEnd {
      guard let code = rest.take(UInt8.self), let field = ReaderField(rawValue: code),
        let length = rest.take(UInt32.self), let value = rest.take(Int(length)),
        set(field, value, of: &song)
      else { return nil }
    }
    last = song
    last.picture = []
    last.thumbnail = nil
    return .song(song)
  }

  private func set(
    _ field: ReaderField, _ value: UnsafeRawBufferPointer, of song: inout ReaderReply.Song
  ) -> Bool {
    switch field {
    case .milliseconds, .bitRate, .sampleRate, .channels:
      var number = ByteCursor(value)
      guard value.count == 8, let bits = number.take(UInt64.self) else { return false }
      setNumber(field, Int64(bitPattern: bits), of: &song.audio)
      return true
    case .digest:
      var halves = ByteCursor(value)
      guard value.count == 16, let high = halves.take(UInt64.self),
        let low = halves.take(UInt64.self)
      else { return false }
      song.digest = AudioDigest(high: high, low: low)
      return true
    case .picture:
      guard value.count <= ReaderReply.pictureBytesMost else { return false }
      song.picture = Array(value)
      return true
    case .cover:
      var number = ByteCursor(value)
      guard value.count == 8, let bits = number.take(UInt64.self),
        let digest = CoverDigest(number: bits)
      else { return false }
      song.cover = digest
      return true
    case .thumbnail: return setThumbnail(.pixels, value, of: &song)
    case .jpegThumbnail: return setThumbnail(.jpeg, value, of: &song)
    default:
      guard value.count <= ReaderReply.textBytesMost else { return false }
      setText(field, value, of: &song)
      return true
    }
  }

  private func setThumbnail(
    _ form: Thumbnail.Form, _ value: UnsafeRawBufferPointer, of song: inout ReaderReply.Song
  ) -> Bool {
    var parts = ByteCursor(value)
    guard let width = parts.take(UInt16.self), let height = parts.take(UInt16.self),
      let bytes = parts.take(value.count - 4), bytes.count <= Thumbnail.bytesMost,
      let thumbnail = Thumbnail(
        width: Int(width), height: Int(height), form: form, bytes: Array(bytes))
    else { return false }
    song.thumbnail = thumbnail
    return true
  }

  private func setNumber(_ field: ReaderField, _ number: Int64, of audio: inout AudioProperties) {
    // Impossible values count as not measured, which is 0.
    func checked(_ most: Int64) -> Int { (0...most).contains(number) ? Int(number) : 0 }
    switch field {
    case .milliseconds: audio.milliseconds = checked(100 * 24 * 3600 * 1000)
    case .bitRate: audio.bitRate = checked(1_000_000)
    case .sampleRate: audio.sampleRate = checked(100_000_000)
    case .channels: audio.channels = checked(1024)
    default: break
    }
  }

  private func setText(
    _ field: ReaderField, _ value: UnsafeRawBufferPointer, of song: inout ReaderReply.Song
  ) {
    switch field {
    case .title: song.tags.title = TagText.clean(value)
    case .artist: song.tags.artist = TagText.clean(value, reusing: last.tags.artist)
    case .album: song.tags.album = TagText.clean(value, reusing: last.tags.album)
    case .albumArtist: song.tags.albumArtist = TagText.clean(value, reusing: last.tags.albumArtist)
    case .composer: song.tags.composer = TagText.clean(value, reusing: last.tags.composer)
    case .genre: song.tags.genre = TagText.clean(value, reusing: last.tags.genre)
    case .date: song.tags.date = TagText.clean(value, reusing: last.tags.date)
    case .originalDate:
      song.tags.originalDate = TagText.clean(value, reusing: last.tags.originalDate)
    case .disc:
      let (number, total) = TagText.numberAndTotal(value)
      song.tags.disc = number
      song.tags.discTotal = song.tags.discTotal ?? total
    case .discTotal:
      song.tags.discTotal = TagText.numberAndTotal(value).number ?? song.tags.discTotal
    case .track:
      // Readers send the disc before the track.
      let track = TrackText(value)
      song.tags.disc = track.disc(tagged: song.tags.disc)
      song.tags.track = track.number
      song.tags.trackTotal = song.tags.trackTotal ?? track.total
    case .trackTotal:
      song.tags.trackTotal = TagText.numberAndTotal(value).number ?? song.tags.trackTotal
    case .compilation: song.tags.isCompilation = TagText.isTrue(value)
    case .titleSort: song.tags.titleSort = TagText.clean(value)
    case .artistSort: song.tags.artistSort = TagText.clean(value, reusing: last.tags.artistSort)
    case .albumSort: song.tags.albumSort = TagText.clean(value, reusing: last.tags.albumSort)
    case .albumArtistSort:
      song.tags.albumArtistSort = TagText.clean(value, reusing: last.tags.albumArtistSort)
    case .recording: song.tags.recording = TagText.clean(value)
    case .release: song.tags.release = TagText.clean(value, reusing: last.tags.release)
    case .releaseArtist:
      song.tags.releaseArtist = TagText.clean(value, reusing: last.tags.releaseArtist)
    case .codec: song.audio.codec = TagText.clean(value, reusing: last.audio.codec)
    case .format: song.format = TagText.clean(value, reusing: last.format)
    case .milliseconds, .bitRate, .sampleRate, .channels, .digest, .picture, .cover, .thumbnail,
      .jpegThumbnail:
      break
    }
  }
}

/// A cursor that takes bytes off the front, never more than there are.
struct ByteCursor {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    rest = bytes
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= rest.count else { return nil }
    let taken = UnsafeRawBufferPointer(rebasing: rest[..<count])
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    return taken
  }

  /// Takes a little-endian number.
  mutating func take<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    guard let bytes = take(MemoryLayout<Number>.size) else { return nil }
    return Number(littleEndian: bytes.loadUnaligned(as: Number.self))
  }
}
