import LibraryStore
import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

/// A store of a version that made keys otherwise: it is read without a word, and nothing moves.
@Suite("Keys of former versions", .limited) struct FormerNamesTests {
  private static let golden =
    Repository.path("Tests/Daemon/LibraryStoreTests/Golden/v1-names/crates.1.txt")

  @Test("find their albums: a merge of the same files says nothing")
  func merge() throws {
    let text = try readFile(Self.golden)
    let contents = try SnapshotReader.read(text)
    #expect(!contents.isEdited)
    #expect(contents.library.brokenInvariant == nil)
    var world = try World.withFormerNames()
    world.library = contents.library
    world.library.away.folders = [World.root]
    let written = Snapshot.text(world.library).split(separator: 0x0A).map(Self.withoutKey)
    let former = text.split(separator: 0x0A).map(Self.withoutKey)
    // All is the same but for the first line, which has the version, and the last one's seal.
    #expect(written.dropFirst().dropLast() == former.dropFirst().dropLast())
    world.lookups = Lookups(world.library, roots: [World.root])
    let before = Self.order(of: world.library)
    world.known = [:]
    let outcome = world.merge()
    #expect(outcome.decision.changes.isEmpty, "\(outcome.decision.changes)")
    #expect(Self.order(of: world.library) == before)
  }

  /// Ids, and what a journal would say of the keys that are read.
  private static func order(of library: Library) -> [String] {
    library.crates.flatMap { crate in
      [crate.name]
        + crate.albums.compactMap { library.albums[$0] }.flatMap { album in
          ["\(album.id) \(album.group)"] + album.entries.map(\.description)
        }
    }
  }

  /// A line without its key, and without the title that follows an album for people.
  private static func withoutKey(_ line: ArraySlice<UInt8>) -> String {
    let words = line.split(separator: 0x20).filter { !$0.starts(with: "group=".utf8) }
    let isAlbum = line.starts(with: "\talbum".utf8)
    // What the former version called placed is touched today.
    let isTouched = words.contains { word in
      ["placed=1", "touched=all"].contains { word.elementsEqual($0.utf8) }
    }
    let meant = isAlbum ? words[..<2] + (isTouched ? [Array("touched".utf8)[...]] : []) : words[...]
    return String(decoding: Array(meant.joined(separator: [0x20])), as: UTF8.self)
  }

  @Test(
    "are those of today when they have been read",
    arguments: [
      ("by\tcafe\u{301}\tstra\u{DF}e", "", "by\tcaf\u{E9}\tstrasse", ""),
      ("by\tMiles  Davis \tkind of blue", "", "by\tmiles davis\tkind of blue", ""),
      ("by\tmiles davis\tkind of blue ", "", "by\tmiles davis\tkind of blue", ""),
      ("in\tCafe%CC%81/x %25\ti\u{307}z", "", "in\tCaf%C3%A9/x %25\ti\u{307}z", ""),
      ("folder\tCafe%CC%81", "/mnt/e%CC%81", "folder\tCaf%C3%A9", "/mnt/%C3%A9"),
      ("folder\t%FFe%CC%81", "", "folder\t%FFe%CC%81", ""),
      // What is no key of ours.
      ("", "r", "", "r"), ("by\tA", "r", "by\tA", "r"), ("by\tA\tB\tC", "", "by\tA\tB\tC", ""),
      ("x\tA", "", "x\tA", ""),
    ])
  func table(family: String, edition: String, newFamily: String, newEdition: String) {
    let key = GroupKey(storedFamily: family, edition: edition)
    #expect(Array(key.family.utf8) == Array(newFamily.utf8))
    #expect(Array(key.edition.utf8) == Array(newEdition.utf8))
  }

  @Test("have releases as they are made today")
  func releases() {
    let release = "8f2fe0a9-9a4b-4a9b-8b3f-0a4d6d2c1e5f"
    for tagged in ["r1", "two words", "R%\tx", String(repeating: "r ", count: 2000), "é", release] {
      for stored in [tagged, tagged.uppercased(), GroupKey.release(tagged)] {
        let key = GroupKey(storedFamily: "by\tx\ty", edition: stored)
        #expect(key.edition == GroupKey.release(tagged), "\(stored)")
      }
    }
    let label = "\(release.uppercased()) b/Cafe%CC%81 2"
    #expect(
      GroupKey(storedFamily: "by\tx\ty", edition: label).edition == "\(release) b/Caf%C3%A9 2")
    #expect(GroupKey(storedFamily: "by\tx\ty", edition: " b c").edition == " b c")
  }

  @Test("of today stay as they are when they are read")
  func today() {
    var generator = SeededGenerator(usually: 55)
    let long = String(repeating: "Langer Na\u{308}me ", count: 100)
    let texts = World.formerNames + LibraryMaker.texts + [long, "", "#", "%", "a/b", "\u{FFFD}"]
    let folders = LibraryMaker.fileNames + texts.map { Array($0.utf8) }
    for _ in 0..<Effort.runs(1_000, nightly: 5_000) {
      let start = "\(generator)"
      func text() -> String { texts.randomElement(using: &generator) ?? "" }
      let path = (0..<Int.random(in: 0...5, using: &generator)).flatMap { _ in
        Array("/".utf8) + (folders.randomElement(using: &generator) ?? [])
      }
      let folder = AlbumFolder(
        of: BytePath(Array("/m".utf8) + path + [0x2F, 0x78]), root: BytePath("/m"))
      var editions = ["", GroupKey.release(text())]
      editions.append("\(editions[1]) \(folder.key)")
      let tagged = GroupKey.tagged(artist: text(), album: text())
      for edition in editions { expectSame(tagged, edition, start) }
      for family in [GroupKey.folder(folder), GroupKey.inFolder(folder, album: text())] {
        for edition in ["", percentEncoded(path)] { expectSame(family, edition, start) }
      }
    }
  }

  private func expectSame(_ family: String, _ edition: String, _ comment: String) {
    let key = GroupKey(storedFamily: family, edition: edition)
    #expect(key.family.utf8.elementsEqual(family.utf8), "\(comment): \(family.debugDescription)")
    #expect(key.edition.utf8.elementsEqual(edition.utf8), "\(comment): \(edition.debugDescription)")
  }

  @Test("that are one today leave two albums, each with its songs and its place")
  func twoOfOne() throws {
    var library = Library()
    try library.apply(.crateAdded("Music", after: nil), by: .folder)
    for (number, album) in ["ma\u{DF}", "mass"].enumerated() {
      let id = AlbumID(number: UInt64(number))
      try library.apply(
        .albumAdded(
          id, crate: "Music", after: nil, group: GroupKey(family: "by\tx\t\(album)"),
          isFresh: false, seen: 0), by: .folder)
      try library.apply(
        .songAdded(
          SongID(number: UInt64(number)), album: id, after: nil, path: BytePath("/music/\(number)"),
          digest: nil, added: 0, seen: 0), by: .folder)
    }
    let read = try SnapshotReader.read(Snapshot.text(library)).library
    #expect(read.brokenInvariant == nil)
    #expect(read.crates[0].albums.map(\.number) == [1, 0])
    #expect(Set(read.albums.values.map(\.group)).count == 1)
    #expect(read.albums.values.allSatisfy { read.songs(of: $0).count == 1 })
  }
}
