import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("How much a search finds", .limited)
struct SearchCountTests {
  private func jazz() throws -> SearchedLibrary {
    var library = try SearchedLibrary()
    try library.add(
      "Blue Train", by: "John Coltrane", year: 1958, in: "Jazz",
      songs: [("Blue Train", "John Coltrane"), ("Lazy Bird", "John Coltrane")])
    try library.add(
      "Kind of Blue", by: "Miles Davis", year: 1959, in: "Modal",
      songs: [("So What", "Miles Davis"), ("Blue in Green", "Miles Davis")])
    try library.add(
      "Blue", by: "Joni Mitchell", year: 1971, in: "Folk", songs: [("Carey", "Joni Mitchell")])
    return library
  }

  @Test("all that there is is counted, whatever the limit")
  func counts() throws {
    let library = try jazz()
    for limit in [0, 1, 2, 100] {
      let found = try library.search(SearchQuery("blue"), limit: limit)
      #expect(found.albumCount == 3 && found.songCount == 5)
      #expect(found.albums.count == min(limit, 3) && found.songs.count == min(limit, 5))
      let titled = try library.search(SearchQuery("title:blue"), limit: limit)
      #expect(titled.albumCount == 0 && titled.albums.isEmpty && titled.songCount == 2)
    }
    let none = try library.search(SearchQuery("-artist:x"), limit: 9)
    #expect(none == SearchResult())
  }

  @Test("what is not to be found is left out, in any field")
  func exclusions() throws {
    let library = try jazz()
    for (query, albums, songs) in [
      ("blue -artist:miles", ["Blue", "Blue Train"], 3),
      ("blue -album:blue", [], 0), ("blue -album:kind", ["Blue", "Blue Train"], 3),
      ("blue -album:\"blue train\"", ["Blue", "Kind of Blue"], 3),
      // Albums have no titles.
      ("blue -title:what", ["Blue", "Blue Train", "Kind of Blue"], 4),
      ("blue -path:modal", ["Blue", "Blue Train"], 3),
      ("blue -path:modal -path:folk", ["Blue Train"], 2),
      ("blue path:jazz -path:modal", ["Blue Train"], 2), ("path:jazz -path:jazz", [], 0),
      ("blue -year:1959 -year:1971", ["Blue Train"], 2),
      ("year:1958-1960 -artist:john", ["Kind of Blue"], 2),
    ] as [(String, [String], Int)] {
      let found = try library.find(query)
      #expect(found.albums.sorted() == albums && found.songs.count == songs, "\(query)")
      let counts = try library.search(SearchQuery(query), limit: 0)
      #expect(counts.albumCount == albums.count && counts.songCount == songs, "\(query)")
    }
  }

  @Test("in one crate only what stands there is found and counted")
  func oneCrate() throws {
    var library = try jazz()
    try library.apply(.crateAdded("Other", after: "Music"))
    let album = try #require(library.library.crates[0].albums.first)
    try library.apply(
      .albumMoved(album, crate: "Other", after: nil, wasCrate: "Music", wasAfter: nil))
    try library.index.follow(library.library)
    let places = AlbumPlaces(in: library.library)
    for (crate, albums, songs) in [(0, 2, 3), (1, 1, 2)] {
      let found = try library.index.search(
        SearchQuery("blue"), in: library.library, places, crate: library.library.crates[crate].id,
        limit: 9)
      #expect(found.albumCount == albums && found.albums.count == albums)
      #expect(found.songCount == songs && found.songs.count == songs)
    }
  }

  @Test("songs that match as well come in the order of their album, and albums in that of crates")
  func order() throws {
    let library = try jazz()
    #expect(try library.find("artist:miles").songs == ["So What", "Blue in Green"])
    #expect(try library.find("artist:jo").albums == ["Blue Train", "Blue"])
    #expect(try library.find("artist:jo").songs == ["Blue Train", "Lazy Bird", "Carey"])
  }

  @Test("what matches better comes first, just within what is judged and just beyond it")
  func judged() throws {
    // One that matches only by its artist, before so many that have the word in their names.
    for others in [
      LibrarySearch.judgedMost - 2, LibrarySearch.judgedMost - 1, LibrarySearch.judgedMost,
      LibrarySearch.judgedMost + 1,
    ] {
      var library = try SearchedLibrary()
      let songs = (0..<others).map { ("A Love \($0)", "x") }
      try library.add(
        "y", by: "z", songs: [("Else", "Love")] + songs + [("Love You", "x"), ("Love", "x")])
      let found = try library.find("love", limit: 3).songs
      #expect(found.prefix(2) == ["Love", "Love You"], "\(others)")
      #expect(found.last == "A Love 0" || others > LibrarySearch.judgedMost - 2, "\(others)")
      #expect(try library.search(SearchQuery("love"), limit: 3).songCount == others + 3)
      let all = try library.find("love", limit: others + 3).songs
      #expect(all.count == others + 3 && all.last == "Else", "\(others)")
    }
  }
}

