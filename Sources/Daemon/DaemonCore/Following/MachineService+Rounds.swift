import CratesInterface
import Glibc
import LibraryModel
import LibraryStore
import Logging
import Machines
import Platform
import SharedOrder

extension MachineService {
  /// The state that the thread owns.
  struct ThreadState {
    var keeper: MachineKeeper?
    var watch: DirectoryWatch?
    /// The device and the inode of the watched directory.
    var watched: [UInt64] = []
    var isOwnFileMissing = false
    /// Whether a client did something that the other machines should see at once.
    var hasNews = false
    /// The problems of the last round.
    var found: [MachineProblem] = []
    /// Why this machine's file could not be written.
    var writing: MachineProblem?
    /// The keeper's revision at which the library is as the machines want it.
    var fulfilled: Int?
    /// The state that clients see now.
    var shown: State?

    struct State: Equatable {
      var revision: Int
      var faults: [MachineID: String]
      var version: Int
    }
  }

  /// The maximum number of attempts at a request that edits overtake.
  private static let mostTries = 10

  /// - Throws: Why nothing is shared.
  func perform(_ work: Work, _ owned: inout ThreadState) throws(MachineProblem) {
    guard let settings = work.settings else {
      owned.watch?.stop()
      owned = ThreadState()
      tell([])
      throw MachineProblem(BytePath("/"), "no folder is set")
    }
    if owned.keeper?.settings != settings {
      owned.watch?.stop()
      owned = ThreadState()
    }
    var keeper: MachineKeeper
    do throws(MachineProblem) {
      if let known = owned.keeper { keeper = known } else { keeper = try open(settings) }
      try follow(work.transactions, &keeper)
    } catch {
      tell([error])
      schedule(after: .refused)
      throw error
    }
    if work.reads { read(&keeper, &owned) }
    let answers = work.actions.map { perform($0, &keeper, &owned) }
    // The actions may have solved problems.
    if owned.hasNews { read(&keeper, &owned) }
    fulfil(&keeper, &owned)
    if work.writes || owned.hasNews { write(&keeper, &owned) }
    owned.keeper = keeper
    tell(owned.found + [owned.writing].compactMap(\.self))
    let state = ThreadState.State(
      revision: keeper.revision, faults: keeper.faults, version: keeper.version)
    if owned.shown != state { show(keeper) }
    owned.shown = state
    for answer in answers { answer() }
  }

  // MARK: The library

  /// Starts from the stored state of this machine.
  ///
  /// - Throws: The problem of a file that can't be read, or that a newer version wrote.
  private func open(_ settings: MachineKeeper.Settings) throws(MachineProblem) -> MachineKeeper {
    let library = published.library
    var state: MachineState?
    let bytes = try rememberedBytes(settings.stateFile)
    do throws(MachineReader.Fault) {
      state = try bytes.map(MachineReader.state)
    } catch {
      if case .newerVersion(let version) = error {
        throw MachineProblem(
          settings.stateFile,
          "a newer crated wrote it (version \(version)); update crated, or move the file away to"
            + " begin anew with what lies in the folder")
      }
      logger.warning(
        """
        \(settings.stateFile.display) is damaged: what the machines decided is read from the \
        folder again
        """)
    }
    guard let state else { return MachineKeeper(settings, nil, library: library) }
    let now = clock.wall() / 1_000_000
    if state.sequence == library.sequence {
      return MachineKeeper(settings, state, library: library)
    }
    if state.sequence < library.sequence,
      let then = try known(
        at: settings.stateFile,
        { () throws(UnreadablePast) in try past.library(at: state.sequence) })
    {
      return MachineKeeper(settings, state, library: then)
    }
    // The store was restored from a backup, or its history is gone.
    var keeper = MachineKeeper(settings, state, library: library)
    keeper.goOn(with: library, now: now)
    return keeper
  }

