import CratesInterface
import Glibc
import TestSupport
import Testing

@testable import crate

@Suite("Words of a command line", .limited)
struct TypedWordsTests {
  @Test(
    "Digits, commas, dashes and last are positions, and nothing else is",
    arguments: [
      ("3", true), ("0", true), ("9", true), ("3-7", true), ("3,5,9-", true), ("-1", true),
      ("last", true), ("3-last", true), ("lastlast", true), ("last-", true), ("-", false),
      (",", false), ("", false), ("blast", false), ("3a", false), (":", false), ("/", false),
      ("3 4", false), ("٣", false),
    ])
  func positions(word: String, isLike: Bool) {
    #expect(PositionList.isLike(word) == isLike)
  }

  @Test("Positions count from 1 or from the end, and don't run backwards")
  func ranges() {
    for word in [
      "1", "3-7", "3-", "-1", "last", "last-", "-3--1", "3--1", "1-1", "7-last", "2,1", "-2-",
    ] {
      #expect(message { () throws(Failure) in try PositionList.check(word) } == nil, "\(word)")
    }
    let mistake = "is not a position; write 3, 3-7 or 3,5,9- (counting from 1), -1 or last"
    for word in ["0", "3,", ",3", "3-0", "--3", "3-7-9", "last1", "1-last2", "3-,-"] {
      let said = message { () throws(Failure) in try PositionList.check(word) }
      #expect(said == "“\(word)” \(mistake)")
    }
    #expect(
      message { () throws(Failure) in try PositionList.check("1,5-3") }
        == "“5-3” runs backwards; write 3-5")
    #expect(
      message { () throws(Failure) in try PositionList.check("2-1") }
        == "“2-1” runs backwards; write 1-2")
  }

  @Test("Names take the positions behind them, two levels of them")
  func whats() throws {
    let whats = try WhatArgument.read(["Jazz", "3", "1", "5kqv", "a b", "2,4"])
    #expect(whats.map(\.words) == [["Jazz", "3", "1"], ["5kqv"], ["a b", "2,4"]])
    #expect(whats.map(\.text) == ["Jazz 3 1", "5kqv", "a b 2,4"])
    #expect(whats.map(\.hasPositions) == [true, false, true])
    #expect(whats.map(\.isList) == [false, false, true])
    // The first word is a name, whatever it looks like, commas and all.
    let first = try WhatArgument.read(["1,2"])
    #expect(first.map(\.words) == [["1,2"]] && first[0].isList == false)
    #expect(
      message { () throws(Failure) in _ = try WhatArgument.read(["Jazz", "3", "1", "2"]) }
        == "“2” is one position too many: a song has nothing inside it")
    for name in ["", "  ", "crate:", "id: "] {
      #expect(
        message { () throws(Failure) in _ = try WhatArgument(name: name) } == "a name is empty")
    }
    let marked = try WhatArgument(name: "song:x")
    #expect(marked.mark == .song && marked.unmarked == "x" && !marked.isPath)
    let path = try WhatArgument(name: "./song:x")
    #expect(path.mark == nil && path.unmarked == "./song:x" && path.isPath)
  }

  private struct Moved {
    var words: String
    var what: String
    var place: Interface.Where?
    var anchor = ""
    var crate: String?
  }

  @Test("The last keyword says where to, and what stands before it is moved")
  func moves() throws {
    for moved in [
      Moved(words: "Jazz 1 up", what: "Jazz 1", place: .up),
      Moved(words: "a down", what: "a", place: .down),
      Moved(words: "a before b 2", what: "a", place: .before, anchor: "b 2"),
      Moved(words: "a after b", what: "a", place: .after, anchor: "b"),
      Moved(words: "a to b", what: "a", crate: "b"),
      Moved(words: "a to crate:up", what: "a", crate: "up"),
      Moved(words: "a to album:b", what: "a", crate: "album:b"),
      Moved(words: "a to b top", what: "a", place: .top, crate: "b"),
      Moved(words: "a to b before c", what: "a", place: .before, anchor: "c", crate: "b"),
      Moved(words: "a to b c", what: "a", crate: "b c"),
      Moved(words: "to b top", what: "to b", place: .top),
      Moved(words: "to top", what: "to", place: .top),
    ] {
      let readings = try MoveWords.readings(moved.words.split(separator: " ").map(String.init))
      #expect(readings.count == 1, "\(moved.words)")
      let words = readings[0]
      #expect(words.what.joined(separator: " ") == moved.what, "\(moved.words)")
      #expect(words.place == moved.place, "\(moved.words)")
      #expect(words.anchor.joined(separator: " ") == moved.anchor, "\(moved.words)")
      #expect(words.crate == moved.crate, "\(moved.words)")
    }
  }

  @Test("A title with to in it is looked for before a crate of several words")
  func ambiguousMove() throws {
    let readings = try MoveWords.readings(["a", "to", "b", "c", "bottom"])
    #expect(readings.map(\.what) == [["a", "to", "b", "c"], ["a"]])
    #expect(readings.map(\.crate) == [nil, "b c"])
    #expect(readings.map(\.place) == [.bottom, .bottom])
  }

  @Test(
    "A move that says too little or too much is told so",
    arguments: [
      ("a", "say where to: up, down, top, bottom, before WHAT, after WHAT, or to CRATE"),
      ("top", "say what to move"), ("to b", "say what to move"),
      ("a to", "`to` takes the name of a crate"),
      ("a before", "`before` must be followed by what it is before"),
      ("a to b up", "`to CRATE` goes with top, bottom, before WHAT or after WHAT"),
      ("a to b down", "`to CRATE` goes with top, bottom, before WHAT or after WHAT"),
      (
        "a top b",
        "nothing may follow `top`; say where to: up, down, top, bottom, before WHAT, after WHAT, or"
          + " to CRATE"
      ),
    ])
  func badMoves(words: String, expected: String) {
    let list = words.split(separator: " ").map(String.init)
    #expect(message { () throws(Failure) in _ = try MoveWords.readings(list) } == expected)
  }

  @Test("The last by says the order, and what stands behind it the direction")
  func sorts() throws {
    func read(_ words: String) throws -> (String, SortWords.Order, Bool?) {
      let sorted = try SortWords(words.split(separator: " ").map(String.init))
      return (sorted.what.joined(separator: " "), sorted.order, sorted.ascending)
    }
    for (words, what, order, ascending) in [
      ("a by title", "a", .title, nil), ("a by Added NEWEST", "a", .added, false),
      ("a BY added oldest", "a", .added, true), ("a 1 by track ascending", "a 1", .track, true),
      ("a by year descending", "a", .year, false), ("by by artist", "by", .artist, nil),
      ("a shuffled", "a", .shuffled, nil), ("a by reversed", "a", .reversed, nil),
      ("a by released newest", "a", .released, false), ("a by year asc", "a", .year, true),
      ("a by name DESC", "a", .title, false), ("a by date", "a", .year, nil),
      ("a shuffle", "a", .shuffled, nil), ("a by random", "a", .shuffled, nil),
    ] as [(String, String, SortWords.Order, Bool?)] {
      let found = try read(words)
      #expect(found.0 == what && found.1 == order && found.2 == ascending, "\(words): \(found)")
    }
  }

  @Test(
    "A sort that says too little or too much is told so",
    arguments: [
      ("", "say what to sort, and by what"), ("newest", "say what to sort, and by what"),
      ("by title", "say what to sort"), ("shuffled", "say what to sort"),
      (
        "a colour",
        "say at the end what to sort by: by artist, title, year, added, track, reversed or shuffled"
      ),
      ("a title", "“by” is missing before the order; write: by title"),
      (
        "a by artist then year",
        "“then year” can't follow by artist; only ascending or descending may"
      ),
      ("a by titel", "there is no order “titel”; did you mean title?"),
      (
        "a by colour",
        "there is no order “colour”; use artist, title, year, added, track, reversed or shuffled"
      ),
      ("a by title newest", "“newest” can't follow by title; write ascending or descending"),
      ("a shuffled ascending", "“ascending” can't follow shuffled"),
    ])
  func badSorts(words: String, expected: String) {
    let list = words.split(separator: " ").map(String.init)
    #expect(message { () throws(Failure) in _ = try SortWords(list) } == expected)
  }

  @Test("Albums and songs have orders of their own")
  func orders() {
    let orders = SortWords.Order.allCases
    #expect(orders.filter { $0.ofAlbums == nil } == [.track])
    #expect(orders.filter { $0.ofSongs == nil } == [.artist, .album, .year, .released])
  }

  @Test("An address is a path of this machine, byte for byte, or none")
  func addresses() {
    func path(_ uri: String) -> String? {
      FileURI.path(uri).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(path("file:///a%20b/%C3%a9%25") == "/a b/é%")
    #expect(FileURI.path("file:///%FF") == [0x2F, 0xFF])
    for uri in [
      "", "/a", "file:/a", "file://host/a", "file:///a%", "file:///a%4", "file:///%zz",
      "file:///%4z", "file:///%00", "file://", "http:///a",
    ] {
      #expect(path(uri) == nil, "\(uri)")
    }
  }

  @Test("A word that is a path is read from where the program runs, or from home")
  func absolute() throws {
    let home = try #require(Environment["HOME"]).split(separator: "/").joined(separator: "/")
    let directory = try #require(getcwd(nil, 0))
    defer { free(directory) }
    let here = String(cString: directory)
    #expect(FileAddress.absolute("~/a//b/./c") == "/" + (home.isEmpty ? "" : "\(home)/") + "a/b/c")
    #expect(FileAddress.absolute("./x/../y") == (here == "/" ? "" : here) + "/y")
    #expect(FileAddress.absolute("/..") == "/")
    #expect(FileAddress.absolute("/a/..") == "/")
    #expect(["/a", "./a", "../a", "~/a", "file:a"].allSatisfy(FileAddress.isMeant))
    #expect(["a/b", ".a", "~a", "File:a", ""].allSatisfy { !FileAddress.isMeant(by: $0) })
  }

  @Test("A path that is no text is an address, in which nothing but its odd bytes is written anew")
  func wordsOfBytes() throws {
    func word(_ text: String) -> String {
      FileAddress.word(Array(text.utf8) + [0xFF])
    }
    #expect(word("/aZ09-_.~/!\u{1}é") == "file:///aZ09-_.~/%21%01%C3%A9%FF")
    #expect(word("/a/./b/../") == "file:///a/%FF")
    #expect(word("file:a").hasPrefix("file:a"))
    let path = try #require(FileURI.path(word("./b/")))
    let here = FileAddress.absolute(".")
    #expect(path == Array("\(here == "/" ? "" : here)/b/".utf8) + [0xFF])
    let home = try #require(FileURI.path(word("~/b")))
    #expect(home == Array("\(FileAddress.absolute("~/"))/b".utf8) + [0xFF])
    let above = try #require(FileURI.path(word("../")))
    #expect(above.dropLast(2) == Array(FileAddress.absolute("..").utf8)[...] || here == "/")
  }
}
