import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("Undo and redo", .limited)
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
      history.follow(decision.transaction.at(decision.library.sequence))
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

  @Test("an album whose first move is taken back is one that was never moved, others are not")
  func newAgain() throws {
    let desk = try desk()
    func moved() throws -> [Bool] {
      try (1...3).map { desk.world.library.isMoved(try desk.world.id("A\($0)")) }
    }
    try desk.edit(.moveAlbums([desk.world.id("A1")], .bottom, crate: nil))
    try desk.edit(.moveAlbums([desk.world.id("A1"), desk.world.id("A2")], .top, crate: nil))
    try desk.edit(.moveSongs([desk.world.song("A3 3").id], .top))
    #expect(try moved() == [true, true, true])
    #expect(desk.undo())
    #expect(try moved() == [true, true, false])
    #expect(desk.undo())
    #expect(try moved() == [true, false, false])
    #expect(desk.redo())
    #expect(try moved() == [true, true, false])
    #expect(desk.undo() && desk.undo())
    #expect(try moved() == [false, false, false])
    // What files are recognised by stays.
    #expect(desk.world.library.isTouched(try desk.world.id("A1")))
    try desk.edit(.moveAlbums([desk.world.id("A2")], .bottom, crate: nil))
    #expect(try moved() == [false, true, false])
    #expect(desk.undo())
    #expect(try moved() == [false, false, false])
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
    var decision = Decision(library: library, by: .person)
    var restoring = Restoring()
    let kept = AlbumRecord(crate: "Late", after: nil, group: GroupKey(family: "folder\tLate"))
    decision.restore(AlbumID(number: 7), kept, &restoring)
    #expect(decision.library.crates.map(\.name) == ["Jazz", "Music", "Late"])
    #expect(decision.library.crates.last?.albums == [AlbumID(number: 7)])
  }

  /// A crate of albums a to d, with a song each, d at the bottom.
  private func library() throws -> (library: Library, albums: [AlbumID], songs: [SongID]) {
    var library = Library()
    let albums = (1...4).map { AlbumID(number: UInt64($0)) }
    let songs = (1...4).map { SongID(number: UInt64($0)) }
    try library.apply(.crateAdded("Music", after: nil), by: .folder)
    for (album, song) in zip(albums, songs).reversed() {
      let group = GroupKey(family: "folder\t\(album)")
      try library.apply(
        .albumAdded(album, crate: "Music", after: nil, group: group, isFresh: false, seen: 0),
        by: .folder)
      try library.apply(
        .songAdded(
          song, album: album, after: nil, path: BytePath("/m/\(song)"), digest: nil, added: 0,
          seen: 0), by: .folder)
    }
    return (library, albums, songs)
  }

  private func history(_ decision: Decision) -> UndoHistory {
    var history = UndoHistory()
    history.follow(decision.transaction.at(1))
    return history
  }

  @Test("an album goes back below its former neighbour, which another album has taken over since")
  func anchorTakenOver() throws {
    let (before, albums, _) = try library()
    let moved = try before.decide(.moveAlbums([albums[2]], .top, crate: nil), newAlbums: nil)
    var library = moved.library
    let heir = AlbumID(number: 9)
    try library.apply(
      .albumAdded(
        heir, crate: "Music", after: albums[1], group: GroupKey(family: "x"), isFresh: false,
        seen: 0), by: .folder)
    try library.apply(.albumTookOver(heir, other: albums[1]), by: .folder)
    let undone = try #require(library.decideUndo(history(moved), newAlbums: nil)).library
    #expect(
      Array(try #require(undone.crates.first).albums) == [albums[0], heir, albums[2], albums[3]])
  }

  @Test("a forgotten offline song whose path is another song's file by now comes back as gone")
  func pathTaken() throws {
    var (library, albums, songs) = try library()
    library.away.places = [BytePath("/m")]
    let forgotten = try library.decide(
      .forget(songs: [songs[0]], albums: [], all: false), newAlbums: nil)
    let same = try #require(forgotten.library.decideUndo(history(forgotten), newAlbums: nil))
    #expect(same.library.songs[songs[0]]?.isGone == false)
    library = forgotten.library
    try library.apply(
      .songAdded(
        SongID(number: 9), album: albums[1], after: nil, path: BytePath("/m/\(songs[0])"),
        digest: nil, added: 0, seen: 0), by: .folder)
    let undone = try #require(library.decideUndo(history(forgotten), newAlbums: nil))
    #expect(undone.library.songs[songs[0]]?.isGone == true)
  }

  @Test("a crate that is not there any more comes back at the bottom with what goes back to it")
  func crateAtBottom() throws {
    let small = try SmallLibrary()
    func undone(_ changes: [Change]) throws -> Library {
      let source = Transaction(by: .person, sequence: 1, changes: changes)
      let entry = UndoHistory.Entry(sequence: 1, sourceSequence: 1, source: source)
      return try #require(small.library.decideUndo([entry], newAlbums: nil)).library
    }
    let moved = AlbumID(number: 1)
    var library = try undone([
      .albumMoved(moved, crate: "Music", after: nil, wasCrate: "Gone", wasAfter: nil)
    ])
    #expect(library.crates.map(\.name) == ["Music", "Jazz", "Gone"])
    #expect(library.albums[moved]?.crate == library.crates[2].id)
    let removed = AlbumID(number: 9)
    library = try undone([
      .songForgotten(SongID(number: 90), was: small.kept(9)),
      .albumRemoved(removed, was: small.kept(in: "Gone")),
    ])
    #expect(library.crates.map(\.name) == ["Music", "Jazz", "Gone"])
    #expect(library.albums[removed]?.crate == library.crates[2].id)
    #expect(library.brokenInvariant == nil)
  }
}
