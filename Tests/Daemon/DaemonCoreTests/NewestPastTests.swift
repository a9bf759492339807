import CratesInterface
import TestSupport
import Testing

@testable import DaemonCore

@Suite("The newest past", .limited)
struct NewestPastTests {
  private func change(_ sequence: Int, songs: Int = 0) -> Interface.Change {
    Interface.Change(
      changed: true, sequence: sequence, time: "", author: .folder, summary: "",
      songs: (0..<songs).map { "\(sequence)-\($0)" })
  }

  @Test("What the feed has at hand is told without reading, and only if it is enough")
  func fed() {
    let feed = ChangeFeed(sequence: 0) { "" }
    let past = NewestPast()
    #expect(past.newest(1, at: 0, feed) == nil)
    feed.tell([change(3), change(5)])
    #expect(past.newest(2, at: 5, feed)?.map(\.sequence) == [5, 3])
    #expect(past.newest(1, at: 5, feed)?.map(\.sequence) == [5])
    #expect(past.newest(3, at: 5, feed) == nil)
    // One that was made durable and is not told of yet.
    #expect(past.newest(1, at: 6, feed) == nil)
  }

  @Test("The moves of a change are told to those who watch alone")
  func moves() {
    let feed = ChangeFeed(sequence: 0) { "" }
    var moved = change(3, songs: 1)
    moved.moves = [Interface.Move(crate: "Music", album: "a")]
    feed.tell([moved])
    #expect(NewestPast().newest(1, at: 3, feed) == [change(3, songs: 1)])
    // But what a crate was called is told to those who look for it by that name.
    var renamed = change(4)
    renamed.moves = [Interface.Move(crate: "Evening", was: "Jazz")]
    feed.tell([renamed])
    #expect(NewestPast().newest(1, at: 4, feed) == [renamed])
  }

  @Test("What was read is kept, and goes on with what comes")
  func kept() {
    let feed = ChangeFeed(sequence: 7) { "" }
    let past = NewestPast()
    past.keep([change(7), change(4)], isAll: false)
    #expect(past.newest(2, at: 7, feed)?.map(\.sequence) == [7, 4])
    #expect(past.newest(3, at: 7, feed) == nil)
    feed.tell([change(9)])
    #expect(past.newest(3, at: 9, feed)?.map(\.sequence) == [9, 7, 4])
    // A reader that was slower.
    past.keep([change(7), change(4), change(2)], isAll: true)
    #expect(past.newest(4, at: 9, feed) == nil)
    past.keep([change(9), change(7), change(4), change(2)], isAll: true)
    #expect(past.newest(50, at: 9, feed)?.count == 4)
  }

  @Test("Who looks back bit by bit is told what was read, as far as it reaches")
  func bits() {
    let feed = ChangeFeed(sequence: 9) { "" }
    let past = NewestPast()
    #expect(past.count(from: 9) == nil)
    past.keep([change(9), change(7), change(4)], isAll: false)
    #expect(past.newest(1, before: 9, at: 9, feed)?.map(\.sequence) == [7])
    #expect(past.newest(2, before: 8, at: 9, feed)?.map(\.sequence) == [7, 4])
    #expect(past.newest(1, before: 4, at: 9, feed) == nil)
    #expect(past.newest(3, before: 8, at: 9, feed) == nil)
    #expect(past.count(from: 10) == 0)
    #expect(past.count(from: 5) == 2)
    #expect(past.count(from: 4) == 3)
    #expect(past.count(from: 3) == nil)
    past.keep([change(9), change(7), change(4)], isAll: true)
    #expect(past.newest(5, before: 7, at: 9, feed)?.map(\.sequence) == [4])
    #expect(past.newest(5, before: 4, at: 9, feed)?.isEmpty == true)
  }

  @Test("Nothing is told with a gap, and what is kept is bounded")
  func bounds() throws {
    let feed = ChangeFeed(sequence: 0) { "" }
    let past = NewestPast()
    past.keep([change(1)], isAll: true)
    for sequence in 2...2_000 { feed.tell([change(sequence, songs: 100)]) }
    let known = try #require(past.newest(20, at: 2_000, feed))
    #expect(known.map(\.sequence) == Array((1_981...2_000).reversed()))
    #expect(past.newest(1_500, at: 2_000, feed) == nil)
    past.keep((0..<2_000).map { change(2_000 - $0, songs: 100) }, isAll: true)
    #expect(past.newest(655, at: 2_000, feed)?.last?.sequence == 1_346)
    #expect(past.newest(656, at: 2_000, feed) == nil)
  }

  @Test("A change is kept that names as much as may be kept, and none that names more")
  func names() {
    for (names, isKept) in [(65_536, true), (65_537, false)] {
      let past = NewestPast()
      past.keep([change(1, songs: names)], isAll: true)
      let feed = ChangeFeed(sequence: 1) { "" }
      #expect((past.newest(1, at: 1, feed) != nil) == isKept)
    }
  }
}
