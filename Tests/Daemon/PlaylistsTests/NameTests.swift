import LibraryModel
import TestSupport
import Testing

@testable import Playlists

@Suite("What playlists are called", .limited)
struct NameTests {
  private func names(_ crates: [String]) -> [String] {
    PlaylistName.names(of: crates, .m3u8).map(\.display)
  }

  @Test(
    "A name that is fit for a file is kept, another one is made so",
    arguments: [
      ("Jazz", "Jazz"), ("Late night", "Late night"), ("後で聴く 🎷", "後で聴く 🎷"), ("#1", "#1"),
      ("100%", "100%"), ("it's 'so'", "it's 'so'"), ("a.b..", "a.b.."), ("~", "~"),
      ("AC/DC", "AC_DC"), ("/", "_"), (".", "_"), ("..", "_."), (".hidden", "_hidden"),
      ("-rf", "_rf"), ("--", "_-"), ("a-", "a-"), ("a.", "a."),
      ("a\\b:c*d?e\"f<g>h|i", "a_b_c_d_e_f_g_h_i"),
      ("../../etc", "_._.._etc"), (".crated-playlist.tmp", "_crated-playlist.tmp"),
    ])
  func single(crate: String, expected: String) {
    #expect(names([crate]) == [expected + ".m3u8"])
  }

  @Test("A name of 255 bytes is cut to what a file's may have, and at a character")
  func long() throws {
    let long = String(repeating: "n", count: 255)
    #expect(names([long]) == [String(repeating: "n", count: 250) + ".m3u8"])
    // Three bytes each: 83 of them and not a third of the next.
    let wide = String(repeating: "聴", count: 85)
    #expect(names([wide]) == [String(repeating: "聴", count: 83) + ".m3u8"])
    let cut = names([long, long.dropLast() + "m", wide, String(wide.dropLast()) + "い"])
    #expect(Set(cut).count == 4)
    #expect(cut.allSatisfy { $0.utf8.count <= 255 && $0.hasSuffix(".m3u8") })
    // No blank is left at the end of what is cut, and one of the person's stays.
    let blank = String(repeating: "n", count: 247) + "  "
    #expect(names([blank + "n"]) == [blank + "n.m3u8"])
    #expect(names([blank + " "]) == [blank + " .m3u8"])
    #expect(names([blank + " n"]) == [String(repeating: "n", count: 247) + ".m3u8"])
    #expect(names([" " + long]) == [" " + String(repeating: "n", count: 249) + ".m3u8"])
    // A single letter, with accents for the rest.
    let tower = "e" + String(repeating: "\u{301}", count: 127)
    #expect(names([tower]) == ["_.m3u8"])
  }

  @Test("The other ending leaves room for another byte")
  func otherEnding() {
    let long = String(repeating: "n", count: 255)
    #expect(
      PlaylistName.names(of: [long, "Jazz.m3u8"], .m3u).map(\.display)
        == [String(repeating: "n", count: 251) + ".m3u", "Jazz.m3u8.m3u"])
  }

  @Test("Crates whose names become the same are told apart by numbers, in any order of the crates")
  func clashes() {
    #expect(names(["AC/DC", "AC_DC"]) == ["AC_DC (2).m3u8", "AC_DC.m3u8"])
    #expect(names(["AC/DC", "AC:DC"]) == ["AC_DC.m3u8", "AC_DC (2).m3u8"])
    let crates = ["AC/DC", "AC_DC", "AC:DC", "AC_DC (2)", "ac?dc"]
    let expected = [
      "AC/DC": "AC_DC (3).m3u8", "AC_DC": "AC_DC.m3u8", "AC:DC": "AC_DC (4).m3u8",
      "AC_DC (2)": "AC_DC (2).m3u8", "ac?dc": "ac_dc (5).m3u8",
    ]
    var generator = SeededGenerator(usually: 41)
    for _ in 0..<20 {
      let shuffled = crates.shuffled(using: &generator)
      let found = Dictionary(uniqueKeysWithValues: zip(shuffled, names(shuffled)))
      #expect(found == expected, "\(generator)")
    }
  }

  @Test("Whatever crates are called, their files' names are fit and differ")
  func random() {
    var generator = SeededGenerator(usually: 42)
    let letters: [Unicode.Scalar] = [
      "a", "A", "/", ".", "-", " ", ":", "_", "(", "2", ")", "ü", "音",
    ]
    for round in 0..<200 {
      var crates: [String] = []
      var taken: Set<String> = []
      for _ in 0..<30 {
        let length = [1, 2, 3, 4, 251, 255][Int.random(in: 0..<6, using: &generator)]
        var name = ""
        while let letter = letters.randomElement(using: &generator),
          name.utf8.count + String(letter).utf8.count <= length
        { name.unicodeScalars.append(letter) }
        if crateNameFault(name) == nil, taken.insert(folded(name)).inserted { crates.append(name) }
      }
      let names = PlaylistName.names(of: crates, .m3u8)
      let comment: Comment = "\(generator), round \(round): \(crates)"
      #expect(names.count == crates.count, comment)
      #expect(Set(names.map { folded($0.display) }).count == crates.count, comment)
      for name in names {
        #expect(name.bytes.count <= 255 && name.bytes.first != 0x2E && name.bytes.first != 0x2D)
        #expect(!name.bytes.contains { "/\\:*?\"<>|".utf8.contains($0) }, comment)
      }
      #expect(crates.count > 5, comment)
    }
  }
}
