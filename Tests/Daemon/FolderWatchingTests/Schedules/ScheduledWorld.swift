import FolderWatching
import LibraryModel
import Platform
import TestSupport

/// What is outside of the watcher in a schedule: the files, the reader, and the receiver, which
/// judges all it is told.
final class ScheduledWorld: ContentsReceiver {
  struct Rules: Sendable {
    /// How often something happens to the files in the midst of the watcher's work.
    var interruptions = 0.0
    var mostInterruptions = 0
    /// How often an answer of the reader waits.
    var slowReadings = 0.0
    /// How often a file can't be read, which is then tried again.
    var failedReadings = 0.0
    /// Where events are repeated or shuffled, the kernel seems to tell of other renames.
    var renamesAreTrue = true
    var isTraced = false
  }

  struct State: Sendable {
    var rules: Rules
    var files: RandomFiles
    var numbers: SeededGenerator
    var told: [String: FileFacts] = [:]
    /// Paths that are told to be absent: their songs may be known elsewhere by now.
    var absent: Set<String> = []
    /// Those of them that the receiver still waits for.
    var awaited: Set<String> = []
    /// The time of the tree when each path was told.
    var toldAt: [String: Int] = [:]
    var memory = FolderMemory(isFirstScan: true)
    /// When all was seen that was told before.
    var lastSeen: Int64 = 0
    var isOnline = false
    var isRunning = true
    var readings: [@Sendable () -> Void] = []
    var faults: [String] = []
    var trace: [String] = []
    var answers: [Int: Int] = [:]
    var mergeCount = 0
    var interruptionCount = 0
    var failureCount = 0
    var lateCount = 0
    var offlineCount = 0

    mutating func note(_ text: @autoclosure () -> String) {
      guard rules.isTraced else { return }
      let text = text()
      if !text.isEmpty { trace.append(text) }
    }

    mutating func fault(_ text: String) {
      faults.append(text)
      note("FAULT: \(text)")
    }

    mutating func isTime(_ probability: Double) -> Bool {
      probability > 0 && Double.random(in: 0..<1, using: &numbers) < probability
    }

    mutating func operate() {
      let done = files.operate(&numbers)
      note(done)
    }

    mutating func moveRoot() {
      let done = files.moveRoot()
      note(done)
    }
  }

  let state: Monitor<State>
  private let place: BytePath

  init(place: String, rules: Rules, numbers: SeededGenerator) {
    self.place = BytePath(place)
    state = Monitor(State(rules: rules, files: RandomFiles(place: place), numbers: numbers))
  }

  func interrupt() {
    state.withLock { state in
      guard state.rules.mostInterruptions > 0, state.isTime(state.rules.interruptions)
      else { return }
      state.rules.mostInterruptions -= 1
      state.interruptionCount += 1
      state.note("meanwhile:")
      state.operate()
    }
  }

  // MARK: Reading

  func read(
    _ file: Int32, _ stamp: FileStamp,
    _ answer: @escaping @Sendable (ReadOutcome) -> Void
  ) {
    interrupt()
    let text = TemporaryFolder.text(file)
    interrupt()
    let isLate = state.withLock { state in
      let isFailure = state.isTime(state.rules.failedReadings)
      let isLate = state.isTime(state.rules.slowReadings)
      if isFailure { state.failureCount += 1 }
      if isLate { state.lateCount += 1 }
      state.note("read \(text)\(isFailure ? ", which fails" : "")\(isLate ? ", late" : "")")
      let outcome =
        isFailure ? .problem(FileProblem(.unreadable, "")) : Self.outcome(text, stamp)
      state.readings.append { answer(outcome) }
      return isLate
    }
    if !isLate { answerLast() }
  }

  private static func outcome(_ text: String, _ stamp: FileStamp) -> ReadOutcome {
    var tags = SongTags()
    tags.title = text
    return .facts(
      FileFacts(stamp: stamp, tags: tags, audio: AudioProperties(), digest: nil, format: "mp3"))
  }

  private func answerLast() {
    state.withLock { $0.readings.popLast() }?()
  }

