import TestSupport
import Testing

@testable import LibraryModel

/// Which file is a song that lost its own, and by what: Documentation/merge-rules.md, “Recognising”.
@Suite("What is the same song", .limited)
struct SameSongTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// Where the file is that comes when `A/1.flac` goes.
    var path: String
    /// By what the song is recognised; nil: the file is another song.
    var evidence: Evidence?
    var isTold = false
    var was: @Sendable (inout World.File) -> Void = { _ in }
    var becomes: @Sendable (inout World.File) -> Void
    var testDescription: String { name }
  }

  private static func named(
    _ name: String, _ path: String, _ evidence: Evidence?,
    _ becomes: @escaping @Sendable (inout World.File) -> Void = { _ in },
    was: @escaping @Sendable (inout World.File) -> Void = { _ in }
  ) -> Case {
    Case(name: name, path: path, evidence: evidence, was: was, becomes: becomes)
  }

  /// A file with another sound. The song is One, track 1 of A by X, of a minute.
  private static func anew(
    _ name: String, _ path: String, _ evidence: Evidence?,
    _ becomes: @escaping @Sendable (inout World.File) -> Void = { _ in },
    was: @escaping @Sendable (inout World.File) -> Void = { _ in }
  ) -> Case {
    let withSound: @Sendable (inout World.File) -> Void = { file in
      file.sound = 2
      becomes(&file)
    }
    return named(name, path, evidence, withSound, was: was)
  }

  /// Nothing but its sound or the file itself can tell.
  @Sendable private static func retagAll(_ file: inout World.File) {
    (file.tags.title, file.tags.album, file.tags.track) = ("Two", "B", 9)
    file.milliseconds = 400_000
  }

  @Sendable private static func setIds(_ file: inout World.File) {
    (file.tags.recording, file.tags.release) = ("r", "l")
  }

  @Sendable private static func setMore(_ file: inout World.File) {
    (file.tags.recording, file.tags.disc, file.tags.artist) = ("r", 1, "Y")
  }

  private static func tags(
    _ change: @escaping @Sendable (inout SongTags) -> Void
  ) -> @Sendable (inout World.File) -> Void { { change(&$0.tags) } }

  /// Without title and number, by which a place made anew is the song's.
  private static func bare(
    _ change: @escaping @Sendable (inout SongTags) -> Void
  ) -> @Sendable (inout World.File) -> Void {
    { file in
      (file.tags.title, file.tags.track) = ("", nil)
      change(&file.tags)
    }
  }

  private static let elsewhere = [
    named("the same sound", "B/9.flac", .sound),
    named("the same sound, retagged", "B/9.flac", .sound, retagAll),
    anew("another sound, retagged", "B/9.flac", nil, retagAll),
    named("no sound to compare, retagged", "B/9.flac", nil, retagAll, was: { $0.sound = 0 }),
    named("the very file", "B/9.flac", .inode) { file in
      retagAll(&file)
      (file.sound, file.inode, file.birth) = (2, 1, 1)
    },
    named("the number of a file that was born at another time", "B/9.flac", nil) { file in
      retagAll(&file)
      (file.sound, file.inode, file.birth) = (2, 1, 7)
    },
    named(
      "the number of a file whose birth is unknown", "B/9.flac", nil,
      { file in
        retagAll(&file)
        (file.sound, file.inode) = (2, 1)
      }, was: { $0.birth = 0 }),
    Case(name: "the kernel's word", path: "B/9.flac", evidence: .rename, isTold: true) { file in
      retagAll(&file)
      file.sound = 2
    },
    anew("MusicBrainz ids", "B/9.flac", .musicbrainz, retagAll, was: setIds),
    anew(
      "another recording", "B/9.flac", nil,
      { file in
        retagAll(&file)
        file.tags.recording = "x"
      }, was: setIds),
    anew(
      "another release", "B/9.flac", nil,
      { file in
        retagAll(&file)
        file.tags.release = "x"
      }, was: setIds),
    anew("a recording alone", "B/9.flac", nil, retagAll, was: tags { $0.recording = "r" }),
    anew("a release alone", "B/9.flac", nil, retagAll, was: tags { $0.release = "r" }),
    anew("the same tags", "B/9.flac", .tags),
    anew("the same tags in capitals", "B/9.flac", .tags, tags { $0.title = "ONE" }),
    anew("another title", "B/9.flac", nil, tags { $0.title = "Two" }),
    anew("another number", "B/9.flac", nil, tags { $0.track = 2 }),
    anew("another disc", "B/9.flac", nil, tags { $0.disc = 2 }),
    anew("another album", "B/9.flac", nil, tags { $0.album = "B" }),
    anew("two seconds longer", "B/9.flac", .tags, { $0.milliseconds = 62_000 }),
    anew("more than two seconds longer", "B/9.flac", nil, { $0.milliseconds = 62_001 }),
    anew("no number, the same kind", "B/9.flac", nil, was: tags { $0.track = nil }),
    anew("no number, another kind", "B/9.mp3", .tags, was: tags { $0.track = nil }),
    anew("a title from its name", "B/01 One.flac", .tags, tags { $0.title = "" }),
  ]

  private static let inPlace = [
    anew("made anew", "A/1.flac", .path),
    anew("made anew, length unknown", "A/1.flac", .path, { $0.milliseconds = 0 }),
    anew("made anew, another number", "A/1.flac", .path, tags { $0.track = 2 }),
    anew("made anew, another title", "A/1.flac", .path, tags { $0.title = "Two" }),
    anew(
      "made anew, another title, the disc said", "A/1.flac", .path,
      tags { ($0.title, $0.disc) = ("Two", 1) }),
    anew(
      "made anew, another title and number", "A/1.flac", nil,
      tags { ($0.title, $0.track) = ("Two", 2) }),
    anew(
      "made anew, another title and disc", "A/1.flac", nil,
      tags { ($0.title, $0.disc) = ("Two", 2) }),
    anew(
      "made anew, another title and album", "A/1.flac", nil,
      tags { ($0.title, $0.album) = ("Two", "B") }),
    anew("converted, two seconds longer", "A/1.mp3", .path, { $0.milliseconds = 62_000 }),
    anew("converted, two seconds shorter", "A/1.mp3", .path, { $0.milliseconds = 58_000 }),
    anew("converted, longer than that", "A/1.mp3", nil, { $0.milliseconds = 62_001 }),
    anew("converted, shorter than that", "A/1.mp3", nil, { $0.milliseconds = 57_999 }),
    anew("tags lost", "A/1.flac", .path, { $0.tags = SongTags() }, was: setMore),
    anew("nothing said otherwise", "A/1.flac", .path, bare { _ in }, was: setMore),
    anew("the same in capitals", "A/1.flac", .path, bare { $0.recording = "R" }, was: setMore),
    anew("another disc in place", "A/1.flac", nil, bare { $0.disc = 2 }, was: setMore),
    anew("another number in place", "A/1.flac", nil, bare { $0.track = 2 }),
    anew("another title in place", "A/1.flac", nil, bare { $0.title = "Two" }),
    anew("another recording in place", "A/1.flac", nil, bare { $0.recording = "x" }, was: setMore),
    anew(
      "another release in place", "A/1.flac", nil, bare { $0.release = "x" },
      was: tags { $0.release = "l" }),
    anew("another artist in place", "A/1.flac", nil, bare { $0.artist = "x" }, was: setMore),
    anew("another album in place", "A/1.flac", nil, bare { $0.album = "x" }),
    anew("another band in place", "A/1.flac", nil, bare { $0.albumArtist = "Z" }),
  ]

  @Test("one file goes and another comes", arguments: elsewhere + inPlace)
  func recognised(one: Case) throws {
    var world = World()
    let old = World.path("A/1.flac")
    world.put("A/1.flac", sound: 1, title: "One", album: "A", albumArtist: "X", track: 1)
    var file = try #require(world.files[old])
    one.was(&file)
    world.files[old] = file
    world.merge()
    let song = try world.song("One").id
    world.files[old] = nil
    file.inode = 77
    one.becomes(&file)
    let new = World.path(one.path)
    world.files[new] = file
    var look = world.look()
    if one.isTold { look.renames = [.init(from: old, to: new)] }
    world.merge(look)
    world.known = world.files
    #expect((world.lookups.song(at: new, in: world.library)?.id == song) == (one.evidence != nil))
    #expect(world.library.evidence[song] == one.evidence)
    world.check()
  }

  @Test("where nothing else tells two equal sounds apart, the kernel's word for a rename does")
  func toldRenames() throws {
    var world = World()
    for album in ["A", "B"] {
      world.put("\(album)/1.mp3", sound: 5, album: album, albumArtist: "X")
      // As of a file system that keeps no times of birth.
      world.files[World.path("\(album)/1.mp3")]?.birth = 0
    }
    world.merge()
    let before = world.library.songs.values.map { ($0.path, $0.id) }
    let moves = ["A/1.mp3": "D/2.mp3", "B/1.mp3": "C/2.mp3"]
    for (old, new) in moves {
      world.move(old, to: new)
      world.retag(new) { $0.album = String(new.prefix(1)) }
    }
    var look = world.look()
    look.renames = moves.map { .init(from: World.path($0), to: World.path($1)) }
    world.merge(look)
    for (old, id) in before {
      let new = moves["\(old.display.dropFirst(7))"]
      #expect(world.library.songs[id]?.path == new.map(World.path))
    }
  }

  @Test("a hard link that is renamed is known by its inode, whichever link it is")
  func hardLinks() throws {
    for renamed in ["A/1.flac", "B/1.flac"] {
      var world = World()
      world.put("A/1.flac", sound: 1, title: "Old")
      world.files[World.path("B/1.flac")] = world.files[World.path("A/1.flac")]
      world.merge()
      let id = try #require(world.lookups.song(at: World.path(renamed), in: world.library)?.id)
      world.move(renamed, to: "C/2.flac")
      for path in world.files.keys {
        world.files[path]?.sound = 2
        world.files[path]?.tags.title = "New"
      }
      world.merge()
      #expect(
        world.lookups.song(at: World.path("C/2.flac"), in: world.library)?.id == id, "\(renamed)")
      world.check()
    }
  }

  @Test("two songs whose files were one tell nothing of where that went")
  func linkedSongs() throws {
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

  @Test(
    "what is offline is found by its sound in its own album alone, or as the very same file",
    arguments: [
      ("A", false, 7, true), ("B", false, 7, false), ("B", true, 7, true), ("B", true, 1, true),
      ("B", true, 0, false), ("A", true, 7, true),
    ] as [(String, Bool, Int64, Bool)])
  func offline(album: String, isSame: Bool, birth: Int64, isFound: Bool) throws {
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
    #expect(path == World.path(isFound ? "new/1.flac" : "usb/1.flac"))
  }

  @Test("of one sound the nearest file is a song's: by its album, then its number, then its name")
  func nearest() throws {
    let files: [(path: String, album: String, disc: Int, track: Int)] = [
      ("B/1.flac", "A", 1, 1), ("B/2.flac", "A", 1, 1), ("B/1.flac", "A", 1, 2),
      ("B/2.flac", "A", 1, 2), ("B/1.flac", "B", 1, 1), ("B/2.flac", "B", 1, 1),
      ("B/1.flac", "B", 2, 1), ("B/2.flac", "B", 1, 2),
    ]
    for (place, near) in files.enumerated() {
      // Two files of the song's own album are one song.
      for far in files[(place + 1)...] where far.album != "A" {
        var world = World()
        world.put("A/1.flac", sound: 5, title: "T", album: "A", albumArtist: "X", track: 1)
        world.put("A/3.flac", sound: 6, title: "U", album: "A", albumArtist: "X", track: 3)
        world.merge()
        let song = try world.song("T").id
        _ = world.remove("A/1.flac")
        // What is farther comes first in byte order.
        let path = near.path.replacing("B/", with: "Z/")
        world.put(
          path, sound: 5, title: "T", album: near.album, albumArtist: "X", track: near.track,
          disc: near.disc)
        world.put(
          far.path, sound: 5, title: "T", album: "C", albumArtist: "X", track: far.track,
          disc: far.disc)
        world.merge()
        #expect(world.library.songs[song]?.path == World.path(path), "\(near) \(far)")
      }
    }
  }
}
