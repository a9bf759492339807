import CratesInterface
import LibraryModel
import LibraryStore
import ModelSupport
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("What a change names, as it is told", .limited)
struct TouchedTests {
  private let one = AlbumID(number: 1)
  private let two = AlbumID(number: 2)
  private let song = SongID(number: 3)

  private func told(_ changes: [Change], by author: Author = .folder) -> Interface.Change {
    var transaction = Transaction(by: author, time: 0, sentence: "sentence", changes: changes)
    transaction.sequence = 7
    return Interface.Change(transaction)
  }

  @Test("Each change names the crates, albums and songs that it is about, each once")
  func names() {
    let group = GroupKey(family: "f")
    let (path, traits) = (BytePath("/m/a"), Traits())
    let song = SongRecord(
      album: one, after: nil, group: group, path: path, digest: nil, added: 0, isGone: false,
      traits: traits)
    let album = AlbumRecord(crate: "a", after: nil, group: group, isTouched: false)
    let id = self.song
    let crates: [(Change, [String])] = [
      (.crateAdded("a", after: "x"), ["a"]), (.crateRemoved("a", wasAfter: "x"), ["a"]),
      (.crateMoved("a", after: "x", wasAfter: "y"), ["a"]),
      (.crateRenamed("a", to: "b"), ["a", "b"]),
    ]
    for (change, names) in crates {
      let told = told([change, change])
      #expect(told.crates == names && told.albums == [] && told.songs == [], "\(change)")
    }
    // The crates, too, in which albums come, leave or move.
    let homes: [(Change, [String])] = [
      (.albumAdded(one, crate: "a", after: two, group: group, isFresh: false, seen: 0), ["a"]),
      (.albumMoved(one, crate: "a", after: two, wasCrate: "b", wasAfter: two), ["a", "b"]),
      (.albumMoved(one, crate: "a", after: two, wasCrate: "a", wasAfter: two), ["a"]),
    ]
    for (change, names) in homes {
      let told = told([change, change])
      #expect(told.crates == names && told.albums == [one.description], "\(change)")
    }
    let albums: [(Change, [AlbumID])] = [
      (.albumRemoved(one, was: album), [one]), (.albumArranged(one, true), [one]),
      (.albumRegrouped(one, group: group, was: group, alias: two), [one]),
      (.aliasDropped(two, of: one), [one]), (.aliasRestored(two, of: one), [one]),
      (.albumTookOver(one, other: two), [one, two]), (.albumTouched(one), []),
      (.firstScanEnded(path), []),
    ]
    for (change, ids) in albums {
      let told = told([change, change])
      #expect(told.albums == ids.map(\.description) && told.crates == [], "\(change)")
      #expect(told.songs == [])
    }
    let songs: [(Change, [AlbumID])] = [
      (.songAdded(id, album: one, after: nil, path: path, digest: nil, added: 0, seen: 0), [one]),
      (.songRegrouped(id, album: one, after: nil, was: two), [one]),
      (.songRetagged(id, in: one), [one]),
      (.slotDropped(id, in: one, wasAfter: nil), [one]),
      (.slotRestored(id, in: one, after: nil), [one]),
      (.songMoved(id, in: one, after: nil, wasAfter: nil), []),
      (.songFollowed(id, path: path, digest: nil, by: .sound), []), (.songGone(id, traits), []),
      (.songForgotten(id, was: song), []), (.songAdded(id, song), [song.album]),
    ]
    for (change, ids) in songs {
      let told = told([change, change])
      #expect(told.songs == [id.description] && told.crates == [], "\(change)")
      #expect(told.albums == ids.map(\.description))
    }
  }

  @Test("A thousand names are told, and then that there are more")
  func bounds() {
    for (count, isWhole) in [(999, true), (1_000, true), (1_001, false), (1_500, false)] {
      let changes = (1...count).map { Change.songGone(SongID(number: UInt64($0)), Traits()) }
      let told = told(changes + changes)
      #expect(told.songs.count == min(count, 1_000) && told.complete == isWhole)
      #expect(told.songs.first == SongID(number: 1).description)
      let albums = (1...count).map { Change.albumArranged(AlbumID(number: UInt64($0)), true) }
      #expect(self.told(albums).complete == isWhole)
      let crates = (1...count).map { Change.crateAdded("\($0)", after: nil) }
      #expect(self.told(crates).complete == isWhole)
      var transaction = Transaction(by: .person)
      transaction.notes = (1...count).map { "\($0) keeps its place" }
      let noted = Interface.Change(transaction)
      #expect(noted.notes.count == min(count, 1_000) && noted.complete == isWhole)
    }
  }

  @Test("A thousand moves are told, and then that there are more")
  func moves() throws {
    var before = Library()
    try before.apply(.crateAdded("Music", after: nil), by: .folder)
    for number in 1...1_002 {
      let album = AlbumID(number: UInt64(number))
      try before.apply(
        .albumAdded(
          album, crate: "Music", after: nil, group: GroupKey(family: "\(number)"), isFresh: false,
          seen: 0), by: .folder)
      try before.apply(
        .songAdded(
          SongID(number: UInt64(number)), album: album, after: nil,
          path: BytePath("/m/\(number)"), digest: nil, added: 0, seen: 0), by: .folder)
    }
    let albums = Array(before.crates[0].albums)
    for (count, isWhole) in [(1_000, true), (1_001, false)] {
      // Turned round, all but one of them move.
      let decision = try before.decide(
        .sortAlbums(Array(albums.prefix(count + 1)), .reversed, ascending: nil), newAlbums: nil)
      let moves = ListedMoves(of: decision.transaction, from: before, to: decision.library)
      #expect(moves.moves.count == 1_000 && moves.isWhole == isWhole, "\(count)")
    }
  }

  @Test("Who did it, when and what is told as it was noted")
  func noted() {
    let person = told([.albumTouched(one)], by: .person)
    #expect(person.author == .person && person.sequence == 7 && person.changed)
    #expect(person.summary == "sentence" && person.time == Timestamp.text(0))
    #expect(told([]).author == .folder && told([]).complete)
    var moves = ListedMoves()
    moves.isWhole = false
    #expect(!Interface.Change(Transaction(by: .folder), moves: moves).complete)
  }

  @Test("Every refusal is told in the words of the interface")
  func refusals() {
    let cases: [(Refusal, InterfaceError)] = [
      (.noSuchCrate("a"), .noSuchCrate(name: "a")), (.noSuchAlbum(one), .noSuchAlbum(id: "\(one)")),
      (.noSuchSong(song), .noSuchSong(id: "\(song)")),
      (.notOneAlbum([song]), .notOneAlbum(songs: ["\(song)"])),
      (.invalidPlace("no"), .invalidPlace(reason: "no")),
      (.crateExists("a"), .crateExists(name: "a")),
      (.nothingChosen("albums"), .invalidParameter(parameter: "albums")),
      (.noSuchFolder(BytePath("/a")), .noSuchPath(path: "/a")),
    ]
    for (refusal, error) in cases { #expect(InterfaceError(refusal) == error) }
    #expect(
      InterfaceError(StoreRefusal(reason: "full", isUnknown: false))
        == .changesRefused(reason: "full"))
    #expect(
      InterfaceError(StoreRefusal(reason: "full", isUnknown: true))
        == .outcomeUnknown(reason: "full"))
    #expect(StoreState.ready.refusal == nil)
    #expect([StoreState.full("a"), .readOnly("b")].map(\.refusal) == ["a", "b"])
  }
}
