import Glibc
import LibraryModel
import Platform

/// Runs the watcher's thread: waits for input, feeds it to the core, and carries out the effects
/// that the core requests. It decides nothing.
///
/// It waits in one place: for the kernel, for answers, for requests, and for the next due time.
final class WatchLoop {
  var core: WatchCore
  let kernel: Kernel
  let clock: Clock
  let trace: TraceLog
  private let receiver: any ContentsReceiver
  private let reading: FileReading
  private let known: @Sendable () -> [KnownFile]
  private let mailbox: Mailbox
  private let completions: Completions
  let stuckCalls: StuckCalls
  private let clockJumps: ClockJumps?
  private let scan = DirectoryScanner()
  /// The directory that is being scanned.
  private var directory: OpenDirectory?
  /// Reused, because an allocation for each file would cost more than its scan.
  private var listing = FolderListing()

  init(
    root: BytePath, settings: WatchSettings, clock: Clock, scanTimes: ScanTimes = ScanTimes(),
    known: @escaping @Sendable () -> [KnownFile], memory: FolderMemory,
    receiver: any ContentsReceiver, reading: FileReading, mailbox: Mailbox,
    completions: Completions, stuckCalls: StuckCalls, trace: TraceLog = TraceLog(),
    openEvents: @escaping () throws(SystemCallError) -> any KernelEvents
  ) {
    self.clock = clock
    self.receiver = receiver
    self.reading = reading
    self.mailbox = mailbox
    self.completions = completions
    self.stuckCalls = stuckCalls
    self.trace = trace
    self.known = known
    clockJumps = try? ClockJumps()
    kernel = Kernel(
      root: root, cookies: settings.cookies, clock: clock, scanTimes: scanTimes, reading: reading,
      stuckCalls: stuckCalls, openInstance: openEvents)
    if memory.isFirstScan, let seen = memory.firstScanSeen { scanTimes.note(seen) }
    core = WatchCore(
      root: root, settings: settings, memory: memory, known: known(), kernel: kernel,
      name: "\(getpid())-\(ObjectIdentifier(kernel).hashValue)")
  }

  /// Runs until a stop is requested.
  func run() {
    kernel.openMounts()
    while !core.isStopping {
      wait()
      step()
    }
    end()
  }

  /// Reports what was found, and answers the clients that wait.
  func end() {
    perform(core.end(at: now))
    leaveKernel()
  }

  /// Takes in all input, and does everything that is due.
  func step() {
    takeAll()
    feed(.turn)
  }

  var now: Int64 { clock.monotonic() }

  func nextTime() -> Int64 { core.nextTime(at: now) }

  // MARK: Waiting

  private func wait() {
    // Negative descriptors are skipped.
    var descriptors = [
      mailbox.wakeUp.descriptor, clockJumps?.descriptor, kernel.events?.descriptor,
    ]
    .map { pollfd($0 ?? .min, POLLIN) }
    descriptors.append(pollfd(kernel.mountsDescriptor, POLLPRI | POLLERR))
    leaveKernel()
    let patience = Clock.milliseconds(from: now, until: nextTime())
    _ = poll(&descriptors, nfds_t(descriptors.count), patience)
    kernelCameBack()
    if descriptors[0].revents != 0 { mailbox.wakeUp.clear() }
    if descriptors[1].revents != 0, clockJumps?.sleptSinceLastAsked() == true { feed(.wokeUp) }
    if descriptors[3].revents != 0 { feed(.mountsChanged) }
  }

  /// Called when the kernel has returned from the last call and more calls follow.
  private func kernelCameBack() {
    // The folder was reported as offline. Events since then wait in the kernel's queue.
    if stuckCalls.begin(.watcher) { feed(.cameBack) }
  }

  /// Called before waiting for something other than the music folder.
  private func leaveKernel() {
    if stuckCalls.end(.watcher) { feed(.cameBack) }
  }

  // MARK: Inputs

  func feed(_ input: WatchCore.Input) { perform(core.handle(input, at: now)) }

