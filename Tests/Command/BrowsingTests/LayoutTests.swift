import Terminal
import TestSupport
import Testing

@testable import Browsing

@Suite("Which part of the screen shows what", .limited) struct LayoutTests {
  private typealias Area = Layout.Area

  private func layout(
    _ columns: Int, _ rows: Int, _ pane: Pane = .albums, plain: Bool = false, gallery: Bool = false,
    covers: Bool = false
  ) -> Layout {
    Layout(
      columns: columns, rows: rows, pane: pane, isPlain: plain, isGallery: gallery,
      hasCovers: covers)
  }

  @Test("A window of forty columns and eight rows is large enough, and no smaller one")
  func sizes() {
    for (columns, rows, size) in [
      (39, 8, .tooSmall), (40, 7, .tooSmall), (40, 8, .narrow), (59, 8, .narrow), (60, 8, .middle),
      (99, 99, .middle), (100, 8, .wide), (400, 7, .tooSmall),
    ] as [(Int, Int, Layout.Size)] {
      #expect(layout(columns, rows).size == size, "\(columns) \(rows)")
    }
    #expect(layout(39, 8).albums.isEmpty && layout(39, 8).borders == [])
    #expect(layout(300, 40, plain: true).size == .narrow)
  }

  @Test("A narrow one shows the list in front, and the others scroll as if they were seen")
  func narrow() {
    let unseen = Area(row: 0, column: 0, rows: 18, columns: 0)
    for plain in [false, true] {
      // A column at the right is free, but not for one who hears it.
      let whole = Area(row: 1, column: 0, rows: 18, columns: plain ? 50 : 49)
      let (crates, albums, songs) = (
        layout(50, 20, .crates, plain: plain), layout(50, 20, plain: plain),
        layout(50, 20, .songs, plain: plain)
      )
      #expect([crates.crates, crates.albums, crates.songs] == [whole, unseen, Area()])
      #expect([albums.crates, albums.albums, albums.songs] == [unseen, whole, Area()])
      #expect([songs.crates, songs.albums, songs.songs] == [unseen, unseen, whole])
      #expect(albums.borders == [] && !albums.showsSongs && songs.showsSongs)
      #expect(songs.listRows == 18 && songs.crateRows == 18 && albums.songRows == 1)
      #expect(!albums.hasColumnHeadings)
    }
  }

  @Test("One of middle size has the crates beside the albums, or beside the songs")
  func middle() {
    let albums = layout(60, 10)
    #expect(albums.crates == Area(row: 2, column: 0, rows: 7, columns: 20))
    #expect(albums.albums == Area(row: 2, column: 21, rows: 7, columns: 38))
    #expect(albums.songs == Area() && albums.borders == [20] && albums.hasColumnHeadings)
    let songs = layout(60, 10, .songs)
    #expect(songs.songs == albums.albums && songs.albums.columns == 0)
    #expect(songs.albums.rows == 7 && songs.crates == albums.crates)
  }

