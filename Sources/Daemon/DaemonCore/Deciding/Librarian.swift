import CratesInterface
import FolderWatching
import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization

/// The one who changes the library: decide, append, synchronize, apply, publish, answer, on one
/// thread and without a break. All edits that wait share one synchronization of the disk.
///
/// # How it works
///
/// Others leave requests in the mailbox: edits (clients), merges (music folders), what is offline
/// (the daemon). The thread takes all edits that wait, and turns each round:
///
/// 1. *Decide.* Edits are decided one after the other on a draft of the library, each on what those
///    before it made (`+Edits`). A decision is a list of changes and the library that they lead to;
///    refusals are answered at once. A merge, which may take seconds, is decided meanwhile on a
///    thread of its own, and anew where an edit was faster (`+Merges`, `MergeThread`).
/// 2. *Make durable.* The store appends the round's changes to its journal with one write and one
///    synchronization. Nothing is answered before that returns.
/// 3. *Publish.* The draft becomes the library that readers see; whoever watches is told.
/// 4. *Answer*, then let the derived follow: `Lookups` for the next merge, the index, the
///    playlists.
///
/// The thread alone holds the `Desk`: library, store, history. Between rounds it does what can wait
/// (`+Care`): checkpoints, and asking a store that refused whether it takes changes again.
final class Librarian: Sendable {
  /// How long a merge that could not be made durable waits before it is tried again.
  static let retryDelay: Int64 = 1_000_000_000
  /// How often a store that takes no changes is asked whether it would again.
  static let healDelay: Int64 = 5_000_000_000
  /// Without a change for so long, a shorter journal is enough for a checkpoint.
  static let idleDelay: Int64 = 60_000_000_000

  struct EditRequest: Sendable {
    /// The sequence the client last saw.
    var sequence: Int?
    var wish: Wish
    /// Only what it would come to is asked for: nothing is written, and nobody else is told.
    var isTrial = false
    var answer: AnswerMaker

    /// Whether it depends on all that was done before, or all that follows depends on it.
    var isAlone: Bool { isTrial || wish.isAlone }
  }

  /// Makes the answer, and gives what sends it. That of a change is made while the disk still
  /// writes, and never sent where the change is refused after all.
  typealias AnswerMaker =
    @Sendable (Result<Interface.Change, InterfaceError>) -> @Sendable () -> Void

  enum Wish: Sendable {
    /// Finds what the client named in the library as it is now.
    case edit(@Sendable (Library) throws(InterfaceError) -> Edit)
    /// - `only`: the number of the one change that is meant.
    case undo(UndoSteps = .count(1), only: Int? = nil)
    case redo(UndoSteps = .count(1))
    /// The change of that number alone, with what was done since left as it is.
    case undoOne(Int)
    /// An order that was read at that number, all of it or part of it, and edited.
    case text(WrittenOrder, readAt: Int, TextScope, origin: String?)
    /// What the person did on other machines, which have these names.
    case machines(SharedWish, from: String)
    /// What a player made of a crate's list; what the person should know of it is told first.
    case list(EditedList, told: @Sendable (String?) -> Void)

    /// Whether it depends on all that was done before, and all that follows on it.
    var isAlone: Bool {
      switch self {
      case .edit, .list: false
      case .undo, .redo, .undoOne, .text, .machines: true
      }
    }
  }

  struct MergeRequest: Sendable {
    var found: MergeThread.Found
    /// False when its watcher ends: whoever watches there again finds it again.
    var isWanted: @Sendable () -> Bool = { true }
    /// Is called each time that the store refuses it, or what waits before it, with why.
    var refused: @Sendable (String) -> Void = { _ in }
    /// Is called at the end, with the files that the store will never take, and why; with nil where
    /// nothing was merged.
    var done: @Sendable ([BytePath: String]?) -> Void
  }

