import CratesInterface
import LibraryModel
import Testing

@testable import DaemonCore

@Suite("Listing")
struct ListingTests {
  @Test("a window skips and counts")
  func window() throws {
    func shown(_ first: Int?, _ count: Int?) throws -> [Int] {
      var window = try Window(first: first, count: count)
      var shown: [Int] = []
      for item in 1...5 {
        switch window.next() {
        case .before: continue
        case .after: return shown
        case .inside: shown.append(item)
        }
      }
      return shown
    }
    #expect(try shown(nil, nil) == [1, 2, 3, 4, 5])
    #expect(try shown(2, 2) == [2, 3])
    #expect(try shown(5, nil) == [5])
    #expect(try shown(6, 3) == [])
    #expect(try shown(1, 0) == [])
    #expect(throws: InterfaceError.invalidParameter(parameter: "first")) { try shown(0, nil) }
    #expect(throws: InterfaceError.invalidParameter(parameter: "count")) { try shown(1, -1) }
  }

  @Test("any path survives as a file: URI")
  func uri() throws {
    let path = BytePath([0x2F, 0x61, 0x20, 0x25, 0xC3, 0xA9, 0xFF, 0x0A, 0x23, 0x3F])
    #expect(path.fileURI == "file:///a%20%25%C3%A9%FF%0A%23%3F")
    #expect(BytePath(uriOrPath: path.fileURI) == path)
    #expect(BytePath(uriOrPath: "/a b") == BytePath("/a b"))
    #expect(BytePath(uriOrPath: "a") == nil)
    #expect(BytePath(uriOrPath: "file:///a%2") == nil)
    #expect(BytePath(uriOrPath: "file:///a%zz") == nil)
    #expect(BytePath(uriOrPath: "http:///a") == nil)
  }

  @Test("a place needs its anchor, and takes none where it needs none")
  func places() throws {
    func place(_ place: Interface.Place) throws(InterfaceError) -> Place<String> {
      try Resolving.place(place) { $0 }
    }
    #expect(try place(Interface.Place(.top)) == .top)
    #expect(try place(Interface.Place(.before, anchor: "x")) == .before("x"))
    #expect(throws: InterfaceError.self) { try place(Interface.Place(.after)) }
    #expect(throws: InterfaceError.self) { try place(Interface.Place(.down, anchor: "x")) }
  }
}
