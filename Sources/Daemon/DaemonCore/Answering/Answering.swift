import CratesInterface
import FolderWatching
import LibraryIndex
import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization
import VarlinkServer

/// Answers the calls of clients. Each kind of call has its lane, so that a listing does not delay
/// another client's answer. Calls that need only memory run on the threads of one pool, calls that
/// may wait for a disk on those of another.
final class Answering: Sendable {
  /// The time that a call of Sync waits for the folder of the machines, in nanoseconds.
  private static let machinePatience: Int64 = 5_000_000_000

  private let daemon: any AnsweringSource
  private let published: PublishedLibrary
  private let librarian: Librarian
  private let feed: ChangeFeed
  private let machines: MachineService?
  private let pictures: Pictures
  private let searching: Searching
  private let listings: Listings
  private let matching: Matching
  private let statusFeed: StatusFeed
  private let naming: Naming
  private let covers: FolderCovers
  private let newestPast = NewestPast()
  private let pools: Pools
  /// The lane of the order as text, which is long, and is read or written as a whole.
  private let texts: WorkPool.Lane
  /// The lane of requests that are answered from the store's disk, which may be slow.
  private let lookingBack: WorkPool.Lane
  private let deadlines: Deadlines
  private let clock: Clock

  /// The thread pools of the answers.
  struct Pools: Sendable {
    /// The threads for work that needs only memory.
    let memory: WorkPool
    /// The threads for work that may wait for a disk.
    let disk: WorkPool

    init(_ clock: Clock) {
      memory = WorkPool("memory", threads: 2, clock: clock)
      disk = WorkPool("disk", threads: 2, clock: clock)
    }
  }

  /// The parts that answer with covers.
  struct Pictures: Sendable {
    fileprivate let artwork: Artwork
    fileprivate let thumbnails: Thumbnails
    fileprivate let folders: CoverFolders

    /// - Parameter cache: The directory of shrunk covers.
    init(
      on pools: Pools, published: PublishedLibrary, folders: CoverFolders, covers: FolderCovers,
      cache: BytePath, clock: Clock
    ) {
      self.folders = folders
      artwork = Artwork(
        on: pools.memory.lane(), published: published, folders: folders, clock: clock)
      thumbnails = Thumbnails(
        on: pools.disk.lane(), published: published, folders: folders, covers: covers,
        cache: cache, clock: clock)
    }
  }

  init(
    on pools: Pools, daemon: any AnsweringSource, published: PublishedLibrary,
    librarian: Librarian, feed: ChangeFeed, pictures: Pictures, searching: Searching,
    naming: Naming, covers: FolderCovers, machines: MachineService? = nil, clock: Clock,
    logger: Logger
  ) {
    self.pools = pools
    self.machines = machines
    texts = pools.memory.lane()
    lookingBack = pools.disk.lane()
    deadlines = Deadlines(on: pools.memory.lane(), clock: clock)
    self.clock = clock
    self.daemon = daemon
    self.published = published
    self.librarian = librarian
    self.feed = feed
    self.pictures = pictures
    self.searching = searching
    self.naming = naming
    self.covers = covers
    statusFeed = StatusFeed(on: pools.memory.lane(), source: daemon, clock: clock)
    listings = Listings(
      on: pools.memory.lane(width: Listings.width), published: published, naming: naming,
      covers: covers, machines: machines, logger: logger)
    matching = Matching(on: pools.memory.lane(), published: published, clock: clock)
    feed.onChange { [listings] in listings.review() }
  }

  /// Reads the names in advance, for the first client that resolves one.
  func prepareNames() {
    pools.memory.lane().add { [naming] in naming.prepare() }
  }

  /// Answers the waiting calls and stops. Must be called before the index service stops.
  func stop() {
    deadlines.stop()
    pools.memory.stop()
    pools.disk.stop()
    pictures.folders.stop()
  }

