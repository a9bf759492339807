import TestSupport
import Testing

@testable import LibraryModel

@Suite("What two recordings are compared by", .limited)
struct LikenessTests {
  private struct Made {
    var path = "/m/A/1.flac"
    var sound: UInt64 = 1
    var family = "by\tx\ta"
    var disc: Int?
    var track: Int? = 1
    var title = "One"
    var milliseconds = 60_000
    var recording = ""
    var release = ""
    var artist = ""
    var album = ""
    var albumArtist = ""

    func with(_ change: (inout Made) -> Void) -> Made {
      var made = self
      change(&made)
      return made
    }

    var likeness: Likeness {
      var traits = Traits()
      (traits.disc, traits.track, traits.title) = (disc, track, title)
      (traits.milliseconds, traits.recording, traits.release) = (milliseconds, recording, release)
      (traits.artist, traits.album, traits.albumArtist) = (artist, album, albumArtist)
      let group = GroupKey(family: family)
      let song = Song(
        id: SongID(number: 1), album: AlbumID(number: 1), group: group, path: BytePath(path),
        digest: sound == 0 ? nil : AudioDigest(high: sound, low: sound), added: 0, traits: traits)
      return Likeness(song, group: group)
    }
  }

  private func fits(
    _ step: Step, _ file: Made, _ song: Made, heir: String? = nil, isSameFile: Bool = false,
    hasToItself: Bool = true
  ) -> Bool {
    file.likeness.fits(
      step, song.likeness, isSameFile: isSameFile, heir: heir.map { GroupKey(family: $0) },
      hasSoundToItself: hasToItself)
  }

  private let plain = Made()

  @Test("sounds are equal where both are known")
  func sounds() {
    #expect(fits(.sound, plain, plain))
    #expect(!fits(.sound, plain.with { $0.sound = 2 }, plain))
    let silent = plain.with { $0.sound = 0 }
    #expect(!fits(.sound, silent, silent))
    #expect(fits(.sameFile, plain, plain, isSameFile: true))
    #expect(!fits(.sameFile, plain, plain))
  }

  @Test("a place made anew has its path, or that of another kind of the same length")
  func remade() {
    let other = plain.with { $0.sound = 2 }
    #expect(fits(.remade, other, plain))
    #expect(!fits(.remade, plain, plain))
    #expect(!fits(.remade, other, plain, hasToItself: false))
    #expect(!fits(.remade, other.with { $0.path = "/m/A/2.flac" }, plain))
    #expect(fits(.remade, other.with { $0.milliseconds = 0 }, plain))
    let mp3 = other.with { $0.path = "/m/A/1.mp3" }
    for (milliseconds, isSame) in [
      (60_000, true), (62_000, true), (62_001, false), (58_000, true), (57_999, false),
    ] {
      #expect(fits(.remade, mp3.with { $0.milliseconds = milliseconds }, plain) == isSame)
    }
    #expect(!fits(.remade, mp3.with { $0.path = "/m/B/1.mp3" }, plain))
  }

  @Test("and its title, or its number in the same album")
  func titleOrTrack() {
    let other = plain.with { $0.sound = 2 }
    #expect(fits(.remade, other.with { $0.track = 2 }, plain))
    #expect(fits(.remade, other.with { $0.title = "Two" }, plain))
    #expect(!fits(.remade, other.with { ($0.title, $0.track) = ("Two", 2) }, plain))
    #expect(!fits(.remade, other.with { ($0.title, $0.disc) = ("Two", 2) }, plain))
    #expect(fits(.remade, other.with { ($0.title, $0.disc) = ("Two", 1) }, plain))
    #expect(!fits(.remade, other.with { ($0.title, $0.family) = ("Two", "y") }, plain))
    let bare = plain.with { ($0.title, $0.track) = ("", nil) }
    #expect(!fits(.remade, bare.with { $0.sound = 2 }, bare))
    #expect(fits(.remade, other.with { $0.title = "" }, plain.with { $0.title = "" }))
  }

