import TestSupport
import Testing
import Text

@testable import LibraryModel

@Suite("What words mean among many things", .limited)
struct MeaningLimitsTests {
  /// Music, from the top: Same by A to F, of two songs each, which are called alike; Twelve letters
  /// long; and one more whose songs are gone.
  private let world: World
  private let names: NameIndex
  private let same: [AlbumID]

  init() throws {
    var world = World()
    for (number, artist) in ["Gone", "F", "E", "D", "C", "B", "A"].enumerated() {
      for track in 1...2 {
        world.put(
          "\(artist)/\(track).flac", sound: 10 * number + track, title: "Song \(track)",
          album: "Same", artist: artist, albumArtist: artist, track: track)
      }
      world.merge()
    }
    world.putAlbum("abcdefghijkm", sound: 200, in: nil)
    world.merge()
    _ = world.remove("Gone")
    world.merge()
    var names = NameIndex(world.library)
    names.readSongs(world.library)
    names.readSongNumbers(world.library)
    (self.world, self.names) = (world, names)
    same = world.listed().filter { world.library.face(of: $0).title == "Same" }.map(\.id)
    try #require(same.count == 6)
  }

  private func resolution(
    _ most: Int = 100, _ wanted: Set<Thing.Kind> = Set(Thing.Kind.allCases)
  ) -> Resolution {
    Resolution(world.library, names: names, wanted: wanted, most: most)
  }

  private func meaning(
    _ words: String..., most: Int = 100, wanted: Set<Thing.Kind> = Set(Thing.Kind.allCases)
  ) throws -> Meaning {
    resolution(most, wanted).meaning(of: try #require(What(words)))
  }

  @Test("as many candidates are told as are asked for, as they stand, and none that is gone")
  func candidates() throws {
    for most in [1, 2, 6, 7] {
      #expect(
        try meaning("Same", most: most).candidates == same.prefix(most).map { .album($0) })
      let near = try meaning("Sama", most: most, wanted: [.album])
      #expect(near.candidates.isEmpty && near.what.isEmpty)
      #expect(near.near == same.prefix(most).map { .album($0) })
    }
    let songs = try meaning("song:song 1").candidates
    #expect(songs.count == 6)
    let first = try #require(world.library.albums[same[0]]?.entries.first)
    #expect(try meaning("song:song 1", most: 1).candidates == [.song(first)])
    #expect(try meaning("Song 1", wanted: [.crate, .album]) == Meaning())
  }

  @Test("of what may still be written the first ones are told, however many there are")
  func completions() throws {
    for most in [1, 2, 6, 7] {
      for word in ["sa", "album:SA"] {
        let what = try #require(What([word]))
        let found = resolution(most).completions(of: what)
        #expect(found.candidates == same.prefix(most).map { .album($0) })
        #expect(found.what.isEmpty && found.near.isEmpty)
      }
    }
    for (word, wanted) in [("song:s", nil), ("/music", nil), ("sa", [.song]), ("sa", [.crate])]
      as [(String, Set<Thing.Kind>?)]
    {
      let what = try #require(What([word]))
      let found = resolution(100, wanted ?? Set(Thing.Kind.allCases)).completions(of: what)
      #expect(found.candidates.isEmpty, "\(word)")
    }
    // With positions nothing is unfinished.
    let whole = try #require(What(["Music", "1"]))
    #expect(resolution().completions(of: whole).what.count == 1)
  }

  @Test("each id is found by its first letter, those of albums before those of songs")
  func ids() throws {
    var found: [Thing] = []
    for letter in IdentifierText.alphabet {
      let what = try #require(What(["id:\(Character(Unicode.Scalar(letter)))"]))
      let things = resolution().completions(of: what).candidates
      #expect(
        things.filter { $0.kind == .album }.count == things.prefix { $0.kind == .album }.count)
      found += things
    }
    #expect(found.count == Set(found).count)
    #expect(found.count == world.library.albums.count + world.library.songs.count)
    let albums = try IdentifierText.alphabet.map { letter in
      let what = try #require(What(["id:\(Character(Unicode.Scalar(letter)))"]))
      return resolution(100, [.album]).completions(of: what).candidates.count
    }
    #expect(albums.reduce(0, +) == world.library.albums.count)
  }

  @Test("a whole id means its thing, where such a thing may be meant")
  func wholeIds() throws {
    let album = same[0]
    let song = try #require(world.library.albums[album]?.entries[1])
    for word in ["\(album)", "id:\(album)", "album:\(album)", "id:\("\(album)".prefix(11))"] {
      #expect(try meaning(word).what == [.album(album)], "\(word)")
      #expect(try meaning(word, wanted: [.crate, .song]).what == [], "\(word)")
    }
    for word in ["\(song)", "id:\(song)", "song:\(song)", "song:\("\(song)".prefix(11))"] {
      #expect(try meaning(word).what == [.song(song)], "\(word)")
      #expect(try meaning(word, wanted: [.crate, .album]).what == [], "\(word)")
    }
    #expect(try meaning("album:\(song)").what == [] && meaning("song:\(album)").what == [])
    #expect(try meaning("\(album)", "2").what == [.song(song)])
    // A name of twelve letters is no id.
    #expect(try meaning("abcdefghijkm").what.count == 1)
  }
}
