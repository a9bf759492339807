import LibraryModel
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Merges that the store refuses", .limited)
struct LibrarianRefusalTests {
  /// A look of a folder whose merge is refused, and that can be given up.
  private final class Look: Sendable {
    let isWanted = Monitor(true)
    let refusals = Monitor(0)
    /// Nil until it is told; then nil in it where nothing was merged.
    let rejected = Monitor<[BytePath: String]??>(nil)

    func begin(_ fixture: LibrarianFixture, albums: Int) -> BlockingThread {
      BlockingThread("folder") { [self] in
        let rejected = fixture.librarian.merge(
          LibrarianFixture.contents(albums: albums), isWanted: { self.isWanted.withLock { $0 } },
          refused: { _ in self.refusals.withLock { $0 += 1 } })
        self.rejected.withLock { $0 = .some(rejected) }
      }
    }
  }

  @Test("One that nobody wants any more is let go, and those that are wanted wait on")
  func unwanted() {
    let fixture = LibrarianFixture()
    fixture.gate.withLock { $0.refusals = .max }
    let (first, second) = (Look(), Look())
    let threads = [first.begin(fixture, albums: 1), second.begin(fixture, albums: 2)]
    for look in [first, second] { look.refusals.wait { $0 > 0 ? () : nil } }
    first.isWanted.withLock { $0 = false }
    fixture.librarian.dropUnwanted()
    threads[0].join()
    #expect(first.rejected.withLock { $0 } == .some(nil))
    #expect(second.rejected.withLock { $0 } == nil && fixture.librarian.mergeRefusal != nil)
    second.isWanted.withLock { $0 = false }
    fixture.librarian.dropUnwanted()
    threads[1].join()
    // Nothing is left that was refused.
    #expect(fixture.librarian.mergeRefusal == nil && fixture.order == [])
    fixture.librarian.stop()
  }

  @Test("One that ends as it is refused is told so, and does not wait")
  func endsAtOnce() {
    let fixture = LibrarianFixture()
    fixture.gate.withLock { $0.refusals = .max }
    let first = Look()
    first.isWanted.withLock { $0 = false }
    first.begin(fixture, albums: 1).join()
    #expect(first.refusals.withLock { $0 } == 1 && fixture.librarian.mergeRefusal == nil)
    // The same while another one waits, though that is not tried again for an hour.
    let waiting = Look()
    let thread = waiting.begin(fixture, albums: 1)
    waiting.refusals.wait { $0 > 0 ? () : nil }
    let second = Look()
    second.isWanted.withLock { $0 = false }
    second.begin(fixture, albums: 2).join()
    #expect(second.refusals.withLock { $0 } > 0)
    #expect(waiting.rejected.withLock { $0 } == nil)
    // At the end nobody waits, and nothing was merged.
    fixture.librarian.stop()
    thread.join()
    #expect(waiting.rejected.withLock { $0 } == .some(nil) && fixture.order == [])
  }

  @Test("It is tried again a second later, each time")
  func retries() {
    let begun = Clock.system.monotonic()
    let hour: Int64 = 3_600_000_000_000
    // An hour behind and a thousand times as fast, so that no wait is long.
    let clock = Clock(
      monotonic: { begun - hour + (Clock.system.monotonic() - begun) * 1000 },
      wall: Clock.system.wall)
    let fixture = LibrarianFixture(clock: clock)
    fixture.gate.withLock { $0.refusals = 4 }
    let times = Monitor<[Int64]>([])
    fixture.fill(albums: 1) { _ in times.withLock { $0.append(clock.monotonic()) } }
    let seen = times.withLock { $0 }
    #expect(seen.count == 4 && fixture.order.count == 1)
    // The first wait began before it was told of.
    #expect(clock.monotonic() - seen[0] >= 3_000_000_000)
    fixture.librarian.stop()
  }
}
