import LibraryModel
import Platform
import Synchronization

/// What things are called, kept in step with the published library. The librarian notes what may be
/// called otherwise by now; whoever asks for a name has it read then.
final class Naming: Sendable {
  /// News at most: with more, reading all names anew is cheaper.
  private static let newsMost = 1 << 16

  private struct News {
    /// Whether there is a book to be kept up to date.
    var isWanted = false
    var albums: Set<AlbumID> = []
    var songs: Set<SongID> = []
  }

  private let published: PublishedLibrary
  private let headStart: HeadStart
  private let news = Mutex(News())
  private let book = Mutex<NameBook?>(nil)
  private let thread = Mutex<BlockingThread?>(nil)

  init(published: PublishedLibrary, headStart: HeadStart = .none) {
    self.published = published
    self.headStart = headStart
  }

  /// Reads the albums' names beside all else, as soon as there are any: the first who asks should
  /// not wait for it.
  func start() {
    let started = BlockingThread("names") { [self] in
      headStart.wait()
      use { _, _ in }
    }
    thread.withLock { $0 = started }
  }

  func stop() {
    headStart.end()
    thread.withLock { $0.take() }?.join()
  }

  /// What may be called otherwise; it is published already, and nobody was told of it yet.
  func note(albums: Set<AlbumID>, songs: Set<SongID>) {
    if albums.isEmpty && songs.isEmpty { return }
    news.withLock { news in
      if !news.isWanted { return }
      news.albums.formUnion(albums)
      news.songs.formUnion(songs)
      // The book is made anew by whoever asks next.
      if news.albums.count + news.songs.count > Self.newsMost { news = News() }
    }
  }

  /// The same of a person's changes.
  func note(_ changes: [Change], from before: Library, to after: Library) {
    var albums = Library.albumsTouched(by: changes, from: before, to: after)
    var songs: Set<SongID> = []
    for change in changes {
      switch change {
      case .albumRestored(let id, _): albums.insert(id)
      case .songRestored(let id, _): songs.insert(id)
      default: continue
      }
    }
    note(albums: albums, songs: songs)
  }

  /// Lends the book, and the library that it goes with.
  func use<Result>(
    _ body: (inout NameBook, Library) -> sending Result
  ) -> sending Result {
    book.withLock { book in
      // The news first: the library that is taken then is no older.
      let (isKept, albums, songs) = news.withLock { news in
        defer { news = News(isWanted: true) }
        return (news.isWanted, news.albums, news.songs)
      }
      let library = published.library
      var own = isKept ? book.take() : nil
      own?.follow(albums: albums, songs: songs, in: library)
      var current = own ?? NameBook(library)
      defer { book = current }
      return body(&current, library)
    }
  }
}
