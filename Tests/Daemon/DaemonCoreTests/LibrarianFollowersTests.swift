import CratesInterface
import FolderWatching
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("What follows the librarian", .limited)
struct LibrarianFollowersTests {
  private let fixture = LibrarianFixture()

  private func look(_ found: FolderContents.Found..., seen: Int64 = 1) -> FolderContents {
    var contents = FolderContents(root: BytePath("/music"), seen: seen)
    contents.found = found
    return contents
  }

  private func named(_ name: String) throws -> Int {
    let meanings = Meanings(naming: fixture.librarian.followers.naming)
    let reply = try meanings.answer([[name]], nil, beginning: false, count: nil)
    guard case .meanings(let found, _) = reply else { return 0 }
    return found.first?.what.count ?? 0
  }

  @Test("A title that is another one is told to who watches, and known as a name by then")
  func titles() throws {
    var found = LibrarianFixture.found("a/x.flac", 1, album: "A")
    func read(_ title: String) {
      var tags = found.facts.tags
      tags.title = title
      found.facts = FileFacts(
        stamp: found.facts.stamp, tags: tags, audio: AudioProperties(),
        digest: found.facts.digest, format: "flac")
      fixture.librarian.merge(look(found))
    }
    read("Naima")
    #expect(try named("Naima") == 1 && named("Mating Call") == 0)
    let sequence = fixture.published.library.sequence
    for _ in 0..<2 { read("Mating Call") }
    let told = fixture.feed.changes(since: sequence, orNewest: 9).changes
    let song = try #require(fixture.published.library.songs.values.first)
    #expect(told.map(\.summary) == ["Mating Call of A was retagged"])
    #expect(told.first?.songs == ["\(song.id)"] && told.first?.albums == ["\(song.album)"])
    #expect(told.first?.complete == true && told.first?.moves == [])
    #expect(fixture.published.library.sequence == told.first?.sequence)
    #expect(try named("Naima") == 0 && named("Mating Call") == 1)
    // An album that is called otherwise is one by its new name.
    #expect(try named("A") == 1)
    found = LibrarianFixture.found("a/x.flac", 1, album: "Blue")
    fixture.librarian.merge(look(found))
    #expect(try named("Blue") == 1 && named("A") == 0)
    fixture.librarian.stop()
  }

  @Test("What an album leaves to the next merge is known to that in the same life")
  func leaving() throws {
    fixture.librarian.merge(
      look(
        LibrarianFixture.found("1.flac", 1, album: "Blue"),
        LibrarianFixture.found("2.flac", 2, album: "Blue"),
        LibrarianFixture.found("3.flac", 3, album: "Blue")))
    let album = try #require(fixture.order.first)
    var retagged = look(
      LibrarianFixture.found("1.flac", 1, album: "Red"),
      LibrarianFixture.found("2.flac", 2, album: "Red"), seen: 2)
    retagged.absent = [BytePath("/music/3.flac")]
    fixture.librarian.merge(retagged)
    #expect(fixture.order.count == 2)
    var vanished = look(seen: 3)
    vanished.vanished = retagged.absent
    fixture.librarian.merge(vanished)
    #expect(fixture.order == [album])
    fixture.librarian.stop()
  }

  @Test("Files of songs that were forgotten, and come back by undo, are told to who watches them")
  func forgotten() throws {
    let told = Monitor<[[BytePath]]>([])
    let restored = Monitor<[BytePath]>([])
    fixture.librarian.tellOfFiles { files, known in
      if !files.isEmpty { told.withLock { $0.append(files.sorted()) } }
      restored.withLock { $0 += known.map(\.path).sorted() }
    }
    fixture.fill(albums: 2)
    // The past is read before anything is done, and followed from then on.
    #expect(throws: InterfaceError.nothingToUndo()) { try fixture.answer(.undo()).get() }
    _ = try fixture.answer(.renameCrate("Music", to: "Jazz")).get()
    #expect(told.withLock { $0 } == [])
    // Their folder left the settings.
    var away = Away()
    away.folders = [BytePath("/other")]
    fixture.librarian.setAway { [away] in away }
    let forget = Edit.forget(songs: [], albums: [], folder: BytePath("/music"), all: false)
    _ = try fixture.answer(forget).get()
    let files = (0..<2).map { BytePath("/music/\($0)/x.flac") }
    #expect(told.withLock { $0 } == [files] && restored.withLock { $0 } == [])
    _ = try fixture.answer(.undo()).get()
    #expect(told.withLock { $0 } == [files] && restored.withLock { $0 } == files)
    fixture.librarian.stop()
  }

  @Test("A file that is offline, and no song's any longer, is told to who watches it")
  func strangers() throws {
    let told = Monitor<[[BytePath]]>([])
    fixture.librarian.tellOfFiles { files, _ in told.withLock { $0.append(files) } }
    let drive = BytePath("/music/drive")
    fixture.librarian.merge(
      look(
        LibrarianFixture.found("drive/x.flac", 1, album: "A"),
        LibrarianFixture.found("x.flac", 1, album: "A")))
    #expect(fixture.published.library.songs.count == 1)
    var away = Away()
    (away.folders, away.places) = ([BytePath("/music")], [drive])
    fixture.librarian.setAway { [away] in away }
    #expect(told.withLock { $0 } == [])
    // The song is of another album by now, and the file that is away still says the first.
    fixture.librarian.merge(look(LibrarianFixture.found("x.flac", 1, album: "B"), seen: 2))
    #expect(told.withLock { $0 } == [[BytePath("/music/drive/x.flac")]])
    fixture.librarian.stop()
  }

  @Test(
    "Where folders left the settings, their further files are nobody's, and songs are found anew")
  func foldersLeft() throws {
    fixture.librarian.merge(
      look(
        LibrarianFixture.found("a/x.flac", 1, album: "A"),
        LibrarianFixture.found("b/x.flac", 1, album: "A")))
    #expect(fixture.published.library.duplicateFileCount == 1)
    var away = Away()
    away.folders = [BytePath("/music/a")]
    fixture.librarian.setAway { [away] in away }
    #expect(fixture.published.library.duplicateFileCount == 0)
    away.folders = [BytePath("/other")]
    fixture.librarian.setAway { [away] in away }
    var elsewhere = FolderContents(root: BytePath("/other"), seen: 2)
    elsewhere.found = [LibrarianFixture.found("", 1, album: "A")]
    elsewhere.found[0].path = BytePath("/other/a/x.flac")
    fixture.librarian.merge(elsewhere)
    #expect(fixture.published.library.songs.values.map(\.path) == [BytePath("/other/a/x.flac")])
    fixture.librarian.stop()
  }

  @Test("A trial tells the moves that the real one makes")
  func trialMoves() throws {
    fixture.fill(albums: 3)
    let album = fixture.order[2]
    let found = Monitor<Result<Interface.Change, InterfaceError>?>(nil)
    func move(isDryRun: Bool) throws -> Interface.Change {
      found.withLock { $0 = nil }
      fixture.librarian.submit(
        Librarian.EditRequest(
          action: .edit { _ in .moveAlbums([album], .top, crate: nil) }, isDryRun: isDryRun
        ) { answer in { found.withLock { $0 = answer } } })
      return try found.wait { $0 }.get()
    }
    let (trial, real) = (try move(isDryRun: true), try move(isDryRun: false))
    #expect(!real.moves.isEmpty && trial.moves == real.moves && trial.albums == real.albums)
    fixture.librarian.stop()
  }
}