  @Test("A wide one has all three, the outer ones no wider than they have to be")
  func wide() {
    for (columns, side, width) in [
      (100, 16, 28), (119, 19, 32), (155, 25, 41), (156, 26, 42), (159, 26, 42), (160, 26, 43),
      (164, 26, 43), (400, 26, 43),
    ] {
      let layout = layout(columns, 30)
      let right = columns - 1 - width
      #expect(layout.crates == Area(row: 2, column: 0, rows: 27, columns: side), "\(columns)")
      #expect(layout.songs == Area(row: 2, column: right, rows: 27, columns: width), "\(columns)")
      #expect(
        layout.albums
          == Area(row: 2, column: side + 1, rows: 27, columns: right - 1 - (side + 1)),
        "\(columns)")
      #expect(layout.borders == [side, right - 1] && layout.hasColumnHeadings)
      #expect(layout.songRows == 27 && layout.cover.isEmpty)
    }
  }

  @Test("A cover stands above the songs of a wide window, in half of the pane at most")
  func wideCovers() {
    let high = layout(100, 30, covers: true)
    #expect(high.cover == Area(row: 1, column: 71, rows: 14, columns: 28))
    #expect(high.songs == Area(row: 17, column: 71, rows: 12, columns: 28))
    let low = layout(100, 20, covers: true)
    #expect(low.cover == Area(row: 1, column: 71, rows: 9, columns: 28))
    #expect(low.songs == Area(row: 12, column: 71, rows: 7, columns: 28))
    let broad = layout(200, 80, covers: true)
    #expect(broad.cover == Area(row: 1, column: 156, rows: 21, columns: 43))
    #expect(broad.songs == Area(row: 24, column: 156, rows: 55, columns: 43))
  }

  @Test("In one of middle size it stands below the crates, where these have sixteen rows")
  func middleCovers() {
    #expect(layout(60, 18, covers: true).cover.isEmpty)
    #expect(layout(60, 18, covers: true).crates.rows == 15)
    let high = layout(60, 19, covers: true)
    #expect(high.crates == Area(row: 2, column: 0, rows: 5, columns: 20))
    #expect(high.cover == Area(row: 8, column: 0, rows: 10, columns: 20))
    #expect(layout(60, 19).crates.rows == 16)
  }

  @Test("A gallery has as many tiles as there is room for, with a free row between")
  func gallery() {
    for (columns, rows, across, listRows, coverRows) in [
      (40, 13, 2, 1, 9), (59, 24, 2, 2, 8), (79, 24, 2, 2, 8), (81, 24, 3, 2, 8),
      (100, 23, 2, 2, 8),
      (100, 25, 2, 2, 9), (240, 58, 8, 5, 8), (240, 62, 8, 5, 9),
    ] {
      let layout = layout(columns, rows, gallery: true, covers: true)
      #expect(layout.across == across, "\(columns)")
      #expect(layout.listRows == listRows, "\(columns) \(rows)")
      #expect(layout.tileCoverRows == coverRows && layout.tileRows == coverRows + 3)
      // What is below the last one need not be free.
      #expect(layout.listRows * layout.tileRows - 1 <= layout.albums.rows)
      #expect(layout.cover.isEmpty)
    }
    #expect(layout(100, 30, gallery: true, covers: true).songs.rows == 27)
    let bare = layout(100, 30, gallery: true)
    #expect(bare.across == 2 && bare.tileRows == 3 && bare.tileCoverRows == 0)
    #expect(bare.listRows == 9)
  }

  @Test("Without room for two tiles beside each other it is a list")
  func noGallery() {
    for layout in [
      layout(40, 11, gallery: true, covers: true), layout(60, 30, gallery: true, covers: true),
      layout(100, 30, covers: true),
      layout(60, 30, .songs, gallery: true, covers: true),
      layout(50, 30, .crates, gallery: true, covers: true),
      layout(100, 30, plain: true, gallery: true, covers: true),
    ] {
      #expect(layout.across == 1 && layout.tileRows == 1 && layout.tileCoverRows == 0)
    }
    #expect(layout(100, 11, gallery: true, covers: true).cover.rows == 4)
    #expect(layout(60, 30, gallery: true, covers: true).listRows == 27)
  }

  @Test("An area has its first row and column, and not the one behind its last")
  func areas() {
    let area = Area(row: 2, column: 3, rows: 4, columns: 5)
    #expect(area.end == 8 && !area.isEmpty)
    for (row, column, isInside) in [
      (2, 3, true), (5, 7, true), (1, 3, false), (2, 2, false), (6, 7, false), (5, 8, false),
    ] {
      #expect(area.contains(Grid.Spot(row: row, column: column)) == isInside)
    }
    for empty in [
      Area(), Area(row: 0, column: 0, rows: 1, columns: 0),
      Area(row: 0, column: 0, rows: 0, columns: 1), Area(row: 0, column: 0, rows: -1, columns: 3),
      Area(row: 0, column: 0, rows: 3, columns: -1),
    ] {
      #expect(empty.isEmpty && !empty.contains(Grid.Spot(row: 0, column: 0)))
    }
    #expect(!Area(row: 0, column: 0, rows: 1, columns: 1).isEmpty)
  }
}
