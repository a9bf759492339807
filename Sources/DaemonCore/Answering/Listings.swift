import CratesInterface
import LibraryModel
import Logging
import Platform
import Synchronization
import VarlinkServer

/// Answers the calls that list, a batch of each in turn. What is left of a listing is a value that
/// waits until its client has room: no thread waits for a client, however long that takes, and a
/// client that pauses gets the rest of the very library that it began with.
final class Listings: Sendable {
  /// For as many processors as serve: work, not waiting, is all that they do.
  private static let threadCount = 2

  private let published: PublishedLibrary
  private let meanings: Meanings
  private let limits: ListingLimits
  private let covers: CoverBook?
  private let logger: Logger
  private let queue = Monitor(Queue())
  private let paused: Mutex<PausedListings>
  private let threads = Mutex<[BlockingThread]>([])

  private struct Queue {
    // Bounded by the clients, who have one call each in work.
    var waiting: [Work] = []
    var isStopping = false
  }

  private enum Work {
    case call(Request)
    case rest(any ListingRest)
  }

  init(
    published: PublishedLibrary, naming: Naming, covers: CoverBook? = nil, logger: Logger,
    limits: ListingLimits = ListingLimits()
  ) {
    self.published = published
    meanings = Meanings(naming: naming)
    self.limits = limits
    self.covers = covers
    self.logger = logger
    paused = Mutex(PausedListings(limits))
  }

  func start() {
    let started = (1...Self.threadCount).map { number in
      BlockingThread("listing \(number)") { [self] in work() }
    }
    threads.withLock { $0 = started }
  }

  /// Returns when what has room is answered. What waits for its client goes with the connection.
  func stop() {
    queue.withLock { $0.isStopping = true }
    for thread in threads.withLock({ $0 }) { thread.join() }
  }

  func add(_ request: Request) { add(.call(request)) }

  private func add(_ work: Work) {
    queue.change { queue in
      queue.waiting.append(work)
      return .one
    }
  }

  private func work() {
    while true {
      let next = queue.wait(waking: .none) { queue -> Work?? in
        if !queue.waiting.isEmpty { return .some(queue.waiting.removeFirst()) }
        return queue.isStopping ? .some(nil) : nil
      }
      guard let next else { return }
      switch next {
      case .call(let request): begin(request)
      case .rest(let rest): goOn(with: rest)
      }
    }
  }

  private func begin(_ request: Request) {
    // Who needs songs came here when they were there.
    let (library, number) = published.numbered
    do throws(InterfaceError) {
      if let rest = try listing(request, library, number) { goOn(with: rest) }
    } catch {
      request.answer.fail(error)
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
      guard let albums else {
        let all = ListedAlbums(
          of: among, in: library, covers: covers, gone: gone, window: window)
        return RestOfListing(all, request, number, limits)
      }
      let found = try Resolving.albums(albums, in: library).filter { album in
        crate == nil || among.contains { $0.id == album.crate }
      }
      let chosen = ListedAlbums(
        found.map(\.id), in: library, covers: covers, gone: gone, window: window)
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
    guard rest.goOn() else { return }
    let (left, answer) = (rest, rest.answer)
    guard !answer.isDrained else { return add(.rest(left)) }
    let ticket = paused.withLock { $0.add(answer, library: left.library) }
    answer.whenDrained { [self] in
      paused.withLock { $0.remove(ticket) }
      add(.rest(left))
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

/// What a listing still has to send, and to whom.
protocol ListingRest: Sendable {
  var answer: Answer { get }
  /// The number of the library that it shows, as published.
  var library: Int { get }
  /// Sends the next batch. False where nothing is left to do.
  mutating func goOn() -> Bool
}

/// With "more" a batch is a reply; without, they are gathered to the one reply there may be.
struct RestOfListing<Items: ListedItems>: ListingRest {
  let answer: Answer
  let library: Int
  private let more: Bool
  private let batchBytes: Int
  private var items: Items
  private var gathered: [Items.Element] = []
  private var bytes = 0

  init(_ items: Items, _ request: Request, _ library: Int, _ limits: ListingLimits) {
    answer = request.answer
    more = request.more
    self.library = library
    self.items = items
    batchBytes = limits.batchBytes
  }

  mutating func goOn() -> Bool {
    if answer.isAbandoned { return false }
    let end = bytes + batchBytes
    while bytes <= end {
      guard let item = items.next() else {
        answer.reply(items.reply(with: gathered))
        return false
      }
      gathered.append(item)
      bytes += Items.bytes(of: item)
    }
    if more {
      answer.reply(items.reply(with: gathered), continues: true)
      (gathered, bytes) = ([], 0)
    } else if bytes > answer.singleReplyBytes * Self.certainlyTooLong {
      answer.fail(.expectedMore)
      return false
    }
    return true
  }

  /// Times the longest reply: how long it is `bytes` tells only roughly.
  private static var certainlyTooLong: Int { 4 }
}
