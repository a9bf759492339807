/// An order as a person wrote it down: crates, the albums below them, and the songs below those.
/// Lines count from 1.
package struct WrittenOrder: Hashable, Sendable {
  package struct Crate: Hashable, Sendable {
    /// Nil for one that the person named by hand.
    package var id: CrateID?
    package var name: String
    package var line: Int
    package var albums: [Album] = []

    package init(id: CrateID? = nil, name: String, line: Int) {
      self.id = id
      self.name = name
      self.line = line
    }
  }

  package struct Album: Hashable, Sendable {
    package var id: AlbumID
    package var line: Int
    package var songs: [Song] = []

    package init(id: AlbumID, line: Int) {
      self.id = id
      self.line = line
    }
  }

  package struct Song: Hashable, Sendable {
    package var id: SongID
    package var line: Int

    package init(id: SongID, line: Int) {
      self.id = id
      self.line = line
    }
  }

  package var crates: [Crate] = []

  package init() {}
}

/// What a person did to one list: between the order they read and the order they wrote.
struct ListEdit<Item: Hashable> {
  /// The items as written, with what was left out behind its former neighbour; where it had none,
  /// it is nowhere in it, and stays where it is.
  let written: [Item]
  /// What changed its place or came from another list; nothing else moves.
  let moved: Set<Item>

  init(base: [Item], written: [Item], leftOut: Set<Item> = []) {
    let all = leftOut.isEmpty ? written : ListEdit.puttingBack(leftOut, of: base, into: written)
    let shared = Set(base).intersection(all)
    let moves = fewestMoves(from: base.filter(shared.contains), to: all.filter(shared.contains))
    self.written = all
    moved = Set(all).subtracting(shared).union(moves.map(\.item))
  }

  private static func puttingBack(
    _ leftOut: Set<Item>, of base: [Item], into written: [Item]
  ) -> [Item] {
    let here = Set(written)
    var following: [Item: [Item]] = [:]
    var neighbour: Item?
    for item in base {
      if here.contains(item) {
        neighbour = item
      } else if leftOut.contains(item), let neighbour {
        following[neighbour, default: []].append(item)
      }
    }
    return written.flatMap { [$0] + (following[$0] ?? []) }
  }

  /// The list as it is now with the moves made in it.
  func goal(from now: [Item]) -> [Item] { rearranged(now, written, moving: moved).goal }
}
