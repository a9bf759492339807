import CratesInterface
import LibraryModel
import Logging
import Platform
import Synchronization
import VarlinkServer

/// Answers the calls that list, a batch of each in turn. What is left of a listing is a value that
/// waits until its client has room: no thread waits for a client, however long that takes, and a
/// client that pauses gets the rest of the very library that it began with.
///
/// Without "more" all has to be in one reply, which is gathered. Short ones are whole in their
/// first turn, as nearly all are. Of the longer ones only so many are gathered at a time as
/// `ListingLimits.gathering` says, and take turns with all other listings: see `ListingQueue`.
final class Listings: Sendable {
  /// Turns that are taken at a time: work, not waiting, is all that they are.
  static let width = 2

  private let published: PublishedLibrary
  private let meanings: Meanings
  private let limits: ListingLimits
  private let covers: CoverBook?
  private let machines: MachineService?
  private let logger: Logger
  private let lane: WorkPool.Lane
  private let queue: Mutex<ListingQueue>
  private let paused: Mutex<PausedListings>

  /// - Parameter lane: of the width above.
  init(
    on lane: WorkPool.Lane, published: PublishedLibrary, naming: Naming,
    covers: CoverBook? = nil, machines: MachineService? = nil, logger: Logger,
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
    // Who needs songs came here when they were there.
    let (library, number) = published.numbered
    var rest: (any ListingRest)?
    do throws(InterfaceError) {
      rest = try listing(request, library, number)
    } catch {
      request.answer.fail(error)
    }
    if rest?.goOn() == true, let rest {
      if request.more { return goOnLater(with: rest) }
      // Without a place what was gathered is let go of: it begins anew when it gets one.
      if hasPlace || queue.withLock({ $0.takePlace(for: request) }) { add(.rest(rest)) }
    } else if hasPlace {
      freePlace()
    }
  }

  /// Nil where it is answered already.
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

  /// The rest is for when its client has room.
  private func goOnLater(with rest: any ListingRest) {
    let answer = rest.answer
    guard !answer.isDrained else { return add(.rest(rest)) }
    let ticket = paused.withLock { $0.add(answer, library: rest.library) }
    answer.whenDrained { [self] in
      paused.withLock { $0.remove(ticket) }
      add(.rest(rest))
    }
  }

  /// Drops clients whose listings keep too many old libraries. To be called when there is a new
  /// one, after which each of those costs more.
  func review() {
    let dropped = paused.withLock { $0.tooOld }
    if dropped.isEmpty { return }
    logger.notice(
      "paused listings keep too many old libraries; dropped those of the oldest",
      metadata: ["clients": "\(dropped.count)"])
    for answer in dropped { answer.drop() }
  }

  /// How many wait for their clients.
  var pausedCount: Int { paused.withLock { $0.count } }

  /// Bytes, roughly, that are gathered between two turns.
  var gatheredBytes: Int { queue.withLock { $0.gatheredBytes } }
}

struct ListingLimits: Sendable {
  /// Different libraries that paused listings keep from being let go of. Each costs what changed
  /// until the next one, which is little, but it can be all of it. Of more, the clients that keep
  /// the oldest are dropped.
  var libraries = 8
  /// A listing counts as paused when its client has taken nothing for so long, in nanoseconds: of
  /// clients that read quickly many may be under way in different libraries.
  var pause: Int64 = 5_000_000_000
  /// Bytes of JSON in one reply of a stream, roughly, and what is worked out in one turn.
  var batchBytes = 200_000
  /// Answers to calls without "more" that are gathered at a time, beyond their first turn. Each may
  /// take as much as `RestOfListing.goOn` lets it before it is refused, as items and then as JSON;
  /// what is sent of it counts to `ServerLimits.allQueuesBytes`.
  var gathering = 1
}

/// Which libraries are kept for clients that take their time.
struct PausedListings {
  private let limits: ListingLimits
  private var listings = Numbered<(answer: Answer, library: Int)>()

  init(_ limits: ListingLimits) { self.limits = limits }

  /// Counts a listing that waits for its client.
  mutating func add(_ answer: Answer, library: Int) -> Int {
    listings.add((answer, library))
  }

  mutating func remove(_ ticket: Int) { listings[ticket] = nil }

  var count: Int { listings.values.count }

  /// Whose libraries are too many.
  var tooOld: [Answer] {
    // Nearly always there are none.
    guard listings.values.count > limits.libraries else { return [] }
    let paused = listings.values.values.filter { $0.answer.standstill >= limits.pause }
    let libraries = Set(paused.map(\.library)).sorted()
    let tooMany = Set(libraries.dropLast(limits.libraries))
    return paused.filter { tooMany.contains($0.library) }.map(\.answer)
  }
}
