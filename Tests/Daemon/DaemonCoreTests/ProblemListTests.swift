import LibraryModel
import TestSupport
import Testing

@testable import DaemonCore

@Suite("What is wrong with single files", .limited)
struct ProblemListTests {
  private let one = BytePath("/1")
  private let two = BytePath("/2")
  private let unreadable = FileProblem(.unreadable, "no music")
  private let forbidden = FileProblem(.permission, "no permission")

  private func told(_ list: ProblemList) -> [String] {
    list.all.map { "\($0.path.display) \($0.problem.message) \($0.since)" }
  }

  @Test("A problem is as old as it is the same, and goes when it is mended")
  func notes() {
    let list = ProblemList()
    list.note([two: unreadable, one: forbidden], now: 5)
    #expect(told(list) == ["/1 no permission 5", "/2 no music 5"])
    #expect(list.count == 2)
    list.note([two: unreadable, one: unreadable], now: 6)
    #expect(told(list) == ["/1 no music 6", "/2 no music 5"])
    list.note([one: nil], now: 7)
    #expect(told(list) == ["/2 no music 5"])
    #expect(list.count == 1)
  }

  @Test("Files that are mended among others that are not are no more than that")
  func mixed() {
    let list = ProblemList()
    let paths = (10..<30).map { BytePath("/\($0)") }
    list.note(
      Dictionary(uniqueKeysWithValues: paths.map { ($0, Optional(unreadable)) }), now: 1)
    var news: [BytePath: FileProblem?] = [:]
    for (number, path) in paths.enumerated() { news[path] = number < 10 ? .some(nil) : forbidden }
    list.note(news, now: 2)
    #expect(told(list) == (20..<30).map { "/\($0) no permission 2" })
  }

  @Test("All are replaced at once, and which of them are news is told")
  func replaced() {
    let list = ProblemList()
    #expect(Set(list.replace(with: [one: unreadable, two: unreadable], now: 1)) == [one, two])
    #expect(list.replace(with: [one: unreadable, two: unreadable], now: 2).isEmpty)
    #expect(list.replace(with: [one: forbidden, two: unreadable], now: 3) == [one])
    #expect(told(list) == ["/1 no permission 3", "/2 no music 1"])
    #expect(list.replace(with: [two: unreadable], now: 4).isEmpty)
    #expect(told(list) == ["/2 no music 1"])
  }
}
