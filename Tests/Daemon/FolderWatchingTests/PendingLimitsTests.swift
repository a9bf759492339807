import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite("What is pending, where there is much of it", .limited) struct PendingLimitsTests {
  private func path(_ text: String) -> BytePath { BytePath(text) }

  private func pending(folders: Int = 9, names: Int = 9) -> PendingFolders {
    PendingFolders(quiet: 100, longest: 1_000, mostFolders: folders, mostNames: names)
  }

  /// The names that are finished, by their directories.
  private func taken(_ pending: inout PendingFolders) -> [String: Set<[UInt8]>] {
    Dictionary(
      uniqueKeysWithValues: pending.takeAll(at: 5_000).map { ($0.path.display, $0.finished) })
  }

  @Test("names beyond the most are forgotten, and those that were looked at make room")
  func names() {
    var pending = pending(names: 2)
    // Twice the same is one.
    for name in [1, 1, 2] as [UInt8] { pending.noteFinished([name], in: path("a"), at: 0) }
    pending.noteFinished([3], in: path("b"), at: 0)
    #expect(taken(&pending) == ["a": [[1], [2]], "b": []])
    for name in [3, 4, 5] as [UInt8] { pending.noteFinished([name], in: path("b"), at: 1) }
    #expect(taken(&pending) == ["b": [[3], [4]]])
    // One that is written to again makes room, and one that was never finished doesn't.
    pending.noteFinished([1], in: path("a"), at: 2)
    pending.noteUnfinished([1], in: path("a"), at: 2)
    pending.noteUnfinished([9], in: path("a"), at: 2)
    for name in [2, 3, 4] as [UInt8] { pending.noteFinished([name], in: path("a"), at: 2) }
    #expect(taken(&pending) == ["a": [[2], [3]]])
    for name in [1, 2] as [UInt8] { pending.noteFinished([name], in: path("a"), at: 3) }
    pending.removeAll()
    #expect(pending.isEmpty && pending.count == 0)
    for name in [5, 6] as [UInt8] { pending.noteFinished([name], in: path("a"), at: 3) }
    #expect(taken(&pending) == ["a": [[5], [6]]])
  }

  @Test("a name is told of once, though its directory has more news before it is quiet")
  func namesOnce() {
    var pending = pending(names: 1)
    for time in [0, 20, 40] as [Int64] {
      pending.noteFinished([1], in: path("a"), at: time)
      #expect(pending.takeAll(at: time).map(\.finished) == [[[1]]])
      pending.note(.other, in: path("a"), at: time + 10)
      #expect(pending.takeAll(at: time + 10).map(\.finished) == [[]])
    }
    pending.noteFinished([2], in: path("a"), at: 50)
    pending.noteFinished([3], in: path("a"), at: 50)
    #expect(pending.takeAll(at: 50).map(\.finished) == [[[2]]])
  }

  @Test("names that went with directories that collapsed make room")
  func collapsedNames() {
    var pending = pending(folders: 2, names: 2)
    pending.noteFinished([1], in: path("a/b"), at: 0)
    pending.noteFinished([2], in: path("a/c"), at: 0)
    pending.noteFinished([3], in: path("a/d"), at: 0)
    for name in [4, 5] as [UInt8] { pending.noteFinished([name], in: path("x"), at: 0) }
    #expect(taken(&pending) == ["a": [], "x": [[4], [5]]])
  }

  @Test("what is inside a directory that is looked at as a whole needs no look of its own")
  func inside() {
    var pending = pending()
    pending.note([.other, .subtree], in: path("a"), at: 0)
    pending.noteFinished([1], in: path("a/b/c"), at: 1)
    pending.note(.other, in: path("ab"), at: 1)
    #expect(taken(&pending) == ["a": [], "ab": []])
    // It was looked at, so that what follows has looks of its own again.
    pending.noteFinished([1], in: path("a/b/c"), at: 2)
    #expect(taken(&pending) == ["a/b/c": [[1]]])
    pending.note([.other, .subtree], in: path("a"), at: 3)
    pending.removeAll()
    pending.noteFinished([1], in: path("a/b"), at: 4)
    #expect(taken(&pending) == ["a/b": [[1]]])
  }

  @Test("when full, the nearest directory around two takes their place, and at last the root")
  func collapsing() {
    var pending = pending(folders: 2)
    pending.note(.deletion, in: path("x/a/b"), at: 0)
    pending.note(.other, in: path("x/a/c"), at: 0)
    pending.note(.other, in: path("x/a/d"), at: 1)
    let due = pending.takeAll(at: 2)
    #expect(due.map(\.path) == [path("x/a")])
    #expect(due.map(\.changes) == [[.other, .subtree]])
    pending.note(.other, in: path("a"), at: 3)
    pending.note(.other, in: path("b"), at: 3)
    pending.note(.other, in: path("c"), at: 3)
    let all = pending.takeAll(at: 4)
    #expect(all.map(\.path) == [path("")])
    #expect(all.first?.changes.contains(.subtree) == true)
  }

  @Test("that a directory rests is remembered where there is room, or where it has news anyhow")
  func rests() {
    var pending = pending(folders: 1)
    pending.note(.other, in: path("a"), at: 0)
    pending.scanned(path("b"), for: 50, at: 0)
    #expect(pending.count == 1)
    #expect(pending.nextDue() == 100)
    pending.scanned(path("a"), for: 50, at: 0)
    #expect(pending.nextDue() == 450)
    pending.removeAll()
    #expect(pending.nextDue() == nil)
    pending.scanned(path("b"), for: 50, at: 0)
    #expect(pending.count == 1 && pending.isEmpty)
  }

  @Test("news are told together, with the time of the first")
  func together() {
    var pending = pending()
    pending.note(.deletion, in: path("b"), at: 3)
    pending.note(.other, in: path("b"), at: 7)
    pending.note(.finished, in: path("a"), at: 9)
    #expect(!pending.isEmpty && pending.count == 2)
    let due = pending.takeDue(at: 9)
    #expect(due.map(\.path) == [path("a"), path("b")])
    #expect(due.map(\.changes) == [.finished, [.deletion, .other]])
    #expect(due.map(\.since) == [9, 3])
    #expect(pending.isEmpty && pending.nextDue() == nil)
  }

  // MARK: Renames

  @Test("the oldest half of too many renames is given up, and no other")
  func halves() {
    var renames = PendingRenames()
    for cookie in UInt32(1)...1_025 { renames.movedFrom(path("\(cookie)"), cookie: cookie) }
    #expect(renames.movedTo(cookie: 1) == nil)
    #expect(renames.movedTo(cookie: 2) == path("2"))
    #expect(renames.movedTo(cookie: 1_025) == path("1025"))
  }

  @Test("with too many renamed directories all renames are given up", arguments: [256, 257])
  func folders(count: Int) {
    var renames = PendingRenames()
    renames.rename(path("x"), to: path("y"), known: [path("x")], isFolder: false)
    for number in 0..<count {
      renames.rename(path("a\(number)"), to: path("b\(number)"), known: [], isFolder: true)
    }
    #expect(renames.takeOrigin(of: path("y")) == (count == 256 ? path("x") : nil))
  }

  @Test("beyond the most renames none is noted")
  func mostRenames() {
    var renames = PendingRenames()
    let known = (0...PendingRenames.mostRenames).map { path("a/\($0)") }
    renames.rename(path("a"), to: path("b"), known: known, isFolder: true)
    let origins = known.indices.map { renames.takeOrigin(of: path("b/\($0)")) }
    #expect(origins.dropLast() == known.dropLast())
    #expect(origins.last == .some(nil))
  }
}
