import CratesInterface
import Glibc
import LibraryModel
import Platform
import Synchronization
import TagReading
import VarlinkServer

/// Answers the calls for shrunk covers in turns, so that none waits for another. Its lane never
/// touches a music folder; each folder has a thread of its own for that.
final class Thumbnails: Sendable {
  /// The time after which an album is answered without a cover, in nanoseconds: its folder hangs,
  /// or the readers are busy.
  private static let patience: Int64 = 10_000_000_000

  /// The rest of one call.
  private struct Work {
    let answer: Answer
    let side: Int
    let form: Thumbnail.Form
    var queue: ThumbnailQueue
  }

  private struct State {
    // Bounded by the number of clients, which have one active call each.
    var works = Numbered<Work>()
    /// The works that have a turn in the lane.
    var ready: Set<Int> = []
  }

  private let lane: WorkPool.Lane
  private let published: PublishedLibrary
  private let folders: CoverFolders
  private let covers: FolderCovers
  private let cache: ThumbnailCache
  private let clock: Clock
  private let state = Mutex(State())

  /// - Parameter lane: A lane of one thread.
  init(
    on lane: WorkPool.Lane, published: PublishedLibrary, folders: CoverFolders,
    covers: FolderCovers, cache: BytePath, clock: Clock
  ) {
    self.lane = lane
    self.published = published
    self.folders = folders
    self.covers = covers
    self.cache = ThumbnailCache(directory: cache, clock: clock)
    self.clock = clock
  }

  func add(_ request: Request) {
    guard case .thumbnails(let albums, let side, let wanted) = request.call else { return }
    let form: Thumbnail.Form =
      switch wanted {
      case .pixels, nil: .pixels
      case .jpeg: .jpeg
      }
    let answer = request.answer
    guard request.more || albums.count == 1 else { return answer.fail(.expectedMore) }
    let work = Work(answer: answer, side: side, form: form, queue: ThumbnailQueue(albums))
    wake(state.withLock { $0.works.add(work) })
  }

  // MARK: Turns

  /// Queues a turn for the work, unless it has one already.
  private func wake(_ number: Int) {
    let isNew = state.withLock { $0.works[number] != nil && $0.ready.insert(number).inserted }
    if isNew { lane.add { [self] in takeTurn(number) } }
  }

  private func takeTurn(_ number: Int) {
    let work = state.withLock { state in
      state.ready.remove(number)
      return state.works[number]
    }
    guard let work else { return }
    if work.answer.isAbandoned { return state.withLock { $0.works[number] = nil } }
    begin(number, work)
    answer(number)
  }

  private static let late = FileProblem(.timedOutReader, "the cover didn't come in time")

  /// Starts the search for as many albums as may be in progress.
  private func begin(_ number: Int, _ work: Work) {
    let library = published.library
    while let (place, name) = state.withLock({ $0.works[number]?.queue.next() }) {
      let album: Album?
      do throws(InterfaceError) {
        album = try Resolving.album(name, in: library)
      } catch {
        guard case .noSuchAlbum = error else {
          state.withLock { $0.works[number] = nil }
          return work.answer.fail(error)
        }
        // An album that vanished since the client saw it must not end the call for all others.
        album = nil
      }
      let digest = album.flatMap { covers.cover(of: $0, in: library) }
      let slot = ThumbnailQueue.Slot(
        place: place, album: album.map { "\($0.id)" } ?? name, digest: digest,
        isBeside: album.map { library.summary(of: $0).cover == nil } == true)
      state.withLock { $0.works[number]?.queue.begin(slot) }
      let answer = folders.deadlines.answer(
        until: clock.monotonic() + Self.patience, late: ThumbnailOutcome.unknown(Self.late)
      ) { [weak self] outcome in
        self?.state.withLock { $0.works[number]?.queue.take(outcome, of: place) }
        self?.wake(number)
      }
      look(for: album, digest, work.side, work.form, in: library, answer)
    }
  }

  /// Sends the found albums while the client has room.
  private func answer(_ number: Int) {
    while true {
      let (work, slot) = state.withLock { state in
        let hasRoom = state.works[number]?.answer.hasRoom == true
        let slot = hasRoom ? state.works[number]?.queue.popFound() : nil
        return (state.works[number], slot)
      }
      guard let work else { return }
      guard let slot else {
        if work.queue.isFound {
          work.answer.whenDrained { [weak self] in self?.wake(number) }
        } else if work.queue.mayBegin {
          wake(number)
        }
        return
      }
      if work.queue.isOver { state.withLock { $0.works[number] = nil } }
      let thumbnail = slot.thumbnail(as: work.form)
      work.answer.reply(.thumbnail(thumbnail), continues: !work.queue.isOver)
    }
  }

  // MARK: Looking

  private func look(
    for album: Album?, _ digest: CoverDigest?, _ side: Int, _ form: Thumbnail.Form,
    in library: Library, _ found: @escaping @Sendable (ThumbnailOutcome) -> Void
  ) {
    guard let album else { return found(.noCover(nil)) }
    if let digest {
      switch cache.entry(digest, side: side, form: form) {
      case .made(let made): return found(.made(made, digest))
      case .unshowable: return found(.noCover(digest))
      case nil: break
      }
    }
    let isBeside = library.summary(of: album).cover == nil
    guard let (root, place) = place(of: album, in: library) else {
      return found(digest == nil ? .noCover(nil) : .unknown(Self.late))
    }
    let request = CoverFolder.Request.thumbnail(side: side, form: form) { [cache] outcome in
      // Stored under the digest that lists show; under the picture's own if that has changed since.
      let own = isBeside ? digest : nil
      switch outcome {
      case .made(let made, let read):
        if !isBeside || own != nil { cache.keep(.made(made), own ?? read, side: side, form: form) }
        found(.made(made, own ?? read))
      case .noCover(let read):
        // A reader that crashed reports no digest: the known one identifies the picture.
        let known = isBeside ? own : read ?? digest
        if let known { cache.keep(.unshowable, known, side: side, form: form) }
        found(.noCover(known))
      case .unknown: found(outcome)
      }
    }
    folders.folder(root).find(CoverFolder.Job(place: place, request: request))
  }

  /// Returns the place of the album's cover and its music folder; nil if it can't be searched now.
  private func place(
    of album: Album, in library: Library
  ) -> (root: BytePath, CoverFolder.Place)? {
    let songs = library.songs(of: album).filter { library.presence(of: $0) == .present }
    func root(of song: Song) -> BytePath? { library.away.folder(of: song.path) }
    if let embedded = library.summary(of: album).cover {
      guard let song = songs.first(where: { $0.facts?.cover == embedded }),
        let root = root(of: song)
      else { return nil }
      return (root, .song(song.path))
    }
    guard let first = songs.first(where: { root(of: $0) != nil }), let root = root(of: first)
    else { return nil }
    // With several discs, the cover lies beside their folders or in one of them.
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
