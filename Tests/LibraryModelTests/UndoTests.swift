import Testing

@testable import LibraryModel

@Suite("Undo and redo")
struct UndoTests {
  /// A world whose edits can be taken back.
  private final class Desk {
    var world = World()
    var history = UndoHistory()

    func edit(_ edit: Edit) throws {
      let decision = try world.edit(edit)
      if decision.changes.isEmpty { return }
      follow(decision)
    }

    func undo() -> Bool { follow(world.library.decideUndo(history, newAlbums: nil)) }
    func redo() -> Bool { follow(world.library.decideRedo(history, newAlbums: nil)) }

    @discardableResult
    private func follow(_ decision: Decision?) -> Bool {
      guard let decision else { return false }
      world.library = decision.library
      history.follow(
        decision.changes, sequence: decision.library.sequence, summary: decision.summary,
        by: .person)
      return true
    }
  }

  private func desk() throws -> Desk {
    let desk = Desk()
    for number in 1...5 {
      desk.world.putAlbum("A\(number)", tracks: 3, sound: number * 10, in: nil)
    }
    desk.world.merge()
    return desk
  }

  @Test("what was moved goes back, crates and arranged flags with it, and forth again")
  func backAndForth() throws {
    let desk = try desk()
    var shapes = [desk.world.shape]
    try desk.edit(.moveAlbums([desk.world.id("A2"), desk.world.id("A4")], .top, crate: "Jazz"))
    shapes.append(desk.world.shape)
    try desk.edit(.moveSongs([desk.world.song("A3 3").id], .top))
    shapes.append(desk.world.shape)
    try desk.edit(.renameCrate("Jazz", to: "Late"))
    shapes.append(desk.world.shape)
    try desk.edit(.moveCrate("Late", .top))
    shapes.append(desk.world.shape)
    try desk.edit(.moveAlbums([desk.world.id("A2"), desk.world.id("A4")], nil, crate: "Music"))
    shapes.append(desk.world.shape)
    for shape in shapes.dropLast().reversed() {
      #expect(desk.undo())
      #expect(desk.world.shape == shape)
      desk.world.check()
    }
    #expect(!desk.undo())
    for shape in shapes.dropFirst() {
      #expect(desk.redo())
      #expect(desk.world.shape == shape)
    }
    #expect(!desk.redo())
  }

  @Test("a new action ends redo; a merge doesn't, and is never touched")
  func mergesBetween() throws {
    let desk = try desk()
    try desk.edit(.moveAlbums([desk.world.id("A5")], .top, crate: nil))
    desk.world.putAlbum("New", sound: 90, in: nil)
    desk.world.merge()
    #expect(desk.undo())
    #expect(desk.world.albums() == ["New", "A1", "A2", "A3", "A4", "A5"])
    desk.world.putAlbum("Newer", sound: 95, in: nil)
    desk.world.merge()
    // Where it stood when it was taken back: below what a merge had put on top by then.
    #expect(desk.redo())
    #expect(desk.world.albums() == ["Newer", "New", "A5", "A1", "A2", "A3", "A4"])
    #expect(desk.undo())
    try desk.edit(.moveAlbums([desk.world.id("A1")], .top, crate: nil))
    #expect(!desk.redo())
  }

  @Test("an album that is arranged no longer takes default order at once")
  func unarranged() throws {
    let desk = try desk()
    try desk.edit(.moveSongs([desk.world.song("A1 3").id], .top))
    desk.world.put(
      "A1/4.flac", sound: 99, title: "A1 0", album: "A1", artist: "Artist", albumArtist: "Artist",
      track: 9)
    desk.world.merge()
    #expect(desk.world.songs(of: "A1") == ["A1 0", "A1 3", "A1 1", "A1 2"])
    #expect(desk.undo())
    #expect(desk.world.songs(of: "A1") == ["A1 1", "A1 2", "A1 3", "A1 0"])
    desk.world.check()
  }

  @Test("an album whose crate went meanwhile comes back in one of that name, below the others")
  func crateThatWent() throws {
    var library = Library()
    for (name, after) in [("Jazz", nil), ("Music", "Jazz")] {
      try library.apply(.crateAdded(name, after: after), by: .person)
    }
    var decision = Decision(library: library)
    var restoring = Restoring()
    let kept = KeptAlbum(crate: "Late", after: nil, group: GroupKey(family: "folder\tLate"))
    decision.restore(AlbumID(number: 7), kept, &restoring)
    #expect(decision.library.crates.map(\.name) == ["Jazz", "Music", "Late"])
    #expect(decision.library.crates.last?.albums == [AlbumID(number: 7)])
  }
}
