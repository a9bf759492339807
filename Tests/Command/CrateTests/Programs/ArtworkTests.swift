import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("Covers", .serialized, .limited)
struct ArtworkTests {
  private let home: Home
  private let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
  private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2]

  init() throws {
    home = try Home()
    try copy(try SampleMusic.albums([.flac, .mp3]), to: "\(home.music)/Here")
  }

  private func cover(_ title: String, _ client: CratesClient) throws -> Reply? {
    let album = try #require(try client.albums().first { $0.title == title })
    do {
      return try client.ask(.artwork(album: album.id))
    } catch InterfaceError.noArtwork(let id) {
      #expect(id == album.id)
      return nil
    }
  }

  private func reply(_ mimeType: String, _ bytes: [UInt8]) -> Reply {
    .artwork(mimeType: mimeType, base64: Base64.encoded(bytes))
  }

  @Test("The first song's that has one, else the image beside them; none where there is none")
  func order() throws {
    let folder = "\(home.music)/Here/Album mp3"
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let client = try CratesClient(home)
    #expect(try cover("Album mp3", client) == nil)

    // The best of several names, whatever their letters; what only looks like an image is none.
    try writeFile(Array("BM and more".utf8), to: "\(folder)/front.png")
    #expect(try cover("Album mp3", client) == reply("image/bmp", Array("BM and more".utf8)))
    try writeFile(jpeg, to: "\(folder)/Folder.JPG")
    #expect(try cover("Album mp3", client) == reply("image/jpeg", jpeg))
    #expect(try cover("Album flac", client) == nil)
    try writeFile(Array("text".utf8), to: "\(folder)/cover.jpg")
    #expect(try cover("Album mp3", client) == nil)
    #expect(unlink("\(folder)/cover.jpg") == 0)

    try Tagger().write(["title": "Second mp3"], picture: 100, to: "\(folder)/2 Second mp3.mp3")
    try client.sync()
    let embedded = Array(png.prefix(8)) + [UInt8](repeating: 0, count: 100)
    #expect(try cover("Album mp3", client) == reply("image/png", embedded))
    try daemon.stop()
  }

  @Test("An image of six megabytes fits into an answer, a larger one is none")
  func large() throws {
    let path = "\(home.music)/Here/Album flac/cover.png"
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let client = try CratesClient(home)
    let largest = png + [UInt8](repeating: 7, count: 6_000_000 - png.count)
    try writeFile(largest, to: path)
    #expect(try cover("Album flac", client) == reply("image/png", largest))
    try writeFile(largest + [7], to: path)
    #expect(try cover("Album flac", client) == nil)
    #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
    #expect(try cover("Album flac", client) == nil)
    try daemon.stop()
  }

  @Test("crate art writes the cover to a pipe")
  func command() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    #expect(
      try home.crate(["art", "Album mp3"], status: 1).errors
        == "crate: the album has no cover; put a picture called cover.jpg into its folder\n")
    try writeFile(jpeg, to: "\(home.music)/Here/Album mp3/cover.jpg")
    try writeFile(png, to: "\(home.music)/Here/Album flac/cover.png")
    let file = home.folder.path("cover")
    _ = try run(
      "sh", ["-c", "\"$0\" art 'Album mp3' >'\(file)'", try Home.program("crate")],
      environment: home.environment)
    #expect(try readFile(file) == jpeg)
    let object = try #require(try home.json("art", "Album mp3", "1").first)
    #expect(object["mimeType"]?.string == "image/jpeg")
    #expect(object["base64"]?.string == Base64.encoded(jpeg))
    try home.crate(["art", "Music"], status: 64)
    try home.crate(["art", "Music", "1-2"], status: 64)
    try daemon.stop()
  }
}
