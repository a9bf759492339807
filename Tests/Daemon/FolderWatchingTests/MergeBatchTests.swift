import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite("What was found since the last merge", .limited) struct MergeBatchTests {
  private let root = BytePath("/m")

  private func path(_ name: String) -> BytePath { root.appending(Array(name.utf8)) }

  @Test("is a piece for each look, in their order, with each file as it was found last")
  func pieces() {
    var batch = MergeBatch(root: root)
    #expect(batch.isEmpty && batch.count == 0 && batch.since == nil)
    batch.found(path("b"), .made(1), isNew: true, seen: 20, at: 5)
    batch.found(path("a"), .made(2), isNew: true, seen: 20, at: 6)
    batch.found(path("c"), .made(3), isNew: true, seen: 10, at: 7)
    batch.found(path("b"), .made(4), isNew: true, seen: 30, at: 8)
    batch.found(path("gone"), .made(5), isNew: true, seen: 20, at: 9)
    #expect(!batch.isEmpty && batch.count == 4 && batch.since == 5)
    batch.renamed(from: path("old"), to: path("c"))
    batch.renamed(from: path("other"), to: path("gone"))
    #expect(batch.remove(path("gone"))?.facts.stamp.size == 5 && batch.remove(path("gone")) == nil)
    let (pieces, problems) = batch.take()
    #expect(pieces.map(\.seen) == [10, 20])
    #expect(pieces.map { $0.found.map(\.path) } == [[path("c")], [path("a"), path("b")]])
    #expect(pieces.map { $0.found.map(\.facts.stamp.size) } == [[3], [2, 4]])
    #expect(pieces.map(\.renames) == [[.init(from: path("old"), to: path("c"))], []])
    #expect(pieces.allSatisfy { $0.root == root } && problems.isEmpty)
    // All of it is told.
    #expect(batch.isEmpty && batch.count == 0 && batch.since == nil)
    batch.found(path("b"), .made(6), isNew: true, seen: 40, at: 50)
    #expect(batch.since == 50)
    let next = batch.take().pieces
    #expect(next.map { $0.found.map(\.path) } == [[path("b")]] && next.first?.renames == [])
  }

  @Test("the problems of a directory are taken back, but of the names that are there")
  func problemsOfFolder() {
    var batch = MergeBatch(root: root)
    let problem = FileProblem(.unreadable, "bad")
    for name in ["A/1", "A/2", "A/2/3", "B/1"] { batch.note(problem, at: path(name)) }
    _ = batch.take()
    batch.clearProblems(in: path("A")) { $0 == [UInt8(ascii: "2")] }
    #expect(batch.problems == [path("A/1"): FileProblem?.none])
    _ = batch.take()
    for _ in 0..<2 { batch.clearProblems(in: path("A")) { _ in false } }
    #expect(batch.problems == [path("A/2"): FileProblem?.none])
  }

  @Test("a problem is taken back where it was told, and once")
  func problems() {
    var batch = MergeBatch(root: root)
    batch.clearProblem(at: path("a"))
    #expect(batch.isEmpty && batch.problems.isEmpty)
    let problem = FileProblem(.unreadable, "bad")
    batch.note(problem, at: path("a"))
    #expect(!batch.isEmpty && batch.count == 0)
    #expect(batch.take().problems == [path("a"): problem])
    #expect(batch.isEmpty)
    for _ in 0..<2 {
      batch.clearProblem(at: path("a"))
      batch.clearProblem(at: path("b"))
    }
    #expect(batch.problems == [path("a"): FileProblem?.none])
    _ = batch.take()
    batch.clearProblem(at: path("a"))
    #expect(batch.isEmpty)
  }
}

@Suite("Files that are not where they were", .limited) struct AbsentFilesTests {
  @Test("an absent file is known by its stamp, by its name too where inodes mean nothing")
  func recognised() {
    for inode in [UInt64(0), 5] {
      let stamp = FileStamp(
        identity: FileIdentity(fileSystem: 0, inode: inode, birth: 0), size: 1, modified: 2,
        changed: 3)
      let facts = FileFacts(
        stamp: stamp, tags: SongTags(), audio: AudioProperties(), digest: nil, format: "")
      var absent = AbsentFiles()
      absent.add(BytePath("a/1.mp3"), facts, since: 10)
      #expect(absent.facts(of: stamp, named: Array("1.mp3".utf8)) != nil)
      #expect((absent.facts(of: stamp, named: Array("2.mp3".utf8)) != nil) == (inode != 0))
      #expect(absent.takeOver(since: 9).isEmpty)
      #expect(absent.nextOver(after: 100) == 110)
      #expect(absent.takeOver(since: 10) == [BytePath("a/1.mp3")])
      #expect(absent.facts(of: stamp, named: Array("1.mp3".utf8)) == nil)
      #expect(absent.isEmpty)
    }
  }

