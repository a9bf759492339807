import LibraryModel
import Platform
import TestSupport
import Testing

@testable import TagReading

/// A file that nobody opens, and what becomes of it.
final class AskedFile: Sendable {
  let outcomes = Monitor<[String]>([])

  func file(
    _ share: ShareID, _ name: String = "mp3", wants: ReaderRequest.Wanted = .tags,
    stamp: FileStamp = stamp(0), isProbe: Bool = false
  ) -> FileToRead {
    let request: FileToRead.Request =
      switch wants {
      case .tags: .song { [outcomes] _ in outcomes.withLock { $0.append(name) } }
      case .picture: .picture { [outcomes] _ in outcomes.withLock { $0.append(name) } }
      case .thumbnail(let side, let form):
        .thumbnail(side: side, form: form) { [outcomes] _ in outcomes.withLock { $0.append(name) } }
      }
    return FileToRead(0, request, stamp: stamp, pathExtension: name, share, isProbe: isProbe)
  }
}

@Suite("Files that wait for a reader", .limited)
struct ReaderQueueTests {
  private let asked = AskedFile()

  private func names(_ files: [FileToRead]) -> [String] { files.map(\.pathExtension) }

  @Test("A folder is one share for all who ask, until nobody holds it")
  func shares() {
    var queue = ReaderQueue()
    let (a, b) = (queue.share(of: BytePath("/a")), queue.share(of: BytePath("/b")))
    #expect(a < b && !(b < a) && !(a < a))
    #expect(queue.share(of: BytePath("/a")) == a)
    queue.leave(a)
    #expect(queue.share(of: BytePath("/a")) == a)
    queue.leave(a)
    queue.leave(a)
    let again = queue.share(of: BytePath("/a"))
    #expect(again != a && again != b && queue.share(of: BytePath("/b")) == b)
    // One with files is known until they are taken, and one with stuck readers until they are gone.
    #expect(queue.enter(asked.file(again), most: 1) == .waiting)
    queue.leave(again)
    #expect(queue.share(of: BytePath("/a")) == again)
    queue.leave(again)
    #expect(queue.take(1, of: again).count == 1)
    let third = queue.share(of: BytePath("/a"))
    #expect(third != again)
    var health = ShareHealth()
    health.stuckReaders = 1
    queue.setHealth(health, of: third)
    queue.leave(third)
    #expect(queue.share(of: BytePath("/a")) == third && queue.health(of: third) == health)
    queue.leave(third)
    queue.setHealth(ShareHealth(), of: third)
    #expect(queue.share(of: BytePath("/a")) != third)
    #expect(queue.health(of: third) == ShareHealth())
    let fresh = ShareHealth()
    #expect(fresh.timeouts == 0 && fresh.stuckReaders == 0 && !fresh.hasNoReader)
  }

  @Test("So many files of each folder wait, and only the first wakes the thread, if it sleeps")
  func entering() {
    var queue = ReaderQueue()
    let (a, b) = (queue.share(of: BytePath("/a")), queue.share(of: BytePath("/b")))
    #expect(queue.wanted() == [])
    #expect(queue.enter(asked.file(a, "1"), most: 2) == .waitingForSleeper)
    #expect(queue.enter(asked.file(b, "2"), most: 2) == .waiting)
    #expect(queue.wanted() == [a, b])
    #expect(queue.enter(asked.file(a, "3"), most: 2) == .waiting)
    #expect(queue.enter(asked.file(a, "4"), most: 2) == nil)
    #expect(names(queue.take(1, of: a).map(\.file)) == ["1"])
    #expect(queue.enter(asked.file(a, "5"), most: 2) == .waiting)
    #expect(names(queue.take(9, of: a).map(\.file)) == ["3", "5"] && queue.wanted() == [b])
    #expect(queue.take(9, of: a).isEmpty)
    #expect(queue.enter(asked.file(a, "6"), most: 2) == .waitingForSleeper)
    #expect(names(queue.takeAll()).sorted() == ["2", "6"] && queue.wanted() == [])
    #expect(queue.enter(asked.file(ShareID(number: 77)), most: 2) == .refused)
    queue.isClosing = true
    #expect(queue.enter(asked.file(a), most: 2) == .refused)
  }

