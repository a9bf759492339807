import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("What the index keeps on the disk", .limited)
struct IndexFilesTests {
  let folder: TemporaryFolder
  var path: String { folder.path("index.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  @Test("a batch is large above a thousand files or a hundred albums")
  func largeBatches() {
    var batch = LibraryIndex.Batch()
    #expect(batch.isEmpty && !batch.isLarge)
    batch.files = Array(repeating: indexedFile("a"), count: 1_000)
    batch.albums = Set((1...100).map { AlbumID(number: $0) })
    #expect(!batch.isEmpty && !batch.isLarge)
    batch.files.append(indexedFile("a"))
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

  @Test("a write says that it was large, and so is a whole order, whatever it holds")
  func largeWrites() throws {
    let index = try LibraryIndex.open(at: path, newest: 0).index
    var batch = LibraryIndex.Batch()
    batch.files = [indexedFile("a")]
    #expect(try !index.write(batch))
    batch.library = Library()
    #expect(try index.write(batch), "the first order")
    #expect(try !index.write(batch))
    batch.files = Array(repeating: indexedFile("a"), count: 1_001)
    #expect(try index.write(batch))
    try index.close()
  }

  @Test("so many bytes are kept of what is yet to be written, and nothing behind what is too much")
  func room() throws {
    #expect(UnwrittenFiles.most == 1_073_741_824)
    var probe = UnwrittenFiles(besideIndex: path)
    probe.append([indexedFile("a")])
    let one = try readFile(path + ".unwritten").count
    probe.remove()
    func kept(_ most: Int) throws -> [String] {
      var files = UnwrittenFiles(besideIndex: path, most: most)
      files.append([])
      for name in ["a", "b"] { files.append([indexedFile(name)]) }
      files.append([indexedFile("c")])
      let isEmpty = files.isEmpty
      let found = UnwrittenFiles.read(besideIndex: path).files.map(\.path.display)
      #expect(isEmpty == found.isEmpty)
      if !found.isEmpty {
        #expect(
          UnwrittenFiles.read(besideIndex: path, most: one * found.count).files.count
            == found.count)
        #expect(UnwrittenFiles.read(besideIndex: path, most: one * found.count - 1).files.isEmpty)
      }
      // Once the index has them, there is room again.
      files.remove()
      #expect(try names(in: folder.path).isEmpty)
      files.append([indexedFile("d")])
      #expect(UnwrittenFiles.read(besideIndex: path).files.count == (most < one ? 0 : 1))
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
    files.append([indexedFile("a")])
    let isEmpty = files.isEmpty
    #expect(isEmpty)
    removeTree(path + ".unwritten")
    files.append([indexedFile("b")])
    #expect(UnwrittenFiles.read(besideIndex: path).files.isEmpty)
    files.remove()
    files.append([indexedFile("c")])
    #expect(UnwrittenFiles.read(besideIndex: path).files.map(\.path.display) == ["/c"])
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
    #expect(try openFiles(below: folder.path) == [], "no file of it stays open")
  }
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
