import FolderWatching
import Glibc
import LibraryModel
import Platform
import TestSupport

/// A music folder with a watcher that reads text for tags, and what the watcher told.
final class WatchedFolder: Sendable {
  let music: TemporaryFolder
  let runtime = TemporaryFolder()
  let receiver = Recorder()
  let reads = Monitor<[String]>([])
  /// Readings of files that begin with "slow" wait for as long as this is true.
  let isHeld = Monitor(false)
  /// How many of those have begun.
  let slowReads = Monitor(0)
  private let watcher = Monitor<FolderWatcher?>(nil)

  init(_ music: TemporaryFolder = TemporaryFolder()) {
    self.music = music
  }

  /// Starts watching, and waits until everything that is there has been told.
  ///
  /// - Parameters:
  ///   - reader: instead of the one that takes what is in a file for its title.
  ///   - waits: false where that may not be.
  @discardableResult
  func start(
    known: [KnownFile] = [], knownRoot: FileIdentity? = nil, isFirstScan: Bool = true,
    inner: [InnerFileSystem] = [], firstScanSeen: Int64? = nil, root: BytePath? = nil,
    clock: Clock = .system, reader: (any FileReader)? = nil, waits: Bool = true,
    _ change: (inout WatchSettings) -> Void = { _ in }
  ) throws -> Self {
    var settings = WatchSettings(cookies: runtime.path)
    // A look at 30,000 files under a sanitizer, beside other tests, is none that hangs.
    settings.answerWithin *= 10 * Int64(Patience.factor)
    change(&settings)
    receiver.state.withLock { state in
      state.awaited = []
      for file in known { state.library[file.path] = .some(file.facts) }
    }
    let made = try FolderWatcher(
      root: root ?? music.path, settings: settings, clock: clock,
      known: { [receiver] in receiver.library },
      memory: FolderMemory(
        isFirstScan: isFirstScan, rootIdentity: knownRoot, innerFileSystems: inner,
        firstScanSeen: firstScanSeen),
      reader: reader
        ?? TextReader { [reads, isHeld, slowReads] descriptor, stamp, answer in
          let text = TemporaryFolder.text(descriptor)
          let finish: @Sendable () -> Void = {
            reads.withLock { $0.append(text) }
            answer(Self.outcome(text, stamp))
          }
          guard text.hasPrefix("slow") else { return finish() }
          slowReads.withLock { $0 += 1 }
          // The files after it are read meanwhile.
          _ = BlockingThread("slow reading") {
            isHeld.wait { $0 ? nil : () }
            finish()
          }
        }, receiver: receiver)
    watcher.withLock { $0 = made }
    made.start()
    if waits { sync() }
    return self
  }

  static func outcome(_ text: String, _ stamp: FileStamp) -> ReadOutcome {
    if text.hasPrefix("bad") { return .problem(FileProblem(.unreadable, text)) }
    var tags = SongTags()
    tags.title = text
    return .facts(
      FileFacts(stamp: stamp, tags: tags, audio: AudioProperties(), digest: nil, format: "mp3"))
  }

  func sync() {
    let isDone = Monitor(false)
    post { $0.sync { isDone.withLock { $0 = true } } }
    let answer: Bool? = isDone.wait(until: Patience.end) { $0 ? true : nil }
    precondition(answer == true, "a sync is answered in time")
  }

  func rescan(_ path: BytePath? = nil) {
    let isDone = Monitor(false)
    post { $0.rescan(path, completion: { isDone.withLock { $0 = true } }) }
    isDone.wait { $0 ? () : nil }
  }

  /// Without waiting.
  func post(_ request: (FolderWatcher) -> Void) {
    watcher.withLock { watcher in
      if let watcher { request(watcher) }
    }
  }

  func stop() {
    let watcher = watcher.withLock { watcher in
      defer { watcher = nil }
      return watcher
    }
    watcher?.stop()
  }

  deinit { stop() }

  /// What the library would know now, by paths relative to the music folder.
  var songs: [String: String] {
    receiver.state.withLock { state in
      Dictionary(
        uniqueKeysWithValues: state.songs.map {
          (($0.key.relative(to: music.path) ?? $0.key).display, $0.value.tags.title)
        })
    }
  }

  var merges: [FolderContents] { receiver.state.withLock { $0.merges } }
  var folderState: WatchState? { receiver.state.withLock { $0.states.last } }
  var foundAway: [BytePath] { receiver.state.withLock { $0.foundAway } }
  /// A table of its own: how one is let go of that two threads share, no sanitizer sees.
  var problems: [BytePath: FileProblem] {
    receiver.state.withLock { state in
      Dictionary(uniqueKeysWithValues: state.problems.map { ($0.key, $0.value) })
    }
  }

