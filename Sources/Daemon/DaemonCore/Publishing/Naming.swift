import LibraryModel
import Platform
import Synchronization

/// What things are called, kept in step with the published library. The librarian notes what may be
/// called otherwise by now; whoever asks for a name has it read then.
final class Naming: Sendable {
  /// What may be called otherwise than a book has it.
  struct News {
    /// At most: with more, reading all names anew is cheaper.
    static let most = 65_536

    /// Whether there is a book to be kept up to date.
    let isWanted: Bool
    private(set) var albums: Set<AlbumID> = []
    private(set) var songs: Set<SongID> = []

    init(isWanted: Bool = false) { self.isWanted = isWanted }

    mutating func note(_ albums: Set<AlbumID>, _ songs: Set<SongID>) {
      if !isWanted { return }
      self.albums.formUnion(albums)
      self.songs.formUnion(songs)
      // The book is made anew by whoever asks next.
      if self.albums.count + self.songs.count > Self.most { self = News() }
    }
  }

  /// The book, with which one thread works at a time.
  private enum Loan {
    case free(NameBook?)
    case lent
  }

  private let published: PublishedLibrary
  private let news = Mutex(News())
  private let book = Monitor(Loan.free(nil))

  init(published: PublishedLibrary) { self.published = published }

  /// Reads the albums' names, so that the first who asks needs not wait for it.
  func prepare() { use { _, _ in } }

  /// What may be called otherwise; it is published already, and nobody was told of it yet.
  func note(albums: Set<AlbumID>, songs: Set<SongID>) {
    news.withLock { $0.note(albums, songs) }
  }

  /// The same of a person's changes.
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

  /// Lends the book, and the library that it goes with, to one thread at a time.
  func use<Result>(_ body: (inout NameBook, Library) -> Result) -> Result {
    let lent = book.wait(waking: .none) { loan -> NameBook?? in
      guard case .free(let book) = loan else { return nil }
      loan = .lent
      return .some(book)
    }
    // The news first: the library that is taken then is no older.
    let (isKept, albums, songs) = news.withLock { news in
      defer { news = News(isWanted: true) }
      return (news.isWanted, news.albums, news.songs)
    }
    let library = published.library
    var own = isKept ? lent : nil
    own?.follow(albums: albums, songs: songs, in: library)
    var current = own ?? NameBook(library)
    defer { book.withLock { $0 = .free(current) } }
    return body(&current, library)
  }
}
