import Synchronization
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Who waits for merges", .limited)
struct MergeWaitersTests {
  private final class Told: Sendable {
    private let answers = Mutex<[String]>([])
    func answer(_ name: String) -> MergeWaiters.Completion {
      { refusal in self.answers.withLock { $0.append("\(name): \(refusal ?? "merged")") } }
    }
    var all: [String] { answers.withLock { $0 } }
  }

  @Test("each is answered once: when all is merged, or when the store takes nothing")
  func once() throws {
    let (waiters, told) = (MergeWaiters(), Told())
    let first = waiters.add(told.answer("first"))
    let second = waiters.add(told.answer("second"))
    first?()
    #expect(told.all == ["first: merged"])
    waiters.refuse("the disk is full")
    #expect(told.all == ["first: merged", "second: the disk is full"])
    // Tried again, and refused again.
    waiters.refuse("the disk is full")
    let third = waiters.add(told.answer("third"))
    for merged in [first, second, third] { merged?() }
    #expect(told.all.count == 3 && told.all.last == "third: merged")
  }

  @Test("more than 1,024 are refused, until others are answered")
  func most() throws {
    let (waiters, told) = (MergeWaiters(), Told())
    let all = (0..<MergeWaiters.most).map { waiters.add(told.answer("\($0)")) }
    #expect(waiters.add(told.answer("late")) == nil)
    #expect(told.all.count == 1 && told.all[0].hasPrefix("late: 1024 calls wait"))
    all[0]?()
    #expect(waiters.add(told.answer("next")) != nil && told.all.last == "0: merged")
  }
}
