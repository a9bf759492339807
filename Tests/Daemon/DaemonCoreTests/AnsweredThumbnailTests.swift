import CratesInterface
import Glibc
import LibraryModel
import ModelSupport
import Platform
import ProgramSupport
import TagReading
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Covers as pixels, as they are answered", .serialized, .limited)
struct AnsweredThumbnailTests {
  private func fixture() throws -> AnsweringFixture {
    try AnsweringFixture(reader: try Home.program("crate-tag-reader"))
  }

  private func thumbnail(
    _ album: String, _ fixture: AnsweringFixture, form: Interface.ThumbnailForm? = nil
  ) throws -> Interface.Thumbnail {
    let call = Call.thumbnails(albums: [album], side: 16, form: form)
    guard case .thumbnail(let found) = try fixture.reply(call) else { throw WrongReply() }
    return found
  }

  private func kept(_ fixture: AnsweringFixture) throws -> [String] {
    (try? names(in: fixture.folder.path("covers"))) ?? []
  }

  @Test("One beside songs is kept by the digest that lists have, and not where they have none")
  func beside() throws {
    let fixture = try fixture()
    let album = try fixture.find("One", by: "X", [("A", 1)])
    let picture = try SamplePicture.bytes("png")
    try fixture.folder.write(picture, to: "music/One/cover.png")
    let other = try #require(CoverDigest(number: 8))
    let away = try fixture.find("Two", by: "X", [("A", 1)])
    fixture.covers.note(other, in: fixture.music.appending("Two".utf8))
    // One that lists know, and that is not there now, may be back.
    #expect(try thumbnail(away, fixture).digest == other.description)
    let unknown = try thumbnail(album, fixture)
    #expect(unknown.width == 16 && unknown.digest == nil)
    #expect(try kept(fixture) == [])
    let listed = try #require(CoverDigest(number: 7))
    fixture.covers.note(listed, in: fixture.music.appending("One".utf8))
    let known = try thumbnail(album, fixture)
    #expect(known.width == 16 && known.bytes == unknown.bytes)
    #expect(known.digest == listed.description)
    #expect(try kept(fixture) == ["\(listed)-16"])
    // It is shown as it was kept, whatever is there by now.
    try fixture.folder.write("no picture", to: "music/One/cover.png")
    #expect(try thumbnail(album, fixture) == known)
  }

  @Test("A JPEG is made, kept and told beside the pixels of the same cover")
  func jpeg() throws {
    let fixture = try fixture()
    let album = try fixture.find("One", by: "X", [("A", 1)])
    let none = try fixture.find("Two", by: "X", [("A", 1)])
    try fixture.folder.write(try SamplePicture.bytes("png"), to: "music/One/cover.png")
    let listed = try #require(CoverDigest(number: 7))
    fixture.covers.note(listed, in: fixture.music.appending("One".utf8))
    let found = try thumbnail(album, fixture, form: .jpeg)
    #expect(found.form == .jpeg && found.width == 16 && found.height == 8)
    #expect(found.bytes.starts(with: [0xFF, 0xD8, 0xFF]) && found.digest == listed.description)
    #expect(try kept(fixture) == ["\(listed)-16.jpeg"])
    let pixels = try thumbnail(album, fixture, form: .pixels)
    #expect(pixels.form == .pixels && pixels.bytes.count == 16 * 8 * 3)
    #expect(try thumbnail(album, fixture) == pixels)
    #expect(try kept(fixture).sorted() == ["\(listed)-16", "\(listed)-16.jpeg"])
    // As it was kept, whatever is there by now.
    try fixture.folder.write("no picture", to: "music/One/cover.png")
    #expect(try thumbnail(album, fixture, form: .jpeg) == found)
    let absent = try thumbnail(none, fixture, form: .jpeg)
    #expect(absent.form == .jpeg && absent.width == 0 && absent.bytes.isEmpty)
  }

  @Test("One that nobody can show is read once, where it is known by a digest")
  func unshowable() throws {
    let fixture = try fixture()
    let album = try fixture.find("One", by: "X", [("A", 1)])
    try fixture.folder.write("no picture", to: "music/One/cover.png")
    #expect(try thumbnail(album, fixture).width == 0 && kept(fixture) == [])
    let listed = try #require(CoverDigest(number: 7))
    fixture.covers.note(listed, in: fixture.music.appending("One".utf8))
    #expect(try thumbnail(album, fixture).digest == listed.description)
    #expect(try kept(fixture) == ["\(listed)-16"])
    try fixture.folder.write(try SamplePicture.bytes("png"), to: "music/One/cover.png")
    #expect(try thumbnail(album, fixture).width == 0)
  }

