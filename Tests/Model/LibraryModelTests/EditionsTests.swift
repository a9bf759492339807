import TestSupport
import Testing

@testable import LibraryModel

@Suite("Which folders of an album are one edition", .limited)
struct EditionsTests {
  private static let root = BytePath("/m")

  private func folder(_ name: String) -> AlbumFolder {
    AlbumFolder(of: BytePath("/m/\(name)/1.flac"), root: Self.root)
  }

  /// - Parameter sounds: what each track sounds like.
  private func part(
    _ name: String, _ sounds: [UInt64] = [], wish: Grouping.Wish? = nil, hasNews: Bool = true,
    release: String = "", homes: [Grouping.Home] = []
  ) -> Grouping.Part {
    var part = Grouping.Part(folder: folder(name), hasNews: hasNews)
    part.sounds = self.sounds(sounds)
    part.wish = wish
    part.homes = homes
    if !release.isEmpty { part.releases = [release: 1] }
    return part
  }

  private func sounds(_ sounds: [UInt64]) -> Grouping.Sounds {
    var all = Grouping.Sounds()
    for (track, sound) in sounds.enumerated() where sound > 0 {
      all.insert(
        AudioDigest(high: sound, low: sound), at: Grouping.Slot(disc: 1, track: track + 1))
    }
    return all
  }

  private func wish(
    _ claim: Grouping.Claim, _ edition: String, seen: Int64 = 0
  ) -> Grouping.Wish {
    Grouping.Wish(claim: claim, seen: seen, edition: edition)
  }

  private func editions(_ parts: Grouping.Part...) -> [String: String] {
    let forward = Grouping.editions(of: parts)
    #expect(forward == Grouping.editions(of: parts.reversed()))
    return Dictionary(
      uniqueKeysWithValues: forward.map { (String($0.path.display.dropFirst(3)), $1) })
  }

  @Test("sounds differ where one disc and track has none in common")
  func differing() {
    #expect(sounds([1, 2]).differ(from: sounds([1, 3])))
    #expect(!sounds([1, 2]).differ(from: sounds([1])))
    #expect(!sounds([1]).differ(from: sounds([0, 2])))
    #expect(!sounds([]).differ(from: sounds([1])))
    var both = sounds([1])
    both.insert(AudioDigest(high: 9, low: 9), at: Grouping.Slot(disc: 1, track: 1))
    #expect(!both.differ(from: sounds([9])) && !sounds([9]).differ(from: both))
    var disc = Grouping.Sounds()
    disc.insert(AudioDigest(high: 5, low: 5), at: Grouping.Slot(disc: 2, track: 1))
    #expect(!disc.differ(from: sounds([1])))
  }

  @Test("the release that most songs name is the folder's, of equals the first")
  func releases() {
    var part = part("a")
    #expect(part.release == "")
    part.releases = ["b": 1, "a": 1, "c": 1]
    #expect(part.release == "a")
    part.releases = ["b": 2, "a": 1]
    #expect(part.release == "b")
  }

  @Test("claims go by their kind, then by age, then by edition")
  func claims() {
    let order = [
      wish(.stays, "z", seen: 9), wish(.remade, "z", seen: 8), wish(.arrived, "z", seen: 7),
      wish(.held, "a", seen: 5), wish(.held, "y", seen: 5), wish(.held, "a", seen: 6),
    ]
    #expect(order.shuffled().sorted() == order)
  }

