import TestSupport
import Testing

@testable import LibraryModel

@Suite("What a lost song is looked for by", .limited)
struct HeirsTests {
  /// The songs of one album, some of which are retagged while another is made anew elsewhere, under
  /// the new name.
  private func isFound(
    retagged: Int, staying: Int, goneBefore: Int = 0, as name: String
  ) throws -> Bool {
    var world = World()
    let all = retagged + staying + goneBefore + 1
    world.putAlbum("M", tracks: all, sound: 10, in: nil)
    world.merge()
    func path(_ track: Int) -> String { "M/\(track) M \(track).flac" }
    for track in (all - goneBefore)..<all { _ = world.remove(path(track)) }
    world.merge()
    let lost = try world.song("M \(all)").id
    for track in 1...retagged { world.retag(path(track)) { $0.album = name } }
    _ = world.remove(path(all))
    world.put(
      "New/x.flac", sound: 90, title: "M \(all)", album: name, albumArtist: "Artist", track: all)
    world.merge()
    world.check()
    return world.library.songs[lost]?.path == World.path("New/x.flac")
  }

  @Test("counts the group that most songs of its album have by now, of equals the first by name")
  func majority() throws {
    #expect(try isFound(retagged: 2, staying: 1, as: "Z"))
    #expect(try !isFound(retagged: 1, staying: 2, as: "Z"))
    #expect(try isFound(retagged: 2, staying: 2, as: "A"))
    #expect(try !isFound(retagged: 2, staying: 2, as: "Z"))
    #expect(try isFound(retagged: 2, staying: 1, goneBefore: 3, as: "Z"))
    #expect(try isFound(retagged: 1, staying: 0, as: "Z"))
  }

  /// Copies of an album's songs in a younger one, besides songs of that one's own.
  private func isMoved(
    copies: Int, own: Int, older: Int = 0, retagged: Int = 0
  ) throws -> Bool {
    var world = World()
    func put(_ album: String, _ number: Int, sound: Int) {
      world.put(
        "\(album)/\(number).flac", sound: sound, title: "\(album) \(number)", album: album,
        albumArtist: album, track: number)
    }
    for number in 0..<older { put("C", 50 + number, sound: 500 + number) }
    world.merge()
    for number in 1...copies { put("O", number, sound: 10 + number) }
    world.merge()
    for number in 0..<retagged { put("D", 70 + number, sound: 700 + number) }
    put("D", 80, sound: 800)
    world.merge()
    for number in 0..<retagged {
      world.retag("D/\(70 + number).flac") { ($0.album, $0.albumArtist) = ("C", "C") }
    }
    for number in 1...copies { put("C", number, sound: 10 + number) }
    for number in 0..<own { put("C", 20 + number, sound: 200 + number) }
    world.merge()
    let songs = try (1...copies).map { try world.song("O \($0)").id }
    _ = world.remove("O")
    world.merge()
    world.check()
    let moved = songs.filter { world.library.songs[$0]?.isGone == false }
    #expect(moved.isEmpty || moved == songs)
    return !moved.isEmpty
  }

  @Test("a copy was a move where more than half of what is younger in its album are copies")
  func copies() throws {
    #expect(try isMoved(copies: 2, own: 1))
    #expect(try !isMoved(copies: 2, own: 2))
    #expect(try isMoved(copies: 3, own: 2))
    #expect(try isMoved(copies: 1, own: 0))
    #expect(try !isMoved(copies: 1, own: 1))
    // What was there before says nothing, nor what came from another album.
    #expect(try isMoved(copies: 2, own: 1, older: 3))
    #expect(try isMoved(copies: 2, own: 1, retagged: 2))
    #expect(try !isMoved(copies: 2, own: 2, older: 2, retagged: 1))
  }

  @Test("a copy is judged by the songs that are younger than each that is lost")
  func times() throws {
    var world = World()
    func put(_ album: String, _ number: Int, sound: Int) {
      world.put(
        "\(album)/\(number).flac", sound: sound, title: "\(album) \(number)", album: album,
        albumArtist: album, track: number)
    }
    put("O", 1, sound: 11)
    world.merge()
    for number in 20...22 { put("C", number, sound: 100 + number) }
    world.merge()
    put("O", 2, sound: 12)
    world.merge()
    for number in 1...2 { put("C", number, sound: 10 + number) }
    world.merge()
    let songs = try [world.song("O 1").id, world.song("O 2").id]
    _ = world.remove("O")
    world.merge()
    #expect(songs.map { world.library.songs[$0]?.isGone } == [true, false])
    world.check()
  }

  @Test("what is away is found by its sound in its own album alone, or as the very same file")
  func away() throws {
    for (album, isSame, isFound) in [
      ("A", false, true), ("B", false, false), ("B", true, true), ("A", true, true),
    ] {
      var world = World()
      world.put("usb/1.flac", sound: 5, title: "T", album: "A", albumArtist: "X", track: 1)
      world.put("here/2.flac", sound: 6, title: "U", album: "A", albumArtist: "X", track: 2)
      world.merge()
      let song = try world.song("T")
      let inode = try #require(world.files[song.path]).inode
      world.setAway(["usb"])
      world.put("new/1.flac", sound: 5, title: "T", album: album, albumArtist: "X", track: 1)
      if isSame { world.files[World.path("new/1.flac")]?.inode = inode }
      world.merge()
      let path = world.library.songs[song.id]?.path
      #expect(path == World.path(isFound ? "new/1.flac" : "usb/1.flac"), "\(album) \(isSame)")
    }
  }

  @Test("of several of one sound the nearest is it, then the touched, then the older")
  func nearest() throws {
    for (album, touched, found) in [
      ("A", nil, "A"), ("B", nil, "B"), ("C", nil, "A"), ("C", "B", "B"), ("B", "A", "B"),
    ] as [(String, String?, String)] {
      var world = World()
      for album in ["A", "B"] {
        world.put(
          "\(album)/1.flac", sound: 5, title: album, album: album, albumArtist: "X", track: 1)
        world.put(
          "\(album)/2.flac", sound: album == "A" ? 6 : 7, title: "\(album) 2", album: album,
          albumArtist: "X", track: 2)
        world.merge()
      }
      if let touched { try world.edit(.moveAlbums([world.id(touched)], .bottom, crate: "New")) }
      let songs = try ["A": world.song("A").id, "B": world.song("B").id]
      for album in ["A", "B"] { _ = world.remove("\(album)/1.flac") }
      world.put("Z/9.flac", sound: 5, title: "N", album: album, albumArtist: "X", track: 9)
      world.merge()
      let there = songs.filter { world.library.songs[$0.value]?.isGone == false }
      #expect(Array(there.keys) == [found], "\(album) \(String(describing: touched))")
      world.check()
    }
  }
}