  @Test("each is over at its own time, and is told of or not by itself")
  func several() {
    var absent = AbsentFiles()
    let (a, b, c) = (BytePath("a"), BytePath("b"), BytePath("c"))
    #expect(absent.nextOver(after: 100) == nil)
    absent.add(b, .made(1), since: 20)
    absent.add(a, .made(2), isTold: false, since: 30)
    absent.add(c, nil, since: 10)
    #expect(absent.count == 3 && !absent.isEmpty && absent.all == [a, b, c])
    #expect(absent.nextOver(after: 100) == 110)
    #expect(absent.isAnyOver(after: 100, at: 110) && !absent.isAnyOver(after: 100, at: 109))
    #expect(!AbsentFiles().isAnyOver(after: 0, at: .max))
    #expect([a, b, c].map { absent[$0]?.isTold } == [false, true, true])
    absent.noteAllUntold()
    #expect([a, b, c].map { absent[$0]?.isTold } == [false, false, false])
    #expect(absent.takeOver(since: 20) == [b, c])
    #expect(absent[b] == nil && absent.all == [a])
    absent.removeAll()
    #expect(absent.isEmpty && absent.facts(of: .made(2), named: []) == nil)
  }

  @Test("the receiver is told once of each that becomes absent, and of each that returns")
  func news() {
    var absent = AbsentFiles()
    let (a, b, c, d) = (BytePath("a"), BytePath("b"), BytePath("c"), BytePath("d"))
    for path in [b, a] { absent.add(path, nil, since: 1) }
    var news = absent.takeNews()
    #expect(news.absent == [a, b] && news.returned == [])
    // One was here in between, and of one nothing was told.
    absent.remove(a)
    absent.add(a, nil, since: 2)
    absent.add(c, nil, since: 3)
    absent.remove(c)
    news = absent.takeNews()
    #expect(news.absent == [] && news.returned == [])
    absent.remove(b)
    absent.add(c, nil, since: 3)
    news = absent.takeNews()
    #expect(news.absent == [c] && news.returned == [b])
    // What is over is told as such, and what went offline is waited for no longer.
    absent.add(d, nil, since: 4)
    #expect(absent.takeOver(since: 2) == [a])
    absent.removeAll()
    news = absent.takeNews()
    #expect(news.absent == [] && news.returned == [c])
  }

  @Test("of two with one stamp the last is known, until it is back")
  func twice() {
    var absent = AbsentFiles()
    absent.add(BytePath("a"), .made(1), since: 1)
    absent.add(BytePath("b"), .made(1), since: 2)
    #expect(absent.remove(BytePath("none")) == nil)
    #expect(absent.remove(BytePath("a"))?.since == 1)
    #expect(absent.facts(of: .made(1), named: []) != nil)
    #expect(absent.remove(BytePath("b"))?.since == 2)
    #expect(absent.facts(of: .made(1), named: []) == nil)
  }
}

extension FileStamp {
  fileprivate static func made(_ number: Int64) -> FileStamp { FileFacts.made(number).stamp }
}

@Suite("Those who are told", .limited) struct ToldTests {
  /// Notes what it is told.
  private final class Listener: ContentsReceiver {
    let heard = Monitor<[String]>([])
    func merge(_ contents: FolderContents) { heard.withLock { $0.append("merge") } }
    func report(_ problems: [BytePath: FileProblem?]) { heard.withLock { $0.append("report") } }
    func cover(_ cover: CoverDigest?, in folder: BytePath) {
      heard.withLock { $0.append("cover in \(folder.display)") }
    }
    func folderState(_ state: WatchState) { heard.withLock { $0.append("state") } }
  }

  @Test("a receiver hears everything until it is left, and nothing afterwards")
  func left() {
    let listener = Listener()
    let receiver = LeavableReceiver(listener)
    for _ in 0..<2 {
      receiver.merge(FolderContents(root: BytePath("/m"), seen: 1))
      receiver.report([:])
      receiver.cover(nil, in: BytePath("/m"))
      receiver.folderState(WatchState(mode: .watching))
      receiver.leave()
    }
    #expect(listener.heard.withLock { $0 } == ["merge", "report", "cover in /m", "state"])
  }

  @Test("who waits is answered once, all of them in the order in which they came")
  func completions() {
    let completions = Completions()
    let answered = Monitor<[Int]>([])
    let numbers = (0..<20).map { place in
      completions.add { answered.withLock { $0.append(place) } }
    }
    #expect(Set(numbers).count == 20)
    for _ in 0..<2 { completions.answer(numbers[7]) }
    #expect(answered.withLock { $0 } == [7])
    for _ in 0..<2 { completions.answerAll() }
    #expect(answered.withLock { $0 } == [7] + (0..<20).filter { $0 != 7 })
  }
}