  @Test("folders that differ in nothing are the plain edition, others begin one of their own")
  func plain() {
    #expect(editions(part("a", [1, 2]), part("b", [0, 0, 3])) == ["a": "", "b": ""])
    #expect(editions(part("a", [1]), part("b", [2])) == ["a": "", "b": " b"])
    #expect(
      editions(part("a", [1]), part("b", [2]), part("c", [2])) == ["a": "", "b": " b", "c": " b"])
    #expect(
      editions(part("a", [1]), part("b", [2]), part("c", [3])) == ["a": "", "b": " b", "c": " c"])
  }

  @Test("releases part folders, whatever they sound like")
  func byRelease() {
    #expect(
      editions(part("a", [1], release: "r"), part("b", [1]), part("c", [1], release: "r"))
        == ["a": "r", "b": "", "c": "r"])
    #expect(
      editions(part("a", [1], release: "r"), part("b", [2], release: "r"))
        == ["a": "r", "b": "r b"])
  }

  @Test("what nothing happened to keeps its edition, whoever comes before it")
  func fixed() {
    #expect(
      editions(
        part("a", [1]), part("b", [2], wish: wish(.stays, ""), hasNews: false))
        == ["a": " a", "b": ""])
    // Also one that contradicts another.
    #expect(
      editions(
        part("a", [1], wish: wish(.stays, ""), hasNews: false),
        part("b", [2], wish: wish(.held, ""), hasNews: false)) == ["a": "", "b": ""])
    // A folder of copies has no claim of its own.
    var copies = part("a", [2], wish: wish(.stays, ""), hasNews: false)
    copies.holdsCopies = true
    #expect(editions(copies, part("b", [1], wish: wish(.held, ""))) == ["a": " a", "b": ""])
  }

  @Test("the better claim stays, of equal ones the older, of those the first folder")
  func kept() {
    #expect(
      editions(
        part("a", [1], wish: wish(.arrived, "")), part("b", [2], wish: wish(.stays, "", seen: 9)))
        == ["a": " a", "b": ""])
    #expect(
      editions(
        part("a", [1], wish: wish(.stays, "", seen: 2)),
        part("b", [2], wish: wish(.stays, "", seen: 1))) == ["a": " a", "b": ""])
    #expect(
      editions(part("a", [1], wish: wish(.stays, "")), part("b", [2], wish: wish(.stays, "")))
        == ["a": "", "b": " b"])
    // Under another release nothing stays.
    #expect(
      editions(part("a", [1], wish: wish(.stays, "r x"), release: "s")) == ["a": "s"])
    #expect(
      editions(part("a", [1], wish: wish(.stays, "r x"), release: "r")) == ["a": "r x"])
  }

  @Test("a folder that left goes home where nothing of what is there or gone differs")
  func homes() {
    func home(_ gone: [UInt64] = []) -> Grouping.Home {
      var home = Grouping.Home(edition: "")
      home.gone = sounds(gone)
      return home
    }
    let there = part("a", [1], wish: wish(.stays, ""), hasNews: false)
    func left(_ sounds: [UInt64], _ home: Grouping.Home, hasNews: Bool = true) -> Grouping.Part {
      part("b", sounds, wish: wish(.stays, " b"), hasNews: hasNews, homes: [home])
    }
    #expect(editions(there, left([1], home())) == ["a": "", "b": ""])
    #expect(editions(there, left([2], home())) == ["a": "", "b": " b"])
    #expect(editions(there, left([1, 4], home([0, 3]))) == ["a": "", "b": " b"])
    #expect(editions(there, left([1, 3], home([0, 3]))) == ["a": "", "b": ""])
    #expect(editions(there, left([1], home(), hasNews: false)) == ["a": "", "b": " b"])
    // Home is where somebody is.
    #expect(editions(left([1], home())) == ["b": " b"])
  }

  @Test("a label that is taken is counted on")
  func labels() {
    #expect(
      editions(
        part("a", [1], wish: wish(.stays, ""), hasNews: false),
        part("c", [3], wish: wish(.stays, " b"), hasNews: false), part("b", [2]))
        == ["a": "", "c": " b", "b": " b//2"])
    #expect(
      editions(
        part("a", [1], wish: wish(.stays, ""), hasNews: false),
        part("c", [3], wish: wish(.stays, " b"), hasNews: false),
        part("d", [4], wish: wish(.stays, " b//2"), hasNews: false), part("b", [2]))
        == ["a": "", "c": " b", "d": " b//2", "b": " b//3"])
  }

  // MARK: Families

  private func tags(_ album: String, _ artist: String = "") -> Grouping.Tags {
    var tags = SongTags()
    (tags.album, tags.albumArtist) = (album, artist)
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: 1, birth: 1), size: 1, modified: 1, changed: 1)
    return Grouping.Tags(
      FileFacts(stamp: stamp, tags: tags, audio: AudioProperties(), digest: nil, format: "flac"))
  }

  private func families(_ counts: [Grouping.Tags: Int], _ asked: Grouping.Tags...) -> [String] {
    let families = Grouping.families(of: counts, in: folder("F"))
    return asked.map { families.family(of: $0).replacing("\t", with: "|") }
  }

  @Test("what names no artist follows those of its folder and album that name one")
  func families() {
    let (mine, other, none, nothing) = (tags("A", "X"), tags("A", "Y"), tags("a"), tags("", "X"))
    #expect(families([none: 1], none, nothing) == ["in|F|a", "in|F|a"])
    #expect(families([mine: 1, none: 1], mine, none, nothing) == ["by|x|a", "by|x|a", "by|x|a"])
    #expect(
      families([mine: 1, other: 2, none: 5], mine, other, none, nothing)
        == ["by|x|a", "by|y|a", "by|y|a", "folder|F"])
    #expect(families([mine: 2, other: 2, none: 5], none) == ["by|x|a"])
    #expect(families([nothing: 1], nothing) == ["folder|F"])
    #expect(families([tags("B", "X"): 1, none: 1], none, nothing) == ["in|F|a", "folder|F"])
    #expect(families([mine: 1, tags("a ", "X"): 2, other: 2], tags("a ")) == ["folder|F"])
    #expect(families([mine: 1, tags("A", "x"): 2, other: 2, none: 1], none) == ["by|x|a"])
    // Only where they are the fewer do songs without an album go with those that have one.
    #expect(families([mine: 2, nothing: 1], nothing) == ["by|x|a"])
    #expect(families([mine: 2, nothing: 2], nothing) == ["folder|F"])
  }
}
