import ModelSupport
import TestSupport
import Testing

@testable import LibraryModel

/// What a damaged journal may say of a library.
@Suite("Changes that do not fit", .limited)
struct MisfitTests {
  private var small: SmallLibrary
  private let group = GroupKey(family: "by\tx\tnew")
  /// Albums and songs that nobody knows, an id that album 1 took over, and a song that left it.
  private let nobody = AlbumID(number: 8)
  private let alias = AlbumID(number: 9)
  private let unknown = SongID(number: 99)
  private let wanderer = SongID(number: 12)

  init() throws {
    small = try SmallLibrary()
    try small.apply(
      .aliasRestored(alias, of: AlbumID(number: 1)),
      .songRegrouped(
        wanderer, album: AlbumID(number: 2), after: nil, was: AlbumID(number: 1)))
  }

  private func album(_ number: UInt64) -> AlbumID { AlbumID(number: number) }
  private func song(_ number: UInt64) -> SongID { SongID(number: number) }

  /// What is said of each change.
  private func faults(_ changes: [Change]) -> [String?] {
    changes.map { change -> String? in
      var library = small.library
      do throws(Misfit) {
        try library.apply(change, by: .person)
        return nil
      } catch { return error.description }
    }
  }

  @Test("crates that are there already, or are not there")
  func crates() {
    #expect(
      faults([
        .crateAdded("jazz", after: nil), .crateAdded("New", after: "None"),
        .crateRemoved("None", wasAfter: nil), .crateRemoved("Music", wasAfter: nil),
        .crateMoved("None", after: nil, wasAfter: nil),
        .crateMoved("Jazz", after: "None", wasAfter: nil),
        .crateMoved("Jazz", after: "Jazz", wasAfter: nil), .crateRenamed("None", to: "New"),
        .crateRenamed("Jazz", to: "MUSIC"), .crateRenamed("Jazz", to: "JAZZ"),
      ]) == [
        "crate jazz is there already", "no crate none", "no crate none",
        "crate Music holds albums", "no crate none", "no crate none", "no crate jazz",
        "no crate none", "crate MUSIC is there already", nil,
      ])
  }

  private func added(_ id: AlbumID, _ crate: String, after: AlbumID? = nil) -> Change {
    .albumAdded(id, crate: crate, after: after, group: group, isFresh: false, seen: 0)
  }

  private func moved(_ number: UInt64, _ crate: String, after: UInt64? = nil) -> Change {
    .albumMoved(
      album(number), crate: crate, after: after.map(album), wasCrate: "", wasAfter: nil)
  }

  @Test("albums that are there already, are not there, or are in another crate")
  func albums() {
    let outside = "album \(album(1)) or what is above it is not in crate Music"
    #expect(
      faults([
        added(album(1), "Music"), added(alias, "Music"), added(album(4), "None"),
        added(album(4), "Music", after: album(3)), moved(8, "Music"), moved(1, "None"),
        moved(1, "Music", after: 3), moved(1, "Music", after: 1), moved(1, "Jazz", after: 2),
        .albumRemoved(nobody, was: small.kept(in: "Music")),
        .albumRemoved(album(1), was: small.kept(in: "Music")),
        .albumAdded(album(1), small.kept(in: "Music")),
        .albumAdded(alias, small.kept(in: "Music")),
        .albumAdded(album(4), small.kept(in: "None")),
        .albumAdded(album(4), small.kept(in: "Music", after: 3)),
      ]) == [
        "album \(album(1)) is there already", "album \(alias) is there already", "no crate none",
        "album \(album(3)) is not in crate Music", "no album \(nobody)", "no crate none", outside,
        outside, "album \(album(2)) is not in crate Jazz", "no album \(nobody)",
        "album \(album(1)) holds songs", "album \(album(1)) is there already",
        "album \(alias) is there already", "no crate none",
        "album \(album(3)) is not in crate Music",
      ])
  }

  @Test("changes of albums that are not there, and of ids that name others")
  func names() {
    let none = "no album \(nobody)"
    #expect(
      faults([
        .albumArranged(nobody, true), .albumTouched(nobody),
        .albumRegrouped(nobody, group: group, was: group, alias: nil),
        .albumTookOver(nobody, other: album(1)), .albumTookOver(album(1), other: nobody),
        .aliasDropped(alias, of: nobody), .aliasRestored(AlbumID(number: 7), of: nobody),
        .aliasRestored(album(2), of: album(1)), .aliasRestored(alias, of: album(1)),
      ]) == [
        none, none, none, none, none, none, none, "album \(album(2)) is there already",
        "album \(alias) is there already",
      ])
  }

  private func moved(_ id: UInt64, in home: UInt64, after: UInt64? = nil) -> Change {
    .songMoved(song(id), in: album(home), after: after.map(song), wasAfter: nil)
  }

  @Test("songs that are there already, are not there, or are in another album")
  func songs() {
    let none = "no song \(unknown)"
    #expect(
      faults([
        SmallLibrary.added(song(10), to: album(1)), SmallLibrary.added(song(19), to: nobody),
        SmallLibrary.added(song(19), to: album(1), after: song(20)), moved(99, in: 1),
        moved(20, in: 1), moved(10, in: 8), moved(10, in: 1, after: 20),
        moved(10, in: 1, after: 10),
        .songRegrouped(unknown, album: album(1), after: nil, was: album(2)),
        .songRegrouped(song(10), album: nobody, after: nil, was: album(1)),
        .songRegrouped(song(10), album: album(2), after: song(11), was: album(1)),
        .songFollowed(unknown, path: BytePath("/x"), digest: nil, by: .path),
        .songRetagged(unknown, in: album(1)), .songRetagged(song(10), in: album(2)),
        .songGone(unknown, Traits()),
        .songFollowed(unknown, path: BytePath("/x"), digest: nil, by: .path),
        .songForgotten(unknown, was: small.kept(1)), .songAdded(song(10), small.kept(1)),
        .songAdded(song(19), small.kept(8)), .songAdded(song(19), small.kept(1, after: 20)),
      ]) == [
        "song \(song(10)) is there already", "no album \(nobody)",
        "song \(song(20)) is not in album \(album(1))", none,
        "song \(song(20)) is not in album \(album(1))", "no album \(nobody)",
        "song \(song(20)) is not in album \(album(1))",
        "song \(song(10)) is not in album \(album(1))", none, "no album \(nobody)",
        "song \(song(11)) is not in album \(album(2))", none, none,
        "song \(song(10)) is not in album \(album(2))", none, none, none,
        "song \(song(10)) is there already", "no album \(nobody)",
        "song \(song(20)) is not in album \(album(1))",
      ])
  }

  @Test("slots of songs that live there, or are known there already")
  func slots() {
    #expect(
      faults([
        .slotDropped(wanderer, in: nobody, wasAfter: nil),
        .slotDropped(song(10), in: album(1), wasAfter: nil),
        .slotRestored(wanderer, in: album(1), after: nil),
        .slotRestored(wanderer, in: album(2), after: nil),
        .slotRestored(unknown, in: album(1), after: nil),
        .slotRestored(song(30), in: album(1), after: song(20)),
      ]) == [
        "no album \(nobody)", "song \(song(10)) lives in album \(album(1))",
        "song \(wanderer) is in album \(album(1)) already",
        "song \(wanderer) is in album \(album(2)) already", "no song \(unknown)",
        "song \(song(20)) is not in album \(album(1))",
      ])
  }

  @Test("what is not there needs not go")
  func nothing() throws {
    let changes: [Change] = [
      .aliasDropped(nobody, of: album(1)), .aliasDropped(alias, of: album(2)),
      .slotDropped(song(30), in: album(1), wasAfter: nil),
      .songRetagged(song(10), in: album(1)),
    ]
    for change in changes {
      var library = small.library
      try library.apply(change, by: .person)
      #expect(library.aliases[alias] == album(1) && library.brokenInvariant == nil)
      #expect(library.fingerprint == small.library.fingerprint)
      #expect(library.albums[album(1)] === small.library.albums[album(1)])
      #expect(library.albums[album(2)] === small.library.albums[album(2)])
    }
  }
}
