import CratesInterface
import FolderWatching
import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization

/// The only writer of the library. On one thread it decides, appends, synchronizes, applies,
/// publishes and answers without interruption. All waiting edits share one synchronization of the
/// disk.
///
/// # How it works
///
/// Other threads leave requests in the mailbox: edits (clients), merges (music folders), and what
/// is offline (the daemon). The thread takes all waiting edits, and works in rounds:
///
/// 1. *Decide.* Edits are decided in order on a draft of the library, each on the result of those
///    before it (`+Edits`). A decision is a list of changes and the library that they lead to;
///    refusals are answered at once. A merge may take seconds, and is decided on a thread of its
///    own; it is decided again if an edit has overtaken it (`+Merges`, `MergeThread`).
/// 2. *Make durable.* The store appends the round's changes to its journal with one write and one
///    synchronization. Nothing is answered before that returns.
/// 3. *Publish.* The draft becomes the library that readers see; subscribers are notified.
/// 4. *Answer*, then update derived state: the `Lookups` for the next merge, the index, the
///    playlists.
///
/// Only the thread has access to the `ThreadState`: library, store, history. Between rounds it does
/// deferred work (`+Care`): checkpoints, and retries after the store refused changes.
final class Librarian: Sendable {
  /// The time after which a merge that could not be made durable is tried again, in nanoseconds.
  static let retryDelay: Int64 = 1_000_000_000
  /// The interval at which a store that refuses changes is probed, in nanoseconds.
  static let healDelay: Int64 = 5_000_000_000
  /// The time without a change after which a shorter journal is enough for a checkpoint, in
  /// nanoseconds.
  static let idleDelay: Int64 = 60_000_000_000

  struct EditRequest: Sendable {
    /// The sequence that the client last saw.
    var sequence: Int?
    var action: Action
    /// Whether this is a dry run: only the result is wanted, nothing is written or published.
    var isDryRun = false
    var answer: AnswerMaker

    /// Whether the edit depends on all earlier changes, or all later ones depend on it.
    var isAlone: Bool { isDryRun || action.isAlone }
  }

  /// Makes the answer, and returns a function that sends it. The answer to a change is made while
  /// the disk still writes, and never sent if the change is refused after all.
  typealias AnswerMaker =
    @Sendable (Result<Interface.Change, InterfaceError>) -> @Sendable () -> Void

  enum Action: Sendable {
    /// An edit. The closure resolves the client's names in the current library.
    case edit(@Sendable (Library) throws(InterfaceError) -> Edit)
    /// `only` is the number of the one change that may be undone.
    case undo(UndoSteps = .count(1), only: Int? = nil)
    case redo(UndoSteps = .count(1))
    /// Undoes one change, and leaves what was done since as it is.
    case undoOne(Int)
    /// An edited text of the order, or of a part of it, which was read at that number.
    case text(WrittenOrder, readAt: Int, TextScope, origin: String?)
    /// The user's changes on other machines, which have these names.
    case machines(AgreedOrder, from: String)
    /// A player's edit of a crate's playlist. `told` is called first with a problem for the user.
    case list(EditedList, told: @Sendable (String?) -> Void)

    /// Whether the request depends on all earlier changes, and all later ones on it.
    var isAlone: Bool {
      switch self {
      case .edit, .list: false
      case .undo, .redo, .undoOne, .text, .machines: true
      }
    }
  }

  struct MergeRequest: Sendable {
    var found: MergeThread.Found
    /// False once its watcher has ended: the next watcher of the folder finds the same again.
    var isWanted: @Sendable () -> Bool = { true }
    /// Called with the reason each time the store refuses this merge, or one before it.
    var refused: @Sendable (String) -> Void = { _ in }
    /// Called at the end with the files that the store will never accept, and why; with nil if
    /// nothing was merged.
    var done: @Sendable ([BytePath: String]?) -> Void
  }

  /// A merge that is being decided.
  struct MergeWork {
    var request: MergeRequest
    /// The remaining parts: the whole, or pieces of it after the store refused the whole for good
    /// or edits overtook it.
    var parts: [MergeThread.Found]
    var rejected: [BytePath: String] = [:]
    /// Whether edits wait for the first part, since they overtook it before.
    var isAlone = false

    /// Prepares to decide the first part again, which edits overtook: with edits waiting meanwhile,
    /// or in smaller parts if they would wait too long.
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
    /// The time before which no merge is tried.
    let until: Int64
  }

  struct Mailbox {
    var edits: [EditRequest] = []
    var merges: [MergeRequest] = []
    /// The store's refusal of a merge, which waits along with those behind it.
    var mergeRefusal: MergeRefusal?
    var aways: [AwayRequest] = []
    /// The music folders whose watchers start.
    var beginning: [BytePath] = []
    var newAlbums: String?
    /// The result of the merge that is being decided; an inner nil means there is nothing to merge.
    var decided: MergeThread.Decision??
    /// Whether a step of a checkpoint is done.
    var hasCheckpointed = false
    var isStopping = false
  }

