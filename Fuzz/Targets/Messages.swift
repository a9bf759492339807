import CratesInterface
import LibraryModel

@testable import TagReading

func fuzzJSON(_ input: [UInt8]) {
  guard let value = try? JSON(parsing: input) else { return }
  let bytes = value.bytes
  require(!bytes.contains(0), "a message ends at the first NUL")
  let again = try? JSON(parsing: bytes)
  require(again == value && again?.bytes == bytes, "JSON is read as it was written")
}

/// A message as the server takes it apart.
func fuzzCall(_ input: [UInt8]) {
  guard let message = try? JSON(parsing: input), let method = message["method"]?.string else {
    return
  }
  _ = try? ServiceCall(method: method, parameters: message["parameters"])
  guard let call = try? Call(method: method, parameters: message["parameters"]) else { return }
  let again = try? Call(method: call.method.fullName, parameters: call.parameters)
  require(again == call, "a call is read as it was written")
}

/// Records as a reader sends them, one behind the other.
func fuzzReply(_ input: [UInt8]) {
  input.withUnsafeBytes { bytes in
    var parser = ReplyParser()
    var rest = bytes[...]
    while let length = ReplyParser.recordLength(UnsafeRawBufferPointer(rebasing: rest)) {
      guard length >= 0 else { return }
      let record = rest.dropFirst(ReaderReply.lengthBytes).prefix(length)
      require(record.count == length, "a record is there")
      let whole = UnsafeRawBufferPointer(rebasing: record)
      var other = ReplyParser()
      let reply = parser.parse(whole)
      require(reply == other.parse(whole), "a reply means the same behind any other")
      if case .song(let song) = reply { check(song) }
      rest = rest[record.endIndex...]
    }
  }
}

private func check(_ song: ReaderReply.Song) {
  let (tags, audio) = (song.tags, song.audio)
  let texts = [
    tags.title, tags.artist, tags.album, tags.albumArtist, tags.composer, tags.genre, tags.date,
    tags.originalDate, tags.titleSort, tags.artistSort, tags.albumSort, tags.albumArtistSort,
    tags.recording, tags.release, tags.releaseArtist, audio.codec, song.format,
  ]
  for scalar in texts.joined().unicodeScalars {
    require(scalar.properties.generalCategory != .control, "no control is in a tag")
  }
  require(
    texts.allSatisfy { $0.allSatisfy { $0.unicodeScalars.count <= 31 } },
    "no character has more marks than a line has room for")
  for number in [tags.disc, tags.discTotal, tags.trackTotal] {
    require(number.map { (1...9_999).contains($0) } ?? true, "a number counts something")
  }
  require(tags.track.map { (0...9_999).contains($0) } ?? true, "a track may be before the first")
  if let made = song.thumbnail {
    let lengths = 1...Thumbnail.sides.upperBound
    require(lengths.contains(made.width) && lengths.contains(made.height), "a thumbnail is small")
    require(made.bytes.count <= Thumbnail.bytesMost, "and so are its bytes")
    let isWhole = made.form == .jpeg || made.bytes.count == made.width * made.height * 3
    require(isWhole, "each pixel is there")
  }
  for number in [audio.milliseconds, audio.bitRate, audio.sampleRate, audio.channels] {
    require(number >= 0, "a measure is not negative")
  }
}
