import TestSupport
import Testing

@testable import LibraryModel

@Suite("Names that are shown", .limited)
struct NamesTests {
  @Test("a crate's name has one to 255 bytes, no controls and no blanks around it")
  func crateNames() {
    for name in ["a", "a b", "Zoë", String(repeating: "a", count: 255)] {
      #expect(crateNameFault(name) == nil)
    }
    for (name, fault) in [
      ("", "a crate's name can't be empty"),
      (String(repeating: "a", count: 256), "a crate's name has at most 255 bytes"),
      ("a\tb", "a crate's name has no control characters"),
      (
        "a" + String(repeating: "\u{301}", count: 31),
        "a crate's name has at most 30 marks on a character"
      ),
      ("a" + String(repeating: "\u{301}", count: 30), nil),
      (" a", "a crate's name has no blanks around it"),
      ("a ", "a crate's name has no blanks around it"),
      ("a\u{7F}", "a crate's name has no control characters"),
    ] {
      #expect(crateNameFault(name) == fault)
    }
  }

  @Test("of spellings the most frequent counts, of equal ones the first, and none that is empty")
  func spellings() {
    #expect(mostFrequent(["a", "b", "b", ""]) == "b")
    #expect(mostFrequent(["b", "a", "a", "b"]) == "b")
    #expect(mostFrequent(["", "", "a"]) == "a")
    #expect(mostFrequent(["", ""]) == nil)
    // Two normal forms are two spellings.
    #expect(mostFrequent(["\u{E9}", "e\u{301}", "e\u{301}"])?.utf8.count == 3)
  }

  @Test(
    "a song without a title is called by its file, number and extension left out",
    arguments: [
      ("/m/01 One.flac", "One"), ("/m/1-One", "One"), ("/m/123_One.mp3", "One"),
      ("/m/1234 One.mp3", "1234 One"), ("/m/01.flac", "01"), ("/m/01 .flac", "01"),
      ("/m/.hidden", ".hidden"), ("/m/a.b.c", "a.b"), ("/m/1One.mp3", "1One"),
      ("/m/01. - One.mp3", "One"), ("/m/", "Unknown"), ("/m/:1 One", ":1 One"),
      ("/m/90 One", "One"),
    ])
  func titles(path: String, title: String) {
    #expect(shownTitle("", path: BytePath(path)) == title)
    #expect(shownTitle("T", path: BytePath(path)) == "T")
  }

  @Test(
    "names of albums that no song has are the folder's, or what the key kept",
    arguments: [
      ("folder\tA/B", "B"), ("folder\tA%2FB/C%20D", "C D"), ("folder\t", "Unknown"),
      ("by\tx\tkind of blue", "kind of blue"), ("in\tA/B\tblue", "blue"), ("by\tx\t", "Unknown"),
      ("folder\tB", "B"),
    ])
  func fallbackTitles(family: String, title: String) {
    #expect(GroupKey(family: family).fallbackTitle == title)
  }

  private func song(
    _ number: UInt64, by artist: String = "", albumArtist: String = "", year: Int? = nil,
    disc: Int? = nil, track: Int? = nil, path: String = "/m/1.flac"
  ) -> Song {
    var traits = Traits()
    (traits.artist, traits.albumArtist, traits.year) = (artist, albumArtist, year)
    (traits.disc, traits.track) = (disc, track)
    return Song(
      id: SongID(number: number), album: AlbumID(number: 1), group: GroupKey(family: "by\tx\ty"),
      path: BytePath(path), digest: nil, added: 0, traits: traits)
  }

  @Test("an album is by the artist of more than half of its songs, else by various ones")
  func artists() {
    func artist(_ artists: String...) -> String {
      AlbumFace(
        of: artists.enumerated().map { song(UInt64($0), by: $1) },
        group: GroupKey(family: "by\tx\ty")
      ).artist
    }
    #expect(artist("A", "A", "B") == "A")
    #expect(artist("A", "B") == "Various Artists")
    #expect(artist("A", "A", "B", "B") == "Various Artists")
    #expect(artist("A feat. Z", "a", "B") == "a")
    #expect(artist("", "", "A") == "Various Artists")
    #expect(artist("", "A", "A") == "A")
    #expect(artist("", "") == "")
    #expect(artist("A", "A", "B", "B", "B") == "B")
    #expect(artist("B", "A", "B", "A", "A") == "A")
    let face = AlbumFace(
      of: [
        song(1, by: "A", albumArtist: "C", year: 1970), song(2, albumArtist: "D", year: 1960),
        song(3, albumArtist: "D"),
      ], group: GroupKey(family: "by\tx\ty"))
    #expect(face == AlbumFace(title: "y", artist: "D", year: 1960))
  }

