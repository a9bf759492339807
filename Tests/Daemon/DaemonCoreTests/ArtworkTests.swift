import CratesInterface
import Glibc
import LibraryModel
import ModelSupport
import Platform
import TagReading
import TestSupport
import Testing

@testable import DaemonCore

@Suite("The pictures of albums", .limited)
struct ArtworkTests {
  private typealias Outcome = Result<Picture?, InterfaceError>

  private let folder: TemporaryFolder
  private let fixture = LibrarianFixture()
  private let now = Monitor<Int64>(1)
  private let pool = WorkPool("artwork", threads: 1)
  private let folders: CoverFolders
  private let artwork: Artwork
  private let roots: [BytePath]
  /// An album in each of the roots.
  private let albums: [AlbumID]

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    roots = try ["one", "two"].map { BytePath(try folder.makeFolder($0)) }
    var away = Away()
    away.folders = roots
    fixture.librarian.setAway { [away] in away }
    for (number, root) in roots.enumerated() {
      var contents = FolderContents(root: root, seen: 1)
      for disc in 1...2 {
        var found = LibrarianFixture.found("", 2 * number + disc, album: "A\(number)")
        found.path = root.appending("A/CD\(disc)/\(disc).flac".utf8)
        contents.found.append(found)
      }
      fixture.librarian.merge(contents)
    }
    let library = fixture.published.library
    albums = try roots.map { root in
      try #require(library.songs.values.first { $0.path.isInside(root) }).album
    }
    let clock = Clock(monotonic: { [now] in now.withLock { $0 } }, wall: { 0 })
    let readers = try ReaderPool(program: BytePath("/nowhere/reader"), clock: clock)
    folders = CoverFolders(readers: readers, on: pool.lane(), clock: clock)
    artwork = Artwork(on: pool.lane(), published: fixture.published, folders: folders, clock: clock)
  }

  private func ask(_ album: AlbumID) -> Monitor<Outcome?> {
    let answer = Monitor<Outcome?>(nil)
    artwork.find(for: "\(album)") { outcome in answer.withLock { $0 = outcome } }
    return answer
  }

  private func answer(_ album: AlbumID) throws -> Picture? {
    try #require(ask(album).wait(until: Patience.end) { $0 }).get()
  }

  private func end() {
    pool.stop()
    folders.stop()
    fixture.librarian.stop()
  }

  @Test("An image is looked for beside the discs, then beside each song, and must be one")
  func places() throws {
    #expect(try answer(albums[0]) == nil)
    try folder.write(Array("no picture".utf8), to: "one/A/cover.jpg")
    try folder.makeFolder("one/A/CD2")
    #expect(try answer(albums[0]) == nil)
    try folder.write(Array("GIF89a, the second".utf8), to: "one/A/CD2/folder.gif")
    #expect(try answer(albums[0])?.bytes == Array("GIF89a, the second".utf8))
    try folder.write(Array("GIF89a, all".utf8), to: "one/A/cover.jpg")
    let picture = try #require(try answer(albums[0]))
    #expect(picture.bytes == Array("GIF89a, all".utf8))
    #expect(picture.mimeType == "image/gif")
    end()
  }

  @Test("A folder that hangs holds up no other one's pictures, and its own calls only for a time")
  func hanging() throws {
    for root in ["one", "two"] {
      try folder.write(Array("GIF89a of \(root)".utf8), to: "\(root)/A/cover.gif")
    }
    let goesOn = folders.folder(roots[0]).hang()

    let first = ask(albums[0])
    #expect(try answer(albums[1])?.bytes == Array("GIF89a of two".utf8))
    // It has told before it is done.
    #expect(happensInTime { !folders.folder(roots[1]).isBusy })
    now.withLock { $0 += Artwork.patience - 1 }
    #expect(try answer(albums[1])?.bytes == Array("GIF89a of two".utf8))
    #expect(first.withLock { $0 == nil })
    let isBack = Monitor(false)
    now.withLock { $0 += 1 }
    let reason =
      "no cover could be looked for in \(roots[0].display): the folder doesn't answer"
    #expect(throws: InterfaceError.changesRefused(reason: reason)) {
      try #require(first.wait(until: Patience.end) { $0 }).get()
    }
    // It is known to hang by now.
    #expect(throws: InterfaceError.changesRefused(reason: reason)) { try answer(albums[0]) }
    now.withLock { $0 -= Artwork.patience }
    let last = CoverFolder.Request.whole { _ in isBack.withLock { $0 = true } }
    folders.folder(roots[0]).find(CoverFolder.Job(place: .beside([]), request: last))
    goesOn.withLock { $0 = true }
    isBack.wait { $0 ? () : nil }
    #expect(try answer(albums[0])?.bytes == Array("GIF89a of one".utf8))
    end()
  }

  @Test("A song of which nothing is known yet may have a picture")
  func unread() throws {
    var library = Library()
    library.away.folders = roots
    let album = AlbumID(number: 1)
    let song = roots[0].appending("a.flac".utf8)
    for change in [
      Change.crateAdded("Music", after: nil),
      .albumAdded(
        album, crate: "Music", after: nil, group: GroupKey(family: "x"), isFresh: false, seen: 0),
      .songAdded(
        SongID(number: 1), album: album, after: nil, path: song, digest: nil, added: 0, seen: 0),
    ] { try library.apply(change, by: .folder) }
    fixture.published.publish(library)
    try folder.write("no song", to: "one/a.flac")
    // There is no reader who could say.
    let readers = try ReaderPool(program: BytePath("/nowhere/reader"), clock: .system)
    let artwork = Artwork(
      on: pool.lane(), published: fixture.published,
      folders: CoverFolders(readers: readers, on: pool.lane(), clock: .system),
      clock: .system)
    let answer = Monitor<Outcome?>(nil)
    artwork.find(for: "\(album)") { outcome in answer.withLock { $0 = outcome } }
    guard
      case .failure(.changesRefused(let reason))? = answer.wait(until: Patience.end, for: { $0 })
    else {
      Issue.record("it is not looked for")
      return
    }
    #expect(reason.hasPrefix("no cover could be looked for in \(song.display): "))
    pool.stop()
    readers.shutDown()
    end()
  }

  @Test("Of an album in two music folders the one that hangs is named")
  func twoFolders() throws {
    var library = Library()
    library.away.folders = roots
    let album = AlbumID(number: 1)
    try library.apply(.crateAdded("Music", after: nil), by: .folder)
    try library.apply(
      .albumAdded(
        album, crate: "Music", after: nil, group: GroupKey(family: "x"), isFresh: false, seen: 0),
      by: .folder)
    for (number, root) in roots.enumerated().reversed() {
      try library.apply(
        .songAdded(
          SongID(number: UInt64(number)), album: album, after: nil,
          path: root.appending("a/a.flac".utf8), digest: nil, added: 0, seen: 0), by: .folder)
    }
    fixture.published.publish(library)
    let goesOn = folders.folder(roots[1]).hang()
    let answer = ask(album)
    #expect(happensInTime { folders.folder(roots[1]).waitingCount > 0 })
    now.withLock { $0 += Artwork.patience }
    let reason =
      "no cover could be looked for in \(roots[1].display): the folder doesn't answer"
    #expect(throws: InterfaceError.changesRefused(reason: reason)) {
      try #require(answer.wait(until: Patience.end) { $0 }).get()
    }
    goesOn.withLock { $0 = true }
    self.end()
  }

  @Test("What is not found at the end could not be looked for, and nothing is begun any more")
  func stopped() throws {
    let goesOn = folders.folder(roots[0]).hang()
    let waiting = ask(albums[0])
    // The thread has begun what came before.
    #expect(try answer(albums[1]) == nil)
    pool.stop()
    folders.stop()
    let reason =
      "no cover could be looked for in \(roots[0].display): the folder doesn't answer"
    #expect(throws: InterfaceError.changesRefused(reason: reason)) {
      try #require(waiting.withLock { $0 }).get()
    }
    #expect(throws: Librarian.stopping) { try answer(albums[1]) }
    // Nor does a folder look for anybody else.
    let isRefused = Monitor<Bool?>(nil)
    let late = CoverFolder.Request.whole { outcome in
      if case .unknown = outcome { isRefused.withLock { $0 = true } }
    }
    folders.folder(roots[1]).find(CoverFolder.Job(place: .beside([]), request: late))
    #expect(isRefused.withLock { $0 } == true)
    goesOn.withLock { $0 = true }
    fixture.librarian.stop()
  }
}
