import CXXHash

/// The facts that were read from a file. Immutable and packed into bytes. The part that the files
/// of an album have in common is stored once. A library has one of these values for each song,
/// shared with the watcher and the index.
package struct FileFacts: Hashable, Sendable {
  /// The file's own facts: flags, sound, stamp, numbers, and the texts of `OwnText`.
  private let own: [UInt8]
  /// The facts that other files may share: four numbers and the texts of `SharedText`.
  private let shared: [UInt8]

  /// The texts of one file, in packing order. The artists are packed only if they differ from the
  /// shared ones.
  private enum OwnText: Int, CaseIterable {
    case title, recording, titleSort, composer, artist, artistSort

    static func count(_ flags: Flags) -> Int { flags.hasArtist ? 6 : 4 }
  }

  /// The texts that files may share, in packing order: most used first.
  private enum SharedText: Int, CaseIterable {
    case artist, albumArtist, album, date, originalDate, release, format, artistSort
    case albumArtistSort, albumSort, genre, releaseArtist, codec
  }

  private static let sharedNumbers = 4

  private struct Flags: OptionSet {
    let rawValue: UInt64
    static let digest = Flags(rawValue: 1)
    static let compilation = Flags(rawValue: 2)
    static let disc = Flags(rawValue: 4)
    static let discTotal = Flags(rawValue: 8)
    static let track = Flags(rawValue: 16)
    static let trackTotal = Flags(rawValue: 32)
    /// The song has an artist of its own.
    static let artist = Flags(rawValue: 64)
    /// The song's artist is the shared one with an addition, such as a guest.
    static let guest = Flags(rawValue: 128)

    var hasArtist: Bool { !isDisjoint(with: [.artist, .guest]) }
  }

  package init(
    stamp: FileStamp, tags: SongTags, audio: AudioProperties, digest: AudioDigest?, format: String,
    cover: CoverDigest? = nil
  ) {
    let artist = Artist(tags)
    own = Self.packOwn(stamp, tags, artist, audio, digest)
    shared = sharedParts.same(as: Self.packShared(stamp, tags, artist, audio, format, cover))
  }

  private static func packOwn(
    _ stamp: FileStamp, _ tags: SongTags, _ artist: Artist, _ audio: AudioProperties,
    _ digest: AudioDigest?
  ) -> [UInt8] {
    var texts = [tags.title, tags.recording, tags.titleSort, tags.composer]
    let numbers: [(Flags, Int?)] = [
      (.disc, tags.disc), (.track, tags.track), (.discTotal, tags.discTotal),
      (.trackTotal, tags.trackTotal),
    ]
    var flags: Flags = tags.isCompilation ? .compilation : []
    if digest != nil { flags.insert(.digest) }
    if let own = artist.own {
      flags.insert(artist.isGuest ? .guest : .artist)
      texts += [own, tags.artistSort]
    }
    for (flag, number) in numbers where number != nil { flags.insert(flag) }
    var writer = PackedWriter(reserving: texts.reduce(64) { $0 + $1.utf8.count })
    writer.put(flags.rawValue)
    if let digest {
      writer.put(fixed: digest.high)
      writer.put(fixed: digest.low)
    }
    for case (_, let number?) in numbers { writer.put(signed: Int64(number)) }
    writer.put(signed: Int64(audio.milliseconds))
    for text in texts { writer.put(text) }
    writer.put(signed: Int64(audio.bitRate))
    writer.put(stamp.identity.inode)
    writer.put(signed: stamp.size)
    writer.put(fixed: UInt64(bitPattern: stamp.changed))
    // Usually close to `changed`.
    writer.put(signed: stamp.modified &- stamp.changed)
    writer.put(signed: stamp.identity.birth &- stamp.changed)
    return writer.bytes.trimmed()
  }

  private static func packShared(
    _ stamp: FileStamp, _ tags: SongTags, _ artist: Artist, _ audio: AudioProperties,
    _ format: String, _ cover: CoverDigest?
  ) -> [UInt8] {
    let texts = SharedText.allCases.map { text in
      switch text {
      case .artist: artist.shared
      case .albumArtist: tags.albumArtist
      case .album: tags.album
      case .date: tags.date
      case .originalDate: tags.originalDate
      case .release: tags.release
      case .format: format
      case .artistSort: artist.own == nil ? tags.artistSort : tags.albumArtistSort
      case .albumArtistSort: tags.albumArtistSort
      case .albumSort: tags.albumSort
      case .genre: tags.genre
      case .releaseArtist: tags.releaseArtist
      case .codec: audio.codec
      }
    }
    var writer = PackedWriter(reserving: texts.reduce(32) { $0 + $1.utf8.count })
    writer.put(stamp.identity.fileSystem)
    writer.put(signed: Int64(audio.sampleRate))
    writer.put(signed: Int64(audio.channels))
    writer.put(cover?.number ?? 0)
    for text in texts { writer.put(text) }
    return writer.bytes.trimmed()
  }

  // MARK: Reading

  /// Reads past flags, sound and numbers, and returns them.
  private func readNumbers(
    _ reader: inout PackedReader
  ) -> (flags: Flags, digest: AudioDigest?, disc: Int?, track: Int?, totals: (Int?, Int?)) {
    let flags = Flags(rawValue: reader.number())
    var digest: AudioDigest?
    if flags.contains(.digest) {
      let high = reader.fixed()
      digest = AudioDigest(high: high, low: reader.fixed())
    }
    func number(_ flag: Flags) -> Int? {
      flags.contains(flag) ? Int(truncatingIfNeeded: reader.signed()) : nil
    }
    let (disc, track) = (number(.disc), number(.track))
    return (flags, digest, disc, track, (number(.discTotal), number(.trackTotal)))
  }

  private func text(_ wanted: OwnText) -> String {
    var reader = PackedReader(own)
    _ = readNumbers(&reader)
    reader.skip(numbers: 1, texts: wanted.rawValue)
    return reader.text()
  }

  private var flags: Flags {
    var reader = PackedReader(own)
    return Flags(rawValue: reader.number())
  }

  private func text(_ wanted: SharedText) -> String {
    var reader = PackedReader(shared)
    reader.skip(numbers: Self.sharedNumbers, texts: wanted.rawValue)
    return reader.text()
  }

  /// The digest of the picture in the file, or nil if there is none.
  package var cover: CoverDigest? {
    var reader = PackedReader(shared)
    reader.skip(numbers: Self.sharedNumbers - 1)
    return CoverDigest(number: reader.number())
  }

  package var title: String { text(.title) }
  package var recording: String { text(.recording) }
  package var artist: String {
    let flags = flags
    if flags.contains(.artist) { return text(OwnText.artist) }
    let shared = text(SharedText.artist)
    return flags.contains(.guest) ? shared + text(OwnText.artist) : shared
  }
  package var albumArtist: String { text(.albumArtist) }
  package var album: String { text(.album) }
  package var release: String { text(.release) }
  package var artistSort: String {
    flags.hasArtist ? text(OwnText.artistSort) : text(SharedText.artistSort)
  }
  package var albumArtistSort: String { text(.albumArtistSort) }
  /// The file's format, such as `mp3` or `flac`. It may differ from the extension.
  package var format: String { text(.format) }
  var year: Int? { year(original: text(.originalDate), text(.date)) }

  /// Returns the year of the original date, else of the date. A year after `certainYear` is ignored
  /// if it is more than one year after the file's last change.
  private func year(original: String, _ date: String) -> Int? {
    LibraryModel.year(in: original, latest: stamp.yearOfChange + 1)
      ?? LibraryModel.year(in: date, latest: stamp.yearOfChange + 1)
  }

  /// The digest of the sound. Nil if the file has too little sound to be identified by it.
  package var digest: AudioDigest? {
    var reader = PackedReader(own)
    return readNumbers(&reader).digest
  }

  package var disc: Int? {
    var reader = PackedReader(own)
    return readNumbers(&reader).disc
  }

  package var track: Int? {
    var reader = PackedReader(own)
    return readNumbers(&reader).track
  }

  package var milliseconds: Int {
    var reader = PackedReader(own)
    _ = readNumbers(&reader)
    return Int(truncatingIfNeeded: reader.signed())
  }

  package var stamp: FileStamp {
    var reader = PackedReader(own)
    let flags = readNumbers(&reader).flags
    reader.skip(numbers: 1, texts: OwnText.count(flags))
    reader.skip(numbers: 1)
    var others = PackedReader(shared)
    let inode = reader.number()
    let size = reader.signed()
    let changed = Int64(bitPattern: reader.fixed())
    let modified = changed &+ reader.signed()
    let identity = FileIdentity(
      fileSystem: others.number(), inode: inode, birth: changed &+ reader.signed())
    return FileStamp(identity: identity, size: size, modified: modified, changed: changed)
  }

  package var audio: AudioProperties {
    var reader = PackedReader(own)
    var others = PackedReader(shared)
    let flags = readNumbers(&reader).flags
    var audio = AudioProperties()
    audio.milliseconds = Int(truncatingIfNeeded: reader.signed())
    reader.skip(texts: OwnText.count(flags))
    audio.bitRate = Int(truncatingIfNeeded: reader.signed())
    others.skip(numbers: 1)
    audio.sampleRate = Int(truncatingIfNeeded: others.signed())
    audio.channels = Int(truncatingIfNeeded: others.signed())
    audio.codec = text(.codec)
    return audio
  }

  /// The facts that listings show besides names and order. They are read together, since listings
  /// need all of them.
  package struct Details: Equatable, Sendable {
    package var year: Int?
    package var genre = ""
    package var composer = ""
    package var recording = ""
    package var release = ""
    /// Kilobits per second. 0 if unknown.
    package var bitRate = 0
    /// Hertz. 0 if unknown.
    package var sampleRate = 0
  }

  package var details: Details {
    var details = Details()
    var reader = PackedReader(own)
    let flags = readNumbers(&reader).flags
    reader.skip(numbers: 1, texts: OwnText.recording.rawValue)
    details.recording = reader.text()
    reader.skip(texts: 1)
    details.composer = reader.text()
    reader.skip(texts: OwnText.count(flags) - OwnText.composer.rawValue - 1)
    details.bitRate = Int(truncatingIfNeeded: reader.signed())
    var others = PackedReader(shared)
    others.skip(numbers: 1)
    details.sampleRate = Int(truncatingIfNeeded: others.signed())
    others.skip(numbers: 2, texts: SharedText.date.rawValue)
    let (date, original) = (others.text(), others.text())
    details.year = year(original: original, date)
    details.release = others.text()
    others.skip(texts: SharedText.genre.rawValue - SharedText.release.rawValue - 1)
    details.genre = others.text()
    return details
  }

  /// All tags. Slower than reading a single one.
  package var tags: SongTags {
    var tags = SongTags()
    var reader = PackedReader(own)
    let numbers = readNumbers(&reader)
    tags.isCompilation = numbers.flags.contains(.compilation)
    (tags.disc, tags.track) = (numbers.disc, numbers.track)
    (tags.discTotal, tags.trackTotal) = numbers.totals
    reader.skip(numbers: 1)
    tags.title = reader.text()
    tags.recording = reader.text()
    tags.titleSort = reader.text()
    tags.composer = reader.text()
    if numbers.flags.hasArtist {
      tags.artist = reader.text()
      tags.artistSort = reader.text()
    }
    var others = PackedReader(shared)
    others.skip(numbers: Self.sharedNumbers)
    for text in SharedText.allCases {
      let value = others.text()
      switch text {
      case .artist: if !numbers.flags.contains(.artist) { tags.artist = value + tags.artist }
      case .albumArtist: tags.albumArtist = value
      case .album: tags.album = value
      case .date: tags.date = value
      case .originalDate: tags.originalDate = value
      case .release: tags.release = value
      case .artistSort: if !numbers.flags.hasArtist { tags.artistSort = value }
      case .albumArtistSort: tags.albumArtistSort = value
      case .albumSort: tags.albumSort = value
      case .genre: tags.genre = value
      case .releaseArtist: tags.releaseArtist = value
      case .format, .codec: break
      }
    }
    return tags
  }
}

