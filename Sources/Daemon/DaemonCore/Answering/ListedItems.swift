import CratesInterface
import LibraryModel

/// An iterator over the items of one library that a listing shows. As a value it can be stored
/// until its client has room, and copied to another thread.
protocol ListedItems: IteratorProtocol, Sendable where Element: Sendable {
  /// Returns the approximate size of an item's JSON in bytes. Every text that may be long counts;
  /// the estimate is always less than twice the true size.
  static func bytes(of item: Element) -> Int
  func reply(with items: [Element]) -> Reply
}

/// The albums of some crates in order, including gone ones on request.
struct ListedAlbums: ListedItems {
  private let listing: Listing
  private let isGoneShown: Bool
  private var walk: AlbumWalk
  private var window: Window
  private var crate: CrateID?
  /// The position of the last album among the listed ones of its crate.
  private var position: Int?
  /// The number of albums regardless of the window.
  private let total: Int

  init(
    of crates: [Crate], in library: Library, covers: FolderCovers? = nil,
    shared: MachineService.Shown? = nil, gone: Bool, window: Window
  ) {
    let listing = Listing(library: library, covers: covers, shared: shared)
    self.listing = listing
    isGoneShown = gone
    walk = AlbumWalk(through: crates, of: library)
    self.window = window
    total = crates.reduce(0) { total, crate in
      // Nearly all albums are listed, so that `hasMembers` rarely needs a summary.
      gone
        ? total + crate.albums.count { listing.hasMembers($0) }
        : total + library.listedCount(in: crate)
    }
  }

  /// Lists only the named albums, in the library's order.
  init(
    _ albums: [AlbumID], in library: Library, covers: FolderCovers? = nil,
    shared: MachineService.Shown? = nil, gone: Bool, window: Window
  ) {
    let listing = Listing(library: library, covers: covers, shared: shared)
    let shown = library.inOrder(albums).filter {
      library.listedCount(of: $0) > 0 || gone && listing.hasMembers($0)
    }
    self.listing = listing
    isGoneShown = gone
    walk = AlbumWalk(to: shown, of: library)
    self.window = window
    total = shown.count
  }

  mutating func next() -> Interface.Album? {
    while !window.isOver, let (album, crate) = walk.next() {
      if self.crate != crate.id { (self.crate, position) = (crate.id, nil) }
      let summary = listing.library.summary(of: album)
      let isListed = summary.songs > 0
      if isListed {
        position = walk.isChosen ? listing.library.position(of: album.id) : (position ?? 0) + 1
      }
      guard isListed || (isGoneShown && summary.members > 0), window.takes() else { continue }
      return listing.shown(album, in: crate, isListed ? position : nil)
    }
    return nil
  }

  static func bytes(of album: Interface.Album) -> Int {
    album.title.utf8.count + album.artist.utf8.count + album.because.utf8.count + 400
  }

  func reply(with albums: [Interface.Album]) -> Reply {
    .albums(albums, total: total, sequence: listing.library.sequence)
  }
}

/// The songs of some albums in order, including gone ones on request.
struct ListedSongs: ListedItems {
  private let listing: Listing
  private let isGoneShown: Bool
  private var walk: AlbumWalk
  private var window: Window
  /// The album that is being listed, and its remaining songs.
  private var present: Present?
  /// The songs to list; nil for all.
  private var chosen: Set<SongID>?
  /// The number of songs regardless of the window.
  private let total: Int

  private struct Present {
    let album: Album
    let crate: Crate
    let face: AlbumFace
    var songs: ArraySlice<Song>
    /// The position of the last song among the listed ones of the album.
    var position = 0
  }

  init(of crates: [Crate], in library: Library, gone: Bool, window: Window) {
    self.init(AlbumWalk(through: crates, of: library), gone, window)
  }

  init(of albums: [AlbumID], in library: Library, gone: Bool, window: Window) {
    self.init(AlbumWalk(to: albums, of: library), gone, window)
  }

  /// Lists only the named songs, in the library's order.
  init(_ songs: [SongID], in library: Library, gone: Bool, window: Window) {
    let shown = songs.compactMap { library.songs[$0] }.filter { gone || !$0.isGone }
    let albums = library.inOrder(shown.map(\.album))
    self.init(
      AlbumWalk(to: albums, of: library), gone, window, chosen: Set(shown.lazy.map(\.id)))
  }

