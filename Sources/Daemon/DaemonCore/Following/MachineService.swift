import CratesInterface
import LibraryModel
import LibraryStore
import Logging
import Machines
import Platform
import SharedOrder
import Synchronization

/// Shares one order among several machines (machines.md). It merges what the others write to a
/// shared folder, has the librarian apply it, and writes there what was done here. It has a thread
/// of its own, since the folder may be on a drive that hangs.
final class MachineService: Sendable {
  /// The time that a stop waits for the last write, in nanoseconds. The next start makes up for a
  /// missed one.
  static let stopPatience: Int64 = 5_000_000_000
  /// The time that a start waits for the other machines' files, in nanoseconds. Albums that they
  /// know then come in at their places, instead of on top first.
  static let startPatience: Int64 = 2_000_000_000
  /// The maximum number of changes stored for the thread. Beyond it the thread reads the journal
  /// instead.
  static let mostChanges = 100_000

  /// The maximum number of calls that wait for the folder. If it hangs, clients give up, but their
  /// calls stay.
  static let mostCalls = 64

  /// An action of a client.
  enum Action: Sendable {
    case join(
      isMine: Bool, isDryRun: Bool, @Sendable (Result<Interface.Change, InterfaceError>) -> Void)
    case drop(String, @Sendable (InterfaceError?) -> Void)
  }

  private struct Pending: Sendable {
    /// Nil if the order is shared with no other machine.
    var settings: MachineKeeper.Settings?
    var transactions: [Transaction] = []
    var changeCount = 0
    var actions: [Action] = []
    var waiting: [@Sendable () -> Void] = []
    var timing = MachineTiming()
    var isStopping = false
    var hasStopped = false
    /// The number of times that the folder was read.
    var rounds = 0

    var isOpen: Bool { settings != nil && !isStopping }
  }

  /// The work of one round.
  struct Work: Sendable {
    var settings: MachineKeeper.Settings?
    var transactions: [Transaction]
    var actions: [Action]
    var waiting: [@Sendable () -> Void]
    var reads: Bool
    var writes: Bool
    var isLast: Bool
  }

  /// The state that other parts see.
  struct Shown: Sendable {
    /// Nil if nothing is shared.
    var table: OrderTable?
    var machines = Interface.Machines()
    /// The names of the other machines.
    var names: [MachineID: String] = [:]

    /// Returns the name of the other machine on which the user placed the album.
    func machine(placing album: AlbumID) -> String? {
      guard let mark = table?.albums[album]?.spot.place.mark, mark.rank != .arrival else {
        return nil
      }
      return names[mark.machine]
    }
  }

  let published: PublishedLibrary
  let past: PastLibrary<DiskFiles>
  let clock: Clock
  let logger: Logger
  /// The problems of this service.
  let problems = ProblemList()
  private let pending = Monitor(Pending())
  private let state = Mutex(Shown())
  private let thread = Mutex<BlockingThread?>(nil)
  private let librarian = Mutex<(@Sendable (Librarian.EditRequest) -> Void)?>(nil)

  init(
    published: PublishedLibrary, past: PastLibrary<DiskFiles>, clock: Clock, logger: Logger
  ) {
    (self.published, self.past) = (published, past)
    (self.clock, self.logger) = (clock, logger)
  }

  /// Sets the receiver of edits, which decides on those of the other machines.
  func submitEdits(to submit: @escaping @Sendable (Librarian.EditRequest) -> Void) {
    librarian.withLock { $0 = submit }
  }

  /// The state that was published last.
  var shown: Shown { state.withLock { $0 } }

  /// Applies settings, at the start and after a reload.
  ///
  /// - Parameter settings: Nil if nothing is shared; existing files then stay as they are.
  func keep(_ settings: MachineKeeper.Settings?) {
    pending.withLock { pending in
      pending.settings = settings
      pending.timing.begin(at: clock.monotonic())
    }
    if settings == nil { state.withLock { $0 = Shown() } }
    thread.withLock { thread in
      if settings == nil || thread != nil { return }
      thread = BlockingThread("machines") { [self] in run() }
    }
  }

  /// Returns after the folder was read for the first time, or after `startPatience`.
  func waitForFirstRound() {
    _ = pending.wait(until: clock.monotonic() + Self.startPatience) {
      $0.settings == nil || $0.rounds > 0 ? () : nil
    }
  }

  /// Records durable transactions, which are published already.
  func note(_ transactions: [Transaction]) {
    pending.change { pending in
      if pending.settings == nil { return .none }
      pending.changeCount += transactions.reduce(0) { $0 + $1.changes.count }
      pending.transactions += transactions
      if pending.changeCount > Self.mostChanges {
        (pending.transactions, pending.changeCount) = ([], 0)
      }
      let due = pending.timing.due
      pending.timing.change(at: clock.monotonic())
      // A thread that waits for an earlier time computes its deadline again when it wakes.
      return pending.timing.due >= due ? .none : .all
    }
  }

