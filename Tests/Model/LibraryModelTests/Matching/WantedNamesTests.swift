import TestSupport
import Testing

@testable import LibraryModel

@Suite("What a list says against a song", .limited)
struct WantedNamesTests {
  private func song(
    _ title: String = "", by artist: String = "", on album: String = "", albumArtist: String = "",
    milliseconds: Int = 0
  ) -> Song {
    var traits = Traits()
    (traits.title, traits.artist, traits.album) = (title, artist, album)
    (traits.albumArtist, traits.milliseconds) = (albumArtist, milliseconds)
    return Song(
      id: SongID(number: 1), album: AlbumID(number: 1), group: GroupKey(family: "x"),
      path: BytePath("/m/1.flac"), digest: nil, added: 0, traits: traits)
  }

  private func contradiction(_ wanted: Wanted, _ song: Song) -> String? {
    WantedNames(wanted).contradiction(song)
  }

  @Test(
    "lengths may differ by so much, and where one is not known by anything",
    arguments: [
      (60_000, 63_000, true), (60_000, 63_001, false), (63_000, 60_000, true),
      (63_001, 60_000, false), (0, 60_000, true), (60_000, 0, true), (-1, 60_000, true),
      (1, 3_001, true), (3_001, 1, true), (1, 3_002, false), (3_002, 1, false), (0, 0, true),
    ])
  func lengths(wanted: Int, actual: Int, fits: Bool) {
    var names = Wanted()
    names.milliseconds = wanted
    let song = song(milliseconds: actual)
    #expect(contradiction(names, song) == (fits ? nil : "length"))
    let isSaid = wanted > 0 && actual > 0
    #expect(WantedNames(names).hasLength(of: song, within: 3_000) == (isSaid && fits))
    #expect(WantedNames(names).speak(of: song) == isSaid)
  }

  @Test("what either does not say is held against nothing, and each of the rest is told")
  func parts() {
    let blue = song("So What", by: "Miles Davis", on: "Kind of Blue", albumArtist: "Miles")
    #expect(contradiction(Wanted(), blue) == nil)
    #expect(contradiction(Wanted("", "Blue", by: "X", on: "Y"), song()) == nil)
    #expect(contradiction(Wanted("", on: "kind of blue"), blue) == nil)
    #expect(contradiction(Wanted("", on: "Kind"), blue) == "album")
    #expect(contradiction(Wanted("", "so what"), blue) == nil)
    #expect(contradiction(Wanted("", "So"), blue) == "title")
    #expect(contradiction(Wanted("", by: "miles davis feat. Bill"), blue) == nil)
    #expect(contradiction(Wanted("", by: "Miles"), blue) == nil)
    #expect(contradiction(Wanted("", by: "Bill"), blue) == "artist")
    #expect(contradiction(Wanted("", albumArtist: "Miles Davis"), blue) == nil)
    #expect(contradiction(Wanted("", albumArtist: "Bill"), blue) == "artist")
    // Of a song without one, an album's artist says nothing.
    #expect(contradiction(Wanted("", albumArtist: "Bill"), song("T", by: "Miles")) == nil)
    #expect(contradiction(Wanted("", by: "Bill"), song("T", albumArtist: "Miles")) == "artist")
  }

  @Test(
    "a title may have a number before it, as of a file without tags",
    arguments: [
      ("1 so what", true), ("01. So What", true), ("123_so what", true), ("01-so what", true),
      ("01 - so what", true), ("1234 so what", false), ("01so what", false), ("x so what", false),
    ])
  func numbers(title: String, fits: Bool) {
    #expect(contradiction(Wanted("", title), song("So What")) == (fits ? nil : "title"))
  }

  @Test("artist and title may have been parted elsewhere, either first")
  func shown() {
    let song = song("B - C", by: "A", albumArtist: "Z")
    #expect(contradiction(Wanted("", "C", by: "A - B"), song) == nil)
    #expect(contradiction(Wanted("", "A", by: "B - C"), song) == nil)
    #expect(contradiction(Wanted("", "A - B - C"), song) == nil)
    #expect(contradiction(Wanted("", "Z - B - C"), song) == nil)
    #expect(contradiction(Wanted("", "C", by: "Z - B"), song) == nil)
    #expect(contradiction(Wanted("", "C", by: "A"), song) == "title")
    #expect(contradiction(Wanted("", "- B - C"), self.song("B - C")) == "title")
  }

  @Test("a list speaks of a song where both say the same kind of thing")
  func speaking() {
    let all = song("T", by: "A", on: "B", albumArtist: "C", milliseconds: 1)
    for (wanted, other) in [
      (Wanted("", "x"), song("T")), (Wanted("", by: "x"), song(by: "A")),
      (Wanted("", by: "x"), song(albumArtist: "C")), (Wanted("", on: "x"), song(on: "B")),
      (Wanted("", albumArtist: "x"), song(albumArtist: "C")),
    ] {
      #expect(WantedNames(wanted).speak(of: other))
      #expect(WantedNames(wanted).speak(of: all))
      #expect(!WantedNames(wanted).speak(of: song()))
      #expect(!WantedNames(Wanted()).speak(of: other))
    }
    #expect(!WantedNames(Wanted("", albumArtist: "x")).speak(of: song(by: "A")))
    #expect(!WantedNames(Wanted("", "x")).speak(of: song(by: "A", on: "B", milliseconds: 1)))
  }

  @Test("a line is silent that says nothing but its path")
  func silent() {
    var wanted = Wanted("/a/b", track: 3, recording: "r", release: "l")
    wanted.disc = 1
    #expect(wanted.isSilent)
    for other in [
      Wanted("", "T"), Wanted("", by: "A"), Wanted("", on: "B"), Wanted("", albumArtist: "C"),
      Wanted("", seconds: 1),
    ] {
      #expect(!other.isSilent)
    }
    wanted.milliseconds = 1
    #expect(!wanted.isSilent)
  }
}
