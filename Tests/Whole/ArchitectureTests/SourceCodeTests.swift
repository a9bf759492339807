import TestSupport
import Testing

/// The eyes of the other tests here: if these saw nothing, those would find nothing.
@Suite("Reading Swift roughly", .limited)
struct SourceCodeTests {
  @Test(
    "Comments and texts are blank, code is left",
    arguments: [
      ("a // b \" c", "a         "),
      ("a /* b /* c */ \" */ d", "a                   d"),
      (#"f("a // b") + g"#, "f(        ) + g"),
      (#"f("a \" } b") + g"#, "f(          ) + g"),
      (#"f("a \(g("}", (1)) + "}") b") }"#, "f(                          ) }"),
      ("f(#\"a \" \\(b) \"#) }", "f(" + String(repeating: " ", count: 13) + ") }"),
      ("f(#\"a \\#(b(\"}\")) \"#) }", "f(" + String(repeating: " ", count: 17) + ") }"),
      ("\"\"\"\n { \" } \n \"\"\" }", "   \n       \n     }"),
      ("let a = \"\"; b", "let a =   ; b"),
    ])
  func blanks(source: String, expected: String) {
    #expect(code(source) == expected)
  }

  @Test("The extent of a function is told by its brackets")
  func extents() {
    let source = """
      struct A {
        func one() {
          if a { b() }
        }
        init?(a: () -> Void = { print("}") }, b: [Int]) {
          self.a = "{"
          // {
        }
        package static func three(
          a: Int
        ) throws(B) -> C where D == E {
          a
        }
        var four: Int {
          1
        }
        var five = 5
        deinit { close() }
      }
      protocol P {
        func without() -> Int
        func body()
      }
      """
    let lines = code(source).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      functions(in: lines) == [
        FunctionExtent(firstLine: 2, lineCount: 3), FunctionExtent(firstLine: 5, lineCount: 4),
        FunctionExtent(firstLine: 9, lineCount: 5), FunctionExtent(firstLine: 14, lineCount: 3),
        FunctionExtent(firstLine: 18, lineCount: 1),
      ])
  }

  @Test("The repository is found")
  func repository() {
    #expect(Repository.swiftFiles.contains { $0.path == "Sources/Daemon/Settings/Settings.swift" })
    #expect(Repository.swiftFiles.contains { $0.target == "ArchitectureTests" && $0.isTest })
    #expect(Repository.text("Package.swift") != nil)
  }
}