  /// Takes in all input from the kernel, the reader, and other threads.
  private func takeAll() {
    takeEvents()
    // Comes first: what readers report in a folder that hangs is no problem of its files.
    feed(.checkHang)
    feed(.answers(reading.takeAnswers()))
    for request in mailbox.take() { feed(.request(request)) }
  }

  func takeEvents() {
    let events = kernel.nextEvents()
    if !events.isEmpty { feed(.events(events)) }
  }

  // MARK: Effects

  private func perform(_ effects: [WatchCore.Effect]) {
    var left = effects[...]
    while let effect = left.popFirst() {
      guard let answer = carryOut(effect) else { continue }
      // An effect that is answered is the last one: the core waits for the answer.
      left = core.handle(answer, at: now)[...]
      if !left.contains(where: \.isList) { directory = nil }
    }
  }

  /// - Returns: the input that the core waits for; nil if it waits for none.
  private func carryOut(_ effect: WatchCore.Effect) -> WatchCore.Input? {
    switch effect {
    case .open(let path, let isLink): return open(path, isLink: isLink)
    case .list(let wanted): return list(wanted)
    case .makeCookie(let name): return .cookie(isMade: kernel.makeCookie(name))
    case .takeEvents: takeEvents()
    case .takeAll: takeAll()
    case .askLibrary: return .library(known())
    case .unwatch(let watch): kernel.events?.remove(watch)
    case .read(let request): reading.request(request)
    case .forgetReads: reading.forget()
    case .cover(let cover, let folder): receiver.cover(cover, in: folder)
    case .willScan(let reason): receiver.willScan(because: reason)
    case .report(let problems): tell { receiver.report(problems) }
    case .merge(let contents): tell { receiver.merge(contents) }
    case .tell(let state): tell { receiver.folderState(state) }
    case .progress(let numbers, let progress): completions.tell(progress, to: numbers)
    case .answer(let numbers): for number in numbers { completions.answer(number) }
    case .trace(let step): trace.note(step, at: clock.wall())
    }
    return effect.isTaking ? .tookIn : nil
  }

  /// Calls the receiver, which may wait for the library's disk instead of the music folder's.
  private func tell(_ body: () -> Void) {
    leaveKernel()
    defer { kernelCameBack() }
    body()
  }

  private func open(_ path: BytePath, isLink: Bool) -> WatchCore.Input {
    // Each scan counts as a call of its own.
    kernelCameBack()
    directory = nil
    do throws(SystemCallError) {
      let opened = try OpenDirectory(path, isLink: isLink)
      directory = opened
      return .opened(.success(opened.status))
    } catch {
      return .opened(.failure(error))
    }
  }

  /// Watches the directory before listing it, so that changes meanwhile either have an event or are
  /// found by the listing.
  private func list(_ wanted: Listing) -> WatchCore.Input {
    guard let directory else { preconditionFailure("what is listed was opened") }
    let watch = wanted.isWatched ? kernel.watch(directory.descriptor) : nil
    // Lent to the core, which does not keep it.
    var listing = FolderListing()
    swap(&listing, &self.listing)
    defer { swap(&listing, &self.listing) }
    do throws(SystemCallError) {
      try scan.list(directory, into: &listing, hasRules: wanted.ignoring.hasRules) {
        wanted.ignoring.isLeftOut($1, in: wanted.path, $0)
      }
      return .listed(watch: watch, .success(listing))
    } catch {
      return .listed(watch: watch, .failure(error))
    }
  }
}

extension WatchCore.Effect {
  fileprivate var isList: Bool {
    if case .list = self { true } else { false }
  }

  /// Whether it is answered by `Input.tookIn`.
  fileprivate var isTaking: Bool {
    switch self {
    case .takeEvents, .takeAll: true
    default: false
    }
  }
}

extension pollfd {
  init(_ descriptor: Int32, _ events: Int32) {
    self.init()
    (fd, self.events) = (descriptor, Int16(events))
  }
}
