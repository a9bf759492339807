import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Files to be read", .limited) struct ReadsTests {
  private let file = FileKey(folder: .root, name: [1])
  private let other = FileKey(folder: .root, name: [2])

  @Test("a reading is open until it is closed, however often it is asked for again")
  func asking() {
    var reads = Reads(retries: [])
    let first = reads.ask(file)
    let second = reads.ask(other)
    #expect(reads.count == 2)
    #expect(reads.take(first)?.key == file)
    #expect(reads.phase(file) == .unread(askAt: nil))
    #expect(reads.ask(file, tries: 1, again: first) == first)
    #expect(reads.take(first)?.asked.tries == 1)
    reads.close(first)
    #expect(reads.areClosed(below: second))
    #expect(!reads.areClosed(below: reads.next))
    reads.close(second)
    #expect(reads.isEmpty)
  }

  @Test("an answer that means nothing any more closes its number")
  func outdated() {
    var reads = Reads(retries: [])
    let first = reads.ask(file)
    // It is another file by now, which is asked for anew.
    let second = reads.ask(file)
    #expect(reads.take(first) == nil && reads.areClosed(below: second) && !reads.isEmpty)
    reads.forget(file)
    #expect(reads.take(second) == nil && reads.isEmpty)
  }

  @Test("what a scan finds meanwhile is told with the answer, and a writer's end is remembered")
  func foundAgain() {
    var reads = Reads(retries: [])
    let number = reads.ask(file)
    for isFinished in [false, true, false] { reads.foundAgain(file, isFinished: isFinished) }
    #expect(reads.take(number)?.asked.again == true)
    reads.foundAgain(file, isFinished: true)
    let next = reads.ask(file)
    #expect(reads.take(next)?.asked.again == .some(nil))
  }

  @Test("failures are tried again later and later, and at last at the next change only")
  func failing() {
    var reads = Reads(retries: [10, 100])
    reads.failed(file, at: 0)
    #expect(reads.phase(file) == .failed(retryAt: 10) && reads.nextTime == 10)
    #expect(reads.takeDue(at: 9) == [])
    #expect(reads.takeDue(at: 10) == [file])
    reads.failed(file, at: 10)
    #expect(reads.nextTime == 110)
    reads.failed(file, at: 110)
    #expect(reads.phase(file) == .failed(retryAt: nil) && reads.nextTime == nil)
    // The change began a new row of failures.
    for now in [200, 300, 400] as [Int64] {
      reads.failed(file, at: now)
      #expect(reads.nextTime == now + 10)
      if now == 200 { reads.succeeded(file) } else { reads.forget(file) }
      #expect(reads.phase(file) == .unread(askAt: nil) && reads.nextTime == nil)
    }
  }

  @Test("a file that is listed and never there is looked for at once, then from time to time")
  func going() {
    var reads = Reads(retries: [10, 100])
    #expect(reads.wentMeanwhile(file, at: 0) == .scanAgain)
    #expect(reads.wentMeanwhile(file, at: 1) == .scanAgain)
    #expect(reads.nextTime == nil)
    #expect(reads.wentMeanwhile(file, at: 2) == .wait)
    #expect(reads.nextTime == 102)
    #expect(reads.wentMeanwhile(file, at: 102) == .wait)
  }

  @Test("files that stand still are fresh until something says that they are whole")
  func standing() {
    var reads = Reads(retries: [10])
    reads.stand(file, until: 5, isFresh: true)
    reads.stand(other, until: 6, isFresh: false)
    #expect(reads.fresh == [file])
    #expect(Set(reads.standing) == [file, other])
    // While it is asked whether it is ready, a client goes on waiting for it.
    _ = reads.ask(file)
    #expect(reads.fresh == [file] && reads.standing == [other])
    reads.stand(file, until: 7, isFresh: false)
    #expect(reads.fresh.isEmpty)
    for end in 0..<3 {
      reads.stand(file, until: 8, isFresh: true)
      #expect(reads.fresh == [file])
      switch end {
      case 0: reads.succeeded(file)
      case 1: reads.failed(file, at: 0)
      default: _ = reads.wentMeanwhile(file, at: 0)
      }
      #expect(reads.fresh.isEmpty && reads.standing == [other])
    }
  }

  @Test("second readings come first of what is due, and go where the file is another one")
  func second() {
    var reads = Reads(retries: [])
    reads.succeeded(file, racy: 30)
    reads.stand(other, until: 25, isFresh: false)
    #expect(reads.racy == [file] && reads.standing == [other])
    #expect(reads.nextTime == 25)
    #expect(reads.takeDue(at: 30) == [file, other])
    #expect(reads.nextTime == nil)
    reads.succeeded(file, racy: 40)
    _ = reads.ask(file)
    #expect(reads.racy.isEmpty && reads.nextTime == nil)
  }

  @Test("where the music folder goes, nothing is left but the failures of one that hangs")
  func forgetting() {
    var reads = Reads(retries: [10, 20])
    let number = reads.ask(file)
    reads.failed(other, at: 0)
    reads.stand(other, until: 5, isFresh: true)
    reads.forgetAll(hangs: false)
    #expect(reads.isEmpty && reads.fresh.isEmpty && reads.nextTime == nil)
    #expect(reads.take(number) == nil && reads.isEmpty)
    reads.failed(other, at: 0)
    #expect(reads.nextTime == 10)
    reads.forgetAll(hangs: true)
    #expect(reads.nextTime == nil && reads.phase(other) == .unread(askAt: nil))
    reads.failed(other, at: 0)
    #expect(reads.nextTime == 20)
  }
}
