import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("The index", .limited)
struct LibraryIndexTests {
  private let folder: TemporaryFolder
  private var path: String { "\(folder.path)/index.sqlite" }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func file(_ name: String, sound: UInt64? = 7) -> IndexedFile {
    var tags = SongTags()
    tags.title = "Título 🎵"
    tags.artist = "An artist whose name is longer than fifteen bytes"
    tags.album = "An album whose name is longer than fifteen bytes"
    tags.albumArtist = "AA"
    tags.composer = "C"
    tags.genre = "G"
    tags.date = "1959-08-17"
    tags.originalDate = "1959"
    tags.disc = 1
    tags.discTotal = 2
    tags.track = 3
    tags.trackTotal = nil
    tags.isCompilation = true
    tags.titleSort = "t"
    tags.artistSort = "a"
    tags.albumSort = "b"
    tags.albumArtistSort = "c"
    tags.recording = "r"
    tags.release = "l"
    tags.releaseArtist = "ra"
    var audio = AudioProperties()
    audio.milliseconds = 545_123
    audio.bitRate = 900
    audio.sampleRate = 44_100
    audio.channels = 2
    audio.codec = "FLAC"
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: .max, inode: .max - 1, birth: -5), size: .max,
      modified: .min, changed: 1)
    let digest = sound.map { AudioDigest(high: $0, low: .max) }
    return IndexedFile(
      path: BytePath([0x2F] + Array(name.utf8) + [0xFF, 0x0A]),
      song: SongID(number: 1 << 59 | 12345),
      facts: FileFacts(stamp: stamp, tags: tags, audio: audio, digest: digest, format: "flac"))
  }

  private func expectEqual(_ left: IndexedFile, _ right: IndexedFile) {
    #expect(left.path == right.path)
    #expect(left.song == right.song)
    #expect(left.facts.stamp == right.facts.stamp)
    #expect(left.facts.tags == right.facts.tags)
    #expect(left.facts.audio == right.facts.audio)
    #expect(left.facts.digest == right.facts.digest)
    #expect(left.facts.format == right.facts.format)
  }

  @Test("every field of a file comes back as it was, any path byte for byte")
  func roundTrip() throws {
    let openedIndex = try LibraryIndex.open(at: path, newest: 42)
    let (index, note) = (openedIndex.index, openedIndex.note)
    #expect(note == nil)
    var batch = LibraryIndex.Batch()
    batch.files = [file("one"), file("two", sound: nil)]
    batch.library = Library()
    batch.library?.advance(to: 42)
    try index.write(batch)
    try index.close()

    let again = try LibraryIndex.open(at: path, newest: 42).index
    let files = try again.files().sorted { $0.path < $1.path }
    #expect(files.count == 2)
    for (left, right) in zip(files, batch.files.sorted { $0.path < $1.path }) {
      expectEqual(left, right)
    }
    #expect(try again.sequence() == 42)
  }

  @Test("what was yet to be written is found at the next opening, up to where it was cut off")
  func unwritten() throws {
    var files = [file("one"), file("two", sound: nil), file("one", sound: 9)]
    var kept = UnwrittenFiles(besideIndex: path)
    kept.append(Array(files.prefix(2)))
    kept.append([files[2]])
    let isKept = !kept.isEmpty
    #expect(isKept)
    let index = try LibraryIndex.open(at: path, newest: 42).index
    var batch = LibraryIndex.Batch()
    batch.files = [file("one"), file("three")]
    try index.write(batch)
    try index.close()

    var given: [IndexedFile] = []
    let opened = try LibraryIndex.open(at: path, newest: 42) { given.append($0) }
    #expect(given.map(\.path) == [file("one"), file("two"), file("three")].map(\.path))
    #expect(given.first?.facts.digest == files[2].facts.digest, "the newest of it, once")
    let first = files[0]
    files = [files[2], files[1]]
    for (left, right) in zip(opened.unwritten, files) { expectEqual(left, right) }
    #expect(opened.unwritten.count == 2)
    try opened.index.close()

    let whole = try readFile(path + ".unwritten")
    kept.remove()
    let isEmpty = kept.isEmpty
    #expect(isEmpty && UnwrittenFiles.read(besideIndex: path).files.isEmpty)
    var counts: Set<Int> = []
    for length in 0..<whole.count {
      try writeFile(Array(whole.prefix(length)), to: path + ".unwritten")
      counts.insert(UnwrittenFiles.read(besideIndex: path).files.count)
    }
    #expect(counts == [0, 1, 2])
    // A bit that is wrong ends it, too, or is another path or song, which is nobody's file.
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 0x10
      try writeFile(bytes, to: path + ".unwritten")
      let read = UnwrittenFiles.read(besideIndex: path).files
      #expect(
        read.allSatisfy { one in [files[0], files[1], first].contains { $0.facts == one.facts } })
    }
  }

  @Test("a file is replaced by its path, and removed by it")
  func replaceAndRemove() throws {
    let index = try LibraryIndex.open(at: path, newest: 42).index
    var batch = LibraryIndex.Batch()
    batch.files = [file("one"), file("one", sound: 9), file("two")]
    try index.write(batch)
    #expect(try index.files().count == 2)
    batch = LibraryIndex.Batch()
    batch.removed = [file("two").path]
    try index.write(batch)
    let files = try index.files()
    #expect(files.count == 1)
    #expect(files.first?.facts.digest?.high == 9)
  }

  @Test("an index that can't be used is set aside and built anew")
  func damaged() throws {
    // Long enough for SQLite to look for a header in it.
    let text = String(repeating: "this is no database ", count: 10)
    _ = try folder.write(Array(text.utf8), to: "index.sqlite")
    let openedIndex = try LibraryIndex.open(at: path, newest: 42)
    let (index, note) = (openedIndex.index, openedIndex.note)
    #expect(note != nil)
    #expect(try index.files().isEmpty)
    #expect(try readFile(folder.path("index.sqlite.damaged")) == Array(text.utf8))
  }

  @Test("an index that knows more than the store is another's, and set aside")
  func future() throws {
    let index = try LibraryIndex.open(at: path, newest: 42).index
    var batch = LibraryIndex.Batch()
    batch.files = [file("one")]
    batch.library = Library()
    batch.library?.advance(to: 42)
    try index.write(batch)
    try index.close()
    let openedSame = try LibraryIndex.open(at: path, newest: 42)
    let (same, note) = (openedSame.index, openedSame.note)
    #expect(note == nil)
    #expect(try same.files().count == 1)
    try same.close()
    let openedOther = try LibraryIndex.open(at: path, newest: 41)
    let (other, warning) = (openedOther.index, openedOther.note)
    #expect(warning != nil)
    #expect(try other.files().isEmpty)
    #expect(try other.sequence() == 0)
  }

  @Test("an index of another version is set aside")
  func otherVersion() throws {
    let index = try LibraryIndex.open(at: path, newest: 42).index
    try index.close()
    // The version stands at byte 60 of the file, big-endian (sqlite.org/fileformat.html).
    var bytes = try readFile(folder.path("index.sqlite"))
    bytes[63] = 99
    _ = try folder.write(bytes, to: "index.sqlite")
    let openedAgain = try LibraryIndex.open(at: path, newest: 42)
    let (again, note) = (openedAgain.index, openedAgain.note)
    #expect(note != nil)
    #expect(try again.files().isEmpty)
  }

  @Test(
    "a damaged row of a file is noticed at the start, whatever its damage", .serialized,
    arguments: [0, 3, 8, 12, 40])
  func damagedRow(place: Int) throws {
    let index = try LibraryIndex.open(at: path, newest: 42).index
    var batch = LibraryIndex.Batch()
    batch.files = [file("one"), file("two")]
    try index.write(batch)
    try index.close()
    let packed = batch.files[0].facts.packed
    var bytes = try readFile(folder.path("index.sqlite"))
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: packed) })
    bytes[start + place] ^= 0x10
    _ = try folder.write(bytes, to: "index.sqlite")
    let again = try LibraryIndex.open(at: path, newest: 42)
    #expect(again.note != nil)
    #expect(try again.index.files().isEmpty)
  }

  @Test("damage elsewhere is found by a check, and the file is set aside")
  func check() throws {
    let index = try LibraryIndex.open(at: path, newest: 42).index
    var batch = LibraryIndex.Batch()
    batch.files = (0..<500).map { file("\($0)") }
    try index.write(batch)
    try index.check()
    try index.close()
    // The page of an empty table: the kind of a page is its first byte.
    var bytes = try readFile(folder.path("index.sqlite"))
    let page = 4_096
    let place = try #require(
      stride(from: page, to: bytes.count, by: page).first {
        bytes[$0..<$0 + 5] == [10, 0, 0, 0, 0]
      })
    bytes[place] = 99
    _ = try folder.write(bytes, to: "index.sqlite")
    let damaged = try LibraryIndex.open(at: path, newest: 42)
    #expect(try damaged.index.files().count == 500)
    #expect(throws: (any Error).self) { try damaged.index.check() }
    #expect(throws: (any Error).self, "it is closed") { try damaged.index.files() }
    #expect(try readFile(folder.path("index.sqlite.damaged")) == bytes)
    #expect(try LibraryIndex.open(at: path, newest: 42).index.files().isEmpty)
  }

  @Test("only an index that was closed whole and not touched since is trusted")
  func trusted() throws {
    var library = Library()
    library.advance(to: 42)
    func isCurrent(closedWhole: Bool = true, then: () throws -> Void = {}) throws -> Bool {
      let index = try LibraryIndex.open(at: path, newest: 42).index
      var batch = LibraryIndex.Batch()
      batch.library = library
      try index.write(batch)
      try index.close(with: closedWhole ? library : nil)
      try then()
      let again = try LibraryIndex.open(at: path, newest: 42)
      defer { try? again.index.close() }
      return again.index.isCurrent(library)
    }
    #expect(try isCurrent())
    #expect(try isCurrent())
    #expect(try !isCurrent(closedWhole: false))
    // The same bytes, but somebody wrote them.
    let touched = try isCurrent {
      let closed = ClosingStamp(of: path, library: 0)
      let bytes = try readFile(folder.path("index.sqlite"))
      // The clock of the file system may not have ticked since.
      while ClosingStamp(of: path, library: 0) == closed {
        _ = try folder.write(bytes, to: "index.sqlite")
      }
    }
    #expect(!touched)
    let opened = try isCurrent {
      // The daemon was killed.
      _ = try LibraryIndex.open(at: path, newest: 42)
    }
    #expect(!opened)
    // A later library, and another one of the same number, as after a backup was restored.
    let later = try isCurrent { library.advance(to: 43) }
    #expect(!later)
    library = Library()
    library.advance(to: 42)
    let other = try isCurrent { try library.apply(.crateAdded("Jazz", after: nil), by: .person) }
    #expect(!other)
  }
}
