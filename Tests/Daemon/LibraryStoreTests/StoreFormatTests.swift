import LibraryModel
import TestSupport
import Testing

@testable import LibraryStore

@Suite("The text of the store, store-format.md", .limited)
struct StoreFormatTests {
  /// The example of that kind on the page.
  func example(_ kind: String) throws -> [UInt8] {
    let path = Repository.path("Documentation/developers/store-format.md")
    let page = String(decoding: try readFile(path), as: UTF8.self)
    let start = try #require(page.firstRange(of: "```\(kind)\n"))
    let rest = page[start.upperBound...]
    let end = try #require(rest.firstRange(of: "```"))
    return Array(rest[..<end.lowerBound].utf8)
  }

  @Test("The snapshot on the page is read, and written the same")
  func snapshot() throws {
    let text = try example("crates")
    let lines = text.split(separator: 0x0A).dropLast()
    let edited = Array(lines.joined(separator: [0x0A])) + Array("\nend edited\n".utf8)
    var library = try SnapshotReader.read(edited).library
    library.away.folders = [BytePath("/home/ada/Music")]
    #expect(
      String(decoding: Snapshot.text(library), as: UTF8.self)
        == String(decoding: text, as: UTF8.self))
    let contents = try SnapshotReader.read(text)
    #expect(!contents.isEdited)
    #expect(contents.library.crates.map(\.name) == ["Jazz", "Music"])
    #expect(contents.library.songs.count == 2)
  }

  @Test("The journal on the page is read, and written the same")
  func journal() throws {
    let text = try example("journal")
    let contents = try JournalReader.read(text)
    #expect(contents.end == .whole)
    try #require(contents.transactions.count == 2)
    #expect(contents.transactions.map(\.changes.count) == [1, 2])
    #expect(contents.transactions[1].sentence == "1 song gone, 1 found elsewhere")
    #expect(
      contents.transactions[0].sentence == "Kind of Blue is in Jazz, at 2 of 84")
    let header = JournalText.header(generation: contents.generation, base: contents.base)
    var writer = JournalText(header: header, base: contents.base)
    var written = header + [0x0A]
    for change in contents.transactions {
      var batch = [change]
      written += writer.records(of: &batch)
    }
    #expect(String(decoding: written, as: UTF8.self) == String(decoding: text, as: UTF8.self))
  }

  @Test("The checksum is what the page says, worked out by hand")
  func checksum() throws {
    let text = try example("journal")
    let header = text.prefix { $0 != 0x0A }
    var previous = Checksum.text(of: header)
    var record: [UInt8] = []
    var count = 0
    for line in text.dropFirst(header.count + 1).split(separator: 0x0A) {
      if line.starts(with: "end ".utf8) {
        previous = Checksum.text(of: (previous + record)[...])
        #expect(Array(line.dropFirst(4)) == previous)
        record = []
        count += 1
      } else {
        record += line + [0x0A]
      }
    }
    #expect(count == 2)
  }
}
