import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("Showing what is known", .serialized, .limited)
struct ShowTests {
  @Test(
    "a crate, an album and a song show their facts, what happened to them, and by what evidence")
  func show() throws {
    let home = try Home()
    try copy(try SampleMusic.albums([.flac, .ogg]), to: "\(home.music)/Here")
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let former = "\(home.music)/Here/Album ogg/2 Second ogg.ogg"
    let file = "\(home.music)/Here/Album ogg/Renamed.ogg"
    try #require(rename(former, file) == 0)
    try daemon.sync()
    try home.crate("move", "Album ogg", "to", "Jazz")

    let song = try home.crate("show", "Album ogg", "2").output
    let id = try #require(try home.json("list", "Album ogg")[1]["id"]?.string)
    for line in [
      "song       Second ogg", "crate      Jazz", "position   2", "track      2",
      "state      available",
      "file       \(file)", "id         \(id)",
    ] {
      #expect(song.split(separator: "\n").contains(Substring(line)), "\(line) of \(song)")
    }
    #expect(song.contains("\nknown by   ") && song.contains("\nformat     ogg, "), "\(song)")

    let album = try home.crate("show", "Album ogg").output
    #expect(album.contains("order      by disc and track\n"), "\(album)")
    #expect(album.contains("you  Album ogg is "), "\(album)")
    #expect(album.contains("\nformat     ogg\n"), "\(album)")
    #expect(album.contains("\nfolder     \(home.music)/Here/Album ogg\n"), "\(album)")
    #expect(album.contains("\ncover      "), "\(album)")
    #expect(song.contains("\nalbum by   "), "\(song)")
    // What happens to its songs happens to the album.
    #expect(album.contains("folder  Second ogg of Album ogg was found elsewhere\n"), "\(album)")
    #expect(try home.crate("show", "Jazz").output.contains("albums     1\n"))

    let objects = try home.json("show", id, "Jazz")
    #expect(objects.first?["id"]?.string == id)
    #expect(objects.count { $0["author"] != nil } >= 2)
    #expect(objects.contains { $0["name"]?.string == "Jazz" })
    try home.crate("show", "nosuch", status: 1)
    try daemon.stop()
  }
}