  @Test(
    "an album's artist is cut only where its songs disagree, and is who they have in common",
    arguments: [
      (["Simon & Garfunkel", "Simon & Garfunkel"], "Simon & Garfunkel"),
      (["Earth, Wind & Fire", "Earth, Wind & Fire", "Ramsey Lewis"], "Earth, Wind & Fire"),
      (["Alice", "Alice; Guest"], "Alice"),
      (["Alice", "Alice, Guest 1", "Alice, Guest 2"], "Alice"),
      (["alice and Bob", "Alice", "Alice und Cleo", "Dora"], "Alice"),
      (
        ["Nick", "Nick & the Seeds", "Nick & the Seeds (Live)", "Nick & the Seeds, Kylie"],
        "Nick & the Seeds"
      ),
      (["宇多田ヒカル", "宇多田ヒカル、誰か"], "宇多田ヒカル"),
      // The end of a word, and of what looks like one letter.
      (["Al", "Alice", "Alice & Bob"], "Alice"),
      (["A", "A\u{301}sa", "A\u{301}ki"], "Various Artists"),
      (["Blur", "Blur 2", "Blur2"], "Blur"),
      // Nobody is alone: guests are cut off.
      (["Alice feat. Bob", "Alice & Cleo", "Dora"], "Alice"),
      (["Alice and Bob", "Alice and Cleo"], "Various Artists"),
      (["Alice", "Alice & Bob", "Cleo", "Cleo & Dora"], "Various Artists"),
    ])
  func commonArtists(artists: [String], album: String) {
    let group = GroupKey(family: "by\tx\ty")
    for order in [artists, artists.reversed()] {
      let songs = order.enumerated().map { song(UInt64($0), by: $1) }
      #expect(folded(AlbumFace(of: songs, group: group).artist) == folded(album))
    }
  }

  @Test("songs stand by disc, track, name and id")
  func defaultOrders() {
    let order = [
      song(11, track: 0), song(9, track: 2), song(8, path: "/m/2.flac"),
      song(7, path: "/m/10.flac"),
      song(6, track: 1, path: "/m/CD2/1.flac"), song(5, disc: 2, track: 2),
      song(4, disc: 2, track: 2, path: "/m/CD1/1.flac"), song(3, disc: 3), song(10, disc: 3),
    ]
    for (place, left) in order.enumerated() {
      for (other, right) in order.enumerated() {
        if [5, 6].contains(place), [5, 6].contains(other) { continue }
        #expect(
          DefaultOrder(of: order).isBefore(left, right) == (place < other), "\(place) \(other)")
      }
    }
  }

  // MARK: Guests, held against the long way

  private static let pieces = [
    "a", "Z", "feat.", "Feat", "(ft.", "[Featuring", "featuring)", "&", "with", "W", "f", "(", "[",
    " ", " ", " ", "  ", "\t", "\n", "\r\n", ",", ";", ".", "é", "ß", "\u{1C}", "\u{7F}", "",
  ]

  private func text(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...7, using: &generator))
      .map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
  }

  @Test("lose their guests, and nothing else")
  func guests() {
    var generator = SeededGenerator(usually: 42)
    var cut = 0
    for _ in 0..<20_000 {
      let (start, artist) = ("\(generator)", text(&generator))
      let main = mainArtist(artist)
      #expect(main == Self.main(artist), "\(start): \(artist.debugDescription)")
      if main != artist { cut += 1 }
    }
    #expect(cut > 1000)
  }

  private static func main(_ artist: String) -> String {
    let words = artist.split(separator: " ")
    let guests = words.dropFirst().firstIndex { word in
      let bare = folded(String(word.drop { $0 == "(" || $0 == "[" }))
      return ["feat.", "feat", "ft.", "ft", "featuring", "&", "with"].contains(bare)
    }
    var name = words[..<(guests ?? words.endIndex)].joined(separator: " ")
    while let last = name.last, [",", ";", " "].contains(last) { name.removeLast() }
    return name.isEmpty ? artist : name
  }
}