  @Test("What is given up goes back, and what is in the thread's hands is known to be older")
  func givenUp() {
    var queue = ReaderQueue()
    let (a, b) = (queue.share(of: BytePath("/a")), queue.share(of: BytePath("/b")))
    for name in ["1", "2"] { _ = queue.enter(asked.file(a, name), most: 9) }
    _ = queue.enter(asked.file(b, "3"), most: 9)
    let taken = queue.take(1, of: a)
    #expect(names(queue.giveUp(a)) == ["2"] && queue.giveUp(ShareID(number: 77)).isEmpty)
    #expect(queue.generation(of: a) == taken[0].generation + 1)
    #expect(queue.generation(of: b) == taken[0].generation)
    #expect(queue.generation(of: ShareID(number: 77)) == taken[0].generation)
    #expect(queue.takeGivenUp() == [a, ShareID(number: 77)] && queue.takeGivenUp() == [])
    #expect(queue.wanted() == [b])
    _ = queue.enter(asked.file(a, "4"), most: 9)
    #expect(queue.take(9, of: a).map(\.generation) == [taken[0].generation + 1])
  }

  @Test("Files that wait again are taken by their care, those alike together, sixteen at most")
  func waiting() {
    let share = ShareID(number: 1)
    func job(
      _ name: String, _ care: ReaderJob.Care, _ generation: Int = 0,
      wants: ReaderRequest.Wanted = .tags
    ) -> ReaderJob {
      var job = ReaderJob(asked.file(share, name, wants: wants), generation: generation)
      job.care = care
      return job
    }
    func names(_ jobs: [ReaderJob]) -> [String] { jobs.map(\.file.pathExtension) }
    #expect(ReaderJob(asked.file(share), generation: 0).care == .none)
    #expect(ReaderJob(asked.file(share, wants: .picture), generation: 0).care == .none)
    let cover = ReaderJob(asked.file(share, wants: .thumbnail(side: 16)), generation: 0)
    #expect(cover.care == .oneByOne)
    for care in [ReaderJob.Care.alone, .oneByOne, .none] {
      var jobs = WaitingJobs()
      #expect(jobs.isEmpty && jobs.takeAlone()?.care == nil && jobs.takeBatch().isEmpty)
      jobs.putBack(job("2", care))
      jobs.putBack(job("1", care))
      #expect(!jobs.isEmpty && names(jobs.all) == ["1", "2"])
      #expect(jobs.takeAlone()?.file.pathExtension == (care == .alone ? "1" : nil))
      #expect(names(jobs.takeBatch()) == (care == .alone ? [] : ["1", "2"]))
    }
    var jobs = WaitingJobs()
    for number in (1...20).reversed() {
      jobs.putBack(job("p\(number)", .none, number % 2))
      jobs.putBack(job("o\(number)", .oneByOne, wants: number < 3 ? .picture : .tags))
    }
    #expect(names(jobs.takeBatch()) == ["o1", "o2"])
    #expect(names(jobs.takeBatch()) == (3...18).map { "o\($0)" })
    #expect(names(jobs.takeBatch()) == ["o19", "o20"])
    #expect(names(jobs.takeBatch()) == (1...16).map { "p\($0)" })
    jobs.putBack(job("a0", .alone))
    jobs.putBack(job("a1", .alone, 1))
    jobs.putBack(job("o0", .oneByOne))
    jobs.putBack(job("o1", .oneByOne, 1))
    #expect(names(jobs.takeOlder(than: 1)) == ["a0", "o0", "p18", "p20"])
    #expect(names(jobs.all) == ["a1", "o1", "p17", "p19"])
    #expect(jobs.takeOlder(than: 1).isEmpty && jobs.takeOlder(than: 2).count == 4)
    #expect(jobs.isEmpty)
  }
}
