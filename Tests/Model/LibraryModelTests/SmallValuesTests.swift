import TestSupport
import Testing

@testable import LibraryModel

@Suite("Names, years and numbers", .limited)
struct SmallValuesTests {
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

  @Test("album artists are a set, whatever their order and what joins them")
  func albumArtists() {
    func key(_ artist: String) -> String { GroupKey.tagged(artist: artist, album: "x") }
    let same = ["Alice & Bob", "Bob & alice", "Bob; Alice", "ALICE, Bob", "Alice, Bob & Alice"]
    #expect(Set(same.map(key)).count == 1)
    #expect(Set(["Alice", "Bob", "Alice & Bob", "AliceBob", "Alice&Bob"].map(key)).count == 5)
    #expect(key(" & ") == key("&"))
    let many = (0..<2_000).map { "Artist \($0)" }
    #expect(key(many.joined(separator: ", ")) == key(many.reversed().joined(separator: "; ")))
    #expect(key(many.joined(separator: ", ")).utf8.count < 1_100)
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

  @Test("new albums come most recent first, then by artist, year, title and id")
  func newcomers() {
    func newcomer(
      _ number: UInt64, added: Int64 = 1, _ artist: String = "A", _ year: Int? = 2000,
      _ title: String = "T"
    ) -> Newcomer {
      Newcomer(
        id: AlbumID(number: number), group: GroupKey(family: "x"),
        face: AlbumFace(title: title, artist: artist, year: year), added: added)
    }
    let order = [
      newcomer(9, added: 3, "Z"), newcomer(8, added: 2, "Y"), newcomer(7, "A", 1999, "Z"),
      newcomer(6, "A", 2000, "S"), newcomer(4), newcomer(5), newcomer(3, "A", 2000, "t"),
      newcomer(2, "A", nil), newcomer(1, "a", 1990), newcomer(0, "B", 1990),
    ]
    for (place, left) in order.enumerated() {
      for (other, right) in order.enumerated() { #expect((left < right) == (place < other)) }
    }
  }

  @Test("numbers are found by their range, those that came last, too")
  func numberLists() {
    var list = NumberList([5, 1, 9, 3])
    #expect(list.numbers(in: 3...5) == [3, 5])
    #expect(list.numbers(in: 2...2) == [])
    #expect(list.numbers(in: 0...99) == [1, 3, 5, 9])
    #expect(list.numbers(in: 10...11) == [])
    list.add(4)
    list.add(2)
    #expect(list.numbers(in: 3...5) == [3, 5, 4])
    // Many that came are sorted in.
    for number in 100..<1_123 { list.add(UInt64(number)) }
    #expect(list.numbers(in: 2...4) == [2, 3, 4])
    #expect(list.numbers(in: 1_100...1_122).count == 23)
  }

  @Test("a list of positions has at most 4096 bytes")
  func longPositions() {
    #expect(Positions(String(repeating: "1,", count: 2_047) + "12") != nil)
    #expect(Positions(String(repeating: "1,", count: 2_048) + "1") == nil)
  }

  @Test("folders are counted, and forgotten with their last file")
  func folderCounts() {
    func folder(_ name: String) -> AlbumFolder {
      AlbumFolder(of: BytePath("/m/\(name)/1"), root: BytePath("/m"))
    }
    var counts = FolderCounts()
    #expect(counts.isEmpty && counts.folders.isEmpty)
    #expect(!counts.hasOther(than: folder("a")))
    counts.add(2, folder("a"))
    #expect(!counts.hasOther(than: folder("a")) && counts.hasOther(than: folder("b")))
    counts.add(1, folder("b"))
    #expect(counts.hasOther(than: folder("a")) && counts.hasOther(than: folder("b")))
    #expect(counts.folders.sorted() == [folder("a"), folder("b")])
    counts.add(-2, folder("a"))
    #expect(counts.folders == [folder("b")] && !counts.hasOther(than: folder("b")))
    #expect(counts.hasOther(than: folder("a")))
    counts.add(1, folder("b"))
    counts.add(1, folder("c"))
    var same = FolderCounts()
    same.add(1, folder("c"))
    same.add(2, folder("b"))
    #expect(counts == same)
    counts.add(-1, folder("b"))
    #expect(counts != same)
    counts.add(-1, folder("b"))
    counts.add(-1, folder("c"))
    #expect(counts.isEmpty)
  }
}
