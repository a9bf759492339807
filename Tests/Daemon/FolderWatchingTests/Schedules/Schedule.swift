import Glibc
import LibraryModel
import Platform
import Synchronization
import TestSupport

@testable import FolderWatching

/// One life of a watcher, on this thread and step by step: what happens to the files, what the
/// kernel tells of it and when, how long readings take, and how the clock goes on, all follow from
/// a seed.
final class Schedule {
  /// A clock that is turned by hand. File times are the disk's, so the wall clock is either the
  /// system's, or ahead of it by as much as was turned.
  private final class Hands: Sendable {
    let turned = Atomic<Int64>(0)
    let isWallTurned: Bool

    init(isWallTurned: Bool) { self.isWallTurned = isWallTurned }

    var now: Int64 { turned.load(ordering: .relaxed) + 1_000 * seconds }

    var clock: Clock {
      Clock(
        monotonic: { self.now },
        wall: {
          Clock.system.wall() + (self.isWallTurned ? self.turned.load(ordering: .relaxed) : 0)
        })
    }
  }

  struct Lives {
    var restarts = 0
    var offline = 0
    var settledAlone = 0
    var sleeps = 0
    var withoutInstance = 0
    var interruptions = 0
    var lateReadings = 0
    var failedReadings = 0
    var accepted = 0

    static func += (left: inout Lives, right: Lives) {
      left.restarts += right.restarts
      left.offline += right.offline
      left.settledAlone += right.settledAlone
      left.sleeps += right.sleeps
      left.withoutInstance += right.withoutInstance
      left.interruptions += right.interruptions
      left.lateReadings += right.lateReadings
      left.failedReadings += right.failedReadings
      left.accepted += right.accepted
    }
  }

  let world: ScheduledWorld
  let kernel: ScheduledKernel
  /// What happened, and how often.
  private(set) var lives = Lives()
  private let folder = TemporaryFolder(under: Schedule.quickPlace)
  private let hands: Hands
  private var numbers: SeededGenerator
  private var settings: WatchSettings
  private var loop: WatchLoop
  private var reading: FileReading
  private var mailbox: Mailbox
  private let completions = Completions()
  private let stuckCalls: StuckCalls
  private var syncCount = 0

  /// A file system in memory, where there is one.
  static let quickPlace = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"

  init(seed: UInt64, inotify: Inotify, isTraced: Bool) throws {
    var numbers = SeededGenerator(seed: seed)
    func chance(_ part: Double, _ value: Double) -> Double {
      Double.random(in: 0..<1, using: &numbers) < part ? value : 0
    }
    var kernelRules = ScheduledKernel.Rules()
    if chance(0.3, 1) == 1 { kernelRules.capacity = Int.random(in: 1...12, using: &numbers) }
    if chance(0.15, 1) == 1 { kernelRules.limit = Int.random(in: 0...4, using: &numbers) }
    kernelRules.hasInstance = chance(0.05, 1) == 0
    lives.withoutInstance = kernelRules.hasInstance ? 0 : 1
    kernelRules.repeats = chance(0.2, 0.2)
    kernelRules.shuffles = chance(0.3, 0.5)
    kernelRules.strangers = chance(0.2, 0.1)
    kernel = ScheduledKernel(inotify, numbers: SeededGenerator(seed: numbers.next()))
    kernel.rules = kernelRules
    var worldRules = ScheduledWorld.Rules()
    worldRules.interruptions = chance(0.4, 0.1)
    worldRules.slowReadings = chance(0.4, 0.4)
    worldRules.failedReadings = chance(0.1, 0.2)
    worldRules.renamesAreTrue = kernelRules.repeats == 0 && kernelRules.shuffles == 0
    worldRules.isTraced = isTraced
    world = ScheduledWorld(
      place: folder.path.display, rules: worldRules,
      numbers: SeededGenerator(seed: numbers.next()))
    folder.makeFolder("cookies")
    hands = Hands(isWallTurned: Bool.random(using: &numbers))
    settings = WatchSettings(cookies: folder.at("cookies"))
    if !hands.isWallTurned { settings.timeGrain = 0 }
    self.numbers = numbers
    stuckCalls = try StuckCalls(most: settings.answerWithin)
    (loop, reading, mailbox) = try Self.makeLoop(
      folder, settings, hands, world, kernel, completions, stuckCalls)
    kernel.interrupt = { [world] in world.interrupt() }
  }