// MARK: - On disk

extension FileFacts {
  /// The size in bytes of the hash and of the length of the first part.
  private static let head = 12
  /// The version of the layout. It has to change whenever the packed data does.
  private static let layout: UInt64 = 2

  /// All facts in one byte array, as the index stores them, with a hash that detects damage.
  package var packed: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.head)
    bytes.reserveCapacity(Self.head + own.count + shared.count)
    bytes += own
    bytes += shared
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: UInt32(own.count).littleEndian, toByteOffset: 8, as: UInt32.self)
      let hash = Self.hash(UnsafeRawBufferPointer(bytes))
      bytes.storeBytes(of: hash.littleEndian, as: UInt64.self)
    }
    return bytes
  }

  /// Returns the hash of the bytes after it. It depends on the layout, so data of another layout is
  /// rejected.
  private static func hash(_ packed: UnsafeRawBufferPointer) -> UInt64 {
    crated_xxh3_128(packed.baseAddress?.advanced(by: 8), packed.count - 8).low ^ layout
  }

  /// Returns nil for bytes that `packed` did not write.
  package init?(packed: UnsafeRawBufferPointer) {
    guard packed.count >= Self.head,
      UInt64(littleEndian: packed.loadUnaligned(as: UInt64.self)) == Self.hash(packed)
    else { return nil }
    let length = UInt32(littleEndian: packed.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    guard length <= packed.count - Self.head else { return nil }
    let end = Self.head + Int(length)
    self.init(
      own: Array(packed[Self.head..<end]),
      shared: sharedParts.same(as: UnsafeRawBufferPointer(rebasing: packed[end...])))
    var reader = PackedReader(own)
    let flags = readNumbers(&reader).flags
    reader.skip(numbers: 1, texts: OwnText.count(flags))
    reader.skip(numbers: 3)
    _ = reader.fixed()
    reader.skip(numbers: 2)
    var others = PackedReader(shared)
    others.skip(numbers: Self.sharedNumbers, texts: SharedText.allCases.count)
    guard reader.isWhole, others.isWhole else { return nil }
  }

  private init(own: [UInt8], shared: [UInt8]) {
    self.own = own
    self.shared = shared
  }
}

