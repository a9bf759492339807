import LibraryModel
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Looks that are merged in parts", .limited)
struct HalvesTests {
  private func contents(
    _ found: Int, _ vanished: Int, _ turned: Int, absent: Int = 0, ends: Bool
  ) -> FolderContents {
    var contents = LibrarianFixture.contents(albums: found)
    contents.vanished = (0..<vanished).map { BytePath("/music/v\($0)") }
    contents.turned = (0..<turned).map { BytePath("/music/t\($0)") }
    contents.absent = (0..<absent).map { BytePath("/music/a\($0)") }
    if absent > 0 { contents.returned = [BytePath("/music/r")] }
    contents.endsFirstScan = ends
    return contents
  }

  /// Cut in two until nothing is left to be cut.
  private func smallest(_ contents: FolderContents) -> [FolderContents] {
    guard let (first, second) = contents.halves else { return [contents] }
    return smallest(first) + smallest(second)
  }

  @Test("What is cut until nothing is left to cut is the whole, with what is missing first")
  func whole() {
    for (found, absent) in [(0, 0), (1, 0), (3, 0), (0, 1), (0, 3), (1, 1), (3, 2)] {
      for (vanished, turned) in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (3, 2)] {
        for ends in [false, true] {
          let whole = contents(found, vanished, turned, absent: absent, ends: ends)
          let parts = smallest(whole)
          #expect(parts.flatMap(\.found).map(\.path) == whole.found.map(\.path))
          #expect(parts.flatMap(\.vanished) == whole.vanished)
          #expect(parts.flatMap(\.turned) == whole.turned)
          #expect(parts.flatMap(\.returned) == whole.returned)
          #expect(parts.map(\.endsFirstScan) == parts.indices.map { ends && $0 == parts.count - 1 })
          for part in parts {
            let size = part.found.count + part.vanished.count + part.turned.count
            #expect(size + (part.absent.isEmpty ? 0 : 1) + (part.endsFirstScan ? 1 : 0) <= 1)
            #expect(whole.isEmpty || !part.isEmpty)
          }
          // What is found may be what is missing, be it gone for good or not.
          let missing = whole.absent + (found > 0 ? whole.vanished : [])
          #expect(parts.flatMap(\.absent) == missing)
          let first = parts.firstIndex { !$0.found.isEmpty } ?? parts.count
          #expect(parts[..<first].flatMap(\.absent) == (found > 0 ? missing : whole.absent))
          let last = parts.lastIndex { !$0.found.isEmpty } ?? -1
          #expect(parts[(last + 1)...].flatMap(\.vanished) == whole.vanished)
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