  private static func makeLoop(
    _ folder: TemporaryFolder, _ settings: WatchSettings, _ hands: Hands, _ world: ScheduledWorld,
    _ kernel: ScheduledKernel, _ completions: Completions, _ stuckCalls: StuckCalls
  ) throws -> (WatchLoop, FileReading, Mailbox) {
    let wakeUp = try WakeUp()
    let mailbox = Mailbox(wakeUp: wakeUp)
    let reading = FileReading(
      settings: settings, clock: hands.clock,
      reader: TextReader { file, stamp, answer in world.read(file, stamp, answer) }, wakeUp: wakeUp,
      stuckCalls: stuckCalls)
    let memory = world.state.withLock(\.memory)
    let loop = WatchLoop(
      root: folder.at("m"), settings: settings, clock: hands.clock, scanTimes: ScanTimes(),
      known: { [place = folder.path] in world.known(below: place) }, memory: memory,
      receiver: world, reading: reading, mailbox: mailbox,
      completions: completions, stuckCalls: stuckCalls,
      openEvents: { () throws(SystemCallError) in try kernel.open() })
    return (loop, reading, mailbox)
  }

  /// What the watcher heard, did and found last, a line each.
  var traceText: String { loop.trace.entries.map { "\($0)\n" }.joined() }

  private func fault(_ text: String) {
    world.state.withLock { $0.fault(text) }
  }

  private func note(_ text: @autoclosure () -> String) {
    world.state.withLock { $0.note(text()) }
  }