  @Test("MusicBrainz ids are equal where both are there")
  func musicbrainz() {
    let song = plain.with { ($0.recording, $0.release) = ("r", "l") }
    #expect(fits(.musicbrainz, song, song))
    for other in [
      song.with { $0.recording = "x" }, song.with { $0.release = "x" },
    ] {
      #expect(!fits(.musicbrainz, other, song))
    }
    for other in [song.with { $0.recording = "" }, song.with { $0.release = "" }, plain] {
      #expect(!fits(.musicbrainz, other, other))
    }
  }

  @Test("tags are equal where album, number, title and length are")
  func tags() {
    let file = plain.with { $0.path = "/m/B/9.flac" }
    #expect(fits(.tags, file, plain))
    #expect(fits(.tags, file.with { $0.title = "ONE" }, plain))
    #expect(!fits(.tags, file.with { $0.title = "Two" }, plain))
    #expect(!fits(.tags, file.with { $0.track = 2 }, plain))
    #expect(!fits(.tags, file.with { $0.disc = 2 }, plain))
    #expect(fits(.tags, file.with { $0.milliseconds = 62_000 }, plain))
    #expect(!fits(.tags, file.with { $0.milliseconds = 62_001 }, plain))
    #expect(!fits(.tags, file.with { $0.family = "y" }, plain))
    #expect(fits(.tags, file.with { $0.family = "y" }, plain, heir: "y"))
    #expect(fits(.tags, file, plain, heir: "y"))
    #expect(!fits(.tags, file.with { $0.family = "z" }, plain, heir: "y"))
    // Without a number a file of the same kind is told by nothing.
    let numberless = plain.with { $0.track = nil }
    #expect(!fits(.tags, file.with { $0.track = nil }, numberless))
    #expect(
      fits(.tags, file.with { ($0.track, $0.path) = (nil, "/m/B/9.mp3") }, numberless))
    // A title that is none is the file's name.
    let nameless = plain.with { ($0.title, $0.path) = ("", "/m/A/01 One.flac") }
    #expect(fits(.tags, file, nameless))
    #expect(fits(.tags, nameless, file))
  }

  @Test("a path is enough where nothing that both say is otherwise")
  func paths() {
    let song = plain.with {
      ($0.disc, $0.recording, $0.release) = (1, "r", "l")
      ($0.artist, $0.album, $0.albumArtist) = ("A", "B", "C")
    }
    #expect(fits(.path, song, song))
    #expect(fits(.path, song.with { $0.sound = 2 }, song))
    #expect(!fits(.path, song.with { $0.path = "/m/A/2.flac" }, song))
    let others = [
      song.with { $0.disc = 2 }, song.with { $0.track = 2 }, song.with { $0.title = "Two" },
      song.with { $0.recording = "x" }, song.with { $0.release = "x" },
      song.with { $0.artist = "x" }, song.with { $0.album = "x" },
      song.with { $0.albumArtist = "x" },
    ]
    for other in others { #expect(!fits(.path, other, song)) }
    let silent = [
      song.with { $0.disc = nil }, song.with { $0.track = nil }, song.with { $0.title = "" },
      song.with { $0.recording = "" }, song.with { $0.release = "" },
      song.with { $0.artist = "" }, song.with { $0.album = "" },
      song.with { $0.albumArtist = "" }, song.with { $0.album = "b" },
      song.with { $0.recording = "R" },
    ]
    for other in silent {
      #expect(fits(.path, other, song))
      #expect(fits(.path, song, other))
    }
  }

  @Test(
    "a path without its extension",
    arguments: [
      ("/a/b.mp3", "/a/b"), ("/a/b", "/a/b"), ("/a/.b", "/a/.b"), ("/a/b.c.d", "/a/b.c"),
      ("b.mp3", "b"), ("/a.x/b", "/a.x/b"),
    ])
  func stems(path: String, stem: String) {
    #expect(BytePath(path).withoutExtension == BytePath(stem))
  }
}
