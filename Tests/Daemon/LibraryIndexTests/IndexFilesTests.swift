import LibraryModel
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("What lies beside the index", .limited)
struct IndexFilesTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("index.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func left(most: Int = UnwrittenFiles.most) -> [IndexedFile] {
    UnwrittenFiles.read(besideIndex: path, most: most).files
  }

  @Test("what was yet to be written is found at the next opening, up to where it was cut off")
  func unwritten() throws {
    let (one, two) = (fullFile("one"), fullFile("two", sound: nil))
    let newest = fullFile("one", sound: 9)
    var files = UnwrittenFiles(besideIndex: path)
    files.append([one, two])
    files.append([newest])
    let index = try LibraryIndex.open(at: path, newest: 42).index
    var batch = LibraryIndex.Batch()
    batch.files = [one, fullFile("three")]
    try index.write(batch)
    try index.close()

    var given: [IndexedFile] = []
    let opened = try LibraryIndex.open(at: path, newest: 42) { given.append($0) }
    #expect(given.map(\.path) == [one, two, fullFile("three")].map(\.path))
    #expect(given.first?.facts.digest == newest.facts.digest, "the newest of it, once")
    #expect(opened.unwritten.count == 2)
    for (left, right) in zip(opened.unwritten, [newest, two]) { expectEqual(left, right) }
    try opened.index.close()

    let whole = try readFile(path + ".unwritten")
    files.remove()
    #expect(left().isEmpty)
    var counts: Set<Int> = []
    for length in 0..<whole.count {
      try writeFile(Array(whole.prefix(length)), to: path + ".unwritten")
      counts.insert(left().count)
    }
    #expect(counts == [0, 1, 2])
    // A bit that is wrong ends it, too, or is another path or song, which is nobody's file.
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 0x10
      try writeFile(bytes, to: path + ".unwritten")
      #expect(
        left().allSatisfy { found in [one, two, newest].contains { $0.facts == found.facts } })
    }
  }

  @Test("so many bytes are kept of what is yet to be written, and nothing behind what is too much")
  func room() throws {
    var probe = UnwrittenFiles(besideIndex: path)
    probe.append([indexedFile("a")])
    let one = try readFile(path + ".unwritten").count
    probe.remove()
    for (most, count) in [(one - 1, 0), (one, 1), (2 * one - 1, 1), (2 * one, 2), (9 * one, 3)] {
      var files = UnwrittenFiles(besideIndex: path, most: most)
      for name in ["a", "b", "c"] { files.append([indexedFile(name)]) }
      #expect(left().map(\.path.display) == Array(["/a", "/b", "/c"].prefix(count)))
      let isEmpty = files.isEmpty
      #expect(isEmpty == (count == 0))
      // What is longer than it may be is read again, all of it.
      #expect(left(most: one * count).count == count && left(most: one * count - 1).isEmpty)
      // Once the index has them, there is room again.
      files.remove()
      #expect(try names(in: folder.path).isEmpty)
      files.append([indexedFile("d")])
      #expect(left().count == (most < one ? 0 : 1))
      files.remove()
    }
  }

  @Test("what can't be written beside the index is not, until that is over")
  func unwritable() throws {
    try folder.makeFolder("index.sqlite.unwritten")
    var files = UnwrittenFiles(besideIndex: path)
    files.append([indexedFile("a")])
    removeTree(path + ".unwritten")
    files.append([indexedFile("b")])
    #expect(left().isEmpty)
    files.remove()
    files.append([indexedFile("c")])
    #expect(left().map(\.path.display) == ["/c"])
  }

  @Test("the stamp of a closed index is taken once, and only of a file that is as it was")
  func closingStamps() throws {
    let library: UInt64 = 0xFEDC_BA98_7654_3210
    #expect(ClosingStamp(of: path, library: library) == nil)
    try writeFile([1, 2, 3], to: path)
    func leave() throws {
      try #require(ClosingStamp(of: path, library: library)).write(besideIndex: path)
    }
    #expect(ClosingStamp.consume(of: path) == nil)
    try leave()
    #expect(ClosingStamp.consume(of: path) == library)
    #expect(ClosingStamp.consume(of: path) == nil, "it is said once")
    try leave()
    let text = String(decoding: try readFile(path + ".closed"), as: UTF8.self)
    for other in ["", "\n", "fedcba9876543210\n", "x" + text, String(text.dropLast())] {
      try writeFile(Array(other.utf8), to: path + ".closed")
      #expect(ClosingStamp.consume(of: path) == nil, "\(other)")
    }
    // Part of it is in the log while another program has it open.
    for (log, taken) in [([], library), ([1], nil)] as [([UInt8], UInt64?)] {
      removeTree(path + "-wal")
      try leave()
      try writeFile(log, to: path + "-wal")
      #expect(ClosingStamp.consume(of: path) == taken)
    }
    #expect(try openFiles(below: folder.path) == [], "no file of it stays open")
  }
}
