import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Files to be read", .limited) struct ReadingsTests {
  private let file = FileKey(folder: .root, name: [1])
  private let other = FileKey(folder: .root, name: [2])

  @Test("a reading is open until it is closed, however often it is asked for again")
  func asking() {
    var readings = Readings(retries: [])
    let first = readings.ask(Readings.Asked(key: file))
    let second = readings.ask(Readings.Asked(key: other))
    #expect(readings.count == 2)
    #expect(readings.take(first)?.key == file)
    #expect(readings.take(first) == nil)
    #expect(readings.ask(Readings.Asked(key: file, tries: 1), again: first) == first)
    #expect(readings.take(first)?.tries == 1)
    readings.close(first)
    #expect(readings.areClosed(below: second))
    #expect(!readings.areClosed(below: readings.next))
    readings.close(second)
    #expect(readings.isEmpty)
  }

  @Test("what a look finds meanwhile is told with the answer, and a writer's end is remembered")
  func foundAgain() {
    var readings = Readings(retries: [])
    let number = readings.ask(Readings.Asked(key: file))
    readings.foundAgain(number, isFinished: false)
    readings.foundAgain(number, isFinished: true)
    readings.foundAgain(number, isFinished: false)
    #expect(readings.take(number)?.again == true)
    readings.foundAgain(number, isFinished: true)
    #expect(readings.take(number) == nil)
    let next = readings.ask(Readings.Asked(key: file))
    #expect(readings.take(next)?.again == nil)
  }

  @Test("failures are tried again later and later, and at last at the next change only")
  func failing() {
    var readings = Readings(retries: [10, 100])
    #expect(readings.failed(file, at: 0) == (1, 10))
    #expect(readings.nextTime == 10)
    #expect(readings.takeDue(at: 9) == [])
    #expect(readings.takeDue(at: 10) == [file])
    #expect(readings.failed(file, at: 10) == (2, 110))
    #expect(readings.failed(file, at: 110) == (3, nil))
    #expect(readings.nextTime == nil)
    // The change began a new row of failures.
    #expect(readings.failed(file, at: 200) == (1, 210))
    readings.succeeded(file)
    #expect(readings.failed(file, at: 300) == (1, 310))
    readings.forget(file)
    #expect(readings.nextTime == nil)
    #expect(readings.failed(file, at: 400) == (1, 410))
  }

  @Test("a file that is listed and never there is looked for at once, then from time to time")
  func going() {
    var readings = Readings(retries: [10, 100])
    #expect(readings.wentMeanwhile(file, at: 0) == .lookAgain)
    #expect(readings.wentMeanwhile(file, at: 1) == .lookAgain)
    #expect(readings.nextTime == nil)
    #expect(readings.wentMeanwhile(file, at: 2) == .wait)
    #expect(readings.nextTime == 102)
    #expect(readings.wentMeanwhile(file, at: 102) == .wait)
  }

  @Test("files that stand still are fresh until something says that they are whole")
  func standing() {
    var readings = Readings(retries: [10])
    readings.wait(file, until: 5, isFresh: true)
    readings.wait(other, until: 6, isFresh: false)
    #expect(readings.fresh == [file])
    #expect(Set(readings.waiting) == [file, other])
    readings.wait(file, until: 7, isFresh: false)
    #expect(readings.fresh.isEmpty)
    readings.wait(file, until: 8, isFresh: true)
    readings.settled(file)
    #expect(readings.fresh.isEmpty)
    #expect(readings.waiting == [other])
    readings.wait(file, until: 8, isFresh: true)
    _ = readings.failed(file, at: 0)
    #expect(readings.fresh.isEmpty)
    readings.wait(file, until: 8, isFresh: true)
    _ = readings.wentMeanwhile(file, at: 0)
    #expect(readings.fresh.isEmpty)
  }

  @Test("second readings have times of their own, and are taken once")
  func second() {
    var readings = Readings(retries: [])
    readings.readAgain(file, at: 30)
    readings.readAgain(other, at: 20)
    readings.wait(file, until: 25, isFresh: false)
    #expect(readings.nextTime == 20)
    #expect(readings.takeSecond { $0 == other } == [other])
    #expect(readings.nextTime == 25)
    #expect(readings.takeDue(at: 30) == [file])
    #expect(readings.nextTime == 30)
    #expect(readings.takeSecondDue(at: 29) == [])
    #expect(readings.takeSecondDue(at: 30) == [file])
    #expect(readings.nextTime == nil)
  }

  @Test("where the music folder goes, nothing is left, and what was asked is told")
  func forgetting() {
    var readings = Readings(retries: [10, 20])
    let number = readings.ask(Readings.Asked(key: file))
    readings.wait(other, until: 5, isFresh: true)
    readings.readAgain(other, at: 5)
    _ = readings.failed(other, at: 0)
    #expect(readings.forgetAll() == [file, other])
    #expect(readings.isEmpty)
    #expect(readings.take(number) == nil)
    #expect(readings.fresh.isEmpty)
    #expect(readings.nextTime == nil)
    #expect(readings.failed(other, at: 0) == (1, 10))
    // Where it only hangs, what failed before goes on failing.
    #expect(readings.forgetAll(hangs: true) == [other])
    #expect(readings.nextTime == nil)
    #expect(readings.failed(other, at: 0) == (2, 20))
  }
}
