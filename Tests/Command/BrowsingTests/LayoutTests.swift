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
    let whole = Area(row: 1, column: 0, rows: 18, columns: 50)
    let unseen = Area(row: 0, column: 0, rows: 18, columns: 0)
    for plain in [false, true] {
      let (crates, albums, songs) = (
        layout(50, 20, .crates, plain: plain), layout(50, 20, plain: plain),
        layout(50, 20, .songs, plain: plain)
      )
      #expect([crates.crates, crates.albums, crates.songs] == [whole, unseen, Area()])
      #expect([albums.crates, albums.albums, albums.songs] == [unseen, whole, Area()])
      #expect([songs.crates, songs.albums, songs.songs] == [unseen, unseen, whole])
      #expect(albums.borders == [] && !albums.showsSongs && songs.showsSongs)
      #expect(songs.listRows == 18 && songs.crateRows == 18 && albums.songRows == 1)
    }
  }

  @Test("One of middle size has the crates beside the albums, or beside the songs")
  func middle() {
    let albums = layout(60, 10)
    #expect(albums.crates == Area(row: 1, column: 0, rows: 8, columns: 20))
    #expect(albums.albums == Area(row: 1, column: 21, rows: 8, columns: 39))
    #expect(albums.songs == Area() && albums.borders == [20])
    let songs = layout(60, 10, .songs)
    #expect(songs.songs == albums.albums && songs.albums.columns == 0)
    #expect(songs.albums.rows == 8 && songs.crates == albums.crates)
  }

  @Test("A wide one has all three, the outer ones no wider than they have to be")
  func wide() {
    for (columns, side, width) in [
      (100, 16, 29), (119, 19, 33), (155, 25, 42), (156, 26, 43), (159, 26, 43), (160, 26, 44),
      (164, 26, 44), (400, 26, 44),
    ] {
      let layout = layout(columns, 30)
      let right = columns - width
      #expect(layout.crates == Area(row: 1, column: 0, rows: 28, columns: side), "\(columns)")
      #expect(layout.songs == Area(row: 1, column: right, rows: 28, columns: width), "\(columns)")
      #expect(
        layout.albums
          == Area(row: 1, column: side + 1, rows: 28, columns: right - 1 - (side + 1)),
        "\(columns)")
      #expect(layout.borders == [side, right - 1])
      #expect(layout.songRows == 28 && layout.cover.isEmpty)
    }
  }

  @Test("A cover stands above the songs of a wide window, in half of the pane at most")
  func wideCovers() {
    let high = layout(100, 30, covers: true)
    #expect(high.cover == Area(row: 1, column: 71, rows: 14, columns: 29))
    #expect(high.songs == Area(row: 16, column: 71, rows: 13, columns: 29))
    let low = layout(100, 20, covers: true)
    #expect(low.cover == Area(row: 1, column: 71, rows: 9, columns: 29))
    #expect(low.songs == Area(row: 11, column: 71, rows: 8, columns: 29))
    let broad = layout(200, 80, covers: true)
    #expect(broad.cover == Area(row: 1, column: 156, rows: 22, columns: 44))
    #expect(broad.songs == Area(row: 24, column: 156, rows: 55, columns: 44))
  }

  @Test("In one of middle size it stands below the crates, where these have sixteen rows")
  func middleCovers() {
    #expect(layout(60, 17, covers: true).cover.isEmpty)
    #expect(layout(60, 17, covers: true).crates.rows == 15)
    let high = layout(60, 18, covers: true)
    #expect(high.crates == Area(row: 1, column: 0, rows: 5, columns: 20))
    #expect(high.cover == Area(row: 7, column: 0, rows: 10, columns: 20))
    #expect(layout(60, 18).crates.rows == 16)
  }

  @Test("A gallery has as many tiles as there is room for, and no cover beside it")
  func gallery() {
    for (columns, rows, across, listRows) in [
      (40, 13, 2, 1), (59, 24, 2, 2), (79, 24, 2, 2), (81, 24, 3, 2), (100, 23, 2, 1),
      (240, 58, 8, 5),
    ] {
      let layout = layout(columns, rows, gallery: true, covers: true)
      #expect(layout.across == across, "\(columns)")
      #expect(layout.listRows == listRows, "\(columns)")
      #expect(layout.tileRows == 11 && layout.tileCoverRows == 9 && layout.cover.isEmpty)
    }
    #expect(layout(100, 30, gallery: true, covers: true).songs.rows == 28)
    let bare = layout(100, 30, gallery: true)
    #expect(bare.across == 2 && bare.tileRows == 3 && bare.tileCoverRows == 0)
    #expect(bare.listRows == 9)
  }

  @Test("Without room for two tiles beside each other it is a list")
  func noGallery() {
    for layout in [
      layout(40, 12, gallery: true, covers: true), layout(60, 30, gallery: true, covers: true),
      layout(100, 30, covers: true),
      layout(60, 30, .songs, gallery: true, covers: true),
      layout(50, 30, .crates, gallery: true, covers: true),
      layout(100, 30, plain: true, gallery: true, covers: true),
    ] {
      #expect(layout.across == 1 && layout.tileRows == 1 && layout.tileCoverRows == 0)
    }
    #expect(layout(100, 12, gallery: true, covers: true).cover.rows == 5)
    #expect(layout(60, 30, gallery: true, covers: true).listRows == 28)
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
