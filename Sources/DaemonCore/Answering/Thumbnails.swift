import CratesInterface
import Glibc
import LibraryModel
import Platform
import Synchronization
import TagReading
import VarlinkServer

/// Answers the calls for covers as pixels, in turns, so that none waits for another. Its thread
/// never touches a music folder: those that do are of one folder each.
final class Thumbnails: Sendable {
  /// Albums of a call that are looked for at a time: enough to keep all readers at work.
  private static let ahead = 8
  /// After which an album is answered without a cover, in nanoseconds: its folder hangs, or the
  /// readers have much to do.
  private static let patience: Int64 = 10_000_000_000

  /// One album on its way.
  struct Slot {
    var ticket: Int
    var album: String
    /// The digest as lists of albums have it.
    var digest: CoverDigest?
    var isBeside: Bool
    var deadline: Int64
    var found: ThumbnailOutcome?

    /// When the first of those that are next in their calls is late. What is found waits for its
    /// client, however long that takes, and for no time.
    static func nextLate(_ slots: [Slot]) -> Int64 {
      slots.filter { $0.found == nil }.map(\.deadline).min() ?? .max
    }

    /// What is told of it when it is found.
    var thumbnail: Interface.Thumbnail {
      var thumbnail = Interface.Thumbnail(album: album, digest: digest?.description)
      switch found {
      case .made(let made, let digest):
        (thumbnail.width, thumbnail.height, thumbnail.rgb) = (made.width, made.height, made.rgb)
        // Before its directory was looked at, lists know of no image beside an album.
        if !isBeside { thumbnail.digest = digest.description }
      case .noCover(let digest):
        if !isBeside { thumbnail.digest = digest?.description }
      case .unknown, nil: break
      }
      return thumbnail
    }
  }

  /// What is left of one call.
  private struct Work {
    let answer: Answer
    let side: Int
    var albums: ArraySlice<String>
    /// In the order in which they were asked for.
    var begun: [Slot] = []
  }

  private struct State {
    // Bounded by the clients, who have one call each in work.
    var works: [Int: Work] = [:]
    /// Works for which there is something to do.
    var ready: [Int] = []
    var last = 0
    var isStopping = false

    mutating func wake(_ number: Int) {
      if works[number] != nil, !ready.contains(number) { ready.append(number) }
    }
  }

  private let published: PublishedLibrary
  private let folders: CoverFolders
  private let covers: CoverBook
  private let cache: ThumbnailCache
  private let clock: Clock
  private let state = Monitor(State())
  private let thread = Mutex<BlockingThread?>(nil)

  init(
    published: PublishedLibrary, folders: CoverFolders, covers: CoverBook, cache: BytePath,
    clock: Clock
  ) {
    self.published = published
    self.folders = folders
    self.covers = covers
    self.cache = ThumbnailCache(directory: cache)
    self.clock = clock
  }

  func start() {
    let started = BlockingThread("thumbnails") { [self] in run() }
    thread.withLock { $0 = started }
  }

  /// What is not answered goes with its connection.
  func stop() {
    state.withLock { $0.isStopping = true }
    thread.withLock { $0.take() }?.join()
    folders.stop()
  }

  func add(_ request: Request) {
    guard case .thumbnails(let albums, let side) = request.call else { return }
    let answer = request.answer
    guard request.more || albums.count == 1 else { return answer.fail(.expectedMore) }
    state.withLock { state in
      state.last += 1
      state.works[state.last] = Work(answer: answer, side: side, albums: albums[...])
      state.wake(state.last)
    }
  }

  // MARK: The thread

  private func run() {
    while let number = next() {
      guard var work = state.withLock({ $0.works[number] }) else { continue }
      if work.answer.isAbandoned {
        state.withLock { $0.works[number] = nil }
        continue
      }
      begin(number, &work)
      answer(number)
    }
  }

  /// The next call with something to do; nil at the end.
  private func next() -> Int? {
    while true {
      let now = clock.monotonic()
      let deadline = state.withLock { state in
        for (number, work) in state.works {
          if let first = work.begun.first, first.found == nil, first.deadline <= now {
            state.works[number]?.begun[0].found = .unknown(Self.late)
            state.wake(number)
          }
        }
        return Slot.nextLate(state.works.values.compactMap(\.begun.first))
      }
      let found = state.wait(until: min(deadline, now + 3_600_000_000_000)) { state -> Int?? in
        if state.isStopping { return .some(nil) }
        return state.ready.isEmpty ? nil : .some(state.ready.removeFirst())
      }
      if let found { return found }
    }
  }

  private static let late = FileProblem(.timedOutReader, "the cover didn't come in time")

