import TestSupport
import Testing

@testable import LibraryModel

@Suite("Words that name one thing", .limited)
struct WhatTests {
  @Test(
    "a mark says of what kind it is, and without one it may be any",
    arguments: [
      ("Jazz", .any("Jazz")), ("", .any("")), ("id:abcd", .id("abcd")), ("id:", .id("")),
      ("crate:Jazz", .crate("Jazz")), ("album:crate:x", .album("crate:x")),
      ("song:So What", .song("So What")), ("Song:x", .any("Song:x")), (".x", .any(".x")),
      ("~x", .any("~x")),
    ] as [(String, What.Name)])
  func marks(word: String, name: What.Name) {
    #expect(What.Name(word) == name)
    #expect(What.Name(word)?.text == (name.text))
  }

  @Test(
    "a path is absolute, and slashes at its end say nothing",
    arguments: [
      ("/a/b", "/a/b"), ("/a/b/", "/a/b"), ("/a//", "/a"), ("/", "/"), ("//", "/"),
      ("file:///a%20b/", "/a b"), ("file://", nil), ("file:x", nil), ("./a", nil), ("../a", nil),
      ("~/a", nil),
    ] as [(String, String?)])
  func paths(word: String, path: String?) {
    #expect(What.Name(word) == path.map { .path(BytePath($0)) })
    #expect(What.Name(word)?.text == path)
  }

  @Test("positions follow a name, two levels of them at most")
  func levels() {
    #expect(What([]) == nil)
    #expect(What(["Jazz"])?.levels.isEmpty == true)
    let levels = ["1", "2-3"].compactMap { Positions($0) }
    #expect(What(["Jazz", "1", "2-3"])?.levels == levels && levels.count == 2)
    #expect(What(["Jazz", "1", "2", "3"]) == nil)
    #expect(What(["Jazz", "x"]) == nil)
    #expect(What(["./a", "1"]) == nil)
  }

  @Test("songs are looked for by their names only where songs may be meant so")
  func asks() throws {
    func name(_ word: String) throws -> What.Name { try #require(What.Name(word)) }
    for (word, songs, numbers) in [
      ("x", false, false), ("abcd", false, true), ("abc", false, false), ("abc1", false, false),
      ("abcdefghijk", false, true), ("abcdefghijkm", false, false), ("id:a", false, true),
      ("song:abcd", true, true), ("song:abc", true, false), ("song:So What", true, false),
      ("crate:abcd", false, false), ("album:abcd", false, false), ("/a", true, false),
    ] {
      #expect(try name(word).asksForSongs == songs, "\(word)")
      #expect(try name(word).asksForNumbers == numbers, "\(word)")
      #expect(try name(word).isId == word.hasPrefix("id:"))
      #expect(try name(word).isPath == word.hasPrefix("/"))
    }
  }
}

@Suite("Ids of what is new", .limited)
struct MintingTests {
  private func song(
    _ path: String = "X/1.flac", sound: Int = 5, album: String = "X", in root: String = "/music"
  ) throws -> SongID {
    var world = World()
    world.put(path, sound: sound, title: "T", album: album, artist: "A", albumArtist: "A")
    world.merge()
    return try world.song("T").id
  }

  @Test("of songs come from their sound and their group, or from their path")
  func songs() throws {
    let one = try song()
    #expect(try song("Elsewhere/2.mp3") == one)
    #expect(try song(sound: 6) != one)
    #expect(try song(album: "Y") != one)
    let silent = try song(sound: 0)
    #expect(try song(sound: 0) == silent)
    #expect(silent != one)
    #expect(try song("X/2.flac", sound: 0) != silent)
    #expect(try song(sound: 0, album: "Y") != silent)
  }

  @Test("are the same on every machine, of every version")
  func golden() throws {
    let (one, silent) = (try song(), try song(sound: 0))
    #expect("\(one)" == "k8b55ykkd6wm")
    #expect("\(silent)" == "xzkrcs8h7w9m")
    var world = World()
    world.putAlbum("X", sound: 10, in: nil)
    world.merge()
    let album = try world.id("X")
    #expect("\(album)" == "ebm484s5xfjf")
  }

  @Test("are hashed anew for as long as they are taken")
  func taken() {
    var tried: [UInt64] = []
    let id = IdentifierText.mint(Array("words".utf8)) { number in
      tried.append(number)
      return tried.count < 4
    }
    #expect(tried.count == 4 && Set(tried).count == 4 && id == tried[3])
    #expect(tried[0] == IdentifierText.mint(Array("words".utf8)) { _ in false })
    #expect(tried[1] == IdentifierText.mint(Array("words#1".utf8)) { _ in false })
    #expect(tried[2] == IdentifierText.mint(Array("words#2".utf8)) { _ in false })
    for number in tried { #expect(number >> 55 < 24) }
  }

  @Test("are written in twelve letters, and read again, whole or from their beginning")
  func texts() {
    for (number, text) in [
      (0, "aaaaaaaaaaaa"), (1, "aaaaaaaaaaab"), (31, "aaaaaaaaaaa9"), (32, "aaaaaaaaaaba"),
      (23 << 55, "zaaaaaaaaaaa"), (24 << 55 - 1, "z99999999999"),
    ] as [(UInt64, String)] {
      #expect("\(SongID(number: number))" == text && "\(AlbumID(number: number))" == text)
      #expect(SongID(text)?.number == number && AlbumID(text)?.number == number)
    }
    for text in [
      "", "aaaaaaaaaaa", "aaaaaaaaaaaaa", "2aaaaaaaaaaa", "aaaaaaaaaaal", "Aaaaaaaaaaaa",
    ] {
      #expect(SongID(text) == nil && AlbumID(text) == nil, "\(text)")
    }
    #expect(IdentifierText.range(ofPrefix: "aaaaaaaaaaab") == 1...1)
    #expect(IdentifierText.range(ofPrefix: "aaaaaaaaaab") == 32...63)
    let second = UInt64(1) << 55
    #expect(IdentifierText.range(ofPrefix: "b") == second...(2 * second - 1))
    for text in ["", "l", "aaaaaaaaaaaaa", "é"] {
      #expect(IdentifierText.range(ofPrefix: text) == nil)
    }
  }
}
