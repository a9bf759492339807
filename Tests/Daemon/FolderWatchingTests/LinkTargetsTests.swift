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

  private mutating func set(_ places: Set<BytePath>, of folder: Catalogue.ID) {
    _ = targets.set(places, [], of: folder)
  }

  private mutating func set(_ new: LinkTargets.Target..., of folder: Catalogue.ID) -> Bool {
    targets.set([], Set(new), of: folder)
  }

  private func target(_ folder: String, _ name: String) -> LinkTargets.Target {
    LinkTargets.Target(folder: BytePath(folder), name: Array(name.utf8))
  }

  private func linking(_ folder: String, _ name: String? = nil) -> Set<Catalogue.ID> {
    targets.folders(linkingTo: name.map { Array($0.utf8) }, in: BytePath(folder))
  }

  @Test("a target's directory tells of its names to those that link to them, and needs a watch")
  mutating func targetsOfFiles() {
    let areHeld = [
      set(target("/x", "1"), target("/x", "2"), of: first),
      set(target("/x", "2"), target("/y", "1"), of: second),
    ]
    #expect(areHeld == [true, true])
    #expect(targets.linking == [first, second])
    #expect(linking("/x", "1") == [first] && linking("/x", "2") == [first, second])
    #expect(linking("/x", "3").isEmpty && linking("/z").isEmpty)
    #expect(linking("/x") == [first, second] && linking("/y") == [second])
    let isNew = ["/x", "/y"].map { targets.setWatch(7, of: BytePath($0), isRemote: $0 == "/y") }
    #expect(isNew == [true, true] && targets.watchCount == 1)
    #expect(targets.isTold(target("/x", "1")) && !targets.isTold(target("/y", "1")))
    #expect(targets.folders(of: 7) == [BytePath("/x"), BytePath("/y")])
    let isOther = [7, 8].map { targets.setWatch($0, of: BytePath("/x"), isRemote: false) }
    #expect(isOther == [false, true] && targets.folders(of: 7) == [BytePath("/y")])
    var unused = targets.takeUnused()
    #expect(unused.isEmpty)

    let isHeld = set(target("/x", "1"), of: second)
    #expect(isHeld && linking("/x", "2") == [first] && linking("/x", "1") == [first, second])
    unused = targets.takeUnused()
    #expect(unused == [7])
    unused = targets.takeUnused()
    #expect(unused.isEmpty)
    targets.forget(first)
    #expect(linking("/x", "2").isEmpty && targets.linking == [second])
    targets.removeWatch(8)
    #expect(!targets.isWatched(BytePath("/x")) && targets.watchCount == 0)
    targets.forget(second)
    unused = targets.takeUnused()
    #expect(unused.isEmpty && targets.linking.isEmpty && linking("/x").isEmpty)
  }

  @Test("each directory's places count until it is listed without them, or goes")
  mutating func places() {
    set([BytePath("/x"), BytePath("/y")], of: first)
    set([BytePath("/y"), BytePath("/z")], of: second)
    #expect(targets.mountedPlaces == [BytePath("/x"), BytePath("/y"), BytePath("/z")])
    set([BytePath("/x")], of: first)
    #expect(targets.hasAny(first) && targets.hasAny(second) && !targets.hasAny(.root))
    targets.forget(second)
    #expect(targets.mountedPlaces == [BytePath("/x")])
    set([], of: first)
    #expect(targets.mountedPlaces.isEmpty && !targets.hasAny(first))
  }

  @Test("many places are compared by what they lie in, and beyond the limit any mount counts")
  mutating func many() {
    set(paths(0..<256), of: first)
    #expect(targets.mountedPlaces == paths(0..<256))
    set(paths(0..<257), of: first)
    #expect(targets.mountedPlaces == Set((0..<10).map { BytePath("/annex/\($0)") }))
    set(paths(0..<LinkTargets.most), of: first)
    #expect(!targets.mountedPlaces.contains(BytePath("/")))
    set([BytePath("/x")], of: second)
    #expect(targets.mountedPlaces.contains(BytePath("/")) && targets.hasAny(second))
    let isHeld = set(target("/x", "1"), of: second)
    #expect(!isHeld && targets.linking == [second] && linking("/x").isEmpty)
    targets.forget(first)
    set([BytePath("/x")], of: second)
    #expect(targets.mountedPlaces == [BytePath("/x")])
  }
}
