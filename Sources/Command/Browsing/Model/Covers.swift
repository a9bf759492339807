package import Terminal

/// A cache of the covers of recently viewed albums.
struct CoverShelf: Sendable {
  /// The most bytes of pixels: about 40 covers of the largest shown size.
  static let bytesMost = 6 << 20
  /// The most covers per request: as many as fit into the cache, however large the window is.
  static let albumsMost = bytesMost / (3 * sideLeast * sideLeast)
  /// The least number of pixels of the longer side.
  static let sideLeast = 16
  static let sideMost = 512

  struct Cover: Sendable {
    var digest: String?
    /// The requested number of pixels of the longer side. The cover itself may have fewer.
    var side: Int
    /// Nil if the album has no cover.
    var pixels: Pixels?
    /// The half-block picture in the size that was last needed.
    var blocks: BlockPicture?
  }

  private var covers: [AlbumID: Cover] = [:]
  /// The albums from the least to the most recently used.
  private var order: [AlbumID] = []
  private var bytes = 0
  /// The albums of the last request, and its size.
  var asked: [AlbumID] = []
  var askedSide = 0

  subscript(album: AlbumID) -> Cover? { covers[album] }

  /// Whether the cache has the cover in this size or larger, or knows that there is none.
  func has(_ album: AlbumID, side: Int) -> Bool {
    covers[album].map { $0.pixels == nil || $0.side >= side } ?? false
  }

  mutating func take(_ album: AlbumID, digest: String?, _ pixels: Pixels?, side: Int) {
    forget(album)
    covers[album] = Cover(digest: digest, side: side, pixels: pixels)
    order.append(album)
    bytes += pixels?.bytes.count ?? 0
    while bytes > Self.bytesMost, let first = order.first, first != album { forget(first) }
  }

  mutating func forget(_ album: AlbumID) {
    guard let cover = covers.removeValue(forKey: album) else { return }
    bytes -= cover.pixels?.bytes.count ?? 0
    order.removeAll { $0 == album }
  }

  mutating func touch(_ album: AlbumID) {
    guard covers[album] != nil else { return }
    order.removeAll { $0 == album }
    order.append(album)
  }

  /// Scales down a cover that was shown larger, so that many covers fit.
  mutating func shrink(_ album: AlbumID, to side: Int) {
    guard let cover = covers[album], let pixels = cover.pixels else { return }
    let longer = max(pixels.width, pixels.height)
    if longer <= side { return }
    let small = pixels.scaled(
      width: pixels.width * side / longer, height: pixels.height * side / longer)
    covers[album]?.side = side
    covers[album]?.pixels = small
    bytes += small.bytes.count - pixels.bytes.count
  }

  mutating func makeBlocks(of album: AlbumID, columns: Int, rows: Int) {
    guard let cover = covers[album], let pixels = cover.pixels else { return }
    let frame = PictureFrame(
      of: pixels, inColumns: columns, rows: rows, cell: CellSize(width: 1, height: 2))
    if let blocks = cover.blocks, blocks.columns == frame.columns, blocks.rows == frame.rows {
      return
    }
    covers[album]?.blocks = BlockPicture(pixels, columns: frame.columns, rows: frame.rows)
  }
}

/// The covers on screen, and how many cells of each half-block cover are drawn. Such covers take
/// many bytes, so they appear a few cells at a time while no key is pressed.
struct CoverStage: Sendable {
  /// The cover beside the list. It stays until no key was pressed for a moment.
  var current: AlbumID?
  /// The cover that is being replaced cell by cell.
  var former: AlbumID?
  /// The first tile of the gallery when no key was last pressed for a moment.
  var galleryTop: AlbumID?
  /// The number of drawn cells of each cover, row by row.
  var cells: [AlbumID: Int] = [:]
}

/// The albums whose cached covers may be outdated. A new image beside the songs causes no change
/// notification, so the cover is checked once each time it comes into view.
struct CoverCheck: Sendable {
  var albums: [AlbumID] = []
}

extension Browser {
  /// The number of rows below the view whose covers are requested ahead.
  private static let aheadMost = 2

  /// The albums whose covers are in view, and the size of each cover in cells.
  var coversInView: (albums: [AlbumID], columns: Int, rows: Int) {
    let layout = layout
    if case .triage(let triage) = mode {
      let area = triageCover
      guard !area.isEmpty, let album = triage.current else { return ([], 0, 0) }
      return ([album], area.columns, area.rows)
    }
    if layout.hasTiles {
      let top = albumList.topPlace(in: items)
      let count = min((layout.listRows + 1) * layout.across, CoverShelf.albumsMost)
      return (
        Array(items.dropFirst(top).prefix(count)), Layout.tileColumns - 2, layout.tileCoverRows
      )
    }
    guard !layout.cover.isEmpty, let album = lookedAtAlbum else { return ([], 0, 0) }
    return ([album], layout.cover.columns, layout.cover.rows)
  }

