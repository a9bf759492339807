import CratesInterface
import LibraryModel
import Logging
import Platform
import Synchronization
import VarlinkServer

/// Answers the calls that list, one batch of each in turn. The rest of a listing is a value that
/// waits until its client has room. No thread waits for a client, however long it pauses, and the
/// client gets the rest of the same library that its listing began with.
///
/// Without "more" everything must be gathered in one reply. Nearly all such replies are complete
/// after their first turn. Of the longer ones, at most `ListingLimits.gathering` are gathered at a
/// time, taking turns with all other listings: see `ListingQueue`.
final class Listings: Sendable {
  /// The number of turns that run at a time. They compute and never wait.
  static let width = 2

  private let published: PublishedLibrary
  private let meanings: Meanings
  private let limits: ListingLimits
  private let covers: FolderCovers?
  private let machines: MachineService?
  private let logger: Logger
  private let lane: WorkPool.Lane
  private let queue: Mutex<ListingQueue>
  private let paused: Mutex<PausedListings>

  /// - Parameter lane: A lane of the width above.
  init(
    on lane: WorkPool.Lane, published: PublishedLibrary, naming: Naming,
    covers: FolderCovers? = nil, machines: MachineService? = nil, logger: Logger,
    limits: ListingLimits = ListingLimits()
  ) {
    self.lane = lane
    self.published = published
    meanings = Meanings(naming: naming)
    self.limits = limits
    self.covers = covers
    self.machines = machines
    self.logger = logger
    queue = Mutex(ListingQueue(gathering: limits.gathering))
    paused = Mutex(PausedListings(limits))
  }

  func add(_ request: Request) { add(.call(request, hasPlace: false)) }

  private func add(_ turn: ListingQueue.Turn) {
    queue.withLock { $0.add(turn) }
    lane.add { [self] in takeTurn() }
  }

  private func takeTurn() {
    switch queue.withLock({ $0.next() }) {
    case .call(let request, let hasPlace): begin(request, hasPlace)
    case .rest(let rest): goOn(with: rest)
    case nil: break
    }
  }

  private func begin(_ request: Request, _ hasPlace: Bool) {
    // Requests that need songs get here only once those are read.
    let (library, number) = published.numbered
    var rest: (any ListingRest)?
    do throws(InterfaceError) {
      rest = try listing(request, library, number)
    } catch {
      request.answer.fail(error)
    }
    if rest?.goOn() == true, let rest {
      if request.more { return goOnLater(with: rest) }
      // Without a place the gathered items are discarded; the listing restarts when it gets one.
      if hasPlace || queue.withLock({ $0.takePlace(for: request) }) { add(.rest(rest)) }
    } else if hasPlace {
      freePlace()
    }
  }

  /// Returns nil if the request is answered already.
  private func listing(
    _ request: Request, _ library: Library, _ number: Int
  ) throws(InterfaceError) -> (any ListingRest)? {
    func crates(_ name: String?) throws(InterfaceError) -> [Crate] {
      guard let name else { return library.crates }
      return [try Resolving.crate(name, in: library)]
    }
    switch request.call {
    case .listCrates:
      let crates = Listing(library: library).crates()
      request.answer.reply(.crates(crates, sequence: library.sequence))
      return nil
    case .listAlbums(let crate, let albums, let gone, let first, let count):
      let window = try Window(first: first, count: count)
      let among = try crates(crate)
      let shared = machines?.shown
      guard let albums else {
        let all = ListedAlbums(
          of: among, in: library, covers: covers, shared: shared, gone: gone, window: window)
        return RestOfListing(all, request, number, limits)
      }
      let found = try Resolving.albums(albums, in: library).filter { album in
        crate == nil || among.contains { $0.id == album.crate }
      }
      let chosen = ListedAlbums(
        found.map(\.id), in: library, covers: covers, shared: shared, gone: gone, window: window)
      return RestOfListing(chosen, request, number, limits)
    case .listSongs(let crate, let album, let songs, let gone, let first, let count):
      let window = try Window(first: first, count: count)
      let among = try crates(crate)
      let album = try album.map { id throws(InterfaceError) in
        try Resolving.album(id, in: library)
      }
      func isMeant(_ home: Album) -> Bool {
        (album == nil || album?.id == home.id)
          && (crate == nil || among.contains { $0.id == home.crate })
      }
      let listed: ListedSongs
      if let songs {
        let found = try Resolving.songs(songs, in: library).filter { song in
          library.albums[song.album].map(isMeant) == true
        }
        listed = ListedSongs(found.map(\.id), in: library, gone: gone, window: window)
      } else if let album {
        let albums = isMeant(album) ? [album.id] : []
        listed = ListedSongs(of: albums, in: library, gone: gone, window: window)
      } else {
        listed = ListedSongs(of: among, in: library, gone: gone, window: window)
      }
      return RestOfListing(listed, request, number, limits)
    case .resolve(let words, let wanted, let beginning, let count):
      request.answer.reply(
        try meanings.answer(words, wanted, beginning: beginning, count: count))
      return nil
    default: preconditionFailure("no other call is a listing")
    }
  }

