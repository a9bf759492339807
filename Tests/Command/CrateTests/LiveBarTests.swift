import TestSupport
import Testing

@Suite("A bar that moves while something is waited for", .limited)
struct LiveBarTests {
  /// What was drawn, and what was printed at the end, when crated was asked so often.
  private func shown(scanning: Bool) throws -> [String] {
    var library = FakeLibrary()
    (library.looksAwaited, library.isScanning) = (3, scanning)
    let fixture = try CommandFixture(library)
    let shown = try fixture.shown("sync", columns: 40)
    return shown.split(separator: "\r").map(String.init)
  }

  @Test("It is drawn again and again by what crated says of its folders, and wiped at the end")
  func scanning() throws {
    let drawn = try shown(scanning: true)
    let end = "\u{1B}[Kup to date, at change 8\nleft out: /nas is offline: it isn't mounted\n"
    #expect(drawn.last == end, "\(drawn)")
    let bars = drawn.dropLast()
    #expect(bars.count >= 3)
    for (bar, sign) in zip(bars, ["/", "-", "\\", "|"]) {
      #expect(bar.hasPrefix("█") && bar.contains(" 1 of 2 songs"), "\(bar)")
      #expect(bar.hasSuffix(" \(sign)\u{1B}[K"), "\(bar)")
    }
  }

  @Test("Where no folder is looked at, it is drawn by what the answer said last")
  func noted() throws {
    let drawn = try shown(scanning: false)
    #expect(drawn.count >= 4)
    // Before it said anything, where that took long, a look is spoken of.
    let first = try #require(drawn.first { !$0.hasPrefix("looking") })
    #expect(first.contains(/^█.* 1 of 2 songs [|\/\\-]\u{1B}\[K$/), "\(drawn)")
  }
}
