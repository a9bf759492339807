import Terminal

/// Which part of the screen shows what. Worked out from the browser alone, for drawing and for
/// knowing what was clicked.
struct Layout: Hashable, Sendable {
  enum Size: Hashable, Sendable { case tooSmall, narrow, middle, wide }

  let size: Size
  let columns: Int
  let rows: Int
  /// Empty where they are not seen.
  var crates = Area()
  var albums = Area()
  var songs = Area()
  var cover = Area()
  /// Tiles beside each other; 1 in a list.
  var across = 1
  /// Whether albums stand beside each other.
  var hasTiles: Bool { across > 1 }
  /// Rows of one tile, and those of them that its cover has.
  var tileRows = 1
  var tileCoverRows = 0
  /// Whether the row above the lists says what their columns are.
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
  /// A cover, two lines of text and a free one.
  static let tileHeight = 12
  /// The height of a tile where no covers are seen.
  static let bareTileHeight = 3

  /// Rows of the view of albums, of songs and of crates.
  var listRows: Int { max(1, (albums.rows + (hasTiles ? 1 : 0)) / tileRows) }
  var crateRows: Int { max(1, crates.rows) }
  var songRows: Int { max(1, songs.rows) }
  var showsSongs: Bool { !songs.isEmpty }

  init(columns: Int, rows: Int, pane: Pane, isPlain: Bool, isGallery: Bool, hasCovers: Bool) {
    self.columns = columns
    self.rows = rows
    // The first line says where one is, the last what happened.
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
      // Lists that aren't seen scroll as if they were.
      crates.rows = height
      albums.rows = height
      if !isPlain { spreadTiles(isGallery, hasCovers) }
      return
    }
    size = columns < 100 ? .middle : .wide
    let side = size == .wide ? min(26, columns / 6) : 20
    hasColumnHeadings = true
    // Below the headings of their columns, and with a margin at the right.
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
      // The songs stand where the albums were.
      if pane == .songs {
        songs = albums
        albums.columns = 0
      }
    }
    spreadTiles(isGallery, hasCovers)
    // In a gallery it is among the tiles.
    if hasCovers, !hasTiles { makeRoomForCover() }
  }

  /// The cover of the album under the cursor has a part of the pane beside the albums.
  private mutating func makeRoomForCover() {
    if size == .wide {
      // The heading of the songs stands between.
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
    // The last column of a tile is free.
    let tiles = (albums.columns + 1) / Self.tileColumns
    // Tiles have no columns with headings, and what is below the last one need not be free.
    let rows = albums.rows + (hasColumnHeadings ? 2 : 1)
    // A cover is a row lower where one more row of tiles is seen by that.
    let isLow = rows / (Self.tileHeight - 1) > rows / Self.tileHeight
    let height = hasCovers ? Self.tileHeight - (isLow ? 1 : 0) : Self.bareTileHeight
    // One below the other they would be a list of few.
    guard isGallery, tiles > 1, rows >= height else { return }
    if hasColumnHeadings { (albums.row, albums.rows) = (albums.row - 1, albums.rows + 1) }
    across = tiles
    tileRows = height
    tileCoverRows = hasCovers ? height - 3 : 0
  }

  /// Where what is found is shown: instead of the albums, or of the songs where those are in front.
  var foundArea: Area { albums.columns > 0 && !albums.isEmpty ? albums : songs }

  /// The lines that separate panes.
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
