import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Clients that wait for a sync", .limited) struct SyncWaitersTests {
  private let file = FileKey(folder: .root, name: [1])
  private let other = FileKey(folder: .root, name: [2])

  private func waiters(_ numbers: Int..., rescan: BytePath? = nil) -> SyncWaiters {
    var waiters = SyncWaiters()
    for number in numbers { waiters.add(SyncRequest(rescan: rescan, number: number)) }
    return waiters
  }

  @Test("heard, scanned, read, stood still: only then is it answered, in the order they came")
  func steps() {
    var waiters = waiters(2, 1)
    #expect(waiters.nextTime == 0)
    waiters.begin(cookie: [9], until: 50)
    #expect(!waiters.hasNew)
    #expect(waiters.nextTime == 50)
    waiters.cookieCame([8])
    #expect(!waiters.hasHeard)
    waiters.cookieCame([9])
    #expect(waiters.hasHeard)
    #expect(waiters.beginScan() == [])
    waiters.endScan(below: 7)
    #expect(waiters.nextTime == nil)
    waiters.follow(areRead: { $0 < 7 }, fresh: [])
    #expect(!waiters.hasDone)
    waiters.follow(areRead: { $0 <= 7 }, fresh: [file])
    #expect(!waiters.hasDone)
    // What is fresh since then is of others.
    waiters.follow(areRead: { _ in true }, fresh: [other])
    #expect(waiters.hasDone)
    #expect(waiters.takeDone() == [2, 1])
    #expect(waiters.isEmpty)
  }

  @Test("a cookie that does not come is given up at its time, and not before")
  func cookies() {
    var waiters = waiters(1)
    waiters.begin(cookie: [9], until: 50)
    #expect(waiters.giveUpCookies(at: 49) == false)
    #expect(waiters.giveUpCookies(at: 50) == true)
    #expect(waiters.hasHeard)
    #expect(waiters.giveUpCookies(at: 51) == false)
    waiters.add(SyncRequest(number: 2))
    waiters.begin(cookie: [10], until: 90)
    waiters.allCookiesCame()
    #expect(waiters.beginScan() == [])
    waiters.endScan(below: 0)
    waiters.follow(areRead: { _ in true }, fresh: [])
    #expect(waiters.takeDone() == [1, 2])
  }

  @Test("what is said of cookies is of those that wait for one, and of no other")
  func others() {
    // One has yet to begin, one is being looked for, one was, and one waits for its cookie.
    var waiters = waiters(1)
    waiters.begin(cookie: nil, until: 0)
    _ = waiters.beginScan()
    waiters.endScan(below: 7)
    waiters.add(SyncRequest(number: 2))
    waiters.begin(cookie: nil, until: 0)
    _ = waiters.beginScan()
    waiters.add(SyncRequest(number: 3))
    func isAsItWas(_ waiters: SyncWaiters) -> Bool {
      waiters.hasNew && !waiters.hasHeard && waiters.nextTime == 0
    }
    #expect(isAsItWas(waiters))
    waiters.allCookiesCame()
    #expect(isAsItWas(waiters))
    waiters.cookieCame([9])
    #expect(isAsItWas(waiters))
    #expect(!waiters.giveUpCookies(at: .max) && isAsItWas(waiters))
    waiters.begin(cookie: [9], until: 50)
    #expect(!waiters.hasNew && !waiters.hasHeard)
    waiters.allCookiesCame()
    #expect(waiters.hasHeard)
    // What the look is over that was going on is answered without the one who only heard.
    waiters.endScan(below: 8)
    waiters.follow(areRead: { $0 <= 8 }, fresh: [])
    #expect(waiters.takeDone() == [1, 2] && waiters.takeAll() == [3])
  }

  @Test("without a cookie all that can be heard was")
  func withoutCookie() {
    var waiters = waiters(1)
    waiters.begin(cookie: nil, until: 50)
    #expect(waiters.hasHeard)
  }

  @Test("one that comes during a scan waits for the next one")
  func during() {
    var waiters = waiters(1, rescan: BytePath("a"))
    waiters.begin(cookie: nil, until: 0)
    #expect(waiters.beginScan() == [BytePath("a")])
    waiters.add(SyncRequest(number: 2))
    waiters.endScan(below: 3)
    #expect(waiters.hasNew)
    waiters.follow(areRead: { _ in true }, fresh: [])
    #expect(waiters.takeDone() == [1])
    #expect(waiters.takeAll() == [2])
  }

  @Test("a scan that was broken off answers no client, and is gone through again")
  func brokenOff() {
    var waiters = waiters(1, rescan: BytePath("a"))
    waiters.begin(cookie: nil, until: 0)
    #expect(waiters.beginScan() == [BytePath("a")])
    waiters.endScan(below: nil)
    waiters.follow(areRead: { _ in true }, fresh: [])
    #expect(!waiters.hasDone)
    #expect(waiters.nextTime == 0)
    #expect(waiters.beginScan() == [BytePath("a")])
  }
}