  /// Returns nil if there is no file. A file that can't be read is never treated as missing, since
  /// that would lose what was merged.
  private func rememberedBytes(_ path: BytePath) throws(MachineProblem) -> [UInt8]? {
    do throws(SystemCallError) {
      let file = OpenFile(owning: Glibc.open(path.cString, O_RDONLY | O_NOFOLLOW | O_CLOEXEC))
      if file.descriptor < 0, errno == ENOENT { return nil }
      guard file.descriptor >= 0 else { throw SystemCallError("open", path.display) }
      guard let status = FileStatus(descriptor: file.descriptor) else {
        throw SystemCallError("statx", path.display)
      }
      guard status.isFile else { throw SystemCallError("open", path.display, code: EISDIR) }
      return try readWhole(file.descriptor, bytes: Int(status.size))
    } catch {
      throw MachineProblem(
        path,
        "the order is shared with no other machine: it can't be read (\(error.reason));"
          + " check its disk")
    }
  }

  /// Updates the keeper to the changes of this machine. Those that are not in memory are read from
  /// the journal.
  ///
  /// - Throws: The problem of a journal that can't be read now. This is retried, since the user's
  ///   edits would otherwise not count.
  private func follow(
    _ transactions: [Transaction], _ keeper: inout MachineKeeper
  ) throws(MachineProblem) {
    let library = published.library
    let former = keeper.library.sequence
    let news = (former + 1)..<(max(former, library.sequence) + 1)
    if news.isEmpty { return }
    var transactions = transactions.filter { news.contains($0.sequence) }
    if transactions.count < news.count {
      transactions = try known(at: keeper.settings.stateFile) { () throws(UnreadablePast) in
        try past.transactions(before: news.upperBound, most: news.count, of: nil)
      }.filter { news.contains($0.sequence) }
    }
    if transactions.count == news.count {
      keeper.follow(transactions, to: library)
    } else {
      keeper.goOn(with: library, now: clock.wall() / 1_000_000)
    }
  }

  /// Runs a query of the past.
  ///
  /// - Throws: The problem, if the past can't be read now.
  private func known<Value>(
    at path: BytePath, _ ask: () throws(UnreadablePast) -> Value
  ) throws(MachineProblem) -> Value {
    do {
      return try ask()
    } catch {
      throw MachineProblem(path, "the order is shared later: \(error.reason)")
    }
  }

  /// Changes the library to what the machines want.
  private func fulfil(_ keeper: inout MachineKeeper, _ owned: inout ThreadState) {
    for _ in 0..<Self.mostTries {
      do throws(MachineProblem) {
        try follow(takeChanges(), &keeper)
      } catch {
        owned.found.append(error)
        return schedule(after: .refused)
      }
      if owned.fulfilled == keeper.revision { return }
      guard let order = keeper.neededOrder() else {
        owned.fulfilled = keeper.revision
        return
      }
      switch decide(order, &keeper) {
      case .success(let change):
        logger.info("\(change.summary)")
        if !change.changed { return }
      case .failure(.outdated): continue
      case .failure(let error):
        logger.info("what other machines did is not done here yet: \(error.message)")
        return schedule(after: .refused)
      }
    }
    schedule(after: .refused)
  }

  private func decide(
    _ order: AgreedOrder, _ keeper: inout MachineKeeper, isDryRun: Bool = false
  ) -> Result<Interface.Change, InterfaceError> {
    do throws(SystemCallError) {
      // Saved first, so that the next start finds the same request after a kill.
      if keeper.isDirty, !isDryRun { try keeper.save() }
    } catch {
      return .failure(.changesRefused(reason: "\(error)"))
    }
    let answer = Monitor<Result<Interface.Change, InterfaceError>?>(nil)
    var request = Librarian.EditRequest(
      sequence: keeper.library.sequence, action: .machines(order, from: keeper.namesOfSenders)
    ) { result in { answer.withLock { $0 = result } } }
    request.isDryRun = isDryRun
    if !submit(request) { return .failure(Librarian.stopping) }
    return answer.wait { $0 }
  }