  /// One of the readings that wait, if any does.
  func answerOne() -> Bool {
    let answer = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.readings.isEmpty else { return nil }
      return state.readings.remove(
        at: Int.random(in: 0..<state.readings.count, using: &state.numbers))
    }
    answer?()
    return answer != nil
  }

  // MARK: Receiving

  /// Somebody's sync is done: what was there when they asked, and still is, has been told.
  func answered(_ number: Int, _ files: RandomFiles) {
    let before = files.tree
    state.withLock { state in
      state.note("answered \(number)")
      state.answers[number, default: 0] += 1
      let tree = state.files.tree
      guard state.isRunning, state.isOnline, state.files.isRootThere, state.failureCount == 0 else {
        return
      }
      let unfinished = state.files.unfinished.union(files.unfinished)
      for (path, text) in before.songs where tree.songs[path] == text {
        guard tree.sinceFile[path] == before.sinceFile[path], !unfinished.contains(path),
          tree.names[path]?.isUnheard != true
        else { continue }
        if state.told[path]?.tags.title != text {
          state.fault("sync \(number) was answered, but nobody heard of \(path)")
        }
      }
      for path in state.told.keys where before.songs[path] == nil && tree.songs[path] == nil {
        if tree.until[path] ?? 0 <= before.time, state.toldAt[path] ?? 0 <= before.time {
          state.fault("sync \(number) was answered, but nobody heard that \(path) went")
        }
      }
    }
  }

  func merge(_ contents: FolderContents) {
    state.withLock { judge(contents, &$0) }
    interrupt()
  }

  func report(_ problems: [BytePath: FileProblem?]) {}

  func folderState(_ watch: WatchState) {
    state.withLock { state in
      state.memory.rootIdentity = watch.rootIdentity
      state.memory.innerFileSystems = watch.innerFileSystems
      state.memory.firstScanSeen = watch.firstScanSeen
      if case .offline = watch.mode {
        state.isOnline = false
        state.offlineCount += 1
      } else {
        state.isOnline = true
      }
      state.note("\(watch.mode)")
    }
  }

  private func text(_ path: BytePath) -> String {
    path.relative(to: place)?.display ?? path.display
  }

  private func judge(_ contents: FolderContents, _ state: inout State) {
    state.mergeCount += 1
    let tree = state.files.tree
    let isAnything = !contents.found.isEmpty || !contents.vanished.isEmpty
    if isAnything && !state.files.isRootThere { state.fault("told of a root that is away") }
    if contents.isFirstScan != state.memory.isFirstScan {
      state.fault("a first scan goes on, or not")
    }
    if contents.endsFirstScan { state.memory.isFirstScan = false }
    judgeTime(contents, &state)
    if isAnything && !state.isOnline { state.fault("told of a root before it is said to be back") }
    for path in contents.vanished.map(text) {
      state.note("gone: \(path)")
      state.told[path] = nil
      state.absent.remove(path)
      state.awaited.remove(path)
      if let since = tree.since[path], since <= state.toldAt[path] ?? -1 {
        state.fault("\(path) went, but was there all the time")
      }
    }
    state.awaited.formUnion(contents.absent.map(text))
    for path in contents.returned.map(text) where state.awaited.remove(path) == nil {
      state.fault("\(path) is there again, but was never said to be absent")
    }
    // Any of them may be found to be what is told now, and is known there only from then on.
    if !contents.found.isEmpty {
      for path in state.awaited { state.told[path] = nil }
      state.absent.formUnion(state.awaited)
    }
    for found in contents.found {
      let path = text(found.path)
      let title = found.facts.tags.title
      state.note("found: \(path) \(title)")
      if !tree.existed.contains(PlainTree.Pair(path: path, other: title)) {
        state.fault("\(path) was told with the text \(title), which it never had")
      }
      if let told = state.told[path], told.stamp == found.facts.stamp, told.tags.title == title {
        state.fault("\(path) was told again, though nothing had changed")
      }
      state.told[path] = found.facts
      state.absent.remove(path)
      state.awaited.remove(path)
      state.toldAt[path] = tree.time
    }
    for rename in contents.renames where state.rules.renamesAreTrue {
      let pair = PlainTree.Pair(path: text(rename.from), other: text(rename.to))
      if !tree.renames.contains(pair), !tree.directoryRenames.contains(pair) {
        state.fault("\(pair.path) was never renamed to \(pair.other)")
      }
    }
  }

  /// The folder is offline, although it is at its place: fewer than half of the songs that were
  /// told of are at theirs.
  func judgeEmptied() {
    state.withLock { state in
      let known = state.absent.union(state.told.keys)
      let there = known.count { state.files.tree.names[$0] != nil }
      if 2 * there >= known.count {
        state.fault("offline, although \(there) of \(known.count) songs are there")
      }
    }
  }

  /// A first scan is one look, and every look after it is later.
  private func judgeTime(_ contents: FolderContents, _ state: inout State) {
    defer { state.lastSeen = max(state.lastSeen, contents.seen) }
    guard contents.isFirstScan else { return }
    if state.memory.firstScanSeen != contents.seen {
      state.fault("a piece of the first scan was seen at another time than is remembered")
    }
    if state.lastSeen != 0, state.lastSeen != contents.seen {
      state.fault("the first scan was seen at \(state.lastSeen), and then at \(contents.seen)")
    }
  }

  /// What a library would know.
  func known(below place: BytePath) -> [KnownFile] {
    state.withLock { state in
      state.told.map { KnownFile(path: place.appending(BytePath($0.key)), facts: $0.value) }
    }
  }
}