  /// The state that the librarian's thread owns.
  struct ThreadState: ~Copyable {
    var library: Library
    /// The number of changes to what is offline and to the folders' watchers.
    var folderChanges = 0
    var store: any ChangeStore
    var newAlbums: String?
    /// The state that the last merge passes on to the next one.
    var memory: Merge.Memory
    var merging: MergeWork?
    var history: StoredHistory
    var checkpointing: BlockingThread?
    /// The reason of the last refusal, as it was logged.
    var loggedRefusal: String?
    /// The time at which maintenance of the store is due even without requests.
    var careDue = Int64.max
    /// The group of clients to wait for before the next edits are made durable.
    var commitGroup: CommitGroup?
  }

  /// Group commit for clients that edit again as soon as they are answered. Without a short wait
  /// for those that were just answered, they would split into two groups that take turns, and half
  /// as many edits would share a synchronization.
  struct CommitGroup {
    /// The minimum size of a group. Smaller ones are not waited for.
    static let fewest = 8
    /// The maximum wait in nanoseconds. It is also never longer than the last synchronization took,
    /// since a request that arrives during one waits as long.
    static let longest: Int64 = 20_000_000

    var size: Int
    var until: Int64

    /// - Parameters:
    ///   - count: The number of edits that were made durable together.
    ///   - duration: The time that took, in nanoseconds.
    init?(of count: Int, waiting: Int, duration: Int64, now: Int64) {
      guard count >= Self.fewest else { return nil }
      size = count + waiting
      until = now + min(duration, Self.longest)
    }
  }

  /// The parts that follow the library's changes.
  struct Followers: Sendable {
    let published: PublishedLibrary
    let feed: ChangeFeed
    let index: IndexService
    let playlists: PlaylistService
    let naming: Naming
    /// Nil if nothing can be shared.
    var machines: MachineService?
  }

  let followers: Followers
  /// The libraries that edited texts are compared with.
  let texts = ReadLibraries()
  let folders: KnownFolders?
  private let startupGrace: StartupGrace
  let mergeThread: MergeThread
  /// Dates the changes, whether or not it is right: their order is that of their numbers.
  let clock: Clock
  let scanTimes: ScanTimes
  /// The date of the newest change, in milliseconds since 1970.
  let newestTime = Atomic<Int64>(0)
  let logger: Logger
  let mailbox = Monitor(Mailbox())
  let storeState = Mutex(StoreState.ready)
  let filesListener = Mutex<FilesListener>({ _, _ in })
  private let thread = Mutex<BlockingThread?>(nil)

  init(
    _ followers: Followers, folders: KnownFolders? = nil, startupGrace: StartupGrace = .none,
    clock: Clock, scanTimes: ScanTimes = ScanTimes(), logger: Logger
  ) {
    self.followers = followers
    self.folders = folders
    self.startupGrace = startupGrace
    mergeThread = MergeThread(clock: clock)
    self.clock = clock
    self.scanTimes = scanTimes
    self.logger = logger
    let submit: @Sendable (EditRequest) -> Void = { [weak self] request in
      guard let self else { return request.answer(.failure(Self.stopping))() }
      self.submit(request)
    }
    followers.playlists.submitEdits(to: submit)
    followers.machines?.submitEdits(to: submit)
  }

  static let stopping = InterfaceError.changesRefused(reason: "crated is stopping")

  /// Called with the files of songs that were forgotten, which count as new when they reappear, and
  /// with the files of songs that an edit brought back, which may no longer be there.
  typealias FilesListener =
    @Sendable (_ forgotten: [BytePath], _ restored: [KnownFile]) -> Void

  func tellOfFiles(to listener: @escaping FilesListener) {
    filesListener.withLock { $0 = listener }
  }

  /// Whether changes can be made durable, as of the last attempt.
  var state: StoreState { storeState.withLock { $0 } }

  /// Why the waiting merge is refused; nil before anything newer becomes visible.
  var mergeRefusal: String? { mailbox.withLock { $0.mergeRefusal?.reason } }

  /// - Parameter newestTime: The date of the newest durable change, in milliseconds since 1970.
  func start(
    library: Library, store: sending any ChangeStore, newestTime: Int64 = 0, newAlbums: String?
  ) {
    self.newestTime.store(newestTime, ordering: .relaxed)
    storeState.withLock { $0 = store.state }
    mergeThread.begin(library, after: startupGrace.wait)
    let handover = Mutex<(any ChangeStore)?>(store)
    let thread = BlockingThread("librarian") { [self] in
      guard let store = handover.withLock({ $0.take() }) else { return }
      startupGrace.wait()
      var owned = ThreadState(
        library: library, store: store, newAlbums: newAlbums,
        memory: Merge.Memory(leaving: folders?.leaving ?? [:]), history: StoredHistory())
      begin(&owned)
      run(&owned)
    }
    self.thread.withLock { $0 = thread }
  }

  func submit(_ request: EditRequest) {
    startupGrace.end()
    let isRefused = mailbox.withLock { mailbox in
      if !mailbox.isStopping { mailbox.edits.append(request) }
      return mailbox.isStopping
    }
    if isRefused { request.answer(.failure(Self.stopping))() }
  }

