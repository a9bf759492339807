import LibraryModel
import Platform
import Synchronization

/// The names of things, kept up to date with the published library. The librarian records what may
/// have a new name, which is read when a name is asked for.
final class Naming: Sendable {
  /// The items whose names may differ from those in the index.
  struct News {
    /// The limit beyond which reading all names again is cheaper.
    static let most = 65_536

    /// Whether there is an index to keep up to date.
    let isWanted: Bool
    private(set) var albums: Set<AlbumID> = []
    private(set) var songs: Set<SongID> = []

    init(isWanted: Bool = false) { self.isWanted = isWanted }

    mutating func note(_ albums: Set<AlbumID>, _ songs: Set<SongID>) {
      if !isWanted { return }
      self.albums.formUnion(albums)
      self.songs.formUnion(songs)
      // The next request for a name makes the index anew.
      if self.albums.count + self.songs.count > Self.most { self = News() }
    }
  }

  /// The index of names, which one thread uses at a time.
  private enum Loan {
    case free(NameIndex?)
    case lent
  }

  private let published: PublishedLibrary
  private let news = Mutex(News())
  private let names = Monitor(Loan.free(nil))

  init(published: PublishedLibrary) { self.published = published }

  /// Reads the albums' names, so that the first request need not wait for that.
  func prepare() { use { _, _ in } }

  /// Records what may have a new name. It is published already, but clients are not notified yet.
  func note(albums: Set<AlbumID>, songs: Set<SongID>) {
    news.withLock { $0.note(albums, songs) }
  }

  /// Records the same of an edit.
  func note(_ changes: [Change], from before: Library, to after: Library) {
    var albums = Library.albumsTouched(by: changes, from: before, to: after)
    var songs: Set<SongID> = []
    for change in changes {
      switch change {
      case .albumAdded(let id, _): albums.insert(id)
      case .songAdded(let id, _): songs.insert(id)
      default: continue
      }
    }
    note(albums: albums, songs: songs)
  }

  /// Lends the index and its library to one thread at a time.
  func use<Result>(_ body: (inout NameIndex, Library) -> Result) -> Result {
    let lent = names.wait(waking: .none) { loan -> NameIndex?? in
      guard case .free(let names) = loan else { return nil }
      loan = .lent
      return .some(names)
    }
    // Taken before the library, which is then at least as new.
    let (isKept, albums, songs) = news.withLock { news in
      defer { news = News(isWanted: true) }
      return (news.isWanted, news.albums, news.songs)
    }
    let library = published.library
    var own = isKept ? lent : nil
    own?.follow(albums: albums, songs: songs, in: library)
    var current = own ?? NameIndex(library)
    defer { names.withLock { $0 = .free(current) } }
    return body(&current, library)
  }
}
