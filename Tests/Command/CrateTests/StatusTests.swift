import TestSupport
import Testing

/// The real `crate status` against a daemon that says what the test wants.
@Suite("The state of the daemon", .limited) struct StatusTests {
  @Test("the trace is shown by folder, to the millisecond, and steers no terminal")
  func trace() throws {
    let fixture = try CommandFixture(FakeLibrary(crate: "Jazz", albums: []))
    let shown = try fixture.run("status", "--trace", environment: ["TZ=UTC"])
    #expect(
      shown.lines == [
        "/music", "  2026-01-02 03:04:05.678  full scan: it is there again",
        "  2026-01-02 03:04:05.678  a␛b", "/nas", "  2026-01-02 03:04:05.678  c",
      ])
    let json = try fixture.run("status", "--trace", "--json").lines
    #expect(json.count == 3)
    #expect(
      json.last == #"{"folder":"/nas","time":"2026-01-02T03:04:05.678Z","text":"c"}"#)
  }
}