  private func isTime(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &numbers) < part }

  // MARK: Living

  /// What was told that is not so, or was done that must not be.
  func run() throws -> [String] {
    operate(Int.random(in: 0...12, using: &numbers))
    for round in 1...Int.random(in: 1...3, using: &numbers) {
      for _ in 0..<Int.random(in: 1...8, using: &numbers) { try live() }
      bringRootBack()
      if round == 1 || isTime(0.5) { while endWriting() {} }
      if isTime(0.3) { sync() }
      allowInterruptions(0)
      if isTime(0.5) { waitAlone() }
      sync()
      acceptWhatIsThere()
      compare()
    }
    while endWriting() {}
    if isTime(0.3) { sleepAndWake() }
    world.state.withLock { $0.rules.failedReadings = 0 }
    // What failed too often, or what nobody told of, is found when somebody asks.
    sync(rescan: true)
    fallAsleep()
    compare(.all)
    let end = world.state.withLock { $0 }
    lives.interruptions = end.interruptionCount
    lives.lateReadings = end.lateCount
    lives.failedReadings = end.failureCount
    lives.offline = end.offlineCount
    let answers = end.answers
    if answers.count != syncCount || answers.values.contains(where: { $0 != 1 }) {
      fault("\(syncCount) syncs were answered like this: \(answers)")
    }
    return world.state.withLock { $0.faults }
  }

  private func operate(_ count: Int) {
    for _ in 0..<count {
      world.state.withLock { $0.operate() }
      kernel.take()
      kernel.addStranger()
    }
  }

  /// Sets how often something may happen in the midst of the watcher's work.
  private func allowInterruptions(_ most: Int) {
    world.state.withLock { $0.rules.mostInterruptions = most }
  }

  private func endWriting() -> Bool {
    let done = world.state.withLock { state -> String in
      let done = state.files.endWriting()
      state.note(done)
      return done
    }
    kernel.take()
    return !done.isEmpty
  }

  private func bringRootBack() {
    world.state.withLock { state in
      if !state.files.isRootThere { state.moveRoot() }
    }
    kernel.take()
  }

  /// Some operations, then a step of the watcher with some of the news.
  private func live() throws {
    allowInterruptions(3)
    operate(Int.random(in: 0...6, using: &numbers))
    if isTime(0.02) {
      world.state.withLock { $0.moveRoot() }
      kernel.take()
    }
    if isTime(0.02) { try restart() }
    if isTime(0.05) { kernel.rules.limit = Int.random(in: 0...6, using: &numbers) }
    if isTime(0.05) { kernel.rules.hasInstance = true }
    if isTime(0.04) { ask(rescan: isTime(0.5)) }
    if isTime(0.1) { ask() }
    for _ in 0..<Int.random(in: 0...3, using: &numbers) {
      turnAtRandom()
      kernel.allowance = isTime(0.4) ? .max : Int.random(in: 0...4, using: &numbers)
      for _ in 0..<Int.random(in: 0...5, using: &numbers) { _ = reading.openOne() }
      for _ in 0..<Int.random(in: 0...2, using: &numbers) { _ = world.answerOne() }
      step()
    }
  }

  private func step() {
    note("-- \(hands.turned.load(ordering: .relaxed) / milliseconds) ms")
    loop.step()
  }

  private func turnAtRandom() {
    let times = [
      0, 0, milliseconds, 10 * milliseconds, 100 * milliseconds, 150 * milliseconds, seconds,
      3 * seconds, 11 * seconds,
    ]
    turn(to: hands.now + (times.randomElement(using: &numbers) ?? 0))
    if isTime(0.02) { turn(to: hands.now + 3_700 * seconds) }
  }

  private func turn(to time: Int64) {
    hands.turned.store(max(hands.now, time) - 1_000 * seconds, ordering: .relaxed)
  }

  private func ask(rescan: Bool? = nil) {
    syncCount += 1
    let number = syncCount
    let before = world.state.withLock { $0.files }
    let completion = completions.add { [world] in world.answered(number, before) }
    note(rescan == nil ? "sync \(number)" : "rescan \(number)")
    switch rescan {
    case nil: mailbox.post(.sync(completion))
    case true?: mailbox.post(.rescan(folder.at("m"), completion))
    case false?: mailbox.post(.rescan(folder.at("m/a"), completion))
    }
  }

  /// The daemon stops and starts, and things happen in between.
  private func restart() throws {
    note("restart")
    mailbox.post(.stop)
    world.state.withLock { $0.isRunning = false }
    loop.step()
    loop.end()
    reading.stop()
    while world.answerOne() {}
    world.state.withLock { state in
      state.isRunning = true
      (state.absent, state.awaited) = ([], [])
    }
    lives.restarts += 1
    operate(Int.random(in: 0...4, using: &numbers))
    (loop, reading, mailbox) = try Self.makeLoop(
      folder, settings, hands, world, kernel, completions, stuckCalls)
  }

  // MARK: Ending

  /// Lets everything happen that is not the clock's, and then turns that to the next time at which
  /// the watcher wants to do something.
  private func goOn(until: Int64) -> Bool {
    var isMore = true
    for _ in 0..<100 where isMore {
      kernel.allowance = isTime(0.8) ? .max : Int.random(in: 0...4, using: &numbers)
      while reading.openOne() {}
      while world.answerOne() {}
      step()
      isMore =
        (loop.kernel.events != nil && kernel.hasNews) || reading.openOne()
        || world.state.withLock { !$0.readings.isEmpty }
    }
    if isMore { fault("there is no end of news") }
    let next = loop.nextTime()
    guard next <= until else { return false }
    turn(to: next)
    return true
  }

  private func sync(rescan: Bool? = nil) {
    ask(rescan: rescan)
    let number = syncCount
    let until = hands.now + 60 * seconds
    for _ in 0..<300 {
      let isGoingOn = goOn(until: until)
      if world.state.withLock({ $0.answers[number] }) != nil { return }
      guard isGoingOn else { return fault("the watcher sleeps while somebody waits for a sync") }
    }
    fault("a sync is not answered")
  }

  /// Where the kernel tells everything, nobody has to ask.
  private func waitAlone() {
    let until = hands.now + 100 * seconds
    for count in 1... {
      guard goOn(until: until) else { break }
      if count > 300 { return fault("the watcher doesn't come to rest") }
    }
    turn(to: until)
    guard loop.core.isOnline, loop.kernel.events != nil,
      loop.core.session.watching.coverage.oneWithoutWatch == nil
    else { return }
    lives.settledAlone += 1
    compare(.alone)
  }

  /// What nobody told of is found when the machine wakes.
  private func sleepAndWake() {
    note("the machine slept")
    loop.feed(.wokeUp)
    let until = hands.now + 10 * seconds
    var count = 0
    while goOn(until: until), count < 100 { count += 1 }
    guard loop.core.isOnline, world.state.withLock({ $0.failureCount }) == 0 else { return }
    lives.sleeps += 1
    compare(.all)
  }

  /// When nothing happens, the watcher sleeps.
  private func fallAsleep() {
    for _ in 0..<200 {
      guard goOn(until: hands.now + 300 * seconds) else { return }
    }
    fault("the watcher doesn't fall asleep")
  }

  /// A folder that lost most of its songs unheard is offline, until somebody says that it is meant.
  private func acceptWhatIsThere() {
    if loop.core.isOnline { return }
    world.judgeEmptied()
    lives.accepted += 1
    sync(rescan: true)
    if !loop.core.isOnline { fault("the folder is offline, although it was accepted") }
  }

  private enum Wanted {
    case all, asked, alone
  }

  private func compare(_ wanted: Wanted = .asked) {
    note("compare")
    let music = folder.path.display.utf8.count + 1
    let there = Dictionary(
      uniqueKeysWithValues: folder.walk().filter { PlainTree.isSong($0.key.suffix(after: music)) }
        .map { ($0.key.suffix(after: music), $0.value) })
    world.state.withLock { state in
      let songs = state.files.tree.songs
      if songs != there { state.fault("the model has \(songs), the disk \(there)") }
      let told = state.told.mapValues(\.tags.title)
      let unfinished = state.files.unfinished
      let missing = there.filter { path, text in
        let mayBeMissing =
          unfinished.contains(path) || state.files.tree.names[path]?.isUnheard == true
        return told[path] != text && (wanted == .all || !mayBeMissing)
      }
      let surplus = told.filter { there[$0.key] == nil }
      // A file that can't be read is tried again, at last when somebody asks.
      let mayFail = state.failureCount > 0 && wanted != .all
      if !missing.isEmpty && !mayFail {
        state.fault("missing, \(wanted): \(missing)")
      }
      if !surplus.isEmpty {
        state.fault("surplus, \(wanted): \(surplus)")
      }
    }
  }
}

extension String {
  fileprivate func suffix(after count: Int) -> String { String(dropFirst(count)) }
}
