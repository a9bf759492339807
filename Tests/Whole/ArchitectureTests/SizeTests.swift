import TestSupport
import Testing

@Suite("Sizes", .limited)
struct SizeTests {
  @Test("A file has at most 500 lines")
  func files() {
    for file in Repository.sources {
      // The last line break begins no line.
      #expect(file.lines.count - 1 <= 500, "\(file.path)")
    }
  }

  @Test("A line has at most 100 characters")
  func lines() {
    for file in Repository.sources {
      for (index, line) in file.lines.enumerated() where line.count > 100 {
        Issue.record("\(file.path):\(index + 1) has \(line.count) characters")
      }
    }
  }

  @Test("A function has at most 70 lines")
  func functionLengths() {
    for file in Repository.swiftFiles {
      for function in functions(in: file.codeLines) where function.lineCount > 70 {
        Issue.record("\(file.path):\(function.firstLine) has \(function.lineCount) lines")
      }
    }
  }
}
