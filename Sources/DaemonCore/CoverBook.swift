import LibraryModel
import Platform
import Synchronization

/// The image files beside songs, as looks at their directories found them: which covers the albums
/// have that have none in their songs. Known again after each start, when the music folders were
/// looked at.
final class CoverBook: Sendable {
  private struct State {
    /// By directory, as `BytePath.beside` has it.
    var covers: [BytePath: CoverDigest] = [:]
    /// Where that has changed, for whoever tells of it.
    var news: Set<BytePath> = []
    var isStopping = false
  }

  /// So long the news of a look are gathered, in nanoseconds: each telling is a walk through all
  /// songs.
  private static let gathering: Int64 = 300_000_000

  private let clock: Clock
  private let state = Monitor(State())
  private let thread = Mutex<BlockingThread?>(nil)

  init(clock: Clock) { self.clock = clock }

  // MARK: Knowing

  func note(_ cover: CoverDigest?, in folder: BytePath) {
    let key = BytePath(folder.bytes + Array("/".utf8))
    state.change { state in
      guard state.covers[key] != cover else { return .none }
      state.covers[key] = cover
      state.news.insert(key)
      return .all
    }
  }

  /// Of the picture in the album's songs, else of the one beside them; nil where there is none.
  func cover(of album: Album, in library: Library) -> CoverDigest? {
    if let embedded = library.summary(of: album).cover { return embedded }
    // Many libraries have none at all.
    if state.wait(waking: .none, for: { $0.covers.isEmpty }) { return nil }
    let folders = Self.folders(of: album, in: library)
    return state.wait(waking: .none) { state -> CoverDigest?? in
      for folder in folders {
        if let found = state.covers[folder] { return .some(found) }
      }
      return .some(nil)
    }
  }

  /// Where an album's image may be, the best first, as `BytePath.beside` has them: with several
  /// discs beside their folders, or in one of them.
  private static func folders(of album: Album, in library: Library) -> [BytePath] {
    var folders: [BytePath] = []
    var last: BytePath?
    for song in library.songs(of: album) where !song.isGone {
      let own = song.path.beside
      if own == last { continue }
      last = own
      if let root = library.away.folders.first(where: { song.path.isInside($0) }) {
        let directory = AlbumFolder.directory(of: song.path, root: root)
        folders.append(BytePath(directory.bytes + Array("/".utf8)))
      }
      folders.append(own)
    }
    return folders
  }

  // MARK: Telling

  /// Calls back with the albums whose images are others than before, from a thread of its own.
  func start(_ published: PublishedLibrary, tell: @escaping @Sendable ([AlbumID]) -> Void) {
    let started = BlockingThread("cover news") { [self] in
      while let folders = nextNews() {
        let albums = Self.albums(in: folders, published.library)
        if !albums.isEmpty { tell(albums) }
      }
    }
    thread.withLock { $0 = started }
  }

  func stop() {
    state.withLock { $0.isStopping = true }
    thread.withLock { $0.take() }?.join()
  }

  private func nextNews() -> Set<BytePath>? {
    let isThere = state.wait { state -> Bool? in
      if state.isStopping { return false }
      return state.news.isEmpty ? nil : true
    }
    guard isThere else { return nil }
    let until = clock.monotonic() + Self.gathering
    let isStopping: Bool? = state.wait(until: until) { $0.isStopping ? true : nil }
    if isStopping == true { return nil }
    return state.withLock { state in
      defer { state.news = [] }
      return state.news
    }
  }

  /// Those whose image may be in one of the directories.
  private static func albums(in folders: Set<BytePath>, _ library: Library) -> [AlbumID] {
    var found: Set<AlbumID> = []
    library.songs.forEach { _, song in
      if song.isGone || found.contains(song.album) { return }
      let own = song.path.beside
      if folders.contains(own) || folders.contains(BytePath(song.path.parent.bytes).beside) {
        found.insert(song.album)
      }
    }
    return library.inOrder(Array(found)).filter { id in
      guard let album = library.albums[id] else { return false }
      return Self.folders(of: album, in: library).contains(where: folders.contains)
    }
  }
}
