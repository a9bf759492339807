import CratesInterface
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("What follows the librarian", .limited)
struct LibrarianFollowersTests {
  private let desk = LibrarianDesk()

  private func look(_ found: FolderContents.Found..., seen: Int64 = 1) -> FolderContents {
    var contents = FolderContents(root: BytePath("/music"), seen: seen)
    contents.found = found
    return contents
  }

  private func named(_ name: String) throws -> Int {
    let meanings = Meanings(naming: desk.librarian.followers.naming)
    let reply = try meanings.answer([[name]], nil, beginning: false, count: nil)
    guard case .meanings(let found, _) = reply else { return 0 }
    return found.first?.what.count ?? 0
  }

  @Test("A title that is another one is told to who watches, and known as a name by then")
  func titles() throws {
    var found = LibrarianDesk.found("a/x.flac", 1, album: "A")
    func read(_ title: String) {
      var tags = found.facts.tags
      tags.title = title
      found.facts = FileFacts(
        stamp: found.facts.stamp, tags: tags, audio: AudioProperties(),
        digest: found.facts.digest, format: "flac")
      desk.librarian.merge(look(found))
    }
    read("Naima")
    #expect(try named("Naima") == 1 && named("Mating Call") == 0)
    let sequence = desk.published.library.sequence
    for _ in 0..<2 { read("Mating Call") }
    let told = desk.feed.changes(since: sequence, orNewest: 9).changes
    let song = try #require(desk.published.library.songs.values.first)
    #expect(told.map(\.summary) == ["Mating Call of A was retagged"])
    #expect(told.first?.songs == ["\(song.id)"] && told.first?.albums == ["\(song.album)"])
    #expect(told.first?.complete == true && told.first?.moves == [])
    #expect(desk.published.library.sequence == told.first?.sequence)
    #expect(try named("Naima") == 0 && named("Mating Call") == 1)
    // An album that is called otherwise is one by its new name.
    #expect(try named("A") == 1)
    found = LibrarianDesk.found("a/x.flac", 1, album: "Blue")
    desk.librarian.merge(look(found))
    #expect(try named("Blue") == 1 && named("A") == 0)
    desk.librarian.stop()
  }

  @Test("What an album leaves to the next merge is known to that in the same life")
  func leaving() throws {
    desk.librarian.merge(
      look(
        LibrarianDesk.found("1.flac", 1, album: "Blue"),
        LibrarianDesk.found("2.flac", 2, album: "Blue"),
        LibrarianDesk.found("3.flac", 3, album: "Blue")))
    let album = try #require(desk.order.first)
    var retagged = look(
      LibrarianDesk.found("1.flac", 1, album: "Red"),
      LibrarianDesk.found("2.flac", 2, album: "Red"), seen: 2)
    retagged.absent = [BytePath("/music/3.flac")]
    desk.librarian.merge(retagged)
    #expect(desk.order.count == 2)
    var vanished = look(seen: 3)
    vanished.vanished = retagged.absent
    desk.librarian.merge(vanished)
    #expect(desk.order == [album])
    desk.librarian.stop()
  }

  @Test("Files whose songs were forgotten are told to who watches them, and no others")
  func forgotten() throws {
    let told = Monitor<[[BytePath]]>([])
    desk.librarian.tellForgotten { files in told.withLock { $0.append(files.sorted()) } }
    desk.fill(albums: 2)
    _ = try desk.answer(.renameCrate("Music", to: "Jazz")).get()
    #expect(told.withLock { $0 } == [])
    // Their folder left the settings.
    var away = Away()
    away.folders = [BytePath("/other")]
    desk.librarian.setAway { [away] in away }
    let forget = Edit.forget(songs: [], albums: [], folder: BytePath("/music"), all: false)
    _ = try desk.answer(forget).get()
    #expect(told.withLock { $0 } == [(0..<2).map { BytePath("/music/\($0)/x.flac") }])
    desk.librarian.stop()
  }

  @Test("A file that is offline, and no song's any longer, is told to who watches it")
  func strangers() throws {
    let told = Monitor<[[BytePath]]>([])
    desk.librarian.tellForgotten { files in told.withLock { $0.append(files) } }
    let drive = BytePath("/music/drive")
    desk.librarian.merge(
      look(
        LibrarianDesk.found("drive/x.flac", 1, album: "A"),
        LibrarianDesk.found("x.flac", 1, album: "A")))
    #expect(desk.published.library.songs.count == 1)
    var away = Away()
    (away.folders, away.places) = ([BytePath("/music")], [drive])
    desk.librarian.setAway { [away] in away }
    #expect(told.withLock { $0 } == [])
    // The song is of another album by now, and the file that is away still says the first.
    desk.librarian.merge(look(LibrarianDesk.found("x.flac", 1, album: "B"), seen: 2))
    #expect(told.withLock { $0 } == [[BytePath("/music/drive/x.flac")]])
    desk.librarian.stop()
  }

  @Test(
    "Where folders left the settings, their further files are nobody's, and songs are found anew")
  func foldersLeft() throws {
    desk.librarian.merge(
      look(
        LibrarianDesk.found("a/x.flac", 1, album: "A"),
        LibrarianDesk.found("b/x.flac", 1, album: "A")))
    #expect(desk.published.library.otherFileCount == 1)
    var away = Away()
    away.folders = [BytePath("/music/a")]
    desk.librarian.setAway { [away] in away }
    #expect(desk.published.library.otherFileCount == 0)
    away.folders = [BytePath("/other")]
    desk.librarian.setAway { [away] in away }
    var elsewhere = FolderContents(root: BytePath("/other"), seen: 2)
    elsewhere.found = [LibrarianDesk.found("", 1, album: "A")]
    elsewhere.found[0].path = BytePath("/other/a/x.flac")
    desk.librarian.merge(elsewhere)
    #expect(desk.published.library.songs.values.map(\.path) == [BytePath("/other/a/x.flac")])
    desk.librarian.stop()
  }

  @Test("A trial tells the moves that the real one makes")
  func trialMoves() throws {
    desk.fill(albums: 3)
    let album = desk.order[2]
    let found = Monitor<Result<Interface.Change, InterfaceError>?>(nil)
    func move(isTrial: Bool) throws -> Interface.Change {
      found.withLock { $0 = nil }
      desk.librarian.submit(
        Librarian.EditRequest(
          wish: .edit { _ in .moveAlbums([album], .top, crate: nil) }, isTrial: isTrial
        ) { answer in { found.withLock { $0 = answer } } })
      return try found.wait { $0 }.get()
    }
    let (trial, real) = (try move(isTrial: true), try move(isTrial: false))
    #expect(!real.moves.isEmpty && trial.moves == real.moves && trial.albums == real.albums)
    desk.librarian.stop()
  }
}
