import TestSupport
import Testing

@testable import ImportedLists

/// Makes a crate as Serato writes it.
enum SeratoMaker {
  static func field(_ tag: String, _ content: [UInt8]) -> [UInt8] {
    let count = UInt32(content.count)
    let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    return Array(tag.utf8) + length + content
  }

  static func text(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  static func crate(
    _ paths: [String], version: String = "1.0/Serato ScratchLive Crate"
  ) -> [UInt8] {
    var bytes = field("vrsn", text(version))
    bytes += field("osrt", field("tvcn", text("song")) + field("brev", [0]))
    bytes += field("ovct", field("tvcn", text("artist")) + field("tvcw", text("0")))
    for path in paths { bytes += field("otrk", field("ptrk", text(path))) }
    return bytes
  }
}

@Suite("Crates of Serato", .limited)
struct SeratoTests {
  @Test("Songs stand in their order, and the name says where the crate lies")
  func crate() throws {
    let long = String(repeating: "n/", count: 300) + "c.mp3"
    let bytes = SeratoMaker.crate(["Users/ada/Music/Ä 🎷.mp3", "Music/b.mp3", long])
    let file = try ListFile(of: bytes, named: "House%%Deep%%Late.crate")
    let list = try #require(file.lists.first)
    #expect(list.name == "Late")
    #expect(list.folders == ["House", "Deep"])
    #expect(paths(file) == ["/Users/ada/Music/Ä 🎷.mp3", "/Music/b.mp3", "/\(long)"])
  }

  @Test("A smart crate is left out, the database is refused")
  func others() throws {
    let smart = SeratoMaker.crate([], version: "1.0/Serato ScratchLive Smart Crate")
    let file = try ListFile(of: smart, named: "New.scrate")
    #expect(file.leftOut == [LeftOutList(name: "New", reason: .smart)])
    let database = SeratoMaker.crate([], version: "2.0/Serato Scratch LIVE Database")
    let fault = try #require(throws: ListFault.self) {
      try ListFile(of: database, named: "database V2")
    }
    #expect(fault.reason.contains("Subcrates"))
  }

  @Test("A crate that is cut anywhere is refused with its offset, or whole")
  func cuts() throws {
    let bytes = SeratoMaker.crate(["a/b.mp3", "c/d.mp3"])
    let whole = try ListFile(of: bytes, named: "x.crate")
    var refused = 0
    for end in 4..<bytes.count {
      do throws(ListFault) {
        let read = try ListFile(of: Array(bytes[..<end]), named: "x.crate")
        #expect(paths(whole).starts(with: paths(read)))
      } catch {
        refused += 1
        guard case .offset(let offset) = error.place else {
          Issue.record("\(error)")
          continue
        }
        #expect((0...end).contains(offset))
      }
    }
    #expect(refused > bytes.count - 20)
  }
}