  /// Merges what was found. Returns when it is merged and durable, or the librarian stops.
  ///
  /// - Parameters:
  ///   - isWanted: Whether to retry after the store refused it.
  ///   - refused: Called with the reason each time the store refuses it; it is retried until it
  ///     succeeds.
  /// - Returns: The files that the store will never accept, and why; everything else is merged. Nil
  ///   if the librarian stops or the merge is not wanted any more.
  @discardableResult
  func merge(
    _ contents: FolderContents, isWanted: @escaping @Sendable () -> Bool = { true },
    refused: @escaping @Sendable (String) -> Void = { _ in }
  ) -> [BytePath: String]? {
    startupGrace.end()
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

  /// Sets what is offline. Returns when answers show it, or the librarian stops.
  ///
  /// - Parameter away: Called on the librarian's thread, so that no caller overwrites a newer state
  ///   with an older one.
  func setAway(_ away: @escaping @Sendable () -> Away) {
    startupGrace.end()
    let done = Monitor(false)
    let isRefused = mailbox.withLock { mailbox in
      if mailbox.isStopping { return true }
      mailbox.aways.append(AwayRequest(away: away) { done.withLock { $0 = true } })
      return false
    }
    if isRefused { return }
    done.wait { $0 ? () : nil }
  }

  /// Records that a watcher of the folder starts, which reports absent files anew. Those that an
  /// earlier watcher reported are forgotten.
  func watcherBegins(at root: BytePath) {
    mailbox.withLock { $0.beginning.append(root) }
  }

  func setNewAlbums(_ name: String?) {
    mailbox.withLock { $0.newAlbums = name ?? "" }
  }

  /// Finishes the waiting work, writes a last checkpoint, and ends the thread.
  func stop() {
    startupGrace.end()
    mailbox.withLock { $0.isStopping = true }
    thread.withLock { $0.take() }?.join()
    mergeThread.stop()
  }

  // MARK: The thread

  private func run(_ owned: inout ThreadState) {
    while true {
      if let commitGroup = owned.commitGroup.take() { gather(commitGroup) }
      guard let work = nextWork(owned) else {
        care(&owned)
        continue
      }
      if let name = work.newAlbums { owned.newAlbums = name.isEmpty ? nil : name }
      for root in work.beginning {
        owned.memory.forgetAbsent(in: root)
        owned.folderChanges += 1
      }
      for request in work.aways { take(request, &owned) }
      if let decided = work.decided { take(decided, isLast: work.isStopping, &owned) }
      if !work.edits.isEmpty {
        decide(work.edits, &owned)
        if owned.history.takeHasRead() { returnFreeMemory() }
      }
      for request in work.merges { begin(request, &owned) }
      if work.isStopping, work.isEmpty, owned.merging == nil { break }
      // Beginning a merge changes nothing.
      if work.merges.isEmpty || !work.edits.isEmpty { checkpoint(isIdle: false, &owned) }
    }
    owned.checkpointing.take()?.join()
    if let fault = owned.store.close(owned.library) {
      logger.warning("no last checkpoint could be written; the journal holds everything: \(fault)")
    }
    tellNotes(&owned)
  }

  /// Waits briefly until as many clients have requests as a moment ago.
  private func gather(_ commitGroup: CommitGroup) {
    _ = mailbox.wait(until: commitGroup.until) { mailbox in
      mailbox.edits.count >= commitGroup.size || mailbox.isStopping ? () : nil
    }
  }

  /// Waits for work. Returns nil when maintenance is due, or may be.
  private func nextWork(_ owned: borrowing ThreadState) -> Mailbox? {
    let (isMerging, isAlone) = (owned.merging != nil, owned.merging?.isAlone == true)
    let deadline = min(owned.careDue, mailbox.withLock { $0.mergeRefusal?.until } ?? .max)
    return mailbox.wait(until: deadline) {
      $0.take(now: clock.monotonic(), isMerging: isMerging, takesEdits: !isAlone)
    }
  }

  private func take(_ request: AwayRequest, _ owned: inout ThreadState) {
    let away = request.away()
    let isOtherFolders = away.folders != owned.library.away.folders
    owned.library.away = away
    owned.folderChanges += 1
    if isOtherFolders {
      owned.library.dropDuplicateFilesOutside()
      mergeThread.begin(owned.library)
      owned.memory.forgetAbsent(besides: away.folders)
    }
    followers.published.publish(owned.library)
    // Another file of a song with duplicates may now be the first present one. A song that leaves
    // the configured folders gives its place to a copy.
    let turned = MergeThread.Found.turned(
      seen: scanTimes.next(clock.wall()), withLeft: isOtherFolders)
    let merge = MergeRequest(found: turned, refused: { _ in request.done() }) { _ in
      request.done()
    }
    mailbox.withLock { $0.merges.insert(merge, at: 0) }
    if mergeRefusal != nil { request.done() }
  }
}
