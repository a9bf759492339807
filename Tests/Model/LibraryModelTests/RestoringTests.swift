import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("Forgotten places that are put back one by one", .limited)
struct RestoringTests {
  private var small: SmallLibrary
  private let one = AlbumID(number: 1)
  private let two = AlbumID(number: 2)
  private let songs = (10...12).map { SongID(number: $0) }

  init() throws { small = try SmallLibrary() }

  private func decision() -> Decision { Decision(library: small.library, by: .person) }

  /// All songs of album 1 live in album 2, and have left slots behind.
  private mutating func leave() throws {
    for song in songs { try small.apply(.songRegrouped(song, album: two, after: nil, was: one)) }
  }

  private mutating func dropSlots() throws {
    for song in songs.reversed() { try small.apply(.slotDropped(song, in: one, wasAfter: nil)) }
  }

  @Test("a slot goes behind the nearest of those that were above it and are there")
  mutating func slots() throws {
    try leave()
    try dropSlots()
    // The second one's song is back in the album: it has no slot there.
    try small.apply(.songRegrouped(songs[1], album: one, after: nil, was: two))
    var (decision, restoring) = (decision(), Restoring())
    decision.restore(slot: songs[0], in: one, after: nil, &restoring)
    decision.restore(slot: songs[1], in: one, after: songs[0], &restoring)
    #expect(restoring.lostAnchors == [one: [songs[1]: songs[0]]])
    #expect(decision.library.albums[one]?.entries == [songs[0], songs[1]])
    decision.restore(slot: songs[2], in: one, after: songs[1], &restoring)
    #expect(decision.library.albums[one]?.entries == [songs[0], songs[1], songs[2]])
    // What is there already stays.
    decision.restore(slot: songs[2], in: one, after: nil, &restoring)
    #expect(decision.changes.count == 2)
  }

  @Test("of several that can't come back each leads on to the one above it")
  mutating func lostAnchors() throws {
    try leave()
    try dropSlots()
    let unknown = (90...92).map { SongID(number: $0) }
    var (decision, restoring) = (decision(), Restoring())
    decision.restore(slot: songs[0], in: one, after: nil, &restoring)
    for (place, song) in unknown.enumerated() {
      decision.restore(
        slot: song, in: one, after: place == 0 ? songs[0] : unknown[place - 1], &restoring)
    }
    decision.restore(slot: songs[1], in: one, after: unknown[2], &restoring)
    #expect(decision.library.albums[one]?.entries == [songs[0], songs[1]])
    // Of another album they say nothing.
    decision.restore(slot: songs[2], in: one, after: SongID(number: 93), &restoring)
    #expect(decision.library.albums[one]?.entries == [songs[2], songs[0], songs[1]])
  }

