import TestSupport
import Testing

@testable import LibraryModel

@Suite("What a written order can mean", .limited)
struct WrittenOrderCheckTests {
  private let small: SmallLibrary
  private var base: Library { small.library }

  init() throws { small = try SmallLibrary() }

  private typealias Written = (crate: String, albums: [(album: UInt64, songs: [UInt64])])

  /// Lines as a text has them: a crate, an album below it, a song below that.
  private func order(_ written: [Written]) -> WrittenOrder {
    var (order, line) = (WrittenOrder(), 0)
    for (name, albums) in written {
      line += 1
      var crate = WrittenOrder.Crate(name: name, line: line)
      for (id, songs) in albums {
        line += 1
        var album = WrittenOrder.Album(id: AlbumID(number: id), line: line)
        for song in songs {
          line += 1
          album.songs.append(WrittenOrder.Song(id: SongID(number: song), line: line))
        }
        crate.albums.append(album)
      }
      order.crates.append(crate)
    }
    return order
  }

  private func refusal(_ written: Written..., now: Library? = nil) -> String? {
    let check = WrittenOrderCheck(base: base, now: now ?? base)
    do {
      let checked = try check.checked(order(written))
      #expect(checked == order(written))
      return nil
    } catch {
      guard case .editRejected(let line, let reason) = error else { return "\(error)" }
      return "\(line): \(reason)"
    }
  }

  private func album(_ number: UInt64) -> AlbumID { AlbumID(number: number) }
  private func song(_ number: UInt64) -> SongID { SongID(number: number) }

