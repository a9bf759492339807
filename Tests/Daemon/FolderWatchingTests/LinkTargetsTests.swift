import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Where links lead to", .limited) struct LinkTargetsTests {
  private var catalogue = Catalogue()
  private let first: Catalogue.ID
  private let second: Catalogue.ID
  private var targets = LinkTargets()

  init() {
    first = catalogue.makeFolder(BytePath("a"))
    second = catalogue.makeFolder(BytePath("b"))
  }

  private func paths(_ range: Range<Int>) -> Set<BytePath> {
    Set(range.map { BytePath("/annex/\($0 % 10)/\($0)") })
  }

  @Test("each directory's places count until it is listed without them, or goes")
  mutating func places() {
    targets.set([BytePath("/x"), BytePath("/y")], of: first)
    targets.set([BytePath("/y"), BytePath("/z")], of: second)
    #expect(targets.mountedPlaces == [BytePath("/x"), BytePath("/y"), BytePath("/z")])
    targets.set([BytePath("/x")], of: first)
    #expect(targets.hasAny(first) && targets.hasAny(second) && !targets.hasAny(.root))
    targets.forget(second)
    #expect(targets.mountedPlaces == [BytePath("/x")])
    targets.set([], of: first)
    #expect(targets.mountedPlaces.isEmpty && !targets.hasAny(first))
  }

  @Test("many places are compared by what they lie in, and beyond the limit any mount counts")
  mutating func many() {
    targets.set(paths(0..<256), of: first)
    #expect(targets.mountedPlaces == paths(0..<256))
    targets.set(paths(0..<257), of: first)
    #expect(targets.mountedPlaces == Set((0..<10).map { BytePath("/annex/\($0)") }))
    targets.set(paths(0..<LinkTargets.most), of: first)
    #expect(!targets.mountedPlaces.contains(BytePath("/")))
    targets.set([BytePath("/x")], of: second)
    #expect(targets.mountedPlaces.contains(BytePath("/")) && targets.hasAny(second))
    targets.forget(first)
    targets.set([BytePath("/x")], of: second)
    #expect(targets.mountedPlaces == [BytePath("/x")])
  }
}
