import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Those who wait for a sync", .limited) struct SyncDeskTests {
  private let file = FileKey(folder: .root, name: [1])
  private let other = FileKey(folder: .root, name: [2])

  private func desk(_ numbers: Int..., rescan: BytePath? = nil) -> SyncDesk {
    var desk = SyncDesk()
    for number in numbers { desk.add(SyncRequest(rescan: rescan, number: number)) }
    return desk
  }

  @Test("heard, looked, read, stood still: only then is it answered, in the order they came")
  func steps() {
    var desk = desk(2, 1)
    #expect(desk.nextTime == 0)
    desk.begin(cookie: [9], until: 50)
    #expect(!desk.hasNew)
    #expect(desk.nextTime == 50)
    desk.cookieCame([8])
    #expect(!desk.hasHeard)
    desk.cookieCame([9])
    #expect(desk.hasHeard)
    #expect(desk.beginLook() == [])
    desk.endLook(below: 7)
    #expect(desk.nextTime == nil)
    desk.follow(areRead: { $0 < 7 }, fresh: [])
    #expect(!desk.hasDone)
    desk.follow(areRead: { $0 <= 7 }, fresh: [file])
    #expect(!desk.hasDone)
    // What is fresh since then is of others.
    desk.follow(areRead: { _ in true }, fresh: [other])
    #expect(desk.hasDone)
    #expect(desk.takeDone() == [2, 1])
    #expect(desk.isEmpty)
  }

  @Test("a cookie that does not come is given up at its time, and not before")
  func cookies() {
    var desk = desk(1)
    desk.begin(cookie: [9], until: 50)
    #expect(desk.giveUpCookies(at: 49) == false)
    #expect(desk.giveUpCookies(at: 50) == true)
    #expect(desk.hasHeard)
    #expect(desk.giveUpCookies(at: 51) == false)
    desk.add(SyncRequest(number: 2))
    desk.begin(cookie: [10], until: 90)
    desk.allCookiesCame()
    #expect(desk.beginLook() == [])
    desk.endLook(below: 0)
    desk.follow(areRead: { _ in true }, fresh: [])
    #expect(desk.takeDone() == [1, 2])
  }

  @Test("what is said of cookies is of those who wait for one, and of nobody else")
  func others() {
    // One has yet to begin, one is being looked for, one was, and one waits for its cookie.
    var desk = desk(1)
    desk.begin(cookie: nil, until: 0)
    _ = desk.beginLook()
    desk.endLook(below: 7)
    desk.add(SyncRequest(number: 2))
    desk.begin(cookie: nil, until: 0)
    _ = desk.beginLook()
    desk.add(SyncRequest(number: 3))
    func isAsItWas(_ desk: SyncDesk) -> Bool {
      desk.hasNew && !desk.hasHeard && desk.nextTime == 0
    }
    #expect(isAsItWas(desk))
    desk.allCookiesCame()
    #expect(isAsItWas(desk))
    desk.cookieCame([9])
    #expect(isAsItWas(desk))
    #expect(!desk.giveUpCookies(at: .max) && isAsItWas(desk))
    desk.begin(cookie: [9], until: 50)
    #expect(!desk.hasNew && !desk.hasHeard)
    desk.allCookiesCame()
    #expect(desk.hasHeard)
    // What the look is over that was going on is answered without the one who only heard.
    desk.endLook(below: 8)
    desk.follow(areRead: { $0 <= 8 }, fresh: [])
    #expect(desk.takeDone() == [1, 2] && desk.takeAll() == [3])
  }

  @Test("without a cookie all that can be heard was")
  func withoutCookie() {
    var desk = desk(1)
    desk.begin(cookie: nil, until: 50)
    #expect(desk.hasHeard)
  }

  @Test("who comes during a look waits for the next one")
  func during() {
    var desk = desk(1, rescan: BytePath("a"))
    desk.begin(cookie: nil, until: 0)
    #expect(desk.beginLook() == [BytePath("a")])
    desk.add(SyncRequest(number: 2))
    desk.endLook(below: 3)
    #expect(desk.hasNew)
    desk.follow(areRead: { _ in true }, fresh: [])
    #expect(desk.takeDone() == [1])
    #expect(desk.takeAll() == [2])
  }

  @Test("a look that was broken off answers nobody, and is gone through again")
  func brokenOff() {
    var desk = desk(1, rescan: BytePath("a"))
    desk.begin(cookie: nil, until: 0)
    #expect(desk.beginLook() == [BytePath("a")])
    desk.endLook(below: nil)
    desk.follow(areRead: { _ in true }, fresh: [])
    #expect(!desk.hasDone)
    #expect(desk.nextTime == 0)
    #expect(desk.beginLook() == [BytePath("a")])
  }
}