  /// Requests the missing covers in view, then those next to it. Called after a moment without
  /// keys.
  mutating func wantedCovers() -> [Effect] {
    guard look.covers != .none, !look.isPlain, link == .ready else { return [] }
    let (albums, columns, rows) = coversInView
    if albums.isEmpty { return [] }
    let side = side(columns, rows, ofEach: albums.count)
    for album in albums {
      covers.touch(album)
      if albums.count > 1 { covers.shrink(album, to: side) }
    }
    stageCovers(albums)
    let checks = checkCovers(albums)
    var wanted = albums
    if albums.count == 1, !isTriage, let place = items.firstIndex(of: albums[0]) {
      for distance in 1...Self.aheadMost {
        for near in [place + distance, place - distance] where items.indices.contains(near) {
          wanted.append(items[near])
        }
      }
    } else if case .triage(let triage) = mode {
      wanted += triage.queue.dropFirst(triage.steps.count + 1).prefix(Self.aheadMost)
    }
    // An album without an embedded cover may have an image beside its songs.
    wanted = wanted.filter { !covers.has($0, side: side) }
    prepareBlocks()
    if wanted.isEmpty || wanted == covers.asked && side == covers.askedSide { return checks }
    covers.asked = wanted
    covers.askedSide = side
    return checks + [.covers(wanted.map { tables[$0].id }, side: side)]
  }

  private mutating func checkCovers(_ albums: [AlbumID]) -> [Effect] {
    if albums == coverCheck.albums { return [] }
    coverCheck.albums = albums
    let atHand = albums.filter { covers[$0] != nil }
    return atHand.isEmpty ? [] : [.lookUp(atHand.map { tables[$0].id })]
  }

  /// Whether the cached cover is not the one that the daemon names.
  func isOutdated(_ album: AlbumID, former: AlbumFacts?, _ now: AlbumFacts) -> Bool {
    if former?.cover != now.cover { return true }
    // A cover without pixels had timed out or can't be decoded; the daemon now answers at once.
    return now.cover != nil && covers[album].map { $0.pixels == nil } ?? false
  }

  private mutating func stageCovers(_ albums: [AlbumID]) {
    if layout.hasTiles, !isTriage {
      if stage.galleryTop != albumList.top {
        stage = CoverStage()
        stage.galleryTop = albumList.top
      }
    } else if let album = albums.first, stage.current != album || stage.galleryTop != nil {
      let former = stage.galleryTop == nil ? stage.current : nil
      stage = CoverStage(current: album, former: former)
    }
  }

  /// Whether more of the covers is still to be drawn.
  package var hasMoreToDraw: Bool { nextToReveal != nil }

  private var showsCovers: Bool {
    switch mode {
    case .lists, .triage: true
    case .finding: !layout.hasTiles
    default: false
    }
  }

  private var nextToReveal: AlbumID? {
    guard look.covers == .blocks, showsCovers else { return nil }
    let albums =
      layout.hasTiles && !isTriage
      ? (stage.galleryTop == albumList.top ? coversInView.albums : [])
      : stage.current.map { [$0] } ?? []
    return albums.first { album in
      covers[album]?.blocks.map { (stage.cells[album] ?? 0) < $0.columns * $0.rows } ?? false
    }
  }

  mutating func revealMore(_ cells: Int) {
    if let album = nextToReveal { stage.cells[album, default: 0] += max(cells, 1) }
  }

  /// Returns the pixels of a cover's longer side, such that all covers in view fit into the cache.
  /// Covers without room would be requested over and over.
  private func side(_ columns: Int, _ rows: Int, ofEach count: Int) -> Int {
    let pixels =
      look.covers == .blocks
      ? max(columns, 2 * rows) * 2
      : min(columns * look.cell.width, rows * look.cell.height)
    let room = Int((Double(CoverShelf.bytesMost) / Double(3 * max(count, 1))).squareRoot())
    return min(max(min(pixels, room), CoverShelf.sideLeast), CoverShelf.sideMost)
  }

  /// Computes the half blocks of the covers in view once.
  mutating func prepareBlocks() {
    guard look.covers == .blocks else { return }
    let (albums, columns, rows) = coversInView
    for album in albums { covers.makeBlocks(of: album, columns: columns, rows: rows) }
  }

  /// Returns the pixels of a picture by its name in a grid.
  package func pixels(ofPicture name: String) -> Pixels? {
    let id = name.split(separator: " ").first.map(String.init) ?? ""
    return tables.known(album: id).flatMap { covers[$0]?.pixels }
  }
}
