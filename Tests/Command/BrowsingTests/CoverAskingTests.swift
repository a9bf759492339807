import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("Which covers are asked for", .limited) struct CoverAskingTests: CoverSessions {
  @Test("Of the cover beside the list, and of two above and below it, the nearest first")
  func near() {
    for (keys, places) in [
      ("g", [0, 1, 2]), ("jjjj", [4, 5, 3, 6, 2]), ("j", [1, 2, 0, 3]), ("G", [8, 7, 6]),
      ("Gk", [7, 8, 6, 5]),
    ] {
      var session = session(.blocks)
      session.press(keys)
      #expect(asked(&session)?.places == places, "\(keys)")
      // As long as they are on their way they are not asked for again.
      #expect(asked(&session) == nil)
      session.press("j k")
      #expect(asked(&session) == nil || keys == "G")
    }
  }

  @Test("What has come is not asked for, and of what is to come only the rest")
  func rest() throws {
    var session = session(.blocks)
    #expect(asked(&session)?.places == [0, 1, 2])
    session.take(.cover(album: id(1, session), digest: nil, nil, side: 58))
    #expect(asked(&session)?.places == [0, 2])
    session.take(.cover(album: id(0, session), digest: "d", try pixels(58, 58), side: 55))
    #expect(asked(&session) == nil)
    session.take(.cover(album: id(2, session), digest: "d", try pixels(58, 58), side: 58))
    #expect(asked(&session)?.places == [0])
    session.take(.cover(album: "unknown", digest: "d", try pixels(58, 58), side: 58))
    session.take(.cover(album: id(0, session), digest: "d", try pixels(58, 58), side: 58))
    #expect(asked(&session) == nil)
    // When the daemon was away they may never have come.
    var other = self.session(.blocks)
    #expect(asked(&other)?.places == [0, 1, 2])
    other.take(.lost("has stopped"))
    #expect(asked(&other) == nil)
    other.take(other.keeper.listing)
    other.settle()
    #expect(asked(&other)?.places == [0, 1, 2])
  }

  @Test("What is told anew of albums whose covers are on their way asks for none again")
  func toldMeanwhile() throws {
    var session = session(.blocks)
    var facts = try #require(session.keeper.facts(id(0, session)))
    facts.cover = "c"
    session.take(.lookedUp([facts]))
    #expect(asked(&session)?.places == [0, 1, 2])
    facts.songs += 1
    session.take(.lookedUp([facts]))
    #expect(asked(&session) == nil)
    // Another one is asked for with those that are still to come.
    facts.cover = "d"
    session.take(.lookedUp([facts]))
    #expect(asked(&session)?.places == [0, 1, 2])
    // One that came without pixels didn't come in time, unless there is none.
    for (cover, isAsked) in [("d", true), (nil, false)] as [(String?, Bool)] {
      var session = self.session(.blocks)
      facts.cover = cover
      session.take(.lookedUp([facts]))
      for place in 0..<3 {
        session.take(.cover(album: id(place, session), digest: cover, nil, side: 58))
      }
      #expect(asked(&session) == nil)
      session.take(.lookedUp([facts]))
      #expect(asked(&session)?.places == (isAsked ? [0] : nil))
    }
  }

  @Test("They have as many pixels as are seen, within bounds")
  func sides() {
    for (way, columns, rows, cell, side) in [
      // Half blocks: 28 columns by 14 rows, twice as fine.
      (.blocks, 100, 30, (10, 20), 56), (.blocks, 100, 20, (10, 20), 56),
      (.blocks, 160, 60, (10, 20), 86), (.blocks, 60, 19, (10, 20), 40),
      (.kitty, 100, 30, (10, 20), 280), (.kitty, 100, 30, (10, 30), 280),
      (.sixel, 100, 20, (10, 20), 180), (.kitty, 160, 60, (20, 40), 512),
      (.kitty, 60, 19, (1, 1), 16), (.kitty, 60, 19, (2, 2), 20), (.kitty, 60, 19, (26, 99), 512),
      (.kitty, 60, 19, (25, 99), 500),
    ] as [(CoverWay, Int, Int, (Int, Int), Int)] {
      var session = session(
        way, columns, rows, cell: CellSize(width: cell.0, height: cell.1))
      #expect(asked(&session)?.side == side, "\(way) \(columns) \(rows) \(cell)")
    }
  }

  @Test("Where no covers are seen none is asked for")
  func none() {
    for (way, columns, rows, isPlain) in [
      (.none, 100, 30, false), (.blocks, 100, 30, true), (.blocks, 50, 30, false),
      (.blocks, 60, 18, false), (.kitty, 30, 30, false),
    ] as [(CoverWay, Int, Int, Bool)] {
      var session = session(way, columns, rows, isPlain: isPlain)
      #expect(asked(&session) == nil, "\(way) \(columns)")
      #expect(session.browser.update(.rested).isEmpty && !session.browser.hasMoreToDraw)
    }
    var empty = session(.blocks, albums: 0)
    #expect(asked(&empty) == nil)
  }

  @Test("In a gallery those of all its tiles and of one more row are, smaller the more they are")
  func gallery() {
    for (columns, rows, cell, albums, count, side) in [
      // Two tiles beside each other, in two rows and a part of the third.
      (100, 30, (10, 20), 40, 6, 180), (100, 30, (10, 20), 5, 5, 180),
      (100, 30, (30, 60), 40, 6, 512), (240, 58, (16, 32), 100, 48, 209),
      (240, 58, (10, 20), 100, 48, 160),
    ] {
      var session = session(
        .kitty, columns, rows, albums: albums, cell: CellSize(width: cell.0, height: cell.1))
      session.press("w")
      let asked = asked(&session)
      #expect(asked?.places == Array(0..<count) && asked?.side == side, "\(columns) \(cell)")
    }
    var session = session(.blocks, albums: 40)
    session.press("w")
    #expect(asked(&session)?.side == 36)
    session.press("G")
    #expect(asked(&session)?.places == [36, 37, 38, 39])
  }

  @Test("Among new albums that of the one that is asked about is, and of the next two")
  func triage() {
    for (columns, rows, side) in [
      (100, 30, 80), (60, 16, 32), (60, 30, 48), (100, 20, 48), (59, 30, nil), (60, 15, nil),
    ] as [(Int, Int, Int?)] {
      var session = session(.blocks, columns, rows)
      session.press("+")
      let asked = asked(&session)
      #expect(asked?.side == side, "\(columns) \(rows)")
      if side != nil { #expect(asked?.places == [0, 1, 2]) }
    }
    var session = session(.blocks)
    session.press("+ Space")
    #expect(asked(&session)?.places == [1, 2, 3])
    session.press("Space Space Space Space Space Space")
    #expect(asked(&session)?.places == [7, 8])
    session.press("Space Space")
    #expect(session.browser.coversInView.albums.isEmpty && asked(&session) == nil)
  }

  @Test("When the terminal has told more, covers are asked for in another size, or all anew")
  func told() throws {
    var session = session(.kitty)
    #expect(asked(&session)?.side == 280)
    session.take(.cover(album: id(0, session), digest: "d", try pixels(8, 8), side: 280))
    session.take(.pictures(.kitty, cell: CellSize(width: 12, height: 30)))
    #expect(session.browser.look.cell == CellSize(width: 12, height: 30))
    let larger = asked(&session)
    #expect(larger?.side == 336 && larger?.places == [0, 1, 2])
    session.take(.cover(album: id(0, session), digest: "d", try pixels(8, 8), side: 336))
    #expect(asked(&session)?.places == [1, 2])
    session.take(.pictures(.sixel, cell: CellSize(width: 12, height: 30)))
    #expect(session.browser.look.covers == .sixel)
    #expect(asked(&session)?.places == [0, 1, 2] && session.browser.grid().pictures.isEmpty)
  }

  @Test("A cover that is large beside the list is made small among others, and alone it stays")
  func shrunk() throws {
    for (albums, side) in [(1, 280), (2, 180), (3, 180)] {
      var session = session(.kitty, albums: albums)
      let album = session.browser.items[0]
      _ = asked(&session)
      session.take(.cover(album: id(0, session), digest: "d", try pixels(280, 280), side: 280))
      session.press("w")
      _ = asked(&session)
      #expect(session.browser.covers[album]?.side == side, "\(albums)")
      #expect(session.browser.covers[album]?.pixels?.width == side, "\(albums)")
    }
  }
}