  private init(_ walk: AlbumWalk, _ gone: Bool, _ window: Window, chosen: Set<SongID>? = nil) {
    let library = walk.library
    listing = Listing(library: library)
    isGoneShown = gone
    self.walk = walk
    self.window = window
    self.chosen = chosen
    var counting = walk
    var count = 0
    while chosen == nil, let (album, _) = counting.next() {
      count += gone ? library.summary(of: album).members : library.listedCount(of: album.id)
    }
    total = chosen?.count ?? count
  }

  mutating func next() -> Interface.Song? {
    while !window.isOver {
      guard let song = present?.songs.popFirst() else {
        guard beginAlbum() else { return nil }
        continue
      }
      if !song.isGone { present?.position += 1 }
      guard !song.isGone || isGoneShown, chosen?.contains(song.id) ?? true, window.takes(),
        let present
      else { continue }
      return listing.shown(
        song, present.album, present.crate, present.face, song.isGone ? nil : present.position)
    }
    return nil
  }

  /// Advances to the next album that the window shows part of; returns false if there is none.
  private mutating func beginAlbum() -> Bool {
    while let (album, crate) = walk.next() {
      let summary = listing.library.summary(of: album)
      // Otherwise a window far below the top would cost as much as everything above it.
      if chosen == nil, window.skips(isGoneShown ? summary.members : summary.songs) { continue }
      present = Present(
        album: album, crate: crate, face: summary.face,
        songs: listing.library.songs(of: album)[...])
      return true
    }
    return false
  }

  static func bytes(of song: Interface.Song) -> Int {
    let details = song.details
    let texts = [
      song.path, song.uri, song.title, song.artist, song.albumTitle, song.albumArtist,
      details.genre, details.composer, details.recording, details.release, details.evidence,
    ]
    return texts.reduce(600) { $0 + ($1?.utf8.count ?? 0) }
  }

  func reply(with songs: [Interface.Song]) -> Reply {
    .songs(songs, total: total, sequence: listing.library.sequence)
  }
}

/// Iterates over the albums of crates in order, and can stop anywhere.
private struct AlbumWalk: Sendable {
  let library: Library
  private var crates: ArraySlice<Crate>
  /// The index in the first crate; nil for its beginning.
  private var place: SharedList<AlbumID>.Index?
  /// The remaining chosen albums, in reverse order; nil if all albums are walked.
  private var chosen: [AlbumID]?

  init(through crates: [Crate], of library: Library) {
    self.library = library
    self.crates = ArraySlice(crates)
  }

  /// Walks only these albums, which must be in the library's order.
  init(to albums: [AlbumID], of library: Library) {
    self.library = library
    crates = []
    chosen = albums.reversed()
  }

  /// Whether it skips albums that stand between others.
  var isChosen: Bool { chosen != nil }

  mutating func next() -> (album: Album, crate: Crate)? {
    while let id = chosen?.popLast() {
      guard let album = library.albums[id], let crate = library.crate(album.crate) else { continue }
      return (album, crate)
    }
    while let crate = crates.first {
      let place = self.place ?? crate.albums.startIndex
      guard place < crate.albums.endIndex else {
        crates.removeFirst()
        self.place = nil
        continue
      }
      self.place = crate.albums.index(after: place)
      if let album = library.albums[crate.albums[place]] { return (album, crate) }
    }
    return nil
  }
}

/// A part of a listing: `count` items from position `first` on.
struct Window: Sendable {
  private var skip: Int
  private var left: Int

  init(first: Int?, count: Int?) throws(InterfaceError) {
    if let first, first < 1 { throw .invalidParameter(parameter: "first") }
    if let count, count < 0 { throw .invalidParameter(parameter: "count") }
    skip = (first ?? 1) - 1
    left = count ?? .max
  }

  /// Whether the window has no more items.
  var isOver: Bool { left == 0 }

  /// Advances by one item, and returns whether that lies in the window.
  mutating func takes() -> Bool {
    if skip > 0 {
      skip -= 1
      return false
    }
    if isOver { return false }
    left -= 1
    return true
  }

  /// Advances by `count` items if all of them lie before the window, and returns whether it did.
  mutating func skips(_ count: Int) -> Bool {
    guard skip >= count else { return false }
    skip -= count
    return true
  }
}