  func forgetMerges() {
    receiver.state.withLock { $0.merges = [] }
    reads.withLock { $0 = [] }
  }

  /// What is known at the next start.
  var known: [KnownFile] {
    receiver.state.withLock { $0.songs.map { KnownFile(path: $0.key, facts: $0.value) } }
  }

  /// Waits, without a sync, until something is so.
  func wait(for isSo: @Sendable (Recorder.State) -> Bool) -> Bool {
    receiver.state.wait(until: Patience.end) { isSo($0) ? true : nil } == true
  }
}

/// Replays what the watcher tells.
final class Recorder: ContentsReceiver {
  struct State: Sendable {
    var songs: [BytePath: FileFacts] = [:]
    var merges: [FolderContents] = []
    var states: [WatchState] = []
    var problems: [BytePath: FileProblem] = [:]
    /// What a library would know, with what it knew before.
    var library: [BytePath: FileFacts?] = [:]
    /// Absent files that are waited for.
    var awaited: Set<BytePath> = []
    /// What was found in places that were said to be away, which nobody can merge.
    var foundAway: [BytePath] = []
    /// Why everything was scanned.
    var reasons: [ScanReason] = []
    /// Each time a directory's image was told.
    var covers: [(folder: BytePath, cover: CoverDigest?)] = []

    /// Whether the very file that was there is found elsewhere: its song is known there then.
    func isFound(_ path: BytePath, in contents: FolderContents) -> Bool {
      guard let identity = songs[path]?.stamp.identity else { return false }
      return contents.found.contains { $0.facts.stamp.identity == identity }
    }

    mutating func judge(_ contents: FolderContents) {
      let last = states.last
      if case .offline? = last?.mode { return foundAway += contents.found.map(\.path) }
      let away = last?.offlineSubtrees ?? []
      foundAway += contents.found.map(\.path).filter { path in
        away.contains { path.isInside($0) }
      }
    }
  }

  let state = Monitor(State())
  /// Merges wait for as long as this is true.
  let isHeld = Monitor(false)
  let isMerging = Monitor(false)
  /// The merge after the one that goes on now waits again.
  private let holdsNext = Monitor(false)
  /// The watcher's thread, on which merges run, is made to see files as a nobody does.
  let isUnprivileged = Monitor(false)

  func merge(_ contents: FolderContents) {
    if isUnprivileged.withLock({ $0 }), let found = dlsym(nil, "setfsuid") {
      typealias SetFileUser = @convention(c) (UInt32) -> Int32
      _ = unsafeBitCast(found, to: SetFileUser.self)(65_534)
    }
    isMerging.withLock { $0 = true }
    isHeld.wait { $0 ? nil : () }
    if holdsNext.withLock({ $0 }) {
      holdsNext.withLock { $0 = false }
      isHeld.withLock { $0 = true }
    }
    isMerging.withLock { $0 = false }
    state.withLock { state in
      state.judge(contents)
      state.merges.append(contents)
      let ended = contents.returned + contents.vanished + contents.found.map(\.path)
      state.awaited = state.awaited.union(contents.absent).subtracting(ended)
      let elsewhere = state.awaited.filter { state.isFound($0, in: contents) }
      for path in contents.vanished + elsewhere {
        state.songs[path] = nil
        state.library[path] = nil
      }
      for found in contents.found {
        state.songs[found.path] = found.facts
        state.library[found.path] = .some(found.facts)
      }
    }
  }

  /// The library as a watcher asks for it.
  var library: [KnownFile] {
    state.withLock { state in
      state.library.map { KnownFile(path: $0.key, facts: $0.value) }.sorted { $0.path < $1.path }
    }
  }

  func letOneMerge() {
    holdsNext.withLock { $0 = true }
    isHeld.withLock { $0 = false }
  }

  func report(_ problems: [BytePath: FileProblem?]) {
    state.withLock { state in
      for (path, problem) in problems { state.problems[path] = problem }
    }
  }

  func willScan(because reason: ScanReason) {
    state.withLock { $0.reasons.append(reason) }
  }

  func cover(_ cover: CoverDigest?, in folder: BytePath) {
    state.withLock { $0.covers.append((folder, cover)) }
  }

  func folderState(_ watch: WatchState) {
    state.withLock { $0.states.append(watch) }
  }
}
