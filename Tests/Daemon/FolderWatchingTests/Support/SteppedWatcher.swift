import Glibc
import LibraryModel
import Platform

@testable import FolderWatching

/// A watcher on the test's own thread, with a clock that is turned by hand and news from the kernel
/// that the test may make up.
final class SteppedWatcher {
  let music: TemporaryFolder
  let receiver = Recorder()
  let loop: WatchLoop
  private let runtime = TemporaryFolder()
  private let reading: FileReading
  private let mailbox: Mailbox
  private let completions = Completions()
  private let time: Monitor<Int64>
  /// Answers that are kept back, with how they go on.
  private let kept = Monitor<[@Sendable () -> Void]>([])
  private let keepsAnswers = Monitor(false)
  private let reads = Monitor(0)
  /// What readings find instead of what is in the files; nil: that.
  let readText = Monitor<String?>(nil)

  /// - Parameters:
  ///   - events: instead of the kernel's.
  ///   - refusal: why none are given when they are asked for; nil: they are.
  ///   - keepsAnswers: as after `keepAnswers`, from the start.
  init(
    _ music: TemporaryFolder = TemporaryFolder(), events: (any KernelEvents)? = nil,
    refusal: Monitor<Int32?> = Monitor(nil),
    keepsAnswers isKeeping: Bool = false,
    _ change: (inout WatchSettings) -> Void = { _ in }
  ) throws {
    self.music = music
    keepsAnswers.withLock { $0 = isKeeping }
    var settings = WatchSettings(cookies: runtime.path)
    settings.standStill = 0
    settings.timeGrain = 0
    change(&settings)
    let time = Monitor(Clock.system.monotonic())
    self.time = time
    let clock = Clock(monotonic: { time.withLock { $0 } }, wall: Clock.system.wall)
    let wakeUp = try WakeUp()
    mailbox = Mailbox(wakeUp: wakeUp)
    let stuckCalls = try StuckCalls(most: settings.answerWithin)
    reading = FileReading(
      settings: settings, clock: clock,
      reader: TextReader { [kept, keepsAnswers, reads, readText] descriptor, stamp, answer in
        reads.withLock { $0 += 1 }
        let text = readText.withLock { $0 } ?? TemporaryFolder.text(descriptor)
        let outcome = WatchedFolder.outcome(text, stamp)
        guard keepsAnswers.withLock({ $0 }) else { return answer(outcome) }
        kept.withLock { $0.append { answer(outcome) } }
      }, wakeUp: wakeUp, stuckCalls: stuckCalls)
    loop = WatchLoop(
      root: music.path, settings: settings, clock: clock, known: { [receiver] in receiver.library },
      memory: FolderMemory(isFirstScan: true), receiver: receiver, reading: reading,
      mailbox: mailbox, completions: completions, stuckCalls: stuckCalls,
      openEvents: { () throws(SystemCallError) in
        if let code = refusal.withLock({ $0 }) {
          throw SystemCallError("inotify_init1", "", code: code)
        }
        if let events { return events }
        return try Inotify()
      })
    settle()
  }

  /// Goes on until there is nothing to do at this time.
  func settle() {
    // Bounded: a watcher that always has something to do is a fault, which the test sees.
    var idleSteps = 0
    for _ in 0..<200 {
      var hasRead = false
      while reading.openOne() { hasRead = true }
      loop.step()
      // A step may ask for files, which the next one reads.
      idleSteps = !hasRead && loop.nextTime() > loop.now ? idleSteps + 1 : 0
      if idleSteps == 2 { return }
    }
  }

  // MARK: The core

  var core: WatchCore {
    get { loop.core }
    _modify { yield &loop.core }
  }

  /// Has the core do something, and does what it wants done for that.
  private func act(_ body: (inout WatchCore) -> Void) {
    // It learns the time.
    loop.feed(.tookIn)
    body(&loop.core)
    loop.feed(.tookIn)
  }

  func checkRoot() { act { $0.checkRoot() } }
  func askWhetherReady(_ key: FileKey) { act { $0.askWhetherReady(key) } }
  func scan(_ due: [PendingFolders.Due]) { act { $0.beginScan(due) } }
  func scanAll() { act { $0.beginFullScan() } }

  /// Hears of mounts that changed.
  func takeMountNews() {
    if loop.kernel.haveMountsChanged() { loop.feed(.mountsChanged) }
  }

