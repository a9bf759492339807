import TestSupport
import Testing
import Text

@testable import LibraryModel

@Suite("Keys of groups", .limited) struct GroupKeyTests {
  private static let release = "8f2fe0a9-9a4b-4a9b-8b3f-0a4d6d2c1e5f"

  @Test("are the same for all spellings of a name")
  func spellings() {
    let names = [("Mot\u{F6}rhead", "MOTO\u{308}RHEAD"), ("Straße", "STRASSE"), ("ﬁn", "FIN")]
    for (left, right) in names {
      #expect(
        bytes(GroupKey.tagged(artist: left, album: right))
          == bytes(GroupKey.tagged(artist: right, album: left)))
    }
    let folders = ["Mot\u{F6}rhead", "Moto\u{308}rhead"].map { folder("x/\($0)/y") }
    #expect(folders[0] == folders[1])
    #expect(GroupKey.folder(folders[0]) == "folder\tx/Mot%C3%B6rhead/y")
    #expect(bytes(GroupKey.folder(folders[0])) == bytes(GroupKey.folder(folders[1])))
  }

  @Test("keep bytes of folders that are not UTF-8, and bring the names beside them to NFC")
  func oddFolders() {
    let odd = AlbumFolder(
      of: BytePath(Array("/m/e\u{301}/".utf8) + [0xFF, 0x65, 0xCC, 0x81] + Array("/a b%/x".utf8)),
      root: BytePath("/m"))
    #expect(GroupKey.folder(odd) == "folder\t%C3%A9/%FFe%CC%81/a b%25")
    #expect(GroupKey.inFolder(odd, album: "É") == "in\t%C3%A9/%FFe%CC%81/a b%25\té")
  }

  @Test("have folders in ASCII, controls and % as two digits, which come back")
  func encoding() {
    for byte in UInt8.min...UInt8.max where byte != 0x2F {
      let key = KeyText.folder([0x61, byte])
      let isPlain = (0x20...0x7E).contains(byte) && byte != 0x25
      #expect(key.utf8.count == (isPlain ? 2 : 4), "\(byte)")
      #expect(percentDecoded(Array(key.utf8)) == [0x61, byte])
    }
    #expect(KeyText.folder([0x1F, 0x7F, 0xFF, 0x25]) == "%1F%7F%FF%25")
  }

  @Test("have a bound for each part, and stay different")
  func bounds() throws {
    var seen: Set<String> = []
    for letter in ["a", "é", "e\u{301}x", "\u{1D160}"] {
      for count in [300, 1020, 1024, 1025, 5000, 5001, 65_536] {
        let name = String(String(repeating: letter, count: count).unicodeScalars.prefix(65_536))
        let part = GroupKey.tagged(artist: name, album: "").split(separator: "\t")[1]
        #expect(part.utf8.count <= KeyText.longestName)
        #expect(seen.insert("\(part)").inserted, "\(letter) \(count)")
        let key = folder(name).key
        #expect(try #require(percentDecoded(Array(key.utf8))).count <= KeyText.longestFolder)
        #expect(seen.insert("folder \(key)").inserted, "\(letter) \(count)")
        let below = folder("\(name)/Live").key
        #expect(below.hasSuffix("/Live"), "titles come from there")
        #expect(seen.insert("folder \(below)").inserted, "\(letter) \(count)")
      }
    }
    // Different where the path was cut, and not UTF-8.
    // Keys are stored: half of one is the folder's own name, whatever stands above.
    let most = KeyText.longestFolder
    let name = String(repeating: "b", count: most)
    let key = KeyText.folder(Array("\(String(repeating: "a", count: most))/\(name)".utf8))
    #expect(key.utf8.count == most)
    #expect(key.hasSuffix("/\(name.prefix(most / 2))"))
    let long = [UInt8](repeating: 0x61, count: 4000)
    let keys = [[0xFE], [0xFF], [0x2F, 0xFF]].map { KeyText.folder(long + $0 + long) }
    #expect(Set(keys).count == 3)
  }

  @Test("tell a release by a UUID in small letters, and by the hash of anything else")
  func releases() {
    #expect(GroupKey.release("") == "")
    #expect(GroupKey.release(" \t") == "")
    #expect(GroupKey.release(Self.release) == Self.release)
    #expect(GroupKey.release(" \(Self.release.uppercased())\n") == Self.release)
    let others = [
      "r1", "R2", "a b", Self.release + "0", String(Self.release.dropLast()) + "g",
      String(Self.release.map { $0 == "-" ? "0" : $0 }), "#\(String(repeating: "0", count: 32))",
      String(repeating: "r%", count: 32_768), "é",
    ]
    for other in others {
      let key = GroupKey.release(other)
      #expect(key.wholeMatch(of: /#[0-9a-f]{32}/) != nil, "\(key)")
    }
    #expect(Set(others.map(GroupKey.release)).count == others.count)
    #expect(GroupKey.release("e\u{301} X") == GroupKey.release("\u{C9}  x"))
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

  @Test("why the songs of an album are one is known by its key")
  func bonds() {
    for (family, edition, bond) in [
      ("by\tx\ty", "", .tags), ("by\tx\ty", "r", .edition), ("in\tA\ty", "", .tagsAndFolder),
      ("in\tA\ty", "/m", .tagsAndFolder), ("folder\tA", "", .folder), ("folder\tA", "/m", .folder),
      ("", "", .unknown), ("byx", "", .unknown),
    ] as [(String, String, GroupKey.Bond)] {
      #expect(GroupKey(family: family, edition: edition).bond == bond)
    }
    for bond in GroupKey.Bond.allCases {
      #expect(GroupKey(bond).bond == bond)
      #expect(GroupKey(bond).reason.isEmpty == (bond == .unknown))
    }
    #expect(Set(GroupKey.Bond.allCases.map { GroupKey($0).reason }).count == 5)
  }

  @Test("give songs ids without what tells editions apart, and albums with it")
  func minting() {
    let tagged = GroupKey.tagged(artist: "X", album: "Y")
    let edition = GroupKey(family: tagged, edition: Self.release)
    #expect(edition.minted == tagged)
    #expect(edition.mintedAlbum == "\(tagged)\t\t\(Self.release)")
    #expect(GroupKey(family: tagged).mintedAlbum == tagged)
    let untagged = GroupKey(family: GroupKey.folder(folder("x")), edition: "/mnt/Music")
    #expect(untagged.minted == "folder\tx")
    #expect(untagged.mintedAlbum == "folder\tx")
  }

  @Test("give the same ids for all spellings, in tags and in folders' names")
  func ids() {
    func world(_ spell: (String) -> String) -> World {
      var world = World()
      for (name, sound) in [("Mot\u{F6}rhead", 1), ("Sigur R\u{F3}s", 10), ("\u{AC01}", 20)] {
        world.putAlbum(spell(name), by: spell(name), sound: sound, in: "tagged \(sound)")
        world.put("in \(spell(name))/1.mp3", sound: sound + 5, album: spell(name))
        world.put("of \(spell(name))/1.mp3", sound: sound + 6)
      }
      world.merge()
      return world
    }
    let composed = world { $0 }
    let apart = world { name in
      name.unicodeScalars.map { Self.apart[$0] ?? String($0) }.joined()
    }
    #expect(composed.files.keys != apart.files.keys)
    #expect(composed.library.albums.count == 9)
    #expect(
      composed.library.albums.values.map(\.id).sorted()
        == apart.library.albums.values.map(\.id).sorted())
    #expect(
      composed.library.songs.values.map(\.id).sorted()
        == apart.library.songs.values.map(\.id).sorted())
  }

  private static let apart: [Unicode.Scalar: String] = [
    "\u{F6}": "o\u{308}", "\u{F3}": "o\u{301}", "\u{AC01}": "\u{1100}\u{1161}\u{11A8}",
  ]

  private func folder(_ path: String) -> AlbumFolder {
    AlbumFolder(of: BytePath("/m/\(path)/x.mp3"), root: BytePath("/m"))
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