  /// Dispatches a request. Runs on the server's thread and must not block.
  func take(_ request: Request) {
    let answer = request.answer
    switch request.call {
    case .status, .problems, .watchStatus, .trace: statusFeed.add(request)
    case .watch: queue(request, in: texts)
    case .sync: synchronize(request)
    case .rescan(let path): rescan(path, request)
    case .listCrates, .listAlbums: listings.add(request)
    // Requests that need songs wait until those are read. Otherwise they would block the threads of
    // requests that need none.
    case .listSongs, .resolve: published.whenWhole { [listings] in listings.add(request) }
    case .match: published.whenWhole { [matching] in matching.add(request) }
    case .readText, .applyText: published.whenWhole { [self] in queue(request, in: texts) }
    case .artwork(let album):
      published.whenWhole { [pictures] in
        pictures.artwork.find(for: album) { found in answer.show(found, of: album) }
      }
    case .thumbnails: published.whenWhole { [pictures] in pictures.thumbnails.add(request) }
    case .history: queue(request, in: lookingBack)
    case .moveAlbums, .moveSongs, .moveCrate, .renameCrate, .sortAlbums, .sortSongs, .forget,
      .undo, .redo:
      let edit = Editing.request(request.call) { result in
        answer.prepared(result)
      }
      if let edit { librarian.submit(edit) }
    case .machines, .joinMachines, .dropMachine: share(request)
    case .search(let text, let crate, let limit):
      search(text, in: crate, most: AnswerCount.search.of(limit), answer)
    }
  }

  private func search(_ text: String, in crate: String?, most: Int, _ answer: Answer) {
    if most < 0 { return answer.fail(.invalidParameter(parameter: "limit")) }
    let query: SearchQuery
    do throws(QueryMistake) {
      query = try SearchQuery(checking: text)
    } catch {
      return answer.fail(.invalidQuery(word: error.word, reason: error.reason))
    }
    let isWanted = { @Sendable in !answer.isAbandoned }
    searching.find(query, in: crate, limit: most, isWanted: isWanted) {
      [covers, machines] found, placed in
      guard let found else { return answer.fail(.noSuchCrate(name: crate ?? "")) }
      let listing = Listing(
        library: placed.library, covers: covers, shared: machines?.shown)
      var left = AnswerCount.replyBytes
      let albums = AnswerCount.fitting(
        listing.albums(found.albums, placed.places), in: &left, ListedAlbums.bytes)
      let songs = AnswerCount.fitting(listing.songs(found.songs), in: &left, ListedSongs.bytes)
      answer.reply(
        .found(
          albums: albums, songs: songs,
          totalAlbums: found.albumCount, totalSongs: found.songCount,
          sequence: placed.library.sequence))
    }
  }

  // MARK: Waiting for the folders

  private func synchronize(_ request: Request) {
    let answer = request.answer
    progress(request)
    let done = { @Sendable [published] (refusal: String?) in
      answer.finish(published.atHand.sequence, refusal)
    }
    daemon.synchronize { [machines, deadlines, clock] refusal in
      guard refusal == nil, let machines else { return done(refusal) }
      let end = clock.monotonic() + Self.machinePatience
      let told = deadlines.answer(until: end, late: ()) { done(nil) }
      machines.synchronize { told(()) }
    }
  }

  private func rescan(_ text: String?, _ request: Request) {
    let answer = request.answer
    var path: BytePath?
    if let text {
      guard let found = BytePath(uriOrPath: text) else {
        return answer.fail(.invalidParameter(parameter: "path"))
      }
      path = found
    }
    progress(request)
    let isKnown = daemon.rescan(
      path,
      progress: { [published] progress in
        guard request.more, answer.hasRoom else { return }
        answer.reply(
          .progress(
            sequence: published.atHand.sequence, scanned: progress.scanned,
            toScan: progress.toScan), continues: true)
      }
    ) { [published] refusal in
      answer.finish(published.atHand.sequence, refusal)
    }
    if !isKnown { answer.fail(.noSuchPath(path: text ?? "")) }
  }

  /// Sends the progress of a running scan as the first reply to a call with "more".
  private func progress(_ request: Request) {
    guard request.more else { return }
    let progress = daemon.progress
    request.answer.reply(
      .progress(
        sequence: published.atHand.sequence, scanned: progress.scanned,
        toScan: progress.toScan), continues: true)
  }

  // MARK: Other machines

  private func share(_ request: Request) {
    let answer = request.answer
    switch request.call {
    case .joinMachines(let isMine, let isDryRun):
      guard let machines else { return answer.fail(.nothingToJoin) }
      machines.take(.join(isMine: isMine, isDryRun: isDryRun) { answer.prepared($0)() })
    case .dropMachine(let name):
      guard let machines else { return answer.fail(.noSuchMachine(name: name)) }
      machines.take(
        .drop(name) { error in
          if let error { answer.fail(error) } else { answer.reply(.nothing) }
        })
    default: answer.reply(.machines(machines?.shown.machines ?? Interface.Machines()))
    }
  }

