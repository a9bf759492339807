import TestSupport
import Testing

@testable import LibraryModel

@Suite("Which list a player had read", .limited)
struct NearestBaseTests {
  /// Albums are letters; their songs are letters with a number.
  private static let albums = Array("abcdefgh")

  private func list(_ text: String) -> [SongID] {
    text.map { SongID(number: UInt64($0.asciiValue ?? 0)) }
  }

  private func text(_ list: [SongID]?) -> String? {
    list.map { String($0.map { Character(Unicode.Scalar(UInt8($0.number))) }) }
  }

  private func nearest(
    _ made: String, _ bases: String..., reading: EditedList.Reading = .held
  ) -> String? {
    text(
      // Capital letters are songs of the same albums.
      nearestBase(of: list(made), among: bases.map(list), reading) {
        AlbumID(number: $0.number | 0x20)
      })
  }

  @Test("the one that takes the fewest steps, of equal ones the newest")
  func fewest() {
    #expect(nearest("abc") == nil)
    #expect(nearest("xyz", "abc") == "abc")
    #expect(nearest("abcd", "abcd", "dcba") == "abcd")
    #expect(nearest("abdc", "abcd", "dcba") == "abcd")
    #expect(nearest("bacd", "abcd", "bcad") == "bcad")
    // A song too many, one that is missing and one that moved count alike.
    #expect(nearest("abcde", "abcd", "badc") == "abcd")
    #expect(nearest("abc", "abcd", "dacb") == "abcd")
    #expect(nearest("abcx", "abcd", "bacx") == "bacx")
    #expect(nearest("abc", "abcdef", "cab") == "cab")
    #expect(nearest("abc", "abcd", "acbde") == "abcd")
  }

  @Test("an album that moves counts once, however many songs it has")
  func albums() {
    // On top went b, from the newest list; on top of the older one went c, which is shorter.
    #expect(nearest("bBaAcC", "bBaAcC") == "bBaAcC")
    #expect(nearest("dDcbBa", "dDbBac", "cbBadD") == "cbBadD")
    // An album that is missing, or more, is one step as well; songs inside one count each.
    #expect(nearest("aAb", "aAbB", "baA") == "baA")
    #expect(nearest("abcC", "abBCc", "acCb") == "acCb")
    #expect(nearest("aAbB", "AaBb", "bBaA") == "bBaA")
    // An order with the same albums and songs, mixed otherwise, is another one.
    #expect(nearest("aAb", "abA", "aAb") == "aAb")
  }

  @Test("an order of earlier is an old copy, or one that is wanted")
  func readings() {
    #expect(nearest("abcd", "abcd", "badc", reading: .held) == "abcd")
    #expect(nearest("abcd", "abcd", "badc", reading: .loaded) == "badc")
    #expect(nearest("abdc", "abdc", "dcab", reading: .loaded) == "dcab")
    #expect(nearest("abcde", "abcd", "edcba", reading: .loaded) == "abcd")
    #expect(nearest("badc", "abcd", "badc", reading: .loaded) == "badc")
  }

  @Test("read anew it is the newest, unless all that moved since is back and something else moved")
  func anew() {
    // Since abcdef, f went to the top.
    #expect(nearest("bacdef", "abcdef", "fabcde", reading: .anew) == "abcdef")
    // All is as it was: it was moved back.
    #expect(nearest("abcdef", "abcdef", "fabcde", reading: .anew) == "fabcde")
    // f itself moved to another place.
    #expect(nearest("abcdfe", "abcdef", "fabcde", reading: .anew) == "fabcde")
    // Both moves are there.
    #expect(nearest("fbacde", "abcdef", "fabcde", reading: .anew) == "fabcde")
    // Songs of one album changed places since, and no album did.
    #expect(nearest("aAcb", "aAbc", "Aabc", reading: .anew) == "Aabc")
    // Neighbours that changed places: either may be what moved.
    #expect(nearest("bcaedf", "abcdef", "bacdef", reading: .anew) == "bacdef")
    #expect(nearest("abcdfe", "abcdef", "bacdef", reading: .anew) == "abcdef")
  }
}

@Suite("Songs gathered to albums", .limited)
struct GatheredSongsTests {
  /// Songs of album a are small and capital letters alike; dots are left out.
  private func gathered(_ text: String) -> GatheredSongs {
    let list = text.utf8.enumerated().map { SongID(number: UInt64($0 << 8 | Int($1))) }
    return GatheredSongs(list) { song in
      let letter = song.number & 0xFF
      return letter == 0x2E ? nil : AlbumID(number: letter)
    }
  }

  @Test(
    "an album stands where its largest block is, the first of equal ones",
    arguments: [
      ("", "", 0, 0), ("aab", "ab", 0, 0), ("abb", "ab", 0, 0), ("abaa", "ba", 1, 1),
      ("aabaa", "ab", 2, 1), ("abab", "ab", 2, 2), ("abbaaa", "ba", 1, 1), ("a.ab", "ab", 0, 0),
      ("abcabcc", "abc", 3, 3), ("a..a", "a", 0, 0), ("abcaabb", "cab", 2, 2),
      ("abacaada", "bcad", 3, 1),
    ])
  func blocks(text: String, albums: String, astray: Int, split: Int) {
    let gathered = gathered(text)
    #expect(gathered.albums.map { Character(Unicode.Scalar(UInt8($0.number))) } == Array(albums))
    #expect(gathered.astray == astray)
    #expect(gathered.split == split)
  }
}