  @Test("Each crate, album and song is there once, where it may be")
  func refusals() {
    #expect(refusal(("Jazz", [(3, [30])]), ("Music", [(1, [12, 10]), (2, [])])) == nil)
    #expect(refusal(("New", [(3, []), (1, [])]), ("Empty", [])) == nil)
    #expect(
      refusal(("Jazz", [(3, [30])]), ("JAZZ", []))
        == "4: crate “JAZZ” is in line 1 already; put its albums below that line")
    #expect(refusal(("Jazz", []), (" x", [])) == "2: a crate's name has no blanks around it")
    #expect(
      refusal(("Jazz", [(3, [30])]), ("Music", [(1, []), (3, [])]))
        == "6: album \(album(3)) is in line 2 already; delete one of the two")
    #expect(
      refusal(("Jazz", [(7, [])]))
        == "2: there is no album \(album(7)); put its id right, or delete the line")
    #expect(
      refusal(("Jazz", [(3, [30]), (1, [10, 11, 10])]))
        == "7: song \(song(10)) is in line 5 already; delete one of the two")
    #expect(
      refusal(("Jazz", [(3, [30, 99])]))
        == "4: there is no song \(song(99)); put its id right, or delete the line")
    #expect(
      refusal(("Jazz", [(3, [30, 10])]))
        == "4: song \(song(10)) belongs to album \(album(1)); put it back there: which album a song"
        + " is in is its tags' business")
  }

  @Test("A song that was retagged since may stand where it was, and where it is")
  func retagged() throws {
    var later = small
    try later.apply(.songRegrouped(song(10), album: album(2), after: nil, was: album(1)))
    let now = later.library
    #expect(refusal(("Music", [(1, [10])]), now: now) == nil)
    #expect(refusal(("Music", [(2, [20, 10])]), now: now) == nil)
    #expect(refusal(("Music", [(3, [10])]), now: now)?.hasPrefix("3: song") == true)
    // An album that took another one over has its songs, by either name.
    try later.apply(.albumTookOver(album(3), other: album(2)))
    let joined = later.library
    #expect(refusal(("Music", [(3, [20, 30])]), now: joined) == nil)
    #expect(refusal(("Music", [(2, [20, 30])]), now: joined) == nil)
    #expect(refusal(("Music", [(1, [20])]), now: joined)?.hasPrefix("3: song") == true)
  }

  @Test("What is new since may be named")
  func new() throws {
    var later = small
    try later.add(4, to: "Jazz", songs: 1)
    #expect(refusal(("Jazz", [(4, [40])]), now: later.library) == nil)
    #expect(refusal(("Jazz", [(3, [40])]), now: later.library)?.hasPrefix("3: song") == true)
    #expect(refusal(("Jazz", [(4, [])])) != nil)
  }

  @Test("An album is known by an id that it took over, once")
  func aliases() throws {
    var other = small
    try other.apply(.aliasRestored(album(9), of: album(1)))
    let check = WrittenOrderCheck(base: other.library, now: other.library)
    let checked = try check.checked(order([("Music", [(9, [10])])]))
    #expect(checked == order([("Music", [(1, [10])])]))
    #expect(throws: Refusal.self) { try check.checked(order([("Music", [(9, []), (1, [])])])) }
  }

  @Test("A text of one album has no other")
  func oneAlbum() throws {
    func refusal(_ written: Written...) -> Refusal? {
      do {
        _ = try base.decide(
          order(written), readFrom: base, scope: TextScope(crate: "Music", album: album(1)),
          newAlbums: nil)
        return nil
      } catch { return error }
    }
    #expect(refusal(("Music", [(1, [12, 11, 10])])) == nil)
    #expect(
      refusal(("Music", [(1, [12]), (2, [])]))
        == .editRejected(
          line: 4, reason: "this is the text of one album; delete the line of another one"))
  }

  @Test("Who asked is kept with what was changed, and where nothing was, it is not")
  func origin() throws {
    func made(_ written: Written..., origin: String?) throws -> Transaction {
      try base.decide(order(written), readFrom: base, newAlbums: nil, origin: origin).transaction
    }
    let (same, other): (Written, Written) = (("Music", [(1, []), (2, [])]), ("Jazz", [(3, [])]))
    #expect(try made(same, other, origin: "x").isEmpty)
    var moved = try made(other, same, origin: "x")
    #expect(moved.origin == "x" && !moved.isEmpty)
    moved.origin = nil
    #expect(try made(other, same, origin: nil) == moved)
  }

  @Test("Edits of what is not there, or of nothing, are refused by its name")
  func edits() {
    func refusal(_ edit: Edit) -> Refusal? {
      do {
        _ = try base.decide(edit, newAlbums: nil)
        return nil
      } catch { return error }
    }
    for (edit, refused) in [
      (.moveAlbums([album(7)], .top, crate: nil), .noSuchAlbum(album(7))),
      (.moveAlbums([album(1)], .before(album(7)), crate: nil), .noSuchAlbum(album(7))),
      (
        .moveAlbums([album(1), album(2)], .after(album(2)), crate: nil),
        .invalidPlace("an album can't go before or after itself")
      ),
      (
        .moveAlbums([album(1)], .down, crate: "Jazz"),
        .invalidPlace("up and down stay in the crate; with another crate, write top or bottom")
      ),
      (
        .moveAlbums([album(1)], .before(album(3)), crate: "Late"),
        .invalidPlace("3 is in Jazz, not in Late")
      ),
      (
        .moveAlbums([album(1), album(3)], .top, crate: nil),
        .invalidPlace("they are in several crates; say which one they go to: to CRATE")
      ),
      (.moveSongs([], .top), .nothingChosen("songs")),
      (.moveSongs([song(99)], .top), .noSuchSong(song(99))),
      (.moveSongs([song(10)], .after(song(99))), .noSuchSong(song(99))),
      (
        .moveSongs([song(10), song(11)], .before(song(11))),
        .invalidPlace("a song can't go before or after itself")
      ),
      (.moveCrate("Jazz", .before("None")), .noSuchCrate("None")),
      (
        .moveCrate("Jazz", .after("JAZZ")),
        .invalidPlace("a crate can't go before or after itself")
      ),
      (.renameCrate("None", to: "New"), .noSuchCrate("None")),
      (.sortAlbums([], .title), .nothingChosen("albums")),
      (.sortSongs([], .title), .nothingChosen("songs")),
      (.sortSongs([song(10), song(99)], .title), .noSuchSong(song(99))),
      (
        .forget(songs: [], albums: [], folder: BytePath("/n"), all: false),
        .noSuchFolder(BytePath("/n"))
      ),
      (.forget(songs: [], albums: [], folder: BytePath("/m"), all: false), nil),
    ] as [(Edit, Refusal?)] {
      #expect(refusal(edit) == refused, "\(edit)")
    }
  }
}
