import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Text of the store", .limited)
struct TextTests {
  @Test("Any bytes survive escaping, and stay one line, and one word where they have to")
  func escaping() throws {
    var random = SeededGenerator(usually: 11)
    var names = LibraryMaker.fileNames + (UInt8.min...UInt8.max).map { [$0] }
    for _ in 0..<500 {
      names.append(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in
          // Half of them from where the trouble is.
          Bool.random(using: &random)
            ? UInt8.random(in: 0...255, using: &random)
            : [0x0A, 0x25, 0x09, 0xE2, 0x80, 0xA8, 0xF0, 0x9F, 0xED, 0x7F].randomElement(
              using: &random) ?? 0
        })
    }
    for name in names {
      for asWord in [false, true] {
        let text: StoreText = asWord ? "\(word: name)" : "\(rest: name)"
        let line = text.bytes
        #expect(Escaping.decoded(line[...]) == name, "\(random)")
        #expect(!line.contains { $0 < 0x20 || $0 == 0x7F }, "\(name) \(random)")
        #expect(String(validating: line, as: UTF8.self) != nil, "\(name) \(random)")
        if asWord { #expect(!line.contains(0x20), "\(name) \(random)") }
      }
    }
    #expect(Escaping.decoded(Array("a%41b%4".utf8)[...]) == nil)
  }

  @Test("A checksum is XXH3-128, as other programs write it")
  func checksum() {
    for (text, sum) in [
      ("", "99aa06d3014798d86001c324468d497f"), ("123456789", "33119477ede5dcd5e9716427681d5860"),
    ] {
      #expect(String(decoding: Checksum.text(of: Array(text.utf8)[...]), as: UTF8.self) == sum)
    }
  }
}

@Suite("Names in a store", .limited)
struct StoreNameTests {
  @Test("A name says its kind and its generation, and none that is nearly like it does")
  func generations() {
    for number in [1, 12, 999_999_999_999_999] {
      let names = ["crates.\(number).txt", "journal.\(number).txt", "crates.\(number).txt.new"]
        .map { StoreName($0) }
      #expect(names.map { $0.generation("crates") } == [number, nil, nil])
      #expect(names.map { $0.generation("journal") } == [nil, number, nil])
      #expect(names.map(\.unfinishedGeneration) == [nil, nil, number])
    }
    for name in [
      "crates.txt", "crates.0.txt", "crates.012.txt", "crates.-1.txt", "crates.1.txt~",
      "crates.9223372036854775807.txt", "crates.1000000000000000.txt", "crates.+1.txt",
      "Crates.1.txt", "crates..txt", "journal..12.txt", ".journal.12.txt", "journal.12.txt.",
      "journal.0.txt", "journal.12.text", "journal.12", "crates.0.txt.new", "crates..12.txt.new",
      "crates.12.txt.old", "journal.1.txt.new",
    ].map({ StoreName($0) }) {
      let found = name.generation("crates") ?? name.generation("journal")
      #expect(found == nil && name.unfinishedGeneration == nil, "\(name)")
    }
  }

  @Test("A name is the store's in the folder in which the store has such a file")
  func ours() {
    for folder in [StoreName.Folder.store, .backups] {
      for name in ["crates.1.txt", "journal.1.txt", "crates.1.txt.new"] {
        #expect(StoreName(name, in: folder).isOurs)
      }
      for name in ["crates.txt", "journal.1.txt.new", "notes.txt", "torn", "damaged", ""] {
        #expect(!StoreName(name, in: folder).isOurs, "\(name)")
      }
    }
    for name in [
      "lock", "backups", "folders.txt", "folders.txt.new", "machines.txt", "machines.txt.new",
    ] {
      #expect(StoreName(name).isOurs && !StoreName(name, in: .backups).isOurs)
    }
    for name in ["torn.1.journal.1.txt", "damaged.1.crates.1.txt"] {
      #expect(!StoreName(name).isOurs && StoreName(name, in: .backups).isOurs)
    }
  }
}
