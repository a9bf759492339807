import CratesInterface
import Platform
import Synchronization
import TestSupport
import Testing

@testable import crate

@Suite("The progress bar", .limited)
struct ProgressBarTests {
  private func text(
    _ scanned: Int, of total: Int?, since start: Int = 0, seconds: Double = 0, columns: Int = 80
  ) -> String {
    ProgressBar.text(
      scanned: scanned, of: total,
      pace: Pace(done: scanned - start, nanoseconds: Int64(seconds * 1e9)), columns: columns)
  }

  @Test("It says how far, how fast, and how much longer, as soon as there is something to go by")
  func paces() {
    let half = String(repeating: "█", count: 15) + String(repeating: "░", count: 15)
    #expect(text(3_000, of: 6_000) == half + " 3,000 of 6,000 songs")
    #expect(text(3_000, of: 6_000, seconds: 0.4) == half + " 3,000 of 6,000 songs")
    #expect(
      text(3_000, of: 6_000, since: 1_000, seconds: 2)
        == half + " 3,000 of 6,000 songs, 1,000/s, 3 s left")
    #expect(text(50, of: 100, seconds: 100) == half + " 50 of 100 songs, 2 min left")
    #expect(text(1, of: 100_000, seconds: 1).hasSuffix(", 1/s, 28 h left"))
    #expect(text(5, of: 5, seconds: 1).hasSuffix(" 5 of 5 songs, 5/s, 0 s left"))
    #expect(text(9, of: nil, seconds: 1) == "looking, 9 songs read")
  }

  @Test("It fits into any terminal, the pace going first", arguments: 2...100)
  func widths(_ columns: Int) {
    let shown = text(1_234, of: 5_678, seconds: 7, columns: columns)
    #expect(shown.count < columns)
    if columns >= 60 { #expect(shown.contains("176/s, 26 s left")) }
    if (24...40).contains(columns) { #expect(shown.contains("1,234 of 5,678 songs")) }
  }

  @Test("A look is told of while songs are left to be read, over all folders that are looked at")
  func scans() throws {
    func folder(_ scanned: Int?, _ toScan: Int?) -> Interface.MusicFolder {
      Interface.MusicFolder(
        path: "/music", state: .watching, directories: 1, songs: 1, scanned: scanned,
        toScan: toScan)
    }
    func text(_ folders: Interface.MusicFolder...) -> String? {
      let status = Interface.LibraryStatus(
        version: "", pid: 1, started: "", sequence: 1, folders: folders, store: .ready,
        storeReason: nil, storePath: "", crates: 0, albums: 0, songs: 0, gone: 0, problems: 0,
        warnings: [])
      return Scan(status)?.text
    }
    #expect(text(folder(497, 4_800)) == "497 of 4,800 songs are read")
    #expect(text(folder(5, 10), folder(nil, nil), folder(1, 2)) == "6 of 12 songs are read")
    #expect(text(folder(5, nil)) == "5 songs read so far")
    #expect(text(folder(nil, nil)) == nil)
    #expect(text(folder(10, 10), folder(0, 0)) == nil)
  }

  @Test("A time is told in seconds up to a minute, in minutes up to a hundred, then in hours")
  func times() throws {
    for (left, text) in [
      (0, ", 1/s, 0 s left"), (59, ", 1/s, 59 s left"), (60, ", 1/s, 1 min left"),
      (61, ", 1/s, 2 min left"), (5_939, ", 1/s, 99 min left"), (5_940, ", 1/s, 2 h left"),
      (7_200, ", 1/s, 2 h left"), (7_201, ", 1/s, 3 h left"),
      (100_000_000, ", 1/s, 9999 h left"),
    ] {
      #expect(try #require(Pace(done: 2, nanoseconds: 2_000_000_000)).text(left: left) == text)
    }
    #expect(Pace(done: 1, nanoseconds: 499_999_999) == nil)
    #expect(Pace(done: 1, nanoseconds: 500_000_000)?.text(left: 2) == ", 2/s, 1 s left")
    #expect(Pace(done: 0, nanoseconds: 1_000_000_000) == nil)
    #expect(Pace(done: 1, nanoseconds: 1_000_000_001)?.text(left: 1) == ", 2 s left")
  }

  @Test(
    "The bar is as long as there is room for, and says only how far it is where there is little")
  func room() {
    let counts = " 1 of 2 songs"
    #expect(text(1, of: 2, columns: counts.count + 31).hasPrefix(String(repeating: "█", count: 15)))
    #expect(text(1, of: 2, columns: counts.count + 5) == "██░░" + counts)
    #expect(text(1, of: 2, columns: counts.count + 4) == counts)
    #expect(text(1, of: 2, columns: counts.count + 1) == counts)
    #expect(text(1, of: 2, columns: counts.count) == " 1 of 2 son…")
    #expect(text(-1, of: 2, columns: counts.count + 5) == "░░░░ 0 of 2 songs")
    #expect(text(3, of: 2, columns: counts.count + 5) == "████ 2 of 2 songs")
    #expect(text(1, of: 0) == "looking, 1 song read" && text(1, of: nil, columns: 9) == "looking…")
    #expect(text(1, of: 1).hasSuffix(" 1 of 1 song"))
  }

  @Test("It is drawn over itself, with a sign that turns, and wiped once")
  func drawing() {
    let now = Mutex<Int64>(0)
    let clock = Clock(monotonic: { now.withLock { $0 } }, wall: { 0 })
    var terminal = Terminal(columns: 42, hasStyles: false)
    terminal.isTerminal = true
    var bar = ProgressBar(terminal, clock: clock)
    #expect(bar.wiping() == "")
    let drawn = (0..<5).map { _ in bar.next(scanned: 1, of: nil) }
    #expect(
      drawn == ["/", "-", "\\", "|", "/"].map { "\rlooking, 1 song read \($0)\u{1B}[K" })
    now.withLock { $0 = 2_000_000_000 }
    // The pace counts from the first drawing on.
    #expect(
      bar.next(scanned: 9, of: 10) == "\r█████████░ 9 of 10 songs, 4/s, 1 s left -\u{1B}[K")
    #expect(bar.wiping() == "\r\u{1B}[K" && bar.wiping() == "")
    var unknown = Terminal(columns: nil, hasStyles: false)
    unknown.isTerminal = true
    var wide = ProgressBar(unknown, clock: clock)
    #expect(wide.next(scanned: 1, of: 2).count == 1 + 30 + " 1 of 2 songs".count + 5)
  }
}
