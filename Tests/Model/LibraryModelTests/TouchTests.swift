import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

@Suite("What counts as touched", .limited)
struct TouchTests {
  private let a = AlbumID(number: 1)
  private let b = AlbumID(number: 2)
  private let songs = (1...6).map { SongID(number: UInt64($0)) }

  /// Albums a and b of three songs each, which nobody has touched.
  private func library() throws -> Library {
    var library = Library()
    try library.apply(.crateAdded("Music", after: nil), by: .folder)
    for album in [b, a] {
      let group = GroupKey(family: "folder\t\(album)")
      try library.apply(
        .albumAdded(album, crate: "Music", after: nil, group: group, isFresh: true, seen: 5),
        by: .folder)
    }
    for (place, song) in songs.enumerated().reversed() {
      try library.apply(added(song, to: place < 3 ? a : b), by: .folder)
    }
    return library
  }

  private func added(_ song: SongID, to album: AlbumID, after: SongID? = nil) -> Change {
    .songAdded(
      song, album: album, after: after, path: BytePath("/m/\(song)"), digest: nil, added: 1, seen: 5
    )
  }

  private func moved(_ album: AlbumID) -> Change {
    .albumMoved(album, crate: "Music", after: nil, wasCrate: "Music", wasAfter: nil)
  }

  private func touched(_ library: Library) -> [SongID] {
    library.songs.values.filter(library.isTouched).map(\.id).sorted()
  }

  @Test("moving and arranging touch the album and all its songs, but only when the person does it")
  func acts() throws {
    let acts: [Change] = [
      moved(a), .albumArranged(a, true), .albumArranged(a, false),
      .songMoved(songs[2], in: a, after: nil, wasAfter: songs[1]),
    ]
    for act in acts {
      var library = try library()
      try library.apply(act, by: .folder)
      #expect(touched(library).isEmpty && !library.isTouched(a) && library.isFreshlyPut(a))
      try library.apply(act, by: .person)
      #expect(touched(library) == Array(songs[..<3]))
      #expect(library.isTouched(a) && !library.isTouched(b) && !library.isFreshlyPut(a))
      #expect(library.touches[a] == .all && library.songs.values.allSatisfy { !$0.isTouched })
      #expect(library.brokenInvariant == nil)
    }
  }

  @Test("what a person names is touched, also where it stays, and what makes room is not")
  func named() throws {
    let five = (1...5).map { AlbumID(number: $0) }
    let acts: [(named: [AlbumID], edit: Edit)] = [
      (Array(five[2...3]), .moveAlbums(Array(five[2...3]), .up, crate: nil)),
      (Array(five[1...]), .moveAlbums(Array(five[1...]), .top, crate: nil)),
      (five, .sortAlbums(five, .reversed)),
      ([five[0], five[2], five[4]], .sortAlbums([five[0], five[2], five[4]], .reversed)),
    ]
    var library = Library()
    try library.apply(.crateAdded("Music", after: nil), by: .folder)
    for id in five.reversed() {
      let group = GroupKey(family: "folder\t\(id)")
      try library.apply(
        .albumAdded(id, crate: "Music", after: nil, group: group, isFresh: true, seen: 5),
        by: .folder)
      try library.apply(added(SongID(number: id.number), to: id), by: .folder)
    }
    for (named, edit) in acts {
      let decision = try library.decide(edit, newAlbums: nil)
      #expect(decision.library.crates.map(\.albums) != library.crates.map(\.albums))
      #expect(five.filter(decision.library.isTouched) == named)
      var history = UndoHistory()
      history.follow(decision.transaction.at(1))
      let undone = try #require(decision.library.decideUndo(history, newAlbums: nil)).library
      #expect(undone.crates.map(\.albums) == library.crates.map(\.albums))
      #expect(five.filter(undone.isTouched) == named)
    }
    // Nothing to do is no decision.
    let idle = try library.decide(.sortAlbums(five, .title), newAlbums: nil)
    #expect(idle.changes.isEmpty && idle.library.touches.isEmpty)
  }

  @Test("what is forgotten and put back counts as it did")
  func restored() throws {
    var library = try library()
    try library.apply(moved(a), by: .person)
    let new = SongID(number: 9)
    try library.apply(added(new, to: a, after: songs[2]), by: .folder)
    let all = songs[..<3] + [new]
    for id in all { try library.apply(.songGone(id, Traits()), by: .folder) }
    let forgotten = try library.decide(
      .forget(songs: [], albums: [], all: true), newAlbums: nil)
    #expect(!forgotten.library.isTouched(a) && touched(forgotten.library).isEmpty)
    var history = UndoHistory()
    history.follow(forgotten.transaction.at(1))
    let undone = try #require(forgotten.library.decideUndo(history, newAlbums: nil))
    #expect(undone.library.isTouched(a) && touched(undone.library) == Array(songs[..<3]))
    #expect(undone.library.albums[a]?.seen == 5 && undone.library.songs[new]?.seen == 5)
    #expect(undone.library.brokenInvariant == nil)
  }

  @Test("of forgotten slots each goes back behind the nearest predecessor that is still there")
  func slots() throws {
    var library = try library()
    for (place, id) in songs[..<3].enumerated() {
      try library.apply(
        .songRegrouped(id, album: b, after: place == 0 ? nil : songs[place - 1], was: a),
        by: .folder)
    }
    let forgotten = try library.decide(.forget(songs: [], albums: [a], all: false), newAlbums: nil)
    #expect(forgotten.library.albums[a] == nil && forgotten.library.wanderers.isEmpty)
    var history = UndoHistory()
    history.follow(forgotten.transaction.at(1))
    let whole = try #require(forgotten.library.decideUndo(history, newAlbums: nil)).library
    #expect(whole.albums[a]?.entries == Array(songs[..<3]))
    #expect(whole.brokenInvariant == nil)
    // The second is gone for good meanwhile.
    var later = forgotten.library
    try later.apply(.songGone(songs[1], Traits()), by: .folder)
    let song = try #require(later.songs[songs[1]])
    try later.apply(.songForgotten(songs[1], was: later.record(of: song)), by: .folder)
    let rest = try #require(later.decideUndo(history, newAlbums: nil)).library
    #expect(rest.albums[a]?.entries == [songs[0], songs[2]])
    #expect(rest.brokenInvariant == nil)
  }
}
