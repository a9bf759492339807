import TestSupport
import Testing

@testable import FolderWatching

@Suite("When many things are due", .limited) struct TimersTests {
  @Test("timers are due in their order, whatever was moved or taken away")
  func timers() {
    var timers = Timers<Int>()
    #expect(timers.next == nil)
    for (key, time) in [(1, 30), (2, 10), (3, 20), (4, 10)] { timers[key] = Int64(time) }
    #expect(timers.next == 10)
    timers[2] = 40
    timers[4] = nil
    #expect(timers.next == 20)
    #expect(timers.takeDue(at: 19) == [])
    #expect(timers.takeDue(at: 30) == [3, 1])
    #expect(timers[2] == 40 && timers.count == 1)
    #expect(timers.takeDue(at: 40) == [2])
    #expect(timers.isEmpty && timers.next == nil)
  }

  @Test(
    "timers are what an ordered list of them is, at random, many or few that often change",
    arguments: [(200, 4), (40, 400), (3, 400)])
  func random(keys: Int, changes: Int) {
    var numbers = SeededGenerator(usually: 7)
    var timers = Timers<Int>()
    var plain: [Int: Int64] = [:]
    for _ in 0..<20_000 {
      let key = Int.random(in: 0..<keys, using: &numbers)
      switch Int.random(in: 0..<changes, using: &numbers) {
      case 0: (timers[key], plain[key]) = (nil, nil)
      case 1:
        let now = Int64.random(in: 0..<1_000, using: &numbers)
        let due = timers.takeDue(at: now)
        #expect(due.map { plain[$0] ?? -1 } == plain.values.filter { $0 <= now }.sorted())
        #expect(Set(due).count == due.count)
        plain = plain.filter { $0.value > now }
      default:
        let time = Int64.random(in: 0..<1_000, using: &numbers)
        (timers[key], plain[key]) = (time, time)
      }
      #expect(timers.next == plain.values.min())
      #expect(timers.count == plain.count && timers.isEmpty == plain.isEmpty)
    }
    #expect(Set(timers.keys) == Set(plain.keys))
    #expect(plain.allSatisfy { timers[$0.key] == $0.value })
    timers.removeAll()
    #expect(timers.isEmpty && timers.next == nil && timers.takeDue(at: .max) == [])
  }

  @Test("what is first stays so while others are put off time after time")
  func putOff() {
    var timers = Timers<Int>()
    timers[0] = 5
    for round in 0..<1_000 {
      for key in 1...3 { timers[key] = Int64(10_000 - 4 * round + key) }
      #expect(timers.next == 5)
    }
    #expect(timers.takeDue(at: 5) == [0])
    #expect(timers.next == 6_005)
    #expect(timers.takeDue(at: 6_006) == [1, 2])
    #expect(timers.takeDue(at: 10_000) == [3])
    #expect(timers.isEmpty)
  }

  @Test(
    "what counts no more is kept as long as it is not most of it, or 64 times in all",
    arguments: [(2, 64), (32, 64), (33, 66), (100, 200)])
  func room(keys: Int, most: Int) {
    var timers = Timers<Int>()
    for key in 0..<keys { timers[key] = Int64(key) }
    // The first stays where it is, so that nothing behind it is let go one by one.
    let kept = (0...most).map { round in
      timers[1] = Int64(1_000 + round)
      return timers.keptCount
    }
    #expect(kept.max() == most)
    #expect(kept.prefix { $0 > keys }.last == most)
    #expect(timers.count == keys && timers.takeDue(at: .max).count == keys)
  }
}

@Suite("The end of a watcher's threads", .limited) struct LeavingTests {
  @Test("a thread is waited for until it has been in one call for too long")
  func inCall() {
    let leaving = Leaving(within: 400)
    for (now, since, next) in [
      (1_000, 1_000, 1_400), (1_000, 900, 1_300), (1_399, 1_000, 1_400), (1_400, 1_000, nil),
      (5_000, 1_000, nil),
    ] as [(Int64, Int64, Int64?)] {
      #expect(leaving.nextLook(at: now, inCallSince: since) == next)
    }
  }

  @Test("one that is in no call is looked at four times as often, without end")
  func outside() {
    for now in [0, 1_000, .max / 2] as [Int64] {
      #expect(Leaving(within: 400).nextLook(at: now, inCallSince: nil) == now + 100)
    }
  }
}