  // MARK: In lanes

  private func queue(_ request: Request, in lane: WorkPool.Lane) {
    lane.add { [self] in
      // An edit is made whether or not its client is still there.
      if request.answer.isAbandoned {
        guard case .applyText = request.call else { return }
      }
      do throws(InterfaceError) {
        try answer(request)
      } catch {
        request.answer.fail(error)
      }
    }
  }

  private func answer(_ request: Request) throws(InterfaceError) {
    // Requests that need songs get here only once those are read.
    let library = published.atHand
    switch request.call {
    case .readText(let name, let album, let songs):
      let reply = try EditingText.read(library, crate: name, album: album, songs: songs ?? true)
      librarian.texts.keep(library)
      request.answer.reply(reply)
    case .applyText:
      let answer = request.answer
      let edit = try EditingText.request(request.call, in: library) { answer.prepared($0) }
      if let edit { librarian.submit(edit) }
    case .watch(let since): feed.subscribe(request.answer, since: since)
    case .history(let limit, let before):
      let most = AnswerCount.history.of(limit)
      let changes = try changes(most, before: before, library.sequence)
      request.answer.reply(.changes(AnswerCount.fitting(changes)))
    default: preconditionFailure("no other call waits in these lanes")
    }
  }

  /// Returns changes, the newest first. A change that is being written does not count as durable.
  private func changes(
    _ most: Int, before: Int?, _ sequence: Int
  ) throws(InterfaceError) -> [Interface.Change] {
    let before = min(before ?? .max, sequence + 1)
    if let known = newestPast.newest(most, before: before, at: sequence, feed) { return known }
    do {
      guard let newer = before > sequence ? 0 : newestPast.count(from: before) else {
        return try daemon.pastChanges(before: before, most: most)
      }
      let read = AnswerCount.read(most, newer: newer)
      let newest = try daemon.pastChanges(before: sequence + 1, most: read)
      newestPast.keep(newest, isAll: newest.count < read)
      return Array(newest.drop { $0.sequence >= before }.prefix(most))
    } catch {
      throw .changesRefused(reason: error.reason)
    }
  }
}

extension Answer {
  /// Ends the wait for a scan of the folders.
  ///
  /// - Parameter refusal: Why the store does not accept what was found; nil if it is merged.
  fileprivate func finish(_ sequence: Int, _ refusal: String?) {
    if let refusal { return fail(.changesRefused(reason: refusal)) }
    reply(.progress(sequence: sequence, scanned: nil, toScan: nil))
  }

  fileprivate func show(_ found: Result<Picture?, InterfaceError>, of album: String) {
    switch found {
    case .success(let picture?):
      reply(.artwork(mimeType: picture.mimeType, base64: Base64.encoded(picture.bytes)))
    case .success(nil): fail(.noArtwork(album: album))
    case .failure(let error): fail(error)
    }
  }

  fileprivate func prepared(
    _ result: Result<Interface.Change, InterfaceError>
  ) -> @Sendable () -> Void {
    switch result {
    case .success(let change): prepared(.change(change))
    case .failure(let error): { self.fail(error) }
    }
  }
}

/// The parts of the daemon that answers need besides the library.
protocol AnsweringSource: Sendable {
  /// Returns the status. May take long, as may the list of problems.
  func status() -> Interface.LibraryStatus
  func listProblems() -> [Interface.Problem]
  /// The last events, actions and findings of the music folders' watchers.
  func trace() -> [Interface.TraceEntry]
  /// The number of files scanned, and to scan, in the running scans; nil if none is running or it
  /// is unknown.
  var progress: (scanned: Int?, toScan: Int?) { get }
  /// Returns the newest changes with a smaller number, the newest first. Can be called on any
  /// thread.
  func pastChanges(before: Int, most: Int) throws(UnreadablePast) -> [Interface.Change]
  /// Calls back once everything that happened in the folders before is merged, or can't be.
  func synchronize(_ done: @escaping MergeWaiters.Completion)
  /// Rescans everything, or what lies below a path; returns false if no music folder contains it.
  func rescan(
    _ path: BytePath?, progress: @escaping @Sendable (WatchState.Progress) -> Void,
    _ done: @escaping MergeWaiters.Completion
  ) -> Bool
}