  @Test("slots and ids of a removed album go to the one that has its group now")
  mutating func heirs() throws {
    let (removed, alias) = (AlbumID(number: 7), AlbumID(number: 8))
    var (decision, restoring) = (decision(), Restoring())
    let group = try #require(small.library.albums[one]).group
    decision.restore(removed, AlbumRecord(crate: "Jazz", after: nil, group: group), &restoring)
    #expect(restoring.heirs == [removed: one])
    #expect(
      decision.library.crates.map { Array($0.albums) } == [[two], [one, AlbumID(number: 3)]])
    decision.restore(alias: alias, of: removed, &restoring)
    #expect(decision.library.aliases[alias] == one)
    decision.restore(slot: SongID(number: 20), in: removed, after: songs[1], &restoring)
    #expect(
      decision.library.albums[one]?.entries == [songs[0], songs[1], SongID(number: 20), songs[2]])
    decision.restore(SongID(number: 90), small.kept(7, after: 11), &restoring)
    #expect(decision.library.songs[SongID(number: 90)]?.album == one)
    #expect(restoring.touched == [one])
    let count = decision.changes.count
    decision.restore(alias: alias, of: removed, &restoring)
    decision.restore(alias: AlbumID(number: 5), of: AlbumID(number: 6), &restoring)
    #expect(decision.changes.count == count)
  }

  @Test("an album whose former neighbour is in another crate by now goes to the top")
  mutating func elsewhere() throws {
    for (anchor, place) in [(UInt64(1), 1), (3, 0), (6, 0)] {
      var (decision, restoring) = (decision(), Restoring())
      let kept = small.kept(in: "music", after: anchor)
      decision.restore(AlbumID(number: 7), kept, &restoring)
      #expect(Array(decision.library.crates[0].albums).firstIndex(of: AlbumID(number: 7)) == place)
      #expect(restoring.heirs.isEmpty)
    }
  }

  @Test("a song whose album is not there can't come back, and that is told")
  mutating func noAlbum() {
    var (decision, restoring) = (decision(), Restoring())
    decision.restore(SongID(number: 90), small.kept(7), &restoring)
    #expect(decision.changes.isEmpty && restoring.touched.isEmpty)
    #expect(
      decision.transaction.notes == [
        "the place of kept can't come back: its album is not there"
      ])
  }

  @Test("a song that is there again goes behind what it stood behind")
  mutating func thereAgain() {
    var (decision, restoring) = (decision(), Restoring())
    decision.restore(songs[0], small.kept(1, after: 12), &restoring)
    #expect(decision.library.albums[one]?.entries == [songs[1], songs[2], songs[0]])
    #expect(restoring.touched == [one])
    decision.restore(songs[0], small.kept(6, after: 11), &restoring)
    #expect(decision.changes.count == 1 && restoring.touched == [one, one])
  }

  @Test("a song that was there is gone, unless its place is offline, and nobody has its path")
  mutating func presence() {
    for (places, path, isGone) in [
      (["/m"], "/m/kept.flac", false), ([], "/m/kept.flac", true), (["/x"], "/m/kept.flac", true),
      (["/m"], "/m/1/10.flac", true),
    ] {
      small.library.away.places = places.map { BytePath($0) }
      var (decision, restoring) = (decision(), Restoring())
      var kept = small.kept(1)
      (kept.isGone, kept.path) = (false, BytePath(path))
      decision.restore(SongID(number: 90), kept, &restoring)
      #expect(decision.library.songs[SongID(number: 90)]?.isGone == isGone)
      kept.isGone = true
      decision.restore(SongID(number: 91), kept, &restoring)
      #expect(decision.library.songs[SongID(number: 91)]?.isGone == true)
    }
  }

  @Test("what was put back is taken away again, but for what is there by now")
  mutating func again() throws {
    let alias = AlbumID(number: 8)
    try leave()
    try small.apply(.aliasRestored(alias, of: one))
    var decision = decision()
    decision.dropAgain(slot: songs[0], of: two)
    decision.dropAgain(slot: SongID(number: 20), of: one)
    decision.dropAgain(slot: songs[0], of: AlbumID(number: 6))
    decision.dropAgain(alias: alias, of: two)
    decision.dropAgain(alias: AlbumID(number: 6), of: one)
    decision.dropAgain(two)
    decision.dropAgain(AlbumID(number: 6))
    decision.dropAgain(SongID(number: 99))
    #expect(decision.changes.isEmpty && decision.transaction.notes.isEmpty)
    decision.dropAgain(songs[0])
    #expect(decision.changes.isEmpty)
    #expect(decision.transaction.notes == ["10 is there again, and keeps its place"])
    decision.dropAgain(slot: songs[1], of: one)
    #expect(decision.changes == [.slotDropped(songs[1], in: one, wasAfter: songs[0])])
    decision.dropAgain(alias: alias, of: one)
    #expect(decision.library.aliases[alias] == nil)
    decision.dropAgain(one)
    #expect(decision.library.albums[one] == nil)
    decision.library.away.places = [BytePath("/m/3")]
    decision.dropAgain(SongID(number: 30))
    #expect(decision.library.songs[SongID(number: 30)] == nil)
  }

  @Test("a slot or an id stays where what it was put back with stays, and goes alone otherwise")
  mutating func putBackWith() throws {
    let (moved, alias) = (SongID(number: 20), AlbumID(number: 8))
    try small.apply(
      .songRegrouped(moved, album: one, after: nil, was: two), .aliasRestored(alias, of: two))
    let slot = Change.slotRestored(moved, in: two, after: nil)
    let other = Change.aliasRestored(alias, of: two)
    let song = Change.songAdded(moved, small.kept(1))
    let album = Change.albumAdded(two, small.kept(in: "Music"))
    let noSlot = Change.slotDropped(moved, in: two, wasAfter: nil)
    let noAlias = Change.aliasDropped(alias, of: two)
    let elsewhere = [
      Change.songAdded(songs[0], small.kept(1)), .albumAdded(one, small.kept(in: "Music")),
    ]
    for (changes, expected) in [
      ([song, slot], []), ([album, slot], []), ([album, song, slot], []), ([slot], [noSlot]),
      ([album, other], []), ([other], [noAlias]), ([song, other], [noAlias]),
      (elsewhere + [slot, other], [noAlias, noSlot]),
    ] {
      var history = UndoHistory()
      history.follow(Transaction(by: .person, sentence: "redo", changes: changes).at(1))
      let undone = try #require(small.library.decideUndo(history, newAlbums: nil))
      #expect(undone.changes == expected, "\(changes)")
      let reversal = Reversal(.undo, 1, changeCount: expected.count)
      #expect(undone.transaction.reversals == [reversal], "\(changes)")
    }
  }

  @Test("what is done again leaves no album out of default order that follows its tags")
  func followsTags() throws {
    var world = World()
    world.putAlbum("A", sound: 10, in: nil)
    world.merge()
    try world.edit(.moveSongs([world.song("A 3").id], .top))
    let taken = world.remove("A/3 A 3.flac")
    world.merge()
    var history = UndoHistory()
    func follow(_ decision: Decision?) throws {
      let decision = try #require(decision)
      let old = world.library
      world.library = decision.library
      world.lookups.follow(decision.changes, from: old, to: world.library)
      history.follow(decision.transaction.at(history.undoable.count + 1))
    }
    try follow(world.library.decide(.forget(songs: [], albums: [], all: true), newAlbums: nil))
    #expect(world.album("A")?.isArranged == false)
    try follow(world.library.decideUndo(history, newAlbums: nil))
    #expect(world.album("A")?.isArranged == true)
    world.restore(taken)
    world.merge()
    #expect(world.songs(of: "A") == ["A 3", "A 1", "A 2"])
    try follow(world.library.decideRedo(history, newAlbums: nil))
    #expect(world.songs(of: "A") == ["A 1", "A 2", "A 3"])
    world.check()
  }
}
