import Databases
import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("The index", .limited)
struct LibraryIndexTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("index.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func open(newest: Int = 42) throws -> LibraryIndex {
    try LibraryIndex.open(at: path, newest: newest).index
  }

  /// Makes an index of these files and of an empty library with the number 42, and closes it.
  private func make(_ files: [IndexedFile] = []) throws {
    let index = try open()
    var batch = LibraryIndex.Batch()
    batch.files = files
    batch.library = Library()
    batch.library?.advance(to: 42)
    try index.write(batch)
    try index.close()
  }

  @Test("every field of a file comes back as it was, any path byte for byte")
  func roundTrip() throws {
    let files = [fullFile("one"), fullFile("two", sound: nil)]
    try make(files)
    let opened = try LibraryIndex.open(at: path, newest: 42)
    #expect(opened.note == nil)
    let read = try opened.index.files().sorted { $0.path < $1.path }
    #expect(read.count == 2)
    for (left, right) in zip(read, files) { expectEqual(left, right) }
    #expect(try opened.index.sequence() == 42)
    // One that has lost its number has none.
    try IndexReader(path, canWrite: true).execute("DELETE FROM library")
    #expect(try opened.index.sequence() == 0)
  }

  @Test("a file is replaced by its path, and removed by it")
  func replaceAndRemove() throws {
    let index = try open()
    var batch = LibraryIndex.Batch()
    batch.files = [fullFile("one"), fullFile("one", sound: 9), fullFile("two")]
    try index.write(batch)
    #expect(try index.files().count == 2)
    batch = LibraryIndex.Batch()
    batch.removed = [fullFile("two").path]
    try index.write(batch)
    let files = try index.files()
    #expect(files.count == 1)
    #expect(files.first?.facts.digest?.high == 9)
  }

  /// What makes an index one that can't be used.
  enum Fault: CaseIterable {
    case noDatabase, otherVersion, otherProgram, newerThanStore
    case damagedRow0, damagedRow3, damagedRow8, damagedRow12, damagedRow40
  }

  @Test("an index that can't be used is set aside and built anew", arguments: Fault.allCases)
  func setAside(fault: Fault) throws {
    try make([fullFile("one"), fullFile("two")])
    // What an earlier one left there goes.
    try writeFile([1], to: path + ".damaged-wal")
    var newest = 42
    func alter(_ change: (inout [UInt8]) throws -> Void) throws {
      var bytes = try readFile(path)
      try change(&bytes)
      try writeFile(bytes, to: path)
    }
    func damageRow(_ place: Int) throws {
      try alter { bytes in
        let packed = fullFile("one").facts.packed
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: packed) })
        bytes[start + place] ^= 0x10
      }
    }
    switch fault {
    case .noDatabase:
      // Long enough for SQLite to look for a header in it.
      try writeFile(Array(String(repeating: "no database ", count: 20).utf8), to: path)
    // The version is at byte 60 of the file, big-endian (sqlite.org/fileformat.html).
    case .otherVersion: try alter { $0[63] = 99 }
    case .otherProgram:
      removeTree(path)
      let other = try Database(path, canWrite: true, busySeconds: 5)
      try other.execute("CREATE TABLE t (x)")
      try other.close()
    case .newerThanStore: newest = 41
    case .damagedRow0: try damageRow(0)
    case .damagedRow3: try damageRow(3)
    case .damagedRow8: try damageRow(8)
    case .damagedRow12: try damageRow(12)
    case .damagedRow40: try damageRow(40)
    }
    let before = try readFile(path)
    let opened = try LibraryIndex.open(at: path, newest: newest)
    #expect(opened.note?.contains("is built anew") == true)
    #expect(try opened.index.files().isEmpty && opened.index.sequence() == 0)
    if fault == .otherProgram {
      let aside = try IndexReader(path + ".damaged", canWrite: true)
      #expect(try aside.rows("SELECT name FROM sqlite_schema") == ["t"])
    } else {
      #expect(try readFile(path + ".damaged") == before)
    }
    #expect(try !names(in: folder.path).contains("index.sqlite.damaged-wal"))
    // It is used from then on.
    try opened.index.close()
    #expect(try LibraryIndex.open(at: path, newest: newest).note == nil)
  }

  @Test("what is empty is nobody's, and where no index can be made nothing is set aside")
  func nobodys() throws {
    try writeFile([], to: path)
    #expect(try LibraryIndex.open(at: path, newest: 9).note == nil)
    let other = try TemporaryFolder()
    #expect(throws: DatabaseError.self) {
      try LibraryIndex.open(at: other.path("nowhere/index.sqlite"), newest: 9)
    }
    #expect(try names(in: other.path).isEmpty)
  }

  @Test("damage elsewhere is found by a check, and the file is set aside")
  func check() throws {
    try make((0..<500).map { fullFile("\($0)") })
    let whole = try open()
    try whole.check()
    try whole.close()
    // The page of an empty table: the kind of a page is its first byte.
    var bytes = try readFile(path)
    let page = 4_096
    let place = try #require(
      stride(from: page, to: bytes.count, by: page).first {
        bytes[$0..<$0 + 5] == [10, 0, 0, 0, 0]
      })
    bytes[place] = 99
    try writeFile(bytes, to: path)
    let damaged = try open()
    #expect(try damaged.files().count == 500)
    #expect(throws: DatabaseError.self) { try damaged.check() }
    #expect(throws: DatabaseError.self, "it is closed") { try damaged.files() }
    #expect(try readFile(path + ".damaged") == bytes)
    #expect(try open().files().isEmpty)
  }

  @Test("only an index that was closed whole and not touched since is trusted")
  func trusted() throws {
    var library = Library()
    library.advance(to: 42)
    func isCurrent(closedWhole: Bool = true, then: () throws -> Void = {}) throws -> Bool {
      let index = try open()
      var batch = LibraryIndex.Batch()
      batch.library = library
      try index.write(batch)
      try index.close(with: closedWhole ? library : nil)
      try then()
      let again = try open()
      defer { try? again.close() }
      return again.isCurrent(library)
    }
    #expect(try isCurrent())
    #expect(try isCurrent())
    #expect(try !isCurrent(closedWhole: false))
    // The same bytes, but somebody wrote them.
    let touched = try isCurrent {
      let closed = ClosingStamp(of: path, library: 0)
      let bytes = try readFile(path)
      // The clock of the file system may not have ticked since.
      while ClosingStamp(of: path, library: 0) == closed { try writeFile(bytes, to: path) }
    }
    #expect(!touched)
    // The daemon was killed.
    #expect(try !isCurrent { _ = try open() })
    // A later library, and another one of the same number, as after a backup was restored.
    let later = try isCurrent { library.advance(to: 43) }
    #expect(!later)
    library = Library()
    library.advance(to: 42)
    let other = try isCurrent { try library.apply(.crateAdded("Jazz", after: nil), by: .person) }
    #expect(!other)
  }

  @Test("a write says that it was large, and so is an order of which nothing is known")
  func largeWrites() throws {
    for isKnown in [false, true] {
      removeTree(path)
      removeTree(path + ".closed")
      var index = try open()
      func isLarge(_ change: (inout LibraryIndex.Batch) -> Void) throws -> Bool {
        var batch = LibraryIndex.Batch()
        change(&batch)
        return try index.write(batch)
      }
      if isKnown {
        try index.close(with: Library())
        index = try open()
        #expect(index.isCurrent(Library()))
      }
      #expect(try !isLarge { $0.files = [indexedFile("a")] })
      #expect(try isLarge { $0.files = Array(repeating: indexedFile("a"), count: 9_999) })
      #expect(try isLarge { $0.library = Library() } == !isKnown)
      #expect(try !isLarge { $0.library = Library() })
      #expect(try isLarge { $0.albums = Set((1...999).map { AlbumID(number: $0) }) })
      try index.close()
    }
  }

  @Test("Searches go on with what the first one opened")
  func searches() throws {
    let made = try Self.oneSong()
    let index = try open()
    try index.rebuild(from: made)
    func found() throws -> Int {
      try index.search(SearchQuery("path:blue"), in: made, AlbumPlaces(in: made), limit: 9)
        .songCount
    }
    #expect(try found() == 1)
    removeTree(path)
    #expect(try found() == 1)
  }

  private static func oneSong() throws -> Library {
    var library = Library()
    let (album, song) = (AlbumID(number: 1), SongID(number: 1))
    for change in [
      .crateAdded("Jazz", after: nil),
      .albumAdded(
        album, crate: "Jazz", after: nil, group: GroupKey(family: "by\tx\ty"), isFresh: false,
        seen: 0),
      .songAdded(
        song, album: album, after: nil, path: BytePath("/m/blue.flac"), digest: nil, added: 0,
        seen: 0),
    ] as [Change] { try library.apply(change, by: .folder) }
    return library
  }

  @Test("nothing of a write that fails is there, and nothing answers once it is closed")
  func closed() throws {
    let index = try open()
    var batch = LibraryIndex.Batch()
    batch.files = [indexedFile("a")]
    batch.library = Library()
    let other = try IndexReader(path, canWrite: true)
    try other.execute(
      "CREATE TRIGGER t BEFORE UPDATE ON library BEGIN SELECT RAISE(ABORT, 'refused'); END")
    #expect(throws: DatabaseError.self) { try index.write(batch) }
    #expect(try index.files().isEmpty)
    try index.close()
    try index.close()
    #expect(throws: DatabaseError.self) { try index.write(batch) }
    #expect(throws: DatabaseError.self) { try index.files() }
    #expect(throws: DatabaseError.self) { try index.sequence() }
    index.giveBackMemory()
  }

  @Test("an index is in place as long as its file is found under its name")
  func inPlace() throws {
    let index = try open(newest: 0)
    #expect(index.isInPlace)
    try writeFile([], to: folder.path("other"))
    removeTree(path)
    #expect(!index.isInPlace)
    try writeFile([], to: path)
    #expect(!index.isInPlace)
    // Nothing is said of a file that is not ours.
    try index.close(with: Library())
    #expect(try !names(in: folder.path).contains("index.sqlite.closed"))
    #expect(try !LibraryIndex.inMemory(Library()).isInPlace)
  }

  @Test("Another version has other tables, and this one these")
  func version() throws {
    let database = try Database(nil, canWrite: true, busySeconds: 0)
    try IndexSchema.create(database)
    // Without those that SQLite makes for the tables that are searched.
    let tables = try database.lines(
      """
      SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB '*_words_*'
        AND name NOT GLOB '*_rare_*' ORDER BY name
      """)
    let digest = tables.joined(separator: "\n").utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
    let told = "\(try database.integer("PRAGMA user_version") ?? 0) of \(digest)"
    #expect(told == "10 of 8357908108502915724", "where the tables change the version has to, too")
  }
}

/// A file with a value in every field.
func fullFile(_ name: String, sound: UInt64? = 7) -> IndexedFile {
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

/// A song's file, of which nothing matters but its name.
func indexedFile(_ name: String) -> IndexedFile {
  let stamp = FileStamp(
    identity: FileIdentity(fileSystem: 1, inode: 1, birth: 1), size: 1, modified: 1, changed: 1)
  return IndexedFile(
    path: BytePath("/\(name)"), song: SongID(number: 1),
    facts: FileFacts(
      stamp: stamp, tags: SongTags(), audio: AudioProperties(), digest: nil, format: "flac"))
}

func expectEqual(_ left: IndexedFile, _ right: IndexedFile) {
  #expect(left.path == right.path)
  #expect(left.song == right.song)
  #expect(left.facts.stamp == right.facts.stamp)
  #expect(left.facts.tags == right.facts.tags)
  #expect(left.facts.audio == right.facts.audio)
  #expect(left.facts.digest == right.facts.digest)
  #expect(left.facts.format == right.facts.format)
}