  /// A merge that is being decided.
  struct MergeWork {
    var request: MergeRequest
    /// What is left of it: the whole, or parts where the store never takes that or edits overtook
    /// it.
    var parts: [MergeThread.Found]
    var rejected: [BytePath: String] = [:]
    /// Whether edits wait for the first of them, since they were faster before.
    var isAlone = false

    /// Prepares to decide the first part anew, which edits overtook: while they wait, or in smaller
    /// parts where they would wait for too long.
    mutating func retry(_ decision: MergeThread.Decision) {
      let count = (decision.duration + Librarian.longestWait - 1) / Librarian.longestWait
      isAlone = count <= 1
      if isAlone { return }
      var smaller = [decision.contents]
      while smaller.count < count {
        let halves = smaller.flatMap { part in
          part.halves.map { [$0.0, $0.1] } ?? [part]
        }
        isAlone = halves.count == smaller.count
        if isAlone { break }
        smaller = halves
      }
      parts = smaller.map { .contents($0) } + parts.dropFirst()
    }
  }

  struct AwayRequest: Sendable {
    var away: @Sendable () -> Away
    var done: @Sendable () -> Void
  }

  struct MergeRefusal {
    let reason: String
    /// Until then no merge is tried.
    let until: Int64
  }

  struct Mailbox {
    var edits: [EditRequest] = []
    var merges: [MergeRequest] = []
    /// That the store refused a merge, which waits with those behind it.
    var mergeRefusal: MergeRefusal?
    var aways: [AwayRequest] = []
    /// Music folders whose watchers begin.
    var beginning: [BytePath] = []
    var newAlbums: String?
    /// What came of the merge that is being decided; nil in it: there is nothing to merge.
    var decided: MergeThread.Decision??
    /// A part of a checkpoint is done.
    var hasCheckpointed = false
    var isStopping = false
  }

  /// What only the librarian's thread touches.
  struct Desk: ~Copyable {
    var library: Library
    /// How often the set of what is offline, or the watcher of a folder, became another.
    var folderChanges = 0
    var store: any ChangeStore
    var newAlbums: String?
    /// What the last merge left to the next one.
    var memory: Merge.Memory
    var merging: MergeWork?
    var book: HistoryBook
    var checkpointing: BlockingThread?
    /// Why the last changes were refused, as it was logged.
    var loggedRefusal: String?
    /// When the store is to be looked after though nobody wants anything.
    var careDue = Int64.max
    /// What is to be waited for before the next edits are made durable.
    var crowd: Crowd?
  }

  /// Clients that edit again as soon as they are answered. Without a short wait for those who were
  /// just answered, they split into two groups that take turns, and half as many edits share a
  /// synchronization.
  struct Crowd {
    /// Fewer are let go on at once.
    static let fewest = 8
    /// Nanoseconds to wait at most, and never longer than the last synchronization took: whoever
    /// comes in the midst of one waits for as long.
    static let longest: Int64 = 20_000_000

    var size: Int
    var until: Int64

    /// - Parameters:
    ///   - count: of edits that were made durable together.
    ///   - duration: how long that took.
    init?(of count: Int, waiting: Int, duration: Int64, now: Int64) {
      guard count >= Self.fewest else { return nil }
      size = count + waiting
      until = now + min(duration, Self.longest)
    }
  }

  /// What follows the library when it changes.
  struct Followers: Sendable {
    let published: PublishedLibrary
    let feed: ChangeFeed
    let index: IndexService
    let playlists: PlaylistService
    let naming: Naming
    /// Nil: nothing can be shared.
    var machines: MachineService?
  }

  let followers: Followers
  /// What edited texts are compared with.
  let texts = ReadLibraries()
  let folders: FolderBook?
  private let headStart: HeadStart
  let mergeThread: MergeThread
  /// Dates changes, right or wrong: their order is that of their numbers.
  let clock: Clock
  let looks: LookTimes
  /// The date of the newest change, in milliseconds since 1970.
  let newestTime = Atomic<Int64>(0)
  let logger: Logger
  let mailbox = Monitor(Mailbox())
  let storeState = Mutex(StoreState.ready)
  let forgotten = Mutex<@Sendable ([BytePath]) -> Void>({ _ in })
  private let thread = Mutex<BlockingThread?>(nil)