  func turn(by nanoseconds: Int64) { time.withLock { $0 += nanoseconds } }

  /// From now on files are read, and nobody is told what is in them.
  func keepAnswers() { keepsAnswers.withLock { $0 = true } }

  /// How many answers are kept back.
  var keptCount: Int { kept.withLock { $0.count } }
  /// How often a file was read.
  var readCount: Int { reads.withLock { $0 } }

  /// Tells so many of those that were kept back.
  func release(_ count: Int = .max) {
    let released = kept.withLock { kept in
      defer { kept.removeFirst(min(count, kept.count)) }
      return Array(kept.prefix(count))
    }
    for answer in released { answer() }
  }

  /// Asks for a sync and takes one step. Whether it was answered by then.
  func sync() -> Monitor<Bool> {
    let isDone = Monitor(false)
    mailbox.post(.sync(completions.add { isDone.withLock { $0 = true } }))
    loop.step()
    return isDone
  }

  /// Has these places compared with the library, at once, and goes on until there is nothing to do.
  /// Whether all that was answered by then.
  ///
  /// - Parameter places: nil: everything.
  func rescan(_ places: [BytePath?] = [nil]) -> Bool {
    let answers = Monitor(0)
    for place in places {
      let number = completions.add { answers.withLock { $0 += 1 } }
      mailbox.post(.rescan(place, number))
    }
    settle()
    return answers.withLock { $0 } == places.count
  }

  /// The same as `sync`. What had been told of the folder when it was answered; nil: it is not yet.
  func stateAtSync() -> Monitor<WatchState?> {
    let state = Monitor<WatchState?>(nil)
    let last: @Sendable () -> WatchState? = { [receiver] in
      receiver.state.withLock { $0.states.last }
    }
    mailbox.post(.sync(completions.add { state.withLock { $0 = last() } }))
    loop.step()
    return state
  }

  /// What the library would know, by paths relative to the music folder.
  var songs: [String: String] {
    receiver.state.withLock { state in
      Dictionary(
        uniqueKeysWithValues: state.songs.map {
          (($0.key.relative(to: music.path) ?? $0.key).display, $0.value.tags.title)
        })
    }
  }

  /// Says that the library has no songs for these any longer, and takes one step.
  func forget(_ paths: [BytePath]) {
    mailbox.post(.forget(paths))
    loop.step()
  }

  /// Asks it to stop at the next opportunity.
  func stop() { mailbox.post(.stop) }

  var mode: WatchState.Mode? { receiver.state.withLock { $0.states.last?.mode } }
  var problems: [BytePath: FileProblem] { receiver.state.withLock { $0.problems } }
}

/// A kernel that tells what the test says, which is nothing at first.
final class MadeUpEvents: KernelEvents {
  /// The failure of each watch that is asked for; nil: it is given.
  var failure: Int32?
  /// Called before each.
  var onAdd: () -> Void = {}
  /// Whether there is always more to read.
  var isEndless = false
  /// How often news were read.
  private(set) var readCount = 0
  private var next: Int32 = 1
  private var news: [[UInt8]] = []

  var descriptor: Int32 { -1 }

  func add(openDirectory: Int32) throws(SystemCallError) -> Int32 {
    onAdd()
    if let failure { throw SystemCallError("inotify_add_watch", "", code: failure) }
    next += 1
    return next
  }

  func add(cookies path: UnsafePointer<CChar>) -> Int32? { 1 }

  func remove(_ watch: Int32) {}

  /// More was told than the kernel keeps.
  func overflow() { tell(-1, IN_Q_OVERFLOW) }

  /// One piece of news of what is in a watched directory, or of itself.
  func tell(_ watch: Int32, _ mask: Int32, _ name: String = "") {
    let name = Array(name.utf8)
    var event = [UInt8](repeating: 0, count: 16)
    event.withUnsafeMutableBytes {
      $0.storeBytes(of: watch, toByteOffset: 0, as: Int32.self)
      $0.storeBytes(of: UInt32(bitPattern: mask), toByteOffset: 4, as: UInt32.self)
      $0.storeBytes(of: UInt32(name.count), toByteOffset: 12, as: UInt32.self)
    }
    news.append(event + name)
  }

  func read(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    readCount += 1
    guard !news.isEmpty else { return isEndless }
    news.removeFirst().withUnsafeBytes(body)
    return true
  }
}