  /// Performs a client's action; refuses it at once if nothing is shared, or too many calls wait.
  func take(_ action: Action) {
    let isShared = pending.withLock { pending in
      guard pending.isOpen, pending.actions.count < Self.mostCalls else { return false }
      pending.actions.append(action)
      return true
    }
    if !isShared { action.refuse() }
  }

  /// Calls back when the folder's current contents are merged and this machine's file is up to
  /// date; at once if nothing is shared, or too many calls wait. Never calls back if the folder
  /// hangs.
  func synchronize(_ done: @escaping @Sendable () -> Void) {
    let isShared = pending.withLock { pending in
      guard pending.isOpen, pending.waiting.count < Self.mostCalls else { return false }
      pending.waiting.append(done)
      return true
    }
    if !isShared { done() }
  }

  /// Writes what is pending and ends the thread, or abandons it if the folder hangs.
  func stop() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    pending.withLock { $0.isStopping = true }
    let until = clock.monotonic() + Self.stopPatience
    if pending.wait(until: until, for: { $0.hasStopped ? () : nil }) == nil {
      logger.warning(
        "the folder of the machines could not be written in time: the next start does it")
    } else {
      thread.join()
    }
  }

  // MARK: The thread

  private func run() {
    var owned = ThreadState()
    while true {
      let due = pending.withLock { $0.timing.due }
      guard let work = pending.wait(until: due, for: { nextWork(&$0, waitingFor: due) }) ?? nil
      else { continue }
      do {
        try perform(work, &owned)
      } catch {
        // Nothing is shared, for a reason that is listed as a problem.
        for action in work.actions { action.refuse() }
      }
      for done in work.waiting { done() }
      if work.reads { pending.withLock { $0.rounds += 1 } }
      if work.isLast { break }
    }
    owned.watch?.stop()
    pending.withLock { $0.hasStopped = true }
  }

  /// Returns the next work. An inner nil means that the time to wait for has changed.
  private func nextWork(_ pending: inout Pending, waitingFor due: Int64) -> Work?? {
    let now = clock.monotonic()
    let isWanted = !pending.actions.isEmpty || !pending.waiting.isEmpty
    if !isWanted, !pending.isStopping, now < pending.timing.due {
      return pending.timing.due == due ? nil : .some(nil)
    }
    let work = Work(
      settings: pending.settings, transactions: pending.transactions,
      actions: pending.actions, waiting: pending.waiting,
      reads: isWanted || now >= pending.timing.reads,
      writes: !pending.waiting.isEmpty || pending.isStopping || now >= pending.timing.writes,
      isLast: pending.isStopping)
    (pending.transactions, pending.changeCount) = ([], 0)
    (pending.actions, pending.waiting) = ([], [])
    if work.reads { pending.timing.beginReading() }
    if work.writes { pending.timing.beginWriting() }
    return work
  }

  /// Removes and returns the changes since the last call.
  func takeChanges() -> [Transaction] {
    pending.withLock { pending in
      defer { (pending.transactions, pending.changeCount) = ([], 0) }
      return pending.transactions
    }
  }

  func schedule(after event: MachineTiming.Event) {
    let now = clock.monotonic()
    pending.withLock { $0.timing.note(event, at: now) }
  }

  func show(_ shown: Shown) {
    let isShared = pending.withLock { $0.settings != nil }
    state.withLock { $0 = isShared ? shown : Shown() }
  }

  func submit(_ request: Librarian.EditRequest) -> Bool {
    guard let submit = librarian.withLock({ $0 }) else { return false }
    submit(request)
    return true
  }

  /// Watches the directory that the path names now.
  func watch(_ folder: BytePath, _ owned: inout ThreadState) {
    let status = FileStatus(name: folder.cString, followsLinks: true)
    let found = status.map { [$0.device, $0.inode] } ?? []
    if found.isEmpty || found == owned.watched { return }
    owned.watch?.stop()
    (owned.watch, owned.watched) = (nil, found)
    do {
      owned.watch = try DirectoryWatch(folder.bytes, thread: "machine watch") { [pending, clock] in
        pending.withLock { $0.timing.hear(at: clock.monotonic()) }
      }
    } catch {
      logger.warning("what other machines say is seen once a minute only: \(error)")
    }
  }
}

extension MachineService.Action {
  /// Answers as if nothing were shared.
  fileprivate func refuse() {
    switch self {
    case .join(_, _, let answer): answer(.failure(.nothingToJoin))
    case .drop(let name, let answer): answer(.noSuchMachine(name: name))
    }
  }
}