  /// Looks for as many of the albums as may be under way.
  private func begin(_ number: Int, _ work: inout Work) {
    let library = published.library
    while work.begun.count < Self.ahead, let name = work.albums.popFirst() {
      let album: Album?
      do throws(InterfaceError) {
        album = try Resolving.album(name, in: library)
      } catch {
        guard case .noSuchAlbum = error else {
          state.withLock { $0.works[number] = nil }
          return work.answer.fail(error)
        }
        // An album that went since the client saw it is no reason to end all the others.
        album = nil
      }
      let digest = album.flatMap { covers.cover(of: $0, in: library) }
      let slot = state.withLock { state in
        state.last += 1
        let slot = Slot(
          ticket: state.last, album: album.map { "\($0.id)" } ?? name, digest: digest,
          isBeside: album.map { library.summary(of: $0).cover == nil } ?? false,
          deadline: clock.monotonic() + Self.patience)
        work.begun.append(slot)
        state.works[number]?.begun.append(slot)
        state.works[number]?.albums = work.albums
        return slot
      }
      look(for: album, digest, work.side, in: library) { [weak self] outcome in
        self?.take(outcome, slot.ticket, of: number)
      }
    }
  }

  private func take(_ outcome: ThumbnailOutcome, _ ticket: Int, of number: Int) {
    state.withLock { state in
      guard let place = state.works[number]?.begun.firstIndex(where: { $0.ticket == ticket })
      else { return }
      state.works[number]?.begun[place].found = outcome
      state.wake(number)
    }
  }

  /// Sends what is found, as far as the client has room.
  private func answer(_ number: Int) {
    while true {
      let (work, slot) = state.withLock { state -> (Work?, Slot?) in
        let work = state.works[number]
        guard let slot = work?.begun.first, slot.found != nil, work?.answer.hasRoom == true else {
          return (work, nil)
        }
        state.works[number]?.begun.removeFirst()
        return (state.works[number], slot)
      }
      guard let work else { return }
      guard let slot else {
        if let first = work.begun.first, first.found != nil {
          work.answer.whenDrained { [weak self] in self?.state.withLock { $0.wake(number) } }
        } else if work.begun.count < Self.ahead, !work.albums.isEmpty {
          state.withLock { $0.wake(number) }
        }
        return
      }
      let isLast = work.begun.isEmpty && work.albums.isEmpty
      if isLast { state.withLock { $0.works[number] = nil } }
      work.answer.reply(.thumbnail(slot.thumbnail), continues: !isLast)
      if isLast { return }
    }
  }

  // MARK: Looking

  private func look(
    for album: Album?, _ digest: CoverDigest?, _ side: Int, in library: Library,
    _ found: @escaping @Sendable (ThumbnailOutcome) -> Void
  ) {
    guard let album else { return found(.noCover(nil)) }
    if let digest {
      switch cache.entry(digest, side: side) {
      case .made(let made): return found(.made(made, digest))
      case .unshowable: return found(.noCover(digest))
      case nil: break
      }
    }
    let isBeside = library.summary(of: album).cover == nil
    guard let (root, place) = place(of: album, in: library) else {
      return found(digest == nil ? .noCover(nil) : .unknown(Self.late))
    }
    let wish = CoverFolder.Wish.pixels(side: side) { [cache] outcome in
      // By the digest that albums are listed with; the picture's own where it has changed since.
      let own = isBeside ? digest : nil
      switch outcome {
      case .made(let made, let read):
        if !isBeside || own != nil { cache.keep(.made(made), own ?? read, side: side) }
        found(.made(made, own ?? read))
      case .noCover(let read):
        // A reader that ended says no more: what was known before tells which picture it was.
        let known = isBeside ? own : read ?? digest
        if let known { cache.keep(.unshowable, known, side: side) }
        found(.noCover(known))
      case .unknown: found(outcome)
      }
    }
    folders.folder(root).find(CoverFolder.Job(place: place, wish: wish))
  }

  /// Where the album's cover is, and in which music folder; nil where nobody can look now.
  private func place(
    of album: Album, in library: Library
  ) -> (root: BytePath, CoverFolder.Place)? {
    let songs = library.songs(of: album).filter { library.presence(of: $0) == .present }
    func root(of song: Song) -> BytePath? {
      library.away.folders.first { song.path.isInside($0) }
    }
    if let embedded = library.summary(of: album).cover {
      guard let song = songs.first(where: { $0.facts?.cover == embedded }),
        let root = root(of: song)
      else { return nil }
      return (root, .song(song.path))
    }
    guard let first = songs.first(where: { root(of: $0) != nil }), let root = root(of: first)
    else { return nil }
    // With several discs, the cover is beside their folders, or in one of them.
    var folders: [BytePath] = []
    for song in songs where song.path.isInside(root) {
      for folder in [AlbumFolder.directory(of: song.path, root: root), song.path.parent]
      where !folders.contains(folder) {
        folders.append(folder)
      }
    }
    return (root, .beside(folders))
  }
}
