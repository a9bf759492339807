import CLinuxShims
import CPictures
import CTagShim
import Glibc
import Platform
import TagReading

/// Receives batches of files, and answers each.
struct ReaderProcessLoop: ~Copyable {
  /// The time in nanoseconds after which answers are sent although the batch is not complete. A
  /// batch of ordinary files on an ordinary disk takes less, and is sent as a whole.
  private static let answersHeldBack: Int64 = 4_000_000
  /// The processor time for shrinking a picture, in milliseconds: many times what a valid one
  /// takes.
  private static let decodingMost = 200

  private let room = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(CRATED_ROOM_BYTES))
  private var song = crated_song()
  private var replies = ReplyWriter()
  private let clock = Clock.system

  deinit { room.deallocate() }

  /// Answers requests until the daemon closes the socket. Returns the exit status.
  consuming func run(lacking missing: ReaderProtections) -> Int32 {
    guard send(ReaderReply.greeting + [missing.rawValue]) else { return 74 }
    while true {
      guard let (request, files) = receive() else { return 0 }
      guard let request, request.pathExtensions.count == files.count else { return 76 }
      guard answer(request, files) else { return 74 }
    }
  }

  /// Receives a request. Returns nil at the end. An invalid request is nil within the result.
  private mutating func receive() -> (ReaderRequest?, [Int32])? {
    var request = [UInt8](repeating: 0, count: ReaderRequest.byteCount)
    var files = [Int32](repeating: -1, count: ReaderRequest.filesMost)
    var fileCount = 0
    var received = 0
    while received < ReaderRequest.byteCount {
      var came = 0
      let count = request.withUnsafeMutableBytes { request in
        files.withUnsafeMutableBufferPointer { files in
          retrying {
            guard let bytes = request.baseAddress, let first = files.baseAddress else { return 0 }
            came = ReaderRequest.filesMost - fileCount
            return crated_receive_descriptors(
              ReaderConfinement.socket, bytes + received, request.count - received,
              first + fileCount, &came
            )
          }
        }
      }
      if count <= 0 { return nil }
      received += count
      fileCount += came
    }
    return (ReaderRequest(decoding: request), Array(files[..<fileCount]))
  }

  private mutating func answer(_ request: ReaderRequest, _ files: [Int32]) -> Bool {
    var lastSent = clock.monotonic()
    for (file, pathExtension) in zip(files, request.pathExtensions) {
      ReaderConfinement.limitComputing()
      switch request.wants {
      case .tags: read(file, pathExtension)
      case .picture: readPicture(file, pathExtension)
      case .thumbnail(let side, let form):
        readThumbnail(file, pathExtension, side: side, form)
      }
      close(file)
      let now = clock.monotonic()
      guard request.answersOneByOne || now - lastSent >= Self.answersHeldBack else { continue }
      guard sendReplies() else { return false }
      lastSent = now
    }
    return sendReplies()
  }

  private mutating func read(_ file: Int32, _ pathExtension: String) {
    crated_read_song(file, pathExtension, room, &song)
    let status =
      UInt8(exactly: song.status).flatMap { ReaderStatus(rawValue: $0) } ?? ReaderStatus.broken
    replies.begin(status, errorNumber: song.error_number)
    if status == .song { appendFields() }
    replies.end()
  }

  private mutating func readPicture(_ file: Int32, _ pathExtension: String) {
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(CRATED_PICTURE_BYTES_MOST))
    defer { room.deallocate() }
    let count = crated_read_picture(file, pathExtension, room)
    replies.begin(.song)
    replies.append(.picture, text: UnsafeRawBufferPointer(start: room, count: count))
    replies.end()
  }

  private mutating func readThumbnail(
    _ file: Int32, _ pathExtension: String, side: Int, _ form: Thumbnail.Form
  ) {
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(CRATED_PICTURE_BYTES_MOST))
    let rgb = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(CRATED_THUMBNAIL_BYTES_MOST))
    defer {
      room.deallocate()
      rgb.deallocate()
    }
    let count = readCover(file, pathExtension, into: room)
    replies.begin(.song)
    if count > 0 {
      replies.append(cover: crated_picture_digest(room, count))
      ReaderConfinement.limitComputing(milliseconds: Self.decodingMost)
      var (width, height): (UInt32, UInt32) = (0, 0)
      if crated_make_thumbnail(room, count, UInt32(side), rgb, &width, &height) != 0 {
        append(rgb, width, height, form)
      }
    }
    replies.end()
  }

  private mutating func append(
    _ rgb: UnsafePointer<UInt8>, _ width: UInt32, _ height: UInt32, _ form: Thumbnail.Form
  ) {
    switch form {
    case .pixels:
      let bytes = UnsafeRawBufferPointer(start: rgb, count: Int(width * height) * 3)
      replies.append(thumbnail: bytes, width: width, height: height)
    case .jpeg:
      let room = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(CRATED_THUMBNAIL_BYTES_MOST))
      defer { room.deallocate() }
      let count = crated_encode_jpeg(rgb, width, height, room)
      guard count > 0 else { return }
      let bytes = UnsafeRawBufferPointer(start: room, count: count)
      replies.append(thumbnail: bytes, .jpeg, width: width, height: height)
    }
  }

  /// Reads the picture that the file is, or the one in it. Returns its size; 0 if there is none.
  private func readCover(
    _ file: Int32, _ pathExtension: String, into room: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var head = [UInt8](repeating: 0, count: 8)
    let count = retrying { pread(file, &head, head.count, 0) }
    if count > 0, crated_is_picture(head, count) != 0 { return crated_read_whole(file, room) }
    return crated_read_picture(file, pathExtension, room)
  }

  private mutating func appendFields() {
    let texts = song.texts
    withUnsafeBytes(of: texts) { bytes in
      let texts = bytes.bindMemory(to: crated_text.self)
      for (text, field) in textFields {
        let place = texts[text]
        replies.append(
          field,
          text: UnsafeRawBufferPointer(start: room + Int(place.offset), count: Int(place.count)))
      }
    }
    replies.append(.milliseconds, number: song.milliseconds)
    replies.append(.bitRate, number: song.kilobits_per_second)
    replies.append(.sampleRate, number: song.hertz)
    replies.append(.channels, number: song.channels)
    if song.has_digest != 0 {
      replies.append(digestHigh: song.digest_high, low: song.digest_low)
    }
    if song.cover != 0 { replies.append(cover: song.cover) }
  }

  private mutating func sendReplies() -> Bool {
    defer { replies.removeAll() }
    return send(replies.bytes)
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = retrying {
          Glibc.send(
            ReaderConfinement.socket, bytes.baseAddress?.advanced(by: sent), bytes.count - sent,
            Int32(truncatingIfNeeded: MSG_NOSIGNAL))
        }
        if count <= 0 { return false }
        sent += count
      }
      return true
    }
  }
}

/// The field of the reply for each text of the C shim.
private let textFields: [(Int, ReaderField)] = [
  (CRATED_TITLE, .title),
  (CRATED_ARTIST, .artist),
  (CRATED_ALBUM, .album),
  (CRATED_ALBUM_ARTIST, .albumArtist),
  (CRATED_COMPOSER, .composer),
  (CRATED_GENRE, .genre),
  (CRATED_DATE, .date),
  (CRATED_ORIGINAL_DATE, .originalDate),
  (CRATED_DISC, .disc),
  (CRATED_DISC_TOTAL, .discTotal),
  (CRATED_TRACK, .track),
  (CRATED_TRACK_TOTAL, .trackTotal),
  (CRATED_COMPILATION, .compilation),
  (CRATED_TITLE_SORT, .titleSort),
  (CRATED_ARTIST_SORT, .artistSort),
  (CRATED_ALBUM_SORT, .albumSort),
  (CRATED_ALBUM_ARTIST_SORT, .albumArtistSort),
  (CRATED_RECORDING, .recording),
  (CRATED_RELEASE, .release),
  (CRATED_RELEASE_ARTIST, .releaseArtist),
  (CRATED_CODEC, .codec),
  (CRATED_FORMAT, .format),
]
