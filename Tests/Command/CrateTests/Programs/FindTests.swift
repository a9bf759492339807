import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("Finding", .serialized, .limited)
struct FindTests {
  private let home: Home

  init() throws {
    home = try Home()
    try SmallLibrary.write(albums: 3, to: home.music)
  }

  @Test("What an answer told of is found, as it is called now, where it stands now")
  func fresh() throws {
    let daemon = try RunningDaemon(home)
    let client = try CratesClient(home)
    try client.sync()
    let albums = try client.albums()
    let found = try client.search("\"album 1\"")
    #expect(found.albums == albums.filter { $0.title == "Album 1" })
    // Its songs match by nothing but its title.
    #expect(found.songs == [])
    let titled = try client.search("song \"album 1\"")
    #expect(titled.songs == (try client.songs()).filter { $0.albumTitle == "Album 1" })

    // Only a title: no change of the order.
    let file = "\(home.music)/0-2.flac"
    let tags = ["title": "Émile", "artist": "Artist 0", "album": "Album 0", "tracknumber": "2"]
    try Tagger().write(tags, to: file)
    try client.sync()
    let song = try #require(try client.search("emile").songs.first)
    #expect(song.title == "Émile" && song.position == 2, "\(song)")

    // Where it was put.
    let album = try client.album("Album 2")
    try client.move(albums: [album.id], .bottom, to: "Evening")
    let moved = try #require(try client.search("album:\"album 2\"").albums.first)
    #expect(moved.crate == "Evening" && moved.position == 1)

    // Not what is gone.
    #expect(unlink(file) == 0)
    try client.sync()
    #expect(try client.search("emile").songs == [])

    #expect(try client.search("album", limit: 1).albums.count == 1)
    #expect(try client.search("album", limit: 0).songs == [])
    #expect(throws: InterfaceError.invalidParameter(parameter: "limit")) {
      try client.search("album", limit: -1)
    }
    #expect(try client.search("").albums == [])
    try daemon.stop()
  }

  @Test("After the index is taken away, and with another program that keeps it, the same is found")
  func withoutIndex() throws {
    var daemon = try RunningDaemon(home)
    var client = try CratesClient(home)
    try client.sync()
    let expected = try client.search("\"song 1\"").songs.map(\.id)
    #expect(expected.count == 3)
    for ending in ["", "-wal", "-shm"] { unlink(home.index + ending) }
    #expect(try client.search("\"song 1\"").songs.map(\.id) == expected)
    #expect(access(home.index, F_OK) == 0, "it is not there again")
    try daemon.stop()

    // Where the index can't be.
    removeTree(home.folder.path("cache/crated"))
    try writeFile(Array("a file".utf8), to: home.folder.path("cache/crated"))
    daemon = try RunningDaemon(home)
    client = try CratesClient(home)
    try client.sync()
    #expect(try client.search("\"song 1\"").songs.map(\.id) == expected)
    try SmallLibrary.song(7, 1, to: home.music)
    try client.sync()
    #expect(try client.search("\"song 1\"").songs.count == 4)
    try daemon.stop()
    #expect(daemon.log.contains("searching without the index"), "\(daemon.log)")
  }

  @Test("crate find shows albums and songs, or an object a line")
  func command() throws {
    let daemon = try RunningDaemon(home)
    try daemon.sync()
    let lines = try home.crate("find", "\"album 1\"").output.split(separator: "\n")
    try #require(lines.count == 1, "\(lines)")
    #expect(lines[0].contains("\tAlbum 1\tArtist 1\t"))
    let songs = try home.crate("find", "song", "\"album 1\"").output.split(separator: "\n")
    try #require(songs.count == 3, "\(songs)")
    #expect(songs[0].hasPrefix("1\tSong 1\tArtist 1\t"))
    #expect((lines + songs).allSatisfy { $0.count { $0 == "\t" } == 8 })
    let objects = try home.json("find", "title:song", "album:\"album 1\"")
    #expect(objects.map { $0["title"]?.string } == ["Song 1", "Song 2", "Song 3"])
    let nothing = try home.crate("find", "zzz", status: 1)
    #expect(nothing.output.isEmpty && nothing.errors == "crate: nothing was found\n")
    // All songs of the albums and the songs, each once, in library order.
    let all = try home.crate("paths", "Music").output
    #expect(try home.crate("find", "-p", "album").output == all)
    let one = try home.crate("find", "--paths", "title:song", "album:\"album 1\"").output
    #expect(one.split(separator: "\n").count == 3 && all.contains(one))
    let cut = try home.crate("find", "-n", "1", "album")
    #expect(cut.output.split(separator: "\n").count == 1 && cut.errors.isEmpty)
    #expect(try home.crate("find", "album", "-title:1").output.contains("Song 2"))
    #expect(try !home.crate("find", "album", "-title:1").output.contains("Song 1\t"))
    try home.crate("find", "colour:red", status: 64)
    try home.crate(["find", "x", "--limit", "-1"], status: 64)
    try home.crate(["find"], status: 64)
    try daemon.stop()
  }
}
