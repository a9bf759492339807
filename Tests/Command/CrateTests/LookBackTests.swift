import CratesInterface
import TestSupport
import Testing

@testable import crate

@Suite("How far changes are looked through", .limited) struct LookBackTests {
  private func changes(_ sequences: [Int], songs: Int = 0) -> [Interface.Change] {
    sequences.map { sequence in
      var change = Interface.Change(
        changed: true, sequence: sequence, time: "", author: .person, summary: "")
      change.songs = .init(repeating: "s", count: songs)
      return change
    }
  }

  /// Looks through changes from a number on down, of which none is what is looked for.
  private func look(from newest: Int, since: Int = 0, songs: Int = 0) -> [Int] {
    var look = LookBack(since: since)
    var (steps, next) = ([Int](), newest)
    while let step = look.step {
      steps.append(step)
      let some = Array((max(0, next - step)..<next).reversed()).map { $0 + 1 }
      look.take(changes(some, songs: songs), found: 0)
      next -= some.count
    }
    return steps
  }

  @Test("One by one at first, four at once when many were small, a hundred at most")
  func steps() {
    let steps = look(from: 1000)
    #expect(steps.prefix(8) == [1, 1, 1, 1, 1, 1, 1, 1])
    #expect(steps.dropFirst(8).first == 2)
    #expect(steps.max() == 4)
    #expect(steps.reduce(0, +) == 100)
  }

  @Test("It ends where there are no more, and where the thing came")
  func ends() {
    #expect(look(from: 0) == [1])
    #expect(look(from: 3) == [1, 1, 1, 1])
    // The ninth and tenth are asked for together, and one is left.
    #expect(look(from: 9) == .init(repeating: 1, count: 8) + [2])
    #expect(look(from: 5, since: 3) == [1, 1, 1])
    #expect(look(from: 5, since: 5) == [1])
  }

  @Test("Changes that name many end it, and so do ten that are found")
  func enough() {
    #expect(look(from: 100, songs: 255).count == 2)
    #expect(look(from: 100, songs: 256).count == 1)
    #expect(look(from: 100, songs: 85).count == 4)
    var change = changes([9])[0]
    (change.songs, change.albums, change.crates) = (["s"], ["a"], ["c"])
    change.albums += .init(repeating: "a", count: 253)
    var wide = LookBack(since: 0)
    wide.take([change], found: 0)
    #expect(wide.step == nil && wide.oldest == 9)
    change.crates = []
    wide = LookBack(since: 0)
    wide.take([change], found: 0)
    #expect(wide.step == 1)
    for (found, step) in [(9, 1), (10, nil)] as [(Int, Int?)] {
      var look = LookBack(since: 0)
      #expect(look.oldest == nil)
      look.take(changes([7]), found: found)
      #expect(look.step == step && look.oldest == 7)
    }
  }
}
