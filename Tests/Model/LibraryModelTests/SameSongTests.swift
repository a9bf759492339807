import TestSupport
import Testing

@testable import LibraryModel

/// Which file is a song that lost its own, and by what (merge-rules.md).
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
}
