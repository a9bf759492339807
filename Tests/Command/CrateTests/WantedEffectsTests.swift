import Browsing
import CratesInterface
import TestSupport
import Testing

@testable import crate

@Suite("What the browser wants", .limited)
struct WantedEffectsTests {
  private func all(_ wanted: WantedEffects) -> [Effect] {
    var wanted = wanted
    var all: [Effect] = []
    while let next = wanted.next() { all.append(next) }
    return all
  }

  @Test("Of what is looked at only the last waits, and edits keep their order")
  func order() {
    var wanted = WantedEffects()
    wanted.add(.edit(1, .redo(sequence: nil)))
    wanted.add(.songs(album: "a"))
    wanted.add(.list)
    wanted.add(.edit(2, .redo(sequence: nil)))
    for album in 0..<1_000 { wanted.add(.songs(album: "\(album)")) }
    for _ in 0..<1_000 { wanted.add(.list) }
    for _ in 0..<1_000 { wanted.add(.play([.album("a")], adding: false)) }
    #expect(
      all(wanted) == [
        .edit(1, .redo(sequence: nil)), .list, .edit(2, .redo(sequence: nil)), .songs(album: "999"),
        .play([.album("a")], adding: false),
      ])
  }

  @Test("Of a key that is held down so many wait at most")
  func controls() {
    var wanted = WantedEffects()
    for _ in 0..<1_000 { wanted.add(.control(.next)) }
    #expect(all(wanted).count == 16)
  }

  @Test("Albums that are looked up wait together, each once")
  func lookingUp() {
    var wanted = WantedEffects()
    wanted.add(.lookUp(["b", "a"]))
    wanted.add(.list)
    for _ in 0..<1_000 { wanted.add(.lookUp(["a", "c"])) }
    #expect(all(wanted) == [.lookUp(["b", "a", "c"]), .list])
  }
}