  init(
    _ followers: Followers, folders: FolderBook? = nil, headStart: HeadStart = .none,
    clock: Clock, looks: LookTimes = LookTimes(), logger: Logger
  ) {
    self.followers = followers
    self.folders = folders
    self.headStart = headStart
    mergeThread = MergeThread(clock: clock)
    self.clock = clock
    self.looks = looks
    self.logger = logger
    let submit: @Sendable (EditRequest) -> Void = { [weak self] request in
      guard let self else { return request.answer(.failure(Self.stopping))() }
      self.submit(request)
    }
    followers.playlists.submitEdits(to: submit)
    followers.machines?.submitEdits(to: submit)
  }

  static let stopping = InterfaceError.changesRefused(reason: "crated is stopping")

  /// Who is told of files whose songs were forgotten: they are new when they are there again.
  func tellForgotten(to listener: @escaping @Sendable ([BytePath]) -> Void) {
    forgotten.withLock { $0 = listener }
  }

  /// Whether changes can be made durable, as of the last try.
  var state: StoreState { storeState.withLock { $0 } }

  /// Why the merge that waits is not taken; nil from before anything newer is shown.
  var mergeRefusal: String? { mailbox.withLock { $0.mergeRefusal?.reason } }

  /// - Parameter newestTime: of the newest durable change, in milliseconds since 1970.
  func start(
    library: Library, store: sending any ChangeStore, newestTime: Int64 = 0, newAlbums: String?
  ) {
    self.newestTime.store(newestTime, ordering: .relaxed)
    storeState.withLock { $0 = store.state }
    mergeThread.begin(library, after: headStart.wait)
    let handover = Mutex<(any ChangeStore)?>(store)
    let thread = BlockingThread("librarian") { [self] in
      guard let store = handover.withLock({ $0.take() }) else { return }
      headStart.wait()
      var desk = Desk(
        library: library, store: store, newAlbums: newAlbums,
        memory: Merge.Memory(leaving: folders?.leaving ?? [:]), book: HistoryBook())
      begin(&desk)
      run(&desk)
    }
    self.thread.withLock { $0 = thread }
  }

  func submit(_ request: EditRequest) {
    headStart.end()
    let isRefused = mailbox.withLock { mailbox in
      if !mailbox.isStopping { mailbox.edits.append(request) }
      return mailbox.isStopping
    }
    if isRefused { request.answer(.failure(Self.stopping))() }
  }

  /// Returns when what was found is merged and durable, or the librarian stops.
  ///
  /// - Parameters:
  ///   - isWanted: whether it is tried again when the store does not take it.
  ///   - refused: is called with the reason each time that the store does not take it; it is tried
  ///     again until it does.
  /// - Returns: the files that the store will never take, and why; everything else is merged. Nil
  ///   where that can't be said, since the librarian stops or nobody wants it any more.
  @discardableResult
  func merge(
    _ contents: FolderContents, isWanted: @escaping @Sendable () -> Bool = { true },
    refused: @escaping @Sendable (String) -> Void = { _ in }
  ) -> [BytePath: String]? {
    headStart.end()
    let done = Monitor<[BytePath: String]??>(nil)
    let (isStopping, refusal) = mailbox.withLock { mailbox in
      if mailbox.isStopping { return (true, String?.none) }
      mailbox.merges.append(
        MergeRequest(found: .contents(contents), isWanted: isWanted, refused: refused) {
          rejected in
          done.withLock { $0 = .some(rejected) }
        })
      return (false, mailbox.mergeRefusal?.reason)
    }
    if isStopping { return nil }
    if let refusal {
      refused(refusal)
      dropUnwanted()
    }
    return done.wait { $0 }
  }

