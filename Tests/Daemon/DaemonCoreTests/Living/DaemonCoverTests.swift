import CratesInterface
import FolderWatching
import Glibc
import LibraryModel
import Platform
import ProgramSupport
import Synchronization
import TagReading
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Covers that the daemon finds", .serialized, .limited)
struct DaemonCoverTests {
  private let home: Home
  private var cache: String { home.folder.path("cache/crated/covers") }

  /// Two albums in a folder each, the first with a picture beside it.
  init() throws {
    home = try Home()
    for (number, name) in ["One", "Two"].enumerated() {
      let folder = try home.folder.makeFolder("Music/\(name)")
      for track in 1...2 { try SmallLibrary.song(number, track, to: folder) }
    }
    try writeFile(try SamplePicture.bytes("jpeg"), to: "\(home.music)/One/cover.jpg")
  }

  private func thumbnail(
    _ album: String, side: Int, _ client: CratesClient
  ) throws -> Interface.Thumbnail {
    guard case .thumbnail(let found) = try client.ask(.thumbnails(albums: [album], side: side))
    else { throw WrongReply() }
    return found
  }

  @Test("They are made as small as wanted, kept by digest and side, and made anew when they change")
  func thumbnails() throws {
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let (one, two) = (try client.album("Album 0"), try client.album("Album 1"))
    #expect(one.cover != nil && two.cover == nil)
    let small = try thumbnail(one.id, side: 16, client)
    #expect(small.album == one.id && small.digest == one.cover)
    #expect(small.width == 16 && small.height == 8 && small.bytes.count == 16 * 8 * 3)
    #expect(small.bytes[0] > 250 && small.bytes[1] < 5 && small.bytes[2] < 5)
    let large = try thumbnail(String(one.id.prefix(9)), side: 64, client)
    #expect(large.width == 40 && large.height == 20 && large.album == one.id)
    #expect(try names(in: cache) == ["16", "64"].map { "\(one.cover ?? "")-\($0)" })
    // From the cache: what it holds is shown, though the file beside is another by now.
    let kept = try readFile("\(cache)/\(one.cover ?? "")-16")
    try writeFile(try SamplePicture.bytes("jpeg-grey"), to: "\(home.music)/One/cover.jpg")
    try client.sync()
    let later = try client.album("Album 0")
    #expect(later.cover != nil && later.cover != one.cover)
    let grey = try thumbnail(one.id, side: 16, client)
    #expect(grey.digest == later.cover && grey.bytes != small.bytes)
    #expect(try readFile("\(cache)/\(one.cover ?? "")-16") == kept)
    #expect(try names(in: cache).count == 3)
    // None, and none that is known of.
    #expect(try thumbnail(two.id, side: 16, client).width == 0)
    let unknown = try thumbnail("zzzzzzzzzzzz", side: 16, client)
    #expect(unknown.album == "zzzzzzzzzzzz" && unknown.width == 0 && unknown.digest == nil)
    #expect(throws: InterfaceError.expectedMore) {
      try client.ask(.thumbnails(albums: [one.id, two.id], side: 16))
    }
    unlink("\(home.music)/One/cover.jpg")
    try client.sync()
    #expect(try client.album("Album 0").cover == nil)
    #expect(try thumbnail(one.id, side: 16, client).width == 0)
    try living.stop()
  }

  @Test("A picture that can't be shown is not read twice, and none of what is away is looked for")
  func unshowable() throws {
    try writeFile(Array("no picture".utf8), to: "\(home.music)/One/cover.jpg")
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let one = try client.album("Album 0")
    let found = try thumbnail(one.id, side: 16, client)
    #expect(found.width == 0 && found.digest == one.cover)
    #expect(try names(in: cache) == ["\(one.cover ?? "")-16"])
    #expect(try thumbnail(one.id, side: 16, client) == found)
    // The folder goes with its drive.
    try writeFile(try SamplePicture.bytes("png"), to: "\(home.music)/One/cover.jpg")
    try client.sync()
    let folder = try #require(try living.daemon.folders.all.first)
    var state = folder.watchState
    state.mode = .offline(reason: "it is not there")
    folder.folderState(state)
    #expect(try thumbnail(one.id, side: 20, client).width == 0)
    #expect(try names(in: cache).count == 1)
    state.mode = .watching
    folder.folderState(state)
    #expect(try thumbnail(one.id, side: 20, client).width == 20)
    try living.stop()
  }

  @Test("The picture itself is told as it is, with its type")
  func artwork() throws {
    let living = try LivingDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let (one, two) = (try client.album("Album 0").id, try client.album("Album 1").id)
    guard case .artwork(let type, let text) = try client.ask(.artwork(album: one)) else {
      throw WrongReply()
    }
    #expect(type == "image/jpeg")
    #expect(text == Base64.encoded(try SamplePicture.bytes("jpeg")))
    #expect(throws: InterfaceError.noArtwork(album: two)) { try client.ask(.artwork(album: two)) }
    try living.stop()
  }

  @Test("The covers of a folder have one thread, and nothing is found after the end")
  func stopped() throws {
    // An hour ahead: whoever waits for the end without need waits too long.
    let clock = Clock(
      monotonic: { Clock.system.monotonic() + 3_600_000_000_000 }, wall: Clock.system.wall)
    let readers = try ReaderPool(program: BytePath("/nowhere"), clock: clock)
    let published = PublishedLibrary(Library())
    let pool = WorkPool("artwork", threads: 1)
    let folders = CoverFolders(readers: readers, on: pool.lane(), clock: clock)
    let (one, two) = (BytePath("/one"), BytePath("/two"))
    #expect(folders.folder(one) === folders.folder(one))
    #expect(folders.folder(one) !== folders.folder(two))
    let artwork = Artwork(on: pool.lane(), published: published, folders: folders, clock: clock)
    let answers = Monitor<[InterfaceError?]>([])
    func ask() {
      artwork.find(for: "zzzzzzzzzzzz") { result in
        let error: InterfaceError? = if case .failure(let error) = result { error } else { nil }
        answers.withLock { $0.append(error) }
      }
    }
    ask()
    answers.wait { $0.isEmpty ? nil : () }
    pool.stop()
    folders.stop()
    ask()
    // There is no such album, and then nobody who looks.
    #expect(
      answers.withLock { $0 } == [.noSuchAlbum(id: "zzzzzzzzzzzz"), Librarian.stopping])
  }
}
