import TestSupport
import Testing

@testable import Terminal

@Suite("Parameters of control sequences", .limited) struct ControlParametersTests {
  private func read(_ text: String) -> ControlParameters? { ControlParameters(Array(text.utf8)) }

  @Test("Numbers stand between semicolons or colons, and an empty one is 0")
  func numbers() throws {
    for (text, numbers) in [
      ("", []), ("1", [1]), ("1;5", [1, 5]), ("38:2;9", [38, 2, 9]), (";", [0, 0]), ("7;", [7, 0]),
      (";7", [0, 7]), ("0", [0]),
      ("16777216;16777217;99999999999999999999", [1 << 24, 1 << 24, 1 << 24]),
      ("16777215", [(1 << 24) - 1]),
    ] as [(String, [Int])] {
      let parameters = try #require(read(text), "\(text)")
      #expect(parameters.numbers == numbers, "\(text)")
      #expect(parameters.mark == nil && parameters.between.isEmpty)
    }
    let parameters = try #require(read("3;0"))
    #expect(parameters[0] == 3 && parameters[1] == nil && parameters[2] == nil)
  }

  @Test("A mark stands in front, other signs behind, and anything else is none")
  func others() throws {
    for mark in "<=>?" {
      let parameters = try #require(read("\(mark)2;4$ /"))
      #expect(parameters.mark == mark.asciiValue && parameters.numbers == [2, 4])
      #expect(parameters.between == Array("$ /".utf8))
    }
    for text in ["1?", "1 0", "a", "1\u{1F}", "1@", "??"] { #expect(read(text) == nil, "\(text)") }
  }

  @Test("There may be 32 separators, and no more")
  func most() throws {
    #expect(read(String(repeating: ";", count: 32))?.numbers.count == 33)
    #expect(read(String(repeating: ";", count: 33)) == nil)
  }

  @Test("A mouse is somewhere on the screen, from 1 on, and within what a screen may have")
  func mouse() throws {
    func mouse(_ text: String) throws -> Mouse? {
      Mouse(try #require(read(text)), isRelease: false)
    }
    let spot = try mouse("<0;1;1")?.spot
    #expect(spot == Grid.Spot(row: 0, column: 0))
    #expect(try mouse("<0;12;3")?.spot == Grid.Spot(row: 2, column: 11))
    let most = Grid.sideMost
    #expect(try mouse("<0;\(most);\(most)")?.spot == Grid.Spot(row: most - 1, column: most - 1))
    for text in ["<0;0;1", "<0;1;0", "<0;1", "<0;1;1;1", "<0;\(most + 1);1", "<0;1;\(most + 1)"] {
      #expect(try mouse(text) == nil, "\(text)")
    }
  }
}