  @Test("One in a song is told and kept by its own digest, and looked for until it can be read")
  func inSong() throws {
    let fixture = try fixture()
    let picture = try SamplePicture.bytes("jpeg")
    let digest = CoverDigest(of: picture)
    let listed = try #require(CoverDigest(number: 7))
    let sound = try readFile(try SampleMusic.sound(.mp3))
    let one = try fixture.find("One", by: "X", cover: digest, [("A", 1)])
    let two = try fixture.find("Two", by: "X", cover: listed, [("A", 1), ("B", 1)])
    // The file is not there yet. That says nothing of the picture, which is looked for again.
    let away = try thumbnail(one, fixture)
    #expect(away.width == 0 && away.digest == digest.description)
    #expect(try kept(fixture) == [])
    for name in ["One", "Two"] {
      try fixture.folder.write(SamplePicture.inSong(picture, sound), to: "music/\(name)/1.flac")
      try fixture.folder.write("no song", to: "music/\(name)/cover.jpg")
    }
    for album in [one, two] {
      let found = try thumbnail(album, fixture)
      #expect(found.width == 16 && found.digest == digest.description)
    }
    #expect(try kept(fixture) == ["\(digest)-16"])
    fixture.lose("Two", 1)
    let none = try thumbnail(two, fixture)
    #expect(none.width == 0)
  }