  /// Returns when answers show what is offline now, or the librarian stops.
  ///
  /// - Parameter away: is called on the librarian's thread, so that of several callers none sets
  ///   what was true before another one's.
  func setAway(_ away: @escaping @Sendable () -> Away) {
    headStart.end()
    let done = Monitor(false)
    let isRefused = mailbox.withLock { mailbox in
      if mailbox.isStopping { return true }
      mailbox.aways.append(AwayRequest(away: away) { done.withLock { $0 = true } })
      return false
    }
    if isRefused { return }
    done.wait { $0 ? () : nil }
  }

  /// A watcher of the folder begins, which tells anew what is absent. What an earlier one waited
  /// for is forgotten.
  func watcherBegins(at root: BytePath) {
    mailbox.withLock { $0.beginning.append(root) }
  }

  func setNewAlbums(_ name: String?) {
    mailbox.withLock { $0.newAlbums = name ?? "" }
  }

  /// Finishes what waits, writes a last checkpoint, and ends the thread.
  func stop() {
    headStart.end()
    mailbox.withLock { $0.isStopping = true }
    thread.withLock { $0.take() }?.join()
    mergeThread.stop()
  }

  // MARK: The thread

  private func run(_ desk: inout Desk) {
    while true {
      if let crowd = desk.crowd.take() { gather(crowd) }
      guard let work = nextWork(desk) else {
        care(&desk)
        continue
      }
      if let name = work.newAlbums { desk.newAlbums = name.isEmpty ? nil : name }
      for root in work.beginning {
        desk.memory.forgetAbsent(in: root)
        desk.folderChanges += 1
      }
      for request in work.aways { take(request, &desk) }
      if let decided = work.decided { take(decided, isLast: work.isStopping, &desk) }
      if !work.edits.isEmpty {
        decide(work.edits, &desk)
        if desk.book.takeHasRead() { returnFreeMemory() }
      }
      for request in work.merges { begin(request, &desk) }
      if work.isStopping, work.isEmpty, desk.merging == nil { break }
      // Nothing changed where a merge was begun.
      if work.merges.isEmpty || !work.edits.isEmpty { checkpoint(isIdle: false, &desk) }
    }
    desk.checkpointing.take()?.join()
    if let fault = desk.store.close(desk.library) {
      logger.warning("no last checkpoint could be written; the journal holds everything: \(fault)")
    }
    tellNotes(&desk)
  }

  /// Waits a little until as many want something as did a moment ago.
  private func gather(_ crowd: Crowd) {
    _ = mailbox.wait(until: crowd.until) { mailbox in
      mailbox.edits.count >= crowd.size || mailbox.isStopping ? () : nil
    }
  }

  /// Waits for work. Nil when care is due, or it may be.
  private func nextWork(_ desk: borrowing Desk) -> Mailbox? {
    let (isMerging, isAlone) = (desk.merging != nil, desk.merging?.isAlone == true)
    let deadline = min(desk.careDue, mailbox.withLock { $0.mergeRefusal?.until } ?? .max)
    return mailbox.wait(until: deadline) {
      $0.take(now: clock.monotonic(), isMerging: isMerging, takesEdits: !isAlone)
    }
  }

  private func take(_ request: AwayRequest, _ desk: inout Desk) {
    let away = request.away()
    let isOtherFolders = away.folders != desk.library.away.folders
    desk.library.away = away
    desk.folderChanges += 1
    if isOtherFolders {
      desk.library.dropOtherFilesOutside()
      mergeThread.begin(desk.library)
      desk.memory.forgetAbsent(besides: away.folders)
    }
    followers.published.publish(desk.library)
    // Of songs with several files, another one may be the first that is there; and what leaves the
    // configuration gives its place to a copy.
    let turned = MergeThread.Found.turned(
      seen: looks.next(clock.wall()), withLeft: isOtherFolders)
    let merge = MergeRequest(found: turned, refused: { _ in request.done() }) { _ in
      request.done()
    }
    mailbox.withLock { $0.merges.insert(merge, at: 0) }
    if mergeRefusal != nil { request.done() }
  }
}