  private func goOn(with rest: any ListingRest) {
    var rest = rest
    if rest.goOn() { return rest.isGathered ? add(.rest(rest)) : goOnLater(with: rest) }
    if rest.isGathered { freePlace() }
  }

  private func freePlace() {
    if queue.withLock({ $0.freePlace() }) { lane.add { [self] in takeTurn() } }
  }

  /// Continues the listing when its client has room.
  private func goOnLater(with rest: any ListingRest) {
    let answer = rest.answer
    guard !answer.isDrained else { return add(.rest(rest)) }
    let ticket = paused.withLock { $0.add(answer, library: rest.library) }
    answer.whenDrained { [self] in
      paused.withLock { $0.remove(ticket) }
      add(.rest(rest))
    }
  }

  /// Drops clients whose paused listings retain too many old libraries. Must be called for each new
  /// library, after which each retained one costs more.
  func review() {
    let dropped = paused.withLock { $0.tooOld }
    if dropped.isEmpty { return }
    logger.notice(
      "paused listings keep too many old libraries; dropped those of the oldest",
      metadata: ["clients": "\(dropped.count)"])
    for answer in dropped { answer.drop() }
  }

  /// The number of listings that wait for their clients.
  var pausedCount: Int { paused.withLock { $0.count } }

  /// The approximate size of the items gathered between turns, in bytes.
  var gatheredBytes: Int { queue.withLock { $0.gatheredBytes } }
}

struct ListingLimits: Sendable {
  /// The maximum number of different libraries that paused listings retain. Each costs what changed
  /// until the next one, which is little but can be everything. Beyond it, the clients that retain
  /// the oldest are dropped.
  var libraries = 8
  /// The time without progress after which a listing counts as paused, in nanoseconds. Clients that
  /// read quickly may have many listings in progress in different libraries.
  var pause: Int64 = 5_000_000_000
  /// The approximate size of one reply of a stream, and of the work of one turn, in bytes of JSON.
  var batchBytes = 200_000
  /// The maximum number of answers without "more" that are gathered at a time, beyond their first
  /// turn. Each may grow to the limit of `RestOfListing.goOn` before it is refused, as items and
  /// then as JSON. Its unsent bytes count to `ServerLimits.allQueuesBytes`.
  var gathering = 1
}

/// The libraries that are retained for slow clients.
struct PausedListings {
  private let limits: ListingLimits
  private var listings = Numbered<(answer: Answer, library: Int)>()

  init(_ limits: ListingLimits) { self.limits = limits }

  /// Registers a listing that waits for its client.
  mutating func add(_ answer: Answer, library: Int) -> Int {
    listings.add((answer, library))
  }

  mutating func remove(_ ticket: Int) { listings[ticket] = nil }

  var count: Int { listings.values.count }

  /// The clients whose listings retain too many libraries.
  var tooOld: [Answer] {
    // Nearly always few listings are paused.
    guard listings.values.count > limits.libraries else { return [] }
    let paused = listings.values.values.filter { $0.answer.standstill >= limits.pause }
    let libraries = Set(paused.map(\.library)).sorted()
    let tooMany = Set(libraries.dropLast(limits.libraries))
    return paused.filter { tooMany.contains($0.library) }.map(\.answer)
  }
}
