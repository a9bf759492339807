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
    #expect(try !isFound(retagged: 1, staying: 2, as: "A"))
    #expect(try isFound(retagged: 2, staying: 2, as: "A"))
    #expect(try !isFound(retagged: 2, staying: 2, as: "Z"))
    #expect(try isFound(retagged: 2, staying: 1, goneBefore: 3, as: "Z"))
    #expect(try isFound(retagged: 1, staying: 0, as: "Z"))
  }

  /// Copies of an album's songs in a younger one, besides songs of that one's own.
  private func isMoved(
    copies: Int, own: Int, older: Int = 0, equal: Int = 0, retagged: Int = 0
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
    for number in 0..<equal { put("C", 60 + number, sound: 600 + number) }
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
    #expect(try isMoved(copies: 2, own: 1, equal: 3))
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

  @Test("an album of copies is found by the oldest song of their sound")
  func oldestOfSound() throws {
    var world = World()
    for album in ["O", "C", "P"] {
      world.put(
        "\(album)/1.flac", sound: 11, title: album, album: album, albumArtist: album, track: 1)
      world.put(
        "\(album)/2.flac", sound: 20 + album.utf8.reduce(0) { $0 + Int($1) }, title: "\(album) 2",
        album: album, albumArtist: album, track: 2)
      if album == "C" { _ = world.files.removeValue(forKey: World.path("C/2.flac")) }
      world.merge()
    }
    let songs = try ["O", "P"].map { try world.song($0).id }
    for album in ["O", "P"] { _ = world.remove("\(album)/1.flac") }
    world.merge()
    #expect(world.library.songs[songs[0]]?.path == World.path("C/1.flac"))
    world.check()
  }

  @Test("what was made anew in place is its own path before another kind, and the older song's")
  func remade() throws {
    func put(_ path: String, _ sound: Int, _ world: inout World) {
      world.put(path, sound: sound, title: "T", album: "A", albumArtist: "X", track: 1)
    }
    var world = World()
    put("A/1.mp3", 1, &world)
    world.merge()
    let old = try world.song("T").id
    put("A/1.mp3", 2, &world)
    put("A/1.flac", 3, &world)
    world.merge()
    #expect(world.library.songs[old]?.path == World.path("A/1.mp3"))
    #expect(world.library.songs.count == 2)
    for order in [["mp3", "ogg"], ["ogg", "mp3"]] {
      world = World()
      for (number, kind) in order.enumerated() {
        put("A/1.\(kind)", 1 + number, &world)
        world.merge()
      }
      let first = World.path("A/1.\(order[0])")
      let oldest = try #require(world.lookups.song(at: first, in: world.library)).id
      for kind in order { _ = world.remove("A/1.\(kind)") }
      put("A/1.flac", 9, &world)
      world.merge()
      #expect(world.library.songs[oldest]?.path == World.path("A/1.flac"), "\(order)")
    }
  }

  @Test("two songs whose files were one tell nothing of where that went")
  func hardLinks() throws {
    var world = World()
    world.put("A/1.flac", sound: 1, title: "A", album: "A", albumArtist: "X", track: 1)
    let file = try #require(world.files[World.path("A/1.flac")])
    world.merge()
    world.put("B/1.flac", sound: 1, title: "B", album: "B", albumArtist: "Y", track: 5)
    world.files[World.path("B/1.flac")]?.inode = file.inode
    world.merge()
    let songs = try ["A", "B"].map { try world.song($0).id }
    for album in ["A", "B"] { _ = world.remove("\(album)/1.flac") }
    world.put("C/2.flac", sound: 2, title: "C", album: "C", albumArtist: "Z", track: 9)
    world.files[World.path("C/2.flac")]?.inode = file.inode
    world.merge()
    #expect(songs.map { world.library.songs[$0]?.isGone != false } == [true, true])
    #expect(try !songs.contains(world.song("C").id))
    world.check()
  }

  @Test("what is away is found by its sound in its own album alone, or as the very same file")
  func away() throws {
    // Where the file system doesn't say when a file was born, its inode tells nothing.
    for (album, isSame, birth, isFound) in [
      ("A", false, 7, true), ("B", false, 7, false), ("B", true, 7, true), ("B", true, 1, true),
      ("B", true, 0, false), ("A", true, 7, true),
    ] as [(String, Bool, Int64, Bool)] {
      var world = World()
      world.put("usb/1.flac", sound: 5, title: "T", album: "A", albumArtist: "X", track: 1)
      world.files[World.path("usb/1.flac")]?.birth = birth
      world.put("here/2.flac", sound: 6, title: "U", album: "A", albumArtist: "X", track: 2)
      world.merge()
      let song = try world.song("T")
      let inode = try #require(world.files[song.path]).inode
      world.setAway(["usb"])
      world.put("new/1.flac", sound: 5, title: "T", album: album, albumArtist: "X", track: 1)
      if isSame { world.files[World.path("new/1.flac")]?.inode = inode }
      world.files[World.path("new/1.flac")]?.birth = birth
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
