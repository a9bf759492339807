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

    func begin(_ desk: LibrarianDesk, albums: Int) -> BlockingThread {
      BlockingThread("folder") { [self] in
        let rejected = desk.librarian.merge(
          LibrarianDesk.contents(albums: albums), isWanted: { self.isWanted.withLock { $0 } },
          refused: { _ in self.refusals.withLock { $0 += 1 } })
        self.rejected.withLock { $0 = .some(rejected) }
      }
    }
  }

  @Test("One that nobody wants any more is let go, and those that are wanted wait on")
  func unwanted() {
    let desk = LibrarianDesk()
    desk.gate.withLock { $0.refusals = .max }
    let (first, second) = (Look(), Look())
    let threads = [first.begin(desk, albums: 1), second.begin(desk, albums: 2)]
    for look in [first, second] { look.refusals.wait { $0 > 0 ? () : nil } }
    first.isWanted.withLock { $0 = false }
    desk.librarian.dropUnwanted()
    threads[0].join()
    #expect(first.rejected.withLock { $0 } == .some(nil))
    #expect(second.rejected.withLock { $0 } == nil && desk.librarian.mergeRefusal != nil)
    second.isWanted.withLock { $0 = false }
    desk.librarian.dropUnwanted()
    threads[1].join()
    // Nothing is left that was refused.
    #expect(desk.librarian.mergeRefusal == nil && desk.order == [])
    desk.librarian.stop()
  }

  @Test("One that ends as it is refused is told so, and does not wait")
  func endsAtOnce() {
    let desk = LibrarianDesk()
    desk.gate.withLock { $0.refusals = .max }
    let first = Look()
    first.isWanted.withLock { $0 = false }
    first.begin(desk, albums: 1).join()
    #expect(first.refusals.withLock { $0 } == 1 && desk.librarian.mergeRefusal == nil)
    // The same while another one waits, though that is not tried again for an hour.
    let waiting = Look()
    let thread = waiting.begin(desk, albums: 1)
    waiting.refusals.wait { $0 > 0 ? () : nil }
    let second = Look()
    second.isWanted.withLock { $0 = false }
    second.begin(desk, albums: 2).join()
    #expect(second.refusals.withLock { $0 } > 0)
    #expect(waiting.rejected.withLock { $0 } == nil)
    // At the end nobody waits, and nothing was merged.
    desk.librarian.stop()
    thread.join()
    #expect(waiting.rejected.withLock { $0 } == .some(nil) && desk.order == [])
  }

  @Test("It is tried again a second later, each time")
  func retries() {
    let begun = Clock.system.monotonic()
    let hour: Int64 = 3_600_000_000_000
    // An hour behind and a thousand times as fast, so that no wait is long.
    let clock = Clock(
      monotonic: { begun - hour + (Clock.system.monotonic() - begun) * 1000 },
      wall: Clock.system.wall)
    let desk = LibrarianDesk(clock: clock)
    desk.gate.withLock { $0.refusals = 4 }
    let times = Monitor<[Int64]>([])
    desk.fill(albums: 1) { _ in times.withLock { $0.append(clock.monotonic()) } }
    let seen = times.withLock { $0 }
    #expect(seen.count == 4 && desk.order.count == 1)
    // The first wait began before it was told of.
    #expect(clock.monotonic() - seen[0] >= 3_000_000_000)
    desk.librarian.stop()
  }
}
