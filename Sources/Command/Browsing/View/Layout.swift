import Terminal

/// The areas of the screen. Computed from the browser alone, for drawing and for mouse clicks.
struct Layout: Hashable, Sendable {
  enum Size: Hashable, Sendable { case tooSmall, narrow, middle, wide }

  let size: Size
  let columns: Int
  let rows: Int
  /// The areas are empty if they are not visible.
  var crates = Area()
  var albums = Area()
  var songs = Area()
  var cover = Area()
  /// The number of tiles in a row; 1 in a list.
  var across = 1
  /// Whether albums are shown as tiles.
  var hasTiles: Bool { across > 1 }
  /// The rows of a tile, and of its cover.
  var tileRows = 1
  var tileCoverRows = 0
  /// Whether column headings are in the row above the lists.
  private(set) var hasColumnHeadings = false

  struct Area: Hashable, Sendable {
    var row = 0
    var column = 0
    var rows = 0
    var columns = 0

    var isEmpty: Bool { rows <= 0 || columns <= 0 }
    var end: Int { column + columns }

    func contains(_ spot: Grid.Spot) -> Bool {
      (row..<row + max(rows, 0)).contains(spot.row)
        && (column..<column + max(columns, 0)).contains(spot.column)
    }
  }

  static let leastColumns = 40
  static let leastRows = 8
  static let tileColumns = 20
  /// A cover, two lines of text and an empty one.
  static let tileHeight = 12
  /// The height of a tile without a cover.
  static let bareTileHeight = 3

  /// The number of visible rows of albums, crates and songs.
  var listRows: Int { max(1, (albums.rows + (hasTiles ? 1 : 0)) / tileRows) }
  var crateRows: Int { max(1, crates.rows) }
  var songRows: Int { max(1, songs.rows) }
  var showsSongs: Bool { !songs.isEmpty }

  init(columns: Int, rows: Int, pane: Pane, isPlain: Bool, isGallery: Bool, hasCovers: Bool) {
    self.columns = columns
    self.rows = rows
    // The first and the last line are taken.
    let height = rows - 2
    if columns < Self.leastColumns || rows < Self.leastRows {
      size = .tooSmall
      return
    }
    if isPlain || columns < 60 {
      size = .narrow
      let whole = Area(
        row: 1, column: 0, rows: height, columns: isPlain ? columns : columns - 1)
      switch pane {
      case .crates: crates = whole
      case .albums: albums = whole
      case .songs: songs = whole
      }
      // Hidden lists scroll as if they were visible.
      crates.rows = height
      albums.rows = height
      if !isPlain { spreadTiles(isGallery, hasCovers) }
      return
    }
    size = columns < 100 ? .middle : .wide
    let side = size == .wide ? min(26, columns / 6) : 20
    hasColumnHeadings = true
    // Below the column headings, and with a margin at the right.
    let listRows = height - 1
    crates = Area(row: 2, column: 0, rows: listRows, columns: side)
    let start = side + 1
    let end = columns - 1
    if size == .wide {
      let width = min(43, columns / 4 + 3)
      let right = end - width
      songs = Area(row: 2, column: right, rows: listRows, columns: width)
      albums = Area(row: 2, column: start, rows: listRows, columns: right - 1 - start)
    } else {
      albums = Area(row: 2, column: start, rows: listRows, columns: end - start)
      // Songs replace the albums.
      if pane == .songs {
        songs = albums
        albums.columns = 0
      }
    }
    spreadTiles(isGallery, hasCovers)
    // In a gallery the covers are in the tiles.
    if hasCovers, !hasTiles { makeRoomForCover() }
  }

  /// Reserves a part of the pane beside the albums for the cover of the album under the cursor.
  private mutating func makeRoomForCover() {
    if size == .wide {
      // Below the cover is the heading of the songs.
      let coverRows = min(songs.columns / 2, (songs.rows + 1) / 2)
      cover = Area(
        row: songs.row - 1, column: songs.column, rows: coverRows, columns: songs.columns)
      songs.row += coverRows + 1
      songs.rows -= coverRows + 1
    } else if crates.rows >= 16 {
      let coverRows = crates.columns / 2
      crates.rows -= coverRows + 1
      cover = Area(
        row: crates.row + crates.rows + 1, column: 0, rows: coverRows, columns: crates.columns)
    }
  }

  private mutating func spreadTiles(_ isGallery: Bool, _ hasCovers: Bool) {
    // The last column of a tile is empty.
    let tiles = (albums.columns + 1) / Self.tileColumns
    // Tiles have no column headings, and need no empty row below the last one.
    let rows = albums.rows + (hasColumnHeadings ? 2 : 1)
    // Covers are a row lower if one more row of tiles fits that way.
    let isLow = rows / (Self.tileHeight - 1) > rows / Self.tileHeight
    let height = hasCovers ? Self.tileHeight - (isLow ? 1 : 0) : Self.bareTileHeight
    // A single column of tiles would be a list of few albums.
    guard isGallery, tiles > 1, rows >= height else { return }
    if hasColumnHeadings { (albums.row, albums.rows) = (albums.row - 1, albums.rows + 1) }
    across = tiles
    tileRows = height
    tileCoverRows = hasCovers ? height - 3 : 0
  }

  /// The area of search matches: instead of the albums, or of the songs if those are in front.
  var foundArea: Area { albums.columns > 0 && !albums.isEmpty ? albums : songs }

  /// The columns of the lines between panes.
  var borders: [Int] {
    switch size {
    case .tooSmall, .narrow: []
    case .middle: [crates.columns]
    case .wide: [crates.columns, songs.column - 1]
    }
  }
}

extension Browser {
  var layout: Layout {
    Layout(
      columns: columns, rows: rows, pane: pane, isPlain: look.isPlain, isGallery: isGallery,
      hasCovers: look.covers != .none)
  }
}