@Suite("What the index keeps on the disk", .limited)
struct IndexFilesTests {
  let folder: TemporaryFolder
  var path: String { folder.path("index.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String) -> IndexedFile {
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: 1, birth: 1), size: 1, modified: 1, changed: 1)
    return IndexedFile(
      path: BytePath("/\(name)"), song: SongID(number: 1),
      facts: FileFacts(
        stamp: stamp, tags: SongTags(), audio: AudioProperties(), digest: nil, format: "flac"))
  }

  @Test("a batch is large above a thousand files or a hundred albums")
  func largeBatches() {
    var batch = LibraryIndex.Batch()
    #expect(batch.isEmpty && !batch.isLarge)
    batch.files = Array(repeating: file("a"), count: 1_000)
    batch.albums = Set((1...100).map { AlbumID(number: $0) })
    #expect(!batch.isEmpty && !batch.isLarge)
    batch.files.append(file("a"))
    #expect(batch.isLarge)
    batch.files = []
    // Whose songs may differ is only of interest with a library.
    #expect(batch.isEmpty && !batch.isLarge)
    batch.albums.insert(AlbumID(number: 101))
    #expect(batch.isLarge)
    batch.removed = [BytePath("/a")]
    #expect(!batch.isEmpty)
    batch.removed = []
    batch.library = Library()
    #expect(!batch.isEmpty)
  }

  @Test("so many bytes are kept of what is yet to be written, and nothing behind what is too much")
  func room() throws {
    var probe = UnwrittenFiles(besideIndex: path)
    probe.append([file("a")])
    let one = try readFile(path + ".unwritten").count
    probe.remove()
    func kept(_ most: Int) throws -> [String] {
      var files = UnwrittenFiles(besideIndex: path, most: most)
      files.append([])
      for name in ["a", "b"] { files.append([file(name)]) }
      files.append([file("c")])
      let isEmpty = files.isEmpty
      let found = UnwrittenFiles.read(besideIndex: path).keys.sorted().map(\.display)
      #expect(isEmpty == found.isEmpty)
      if !found.isEmpty {
        #expect(
          UnwrittenFiles.read(besideIndex: path, most: one * found.count).count == found.count)
        #expect(UnwrittenFiles.read(besideIndex: path, most: one * found.count - 1).isEmpty)
      }
      // Once the index has them, there is room again.
      files.remove()
      #expect(try names(in: folder.path).isEmpty)
      files.append([file("d")])
      #expect(UnwrittenFiles.read(besideIndex: path).count == (most < one ? 0 : 1))
      files.remove()
      return found
    }
    #expect(try kept(one - 1) == [])
    #expect(try kept(one) == ["/a"])
    #expect(try kept(2 * one - 1) == ["/a"])
    #expect(try kept(2 * one) == ["/a", "/b"])
    #expect(try kept(3 * one) == ["/a", "/b", "/c"])
  }

  @Test("what can't be written beside the index is not, until that is over")
  func unwritable() throws {
    try folder.makeFolder("index.sqlite.unwritten")
    var files = UnwrittenFiles(besideIndex: path)
    files.append([file("a")])
    let isEmpty = files.isEmpty
    #expect(isEmpty)
    removeTree(path + ".unwritten")
    files.append([file("b")])
    #expect(UnwrittenFiles.read(besideIndex: path).isEmpty)
    files.remove()
    files.append([file("c")])
    #expect(UnwrittenFiles.read(besideIndex: path).keys.map(\.display) == ["/c"])
  }

  @Test("an index is in place as long as its file is found under its name")
  func inPlace() throws {
    let index = try LibraryIndex.open(at: path, newest: 0).index
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

  @Test("the stamp of a closed index is taken once, and only of a file that is as it was")
  func closingStamps() throws {
    let library: UInt64 = 0xFEDC_BA98_7654_3210
    #expect(ClosingStamp(of: path, library: library) == nil)
    try writeFile([1, 2, 3], to: path)
    func leave() throws { try #require(ClosingStamp(of: path, library: library)).leave(at: path) }
    #expect(ClosingStamp.take(from: path) == nil)
    try leave()
    #expect(ClosingStamp.take(from: path) == library)
    #expect(ClosingStamp.take(from: path) == nil, "it is said once")
    try leave()
    let text = String(decoding: try readFile(path + ".closed"), as: UTF8.self)
    #expect(text.hasPrefix("fedcba9876543210 ") && text.hasSuffix("\n"))
    for other in [
      "", "\n", "fedcba9876543210\n", "x" + text, text.replacing("fed", with: "fee"),
      String(text.dropLast()), text.replacing(" 3 ", with: " 4 "),
    ] where other != text {
      try writeFile(Array(other.utf8), to: path + ".closed")
      let taken = ClosingStamp.take(from: path)
      #expect(taken == (other.hasPrefix("fee") ? 0xFEEC_BA98_7654_3210 : nil), "\(other)")
    }
    // Part of it is in the log while another program has it open.
    try leave()
    try writeFile([], to: path + "-wal")
    #expect(ClosingStamp.take(from: path) == library)
    try leave()
    try writeFile([1], to: path + "-wal")
    #expect(ClosingStamp.take(from: path) == nil && ClosingStamp(of: path, library: 1) == nil)
  }

  @Test("what the tables have is worth tidying after so many rows, in one write or in many")
  func tidying() {
    let most = SearchTidying.worthRows
    var tidying = SearchTidying()
    tidying.note(rows: most - 1)
    #expect(!tidying.isWanted)
    tidying.note(rows: 1)
    #expect(tidying.isWanted)
    tidying.giveUp()
    #expect(!tidying.isWanted)
    tidying.note(rows: most - 1)
    #expect(!tidying.isWanted, "the rows before have been counted")
    tidying.note(rows: 1)
    #expect(tidying.isWanted)
  }
}
