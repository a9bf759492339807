import LibraryModel
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Looks that are merged in parts", .limited)
struct HalvesTests {
  private func contents(_ found: Int, _ vanished: Int, _ turned: Int, ends: Bool) -> FolderContents
  {
    var contents = LibrarianDesk.contents(albums: found)
    contents.vanished = (0..<vanished).map { BytePath("/music/v\($0)") }
    contents.turned = (0..<turned).map { BytePath("/music/t\($0)") }
    contents.absent = [BytePath("/music/a")]
    contents.returned = [BytePath("/music/r")]
    contents.endsFirstScan = ends
    return contents
  }

  private func size(_ part: FolderContents) -> Int {
    part.found.count + part.vanished.count + part.turned.count + (part.endsFirstScan ? 1 : 0)
  }

  @Test("No part has nothing in it, and a part of one thing has none")
  func whole() {
    for found in 0...3 {
      for (vanished, turned) in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (3, 2)] {
        for ends in [false, true] {
          let whole = contents(found, vanished, turned, ends: ends)
          guard let (first, second) = whole.halves else {
            #expect(size(whole) <= 1)
            continue
          }
          #expect(size(whole) > 1 && size(first) > 0 && size(second) > 0)
          #expect(size(first) + size(second) == size(whole))
          #expect((first.found + second.found).map(\.path) == whole.found.map(\.path))
          #expect(first.vanished + second.vanished == whole.vanished)
          #expect(first.turned + second.turned == whole.turned)
          #expect(!first.endsFirstScan && second.endsFirstScan == ends)
          // Whoever moved may have gone where a later part finds it.
          let isLater = !whole.found.isEmpty && !whole.vanished.isEmpty
          #expect(first.absent == whole.absent + (isLater ? whole.vanished : []))
          // Told once.
          #expect(first.returned == whole.returned)
          #expect(second.absent.isEmpty && second.returned.isEmpty)
        }
      }
    }
  }

  @Test(
    "Things of a kind are cut in the middle", arguments: [(2, 1), (3, 1), (4, 2), (5, 2), (9, 4)])
  func middle(count: Int, first: Int) throws {
    #expect(try #require(contents(count, 0, 0, ends: false).halves).0.found.count == first)
    #expect(try #require(contents(0, count, 0, ends: false).halves).0.vanished.count == first)
    #expect(try #require(contents(0, 0, count, ends: false).halves).0.turned.count == first)
  }

  @Test("A part is named by what is in it, or by the folder")
  func names() {
    #expect(contents(2, 2, 2, ends: true).only == BytePath("/music/0/x.flac"))
    #expect(contents(0, 2, 2, ends: true).only == BytePath("/music/v0"))
    #expect(contents(0, 0, 2, ends: true).only == BytePath("/music/t0"))
    #expect(contents(0, 0, 0, ends: true).only == BytePath("/music"))
  }
}