  @Test("The picture in a song is told whole, else that beside it; unread songs are told of")
  func whole() throws {
    func artwork(_ album: String, _ fixture: AnsweringFixture) throws -> Reply {
      try fixture.reply(.artwork(album: album))
    }
    let picture = try SamplePicture.bytes("jpeg")
    let digest = CoverDigest(of: picture)
    let sound = try readFile(try SampleMusic.sound(.mp3))
    for reader in [try Home.program("crate-tag-reader"), "/nowhere/reader"] {
      let fixture = try AnsweringFixture(reader: reader)
      let album = try fixture.find("One", by: "X", cover: digest, [("A", 1), ("B", 2)])
      #expect(try fixture.refusal(.artwork(album: album)) == .noArtwork(album: album))
      let song = try fixture.folder.write(
        SamplePicture.inSong(picture, sound), to: "music/One/1.flac")
      if reader == "/nowhere/reader" {
        guard case .changesRefused(let reason) = try fixture.refusal(.artwork(album: album)) else {
          Issue.record("it is looked for")
          continue
        }
        #expect(reason.hasPrefix("no cover could be looked for in \(song): "))
        try fixture.folder.write("GIF89a", to: "music/One/cover.gif")
        #expect(
          try artwork(album, fixture)
            == .artwork(mimeType: "image/gif", base64: Base64.encoded(Array("GIF89a".utf8))))
      } else {
        try fixture.folder.write("GIF89a", to: "music/One/cover.gif")
        #expect(
          try artwork(album, fixture)
            == .artwork(mimeType: "image/jpeg", base64: Base64.encoded(picture)))
      }
    }
  }

  @Test("What a folder that hangs doesn't tell is late after ten seconds, each in its turn")
  func late() throws {
    let now = Monitor<Int64>(1)
    let clock = Clock(monotonic: { now.withLock { $0 } }, wall: Clock.system.wall)
    let fixture = try AnsweringFixture(covering: clock)
    let listed = try #require(CoverDigest(number: 7))
    let albums = try ["One", "Two"].map { try fixture.find($0, by: "X", [("A", 1)]) }
    fixture.covers.note(listed, in: fixture.music.appending("Two".utf8))
    let goesOn = fixture.coverFolders.folder(fixture.music).hang()
    let told = Monitor<[JSON]>([])
    let client = BlockingThread("client") {
      let replies = try? fixture.replies(.thumbnails(albums: albums, side: 16))
      told.withLock { $0 = replies ?? [] }
    }
    // Both wait for the folder.
    let covers = fixture.coverFolders.folder(fixture.music)
    #expect(happensInTime { covers.waitingCount == 2 })
    now.withLock { $0 = 10_000_000_001 }
    client.join()
    let replies = told.withLock { $0 }
    #expect(replies.map { $0["album"]?.string } == albums)
    #expect(replies.map { $0["width"]?.integer } == [0, 0])
    #expect(replies.map { $0["digest"]?.string } == [nil, listed.description])
    goesOn.withLock { $0 = true }
  }

  @Test(
    "The ninth is looked for once those before it are told, though all of them are told at once")
  func ninth() throws {
    let fixture = try fixture()
    let album = try fixture.find("One", by: "X", [("A", 1)])
    let listed = try #require(CoverDigest(number: 7))
    fixture.covers.note(listed, in: fixture.music.appending("One".utf8))
    let covers = fixture.coverFolders.folder(fixture.music)
    let goesOn = covers.hang()
    // The first waits for its folder, all others for the first.
    let names = [album] + (2...9).map { "zzzz2222zzz\($0)" }
    let told = Monitor<[JSON]>([])
    let client = BlockingThread("client") {
      let replies = try? fixture.replies(.thumbnails(albums: names, side: 16))
      told.withLock { $0 = replies ?? [] }
    }
    #expect(happensInTime { covers.waitingCount == 1 })
    goesOn.withLock { $0 = true }
    client.join()
    #expect(told.withLock { $0.map { $0["album"]?.string } } == names)
  }

  @Test("One whose song is away is told of by what lists know, and looked for later")
  func away() throws {
    let fixture = try fixture()
    let listed = try #require(CoverDigest(number: 7))
    let album = try fixture.find("One", by: "X", cover: listed, [("A", 1)])
    var away = fixture.published.library.away
    away.places = [fixture.music.appending("One".utf8)]
    fixture.librarian.setAway { [away] in away }
    let found = try thumbnail(album, fixture)
    #expect(found.width == 0 && found.digest == listed.description)
    #expect(try kept(fixture) == [])
  }

  private func call(_ albums: [String], side: Int, _ fixture: AnsweringFixture) throws -> RawClient
  {
    let client = try RawClient(socket: fixture.socket)
    let call = Call.thumbnails(albums: albums, side: side)
    let message: JSON = [
      "method": .string(call.method.fullName), "parameters": call.parameters, "more": true,
    ]
    client.send(message.bytes + [0])
    return client
  }

  @Test("Who takes their time gets all of them")
  func slow() throws {
    let fixture = try fixture()
    let album = try fixture.find("One", by: "X", [("A", 1)])
    let listed = try #require(CoverDigest(number: 7))
    fixture.covers.note(listed, in: fixture.music.appending("One".utf8))
    let cache = ThumbnailCache(directory: BytePath(fixture.folder.path("covers")), clock: .system)
    let large = try #require(
      Thumbnail(width: 512, height: 512, bytes: [UInt8](repeating: 9, count: 512 * 512 * 3)))
    cache.keep(.made(large), listed, side: 512)
    let slow = try call(Array(repeating: album, count: 12), side: 512, fixture)
    // More than the kernel and a queue take.
    for number in 1...12 {
      let reply = try slow.reply()
      #expect(reply?["parameters"]?["width"]?.integer == 512)
      #expect((reply?["continues"]?.bool == true) == (number < 12))
    }
  }

  @Test("Who goes keeps nobody from theirs")
  func gone() throws {
    // Of whatever waits the time never passes.
    let fixture = try AnsweringFixture(covering: Clock(monotonic: { 1 }, wall: Clock.system.wall))
    let album = try fixture.find("One", by: "X", [("A", 1)])
    let listed = try #require(CoverDigest(number: 7))
    fixture.covers.note(listed, in: fixture.music.appending("One".utf8))
    let covers = fixture.coverFolders.folder(fixture.music)
    let goesOn = covers.hang()
    let goes = try call([album, album], side: 16, fixture)
    #expect(happensInTime { covers.waitingCount == 2 })
    _ = consume goes
    // The server's thread has seen that it went.
    for _ in 0..<3 { _ = try fixture.reply(.status) }
    goesOn.withLock { $0 = true }
    #expect(try thumbnail(album, fixture).digest == listed.description)
  }

  @Test("Nothing is looked for in folders after the end")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let readers = try ReaderPool(program: BytePath("/nowhere"), clock: .system)
    let folders = CoverFolders(
      readers: readers, on: WorkPool("covers", threads: 1).lane(), clock: .system)
    let covers = folders.folder(BytePath(folder.path))
    folders.stop()
    let isRefused = Monitor<Bool?>(nil)
    let request = CoverFolder.Request.thumbnail(side: 16) { outcome in
      if case .unknown = outcome { isRefused.withLock { $0 = true } }
    }
    covers.find(CoverFolder.Job(place: .beside([]), request: request))
    #expect(isRefused.withLock { $0 } == true)
    readers.shutDown()
  }

  @Test("An id that is the beginning of several ends its call with what may be meant")
  func ambiguous() throws {
    let fixture = try fixture()
    var library = Library()
    try library.apply(.crateAdded("Music", after: nil), by: .folder)
    let albums = (0..<2).map { AlbumID(number: UInt64($0) << 20) }
    for album in albums {
      try library.apply(
        .albumAdded(
          album, crate: "Music", after: nil, group: GroupKey(family: "\(album)"), isFresh: false,
          seen: 0), by: .folder)
    }
    fixture.published.publish(library)
    let text = String(albums[0].description.prefix(4))
    #expect(
      try fixture.refusal(.thumbnails(albums: [text], side: 16))
        == .ambiguousId(id: text, matches: albums.map(\.description)))
    #expect(try thumbnail("zzzz", fixture).album == "zzzz")
  }

  @Test("An id may be shortened, and one that is none is passed over")
  func ids() throws {
    let fixture = try fixture()
    let album = try fixture.find("One", by: "X", [("A", 1)])
    #expect(try thumbnail(String(album.prefix(5)), fixture).album == album)
    #expect(try thumbnail("zzzz", fixture).album == "zzzz")
  }
}