  // MARK: The folder

  private func read(_ keeper: inout MachineKeeper, _ owned: inout ThreadState) {
    watch(keeper.settings.folder, &owned)
    let round = keeper.read(now: clock.wall() / 1_000_000)
    for notice in round.notices { logger.notice("\(notice)") }
    (owned.found, owned.isOwnFileMissing) = (round.problems, round.isOwnFileMissing)
    let isPolled = round.isRemote || !round.problems.isEmpty || owned.watch == nil
    schedule(
      after: .read(
        isPolled: isPolled, isMissing: round.isOwnFileMissing, hasNews: keeper.isDirty))
  }

  private func write(_ keeper: inout MachineKeeper, _ owned: inout ThreadState) {
    do throws(MachineProblem) {
      try keeper.write(isMissing: owned.isOwnFileMissing)
      (owned.writing, owned.isOwnFileMissing, owned.hasNews) = (nil, false, false)
    } catch {
      owned.writing = error
    }
    schedule(after: .written(hasFailed: owned.writing != nil))
  }

  /// Performs a client's action.
  ///
  /// - Returns: A function that answers, to be called once the other machines can see the result.
  private func perform(
    _ action: Action, _ keeper: inout MachineKeeper, _ owned: inout ThreadState
  ) -> () -> Void {
    switch action {
    case .join(let isMine, let isDryRun, let answer):
      var joined = keeper
      guard joined.joinShare(mine: isMine, now: clock.wall() / 1_000_000) else {
        return { answer(.failure(.nothingToJoin)) }
      }
      var result: Result<Interface.Change, InterfaceError> = .success(
        Interface.Change(
          changed: false, sequence: joined.library.sequence,
          time: Timestamp.text(clock.wall() / 1_000_000), author: .machine,
          summary: isMine
            ? "The order of this machine counts on all machines"
            : "The order is that of the other machines already"))
      if let order = joined.neededOrder() { result = decide(order, &joined, isDryRun: isDryRun) }
      if !isDryRun, case .success = result {
        (keeper, owned.hasNews) = (joined, true)
      }
      return { answer(result) }
    case .drop(let name, let answer):
      let found = keeper.others.filter { "\($0.key)" == name || $0.value.name == name }
      guard let machine = found.first?.key, found.count == 1 else {
        return { answer(.noSuchMachine(name: name)) }
      }
      do throws(MachineProblem) {
        try keeper.drop(machine)
        owned.hasNews = true
        return { answer(nil) }
      } catch {
        return { answer(.changesRefused(reason: error.message)) }
      }
    }
  }

  // MARK: Publishing the state

  private func show(_ keeper: MachineKeeper) {
    let (faults, counts) = (keeper.faults, keeper.countsElsewhere)
    var machines = [
      Interface.Machine(
        name: keeper.settings.name, id: "\(keeper.machine)", here: true,
        version: keeper.written == nil ? 0 : keeper.version)
    ]
    for (id, other) in keeper.others.sorted(by: {
      ($0.value.name, $0.key) < ($1.value.name, $1.key)
    }) {
      machines.append(
        Interface.Machine(
          name: other.name, id: "\(id)", here: false, heard: Timestamp.text(other.heard),
          version: other.version, elsewhere: counts[id] ?? 0, problem: faults[id]))
    }
    show(
      Shown(
        table: keeper.share == nil ? nil : keeper.table,
        machines: Interface.Machines(
          machines: machines, folder: keeper.settings.folder.display,
          share: keeper.share.map { "\($0)" }, waiting: keeper.isWaiting),
        names: keeper.others.mapValues(\.name)))
  }

  private func tell(_ found: [MachineProblem]) {
    problems.replace(
      with: found.map { ($0.path, $0.message) }, of: .machines, now: clock.wall() / 1_000_000,
      logger)
  }
}
