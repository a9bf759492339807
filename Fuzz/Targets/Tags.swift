import CTagShim
import Glibc

/// A song file, behind a byte that says what it is called.
func fuzzTags(_ input: [UInt8]) {
  guard let name = input.first else { return }
  let pathExtension = extensions[Int(name) % extensions.count]
  require(ftruncate(file, 0) == 0, "the file is emptied")
  let bytes = input.dropFirst()
  let written = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
  require(written == bytes.count, "the file is written")
  let first = read(pathExtension)
  // Wherever somebody left it.
  require(lseek(file, 1, SEEK_SET) == 1, "a file has positions")
  require(first == read(pathExtension), "a file says the same twice")
  let count = crated_read_picture(file, pathExtension, pictureRoom)
  require(count <= CRATED_PICTURE_BYTES_MOST, "a picture is in the room")
}

private let extensions = [
  "mp3", "flac", "m4a", "ogg", "opus", "spx", "oga", "wav", "aiff", "wv", "ape", "mpc", "tta",
  "wma", "dsf", "dff", "mka", "shn", "mod", "s3m", "it", "xm", "aac",
]
/// In memory, and without a name.
private let file: Int32 = {
  var name = Array("/dev/shm/crated-fuzz-XXXXXX".utf8CString)
  let file = mkstemp(&name)
  require(file >= 0 && unlink(name) == 0, "a file can be made in /dev/shm")
  return file
}()
/// Of the one thread that there is.
nonisolated(unsafe) private let room = UnsafeMutablePointer<UInt8>.allocate(
  capacity: Int(CRATED_ROOM_BYTES))

nonisolated(unsafe) private let pictureRoom = UnsafeMutablePointer<UInt8>.allocate(
  capacity: Int(CRATED_PICTURE_BYTES_MOST))

/// What was said of the file, as bytes.
private func read(_ pathExtension: String) -> [UInt8] {
  var song = crated_song()
  crated_read_song(file, pathExtension, room, &song)
  require((0...7).contains(song.status), "a reading ends in a way that is known")
  var said: [UInt8] = []
  withUnsafeBytes(of: song.texts) { texts in
    for text in texts.bindMemory(to: crated_text.self) {
      require(text.count <= CRATED_TEXT_BYTES_MOST, "a text is bounded")
      let end = Int(text.offset) + Int(text.count)
      require(end <= Int(CRATED_ROOM_BYTES), "a text is in the room")
      require(song.status == CRATED_SONG_READ || text.count == 0, "only a song says something")
      said += (Int(text.offset)..<end).map { room[$0] }
      said.append(0xFF)
    }
  }
  let numbers = [
    Int64(song.status), Int64(song.error_number), song.milliseconds, song.kilobits_per_second,
    song.hertz, song.channels, Int64(song.has_digest), Int64(bitPattern: song.digest_high),
    Int64(bitPattern: song.digest_low),
  ]
  return said + numbers.flatMap { "\($0) ".utf8 }
}