/// The parts that the files of an album have in common.
private let sharedParts = SharedParts()

/// A file's artist, split into a part that its album's files probably share and the rest. Together
/// they are the file's text, byte for byte.
private struct Artist {
  let shared: String
  /// The part that is stored with the file, so that it can share everything else with the album's
  /// other files: the whole artist, or what follows the shared one.
  var own: String?
  var isGuest = false

  init(_ tags: SongTags) {
    let artist = tags.artist
    if !tags.albumArtist.isEmpty {
      shared = tags.albumArtist
      // Strings that compare equal may differ in their bytes.
      if artist.isSame(as: shared), tags.artistSort.isSame(as: tags.albumArtistSort) { return }
      isGuest = artist.utf8.starts(with: shared.utf8)
      let rest = artist.utf8.dropFirst(shared.utf8.count)
      own = isGuest ? String(decoding: rest, as: UTF8.self) : artist
    } else if let guest = Self.guest(of: artist) {
      shared = String(artist[..<guest])
      own = String(artist[guest...])
      isGuest = true
    } else {
      shared = artist
    }
  }

  /// Returns the index where a guest is named.
  private static func guest(of artist: String) -> String.Index? {
    let utf8 = artist.utf8
    var place = utf8.startIndex
    while let space = utf8[place...].firstIndex(of: UInt8(ascii: " ")) {
      let rest = utf8[space...]
      if [" feat. ", " ft. ", " featuring "].contains(where: { rest.starts(with: $0.utf8) }) {
        return space
      }
      place = utf8.index(after: space)
    }
    return nil
  }
}

extension [UInt8] {
  /// Returns a copy without spare capacity.
  fileprivate func trimmed() -> [UInt8] {
    // The shared empty array must not be written to.
    if isEmpty { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      used = buffer.initialize(from: self).index
    }
  }
}
