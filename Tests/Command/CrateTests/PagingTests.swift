import CratesInterface
import TestSupport
import Testing

@testable import crate

/// Pagers are small shell commands here, which say what they were given.
@Suite("Pages that are higher than the terminal", .limited)
struct PagingTests {
  private static let list = """
       Crate        Albums  Songs   Length
    1  Jazz              5     15  1:01:40
    2  Rock  Music       2      6  1:01:40
    3  Both              1      3  1:01:40

    """

  private func shown(
    _ pager: String, rows: UInt16 = 4, _ environment: [String: String] = [:]
  ) throws -> String {
    try CommandFixture().shown(
      "list", rows: rows, environment: environment.merging(["CRATE_PAGER": pager]) { $1 })
  }

  @Test("What is as high as the terminal goes through the pager, and what is lower doesn't")
  func heights() throws {
    let paged = Self.list.split(separator: "\n").map { "| \($0)\n" }.joined()
    for (rows, isPaged) in [(1, true), (4, true), (5, false), (0, false)] as [(UInt16, Bool)] {
      #expect(try shown("sed 's/^/| /'", rows: rows) == (isPaged ? paged : Self.list), "\(rows)")
    }
    #expect(
      try CommandFixture().run("list", environment: ["CRATE_PAGER=sed s/^/x/"]).lines.count == 3)
  }

  @Test("One that isn't there, or is none, is done without; one that fails has shown what it did")
  func failing() throws {
    #expect(try shown("exit 127") == Self.list && shown("exit 126") == Self.list)
    #expect(try shown("exit 125") == "" && shown("exit 1") == "" && shown("exit 0") == "")
    #expect(try shown("echo seen; exit 3") == "seen\n")
    #expect(try shown("/nowhere/pager").hasSuffix(Self.list))
  }

  @Test("Short texts stay on the screen, unless the person says otherwise")
  func settings() throws {
    #expect(try shown("echo $LESS") == "FRX\n")
    #expect(try shown("echo $LESS", ["LESS": "M"]) == "M\n")
  }

  @Test("Ctrl-C is the pager's alone while it runs")
  func interrupted() throws {
    let pager = "kill -INT $PPID; kill -QUIT $PPID; cat; echo 'end'"
    #expect(try shown(pager) == Self.list + "end\n")
  }

  @Test("A pager may end before it has read all, or read all of it")
  func long() throws {
    // Several times what a pipe takes.
    var library = FakeLibrary()
    library.crates = (1...3_000).map { number in
      let name = "\(number) " + String(repeating: "x", count: 80)
      return Interface.Crate(name: name, position: number, albums: 1, songs: 1, seconds: 1)
    }
    let fixture = try CommandFixture(library)
    func shown(_ pager: String) throws -> String {
      try fixture.shown("list", environment: ["CRATE_PAGER": pager])
    }
    #expect(try shown("head -n 1; echo done").hasSuffix("Length\ndone\n"))
    #expect(try shown("wc -l") == "3001\n")
    #expect(try shown("tail -n 1").hasPrefix("3000  3000 xxx"))
  }
}
