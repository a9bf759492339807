import CratesInterface
import LibraryModel
import LibraryStore
import LogSupport
import ModelSupport
import Platform
import TestSupport

@testable import DaemonCore

/// A store in memory that can be held, and can refuse.
final class MemoryStore: ChangeStore, @unchecked Sendable {
  struct Gate {
    var isHeld = false
    var isWaiting = false
    var refusals = 0
    /// How many batches go through before one is refused.
    var refusalsAfter: Int?
    var batches: [Int] = []
    /// Whether the startup grace was over when the store was to write what it had put off.
    var beganAfterGrace: Bool?
    /// Files whose songs are never taken.
    var unfit: Set<BytePath> = []
    /// Why no checkpoint can be written, and why not the last one.
    var checkpointFault: SystemCallError?
    var closeFault: SystemCallError?
    /// Parts of a checkpoint that are due, and those that were done.
    var parts = 0
    var partsDone = 0
    /// Whether a part was begun, is held before it is done, and what was done at the close.
    var isPartBegun = false
    var holdsParts = false
    var partsAtClose: Int?
    /// Whether nobody wanted anything when it was asked for one.
    var idleness: [Bool] = []
    /// Why it takes nothing, until it is told to heal.
    var ailment: String?
    /// Why the past can't be read.
    var pastFault: String?
    var heals = 0
    /// How often a generation was to be kept.
    var backups = 0
    var notes: [String] = []
  }

  let gate: Monitor<Gate>
  var state: StoreState { gate.withLock(\.ailment).map(StoreState.full) ?? .ready }
  private var sequence: Int
  /// The numbers of what was committed; what that was is not kept.
  private var committed: Set<Int> = []

  private let startupGrace: StartupGrace

  init(_ gate: Monitor<Gate>, _ startupGrace: StartupGrace, sequence: Int) {
    self.gate = gate
    self.sequence = sequence
    self.startupGrace = startupGrace
  }

  func writeRecovered(_ library: Library) {
    gate.withLock { $0.beganAfterGrace = startupGrace.isOver }
  }

  func commit(
    _ changes: [Transaction], to library: Library, meanwhile: ([Transaction]) -> Void
  ) throws(StoreRefusal) -> [Transaction] {
    let numbered = changes.map { change in
      var change = change
      sequence += 1
      change.sequence = sequence
      return change
    }
    let unfit = gate.withLock { $0.unfit }
    let isUnfit = changes.flatMap(\.changes).contains { change in
      if case .songAdded(_, let record) = change {
        unfit.contains(record.path)
      } else {
        false
      }
    }
    if isUnfit {
      sequence -= changes.count
      throw StoreRefusal(reason: "too long", isUnknown: false, kind: .neverPasses)
    }
    // Answers are made now, and not sent: what is refused below is answered with that.
    meanwhile(numbered)
    gate.withLock { $0.isWaiting = true }
    let isRefused = gate.wait { gate -> Bool? in
      if gate.isHeld { return nil }
      gate.isWaiting = false
      if gate.refusals > 0 {
        gate.refusals -= 1
        return true
      }
      if let passes = gate.refusalsAfter {
        gate.refusalsAfter = passes == 0 ? nil : passes - 1
        if passes == 0 { return true }
      }
      gate.batches.append(changes.count)
      return false
    }
    if isRefused {
      sequence -= changes.count
      throw StoreRefusal(reason: "the disk is full", isUnknown: false)
    }
    committed.formUnion(numbered.map(\.sequence))
    return numbered
  }

  func keep(_ library: Library) throws(SystemCallError) {
    if let fault = gate.withLock(\.checkpointFault) { throw fault }
    gate.withLock { $0.backups += 1 }
  }

  func pastTransactions(
    before: Int, most: Int, of author: Author?
  ) throws(UnreadablePast) -> [Transaction] {
    try read([])
  }
  func ownTransactions(_ place: inout PastPlace) throws(UnreadablePast) -> [Transaction] {
    let none = try read([Transaction]())
    place.isOver = true
    return none
  }
  func forEachPast(_ numbers: Set<Int>, _ body: (Transaction) -> Void) throws(UnreadablePast) {
    for number in try read(numbers.intersection(committed)) {
      body(Transaction(by: .folder, sequence: number))
    }
  }
  func library(at sequence: Int) throws(UnreadablePast) -> Library? { try read(nil) }

  private func read<Past>(_ past: Past) throws(UnreadablePast) -> Past {
    if let reason = gate.withLock(\.pastFault) { throw UnreadablePast(reason: reason) }
    return past
  }
  func takeNotes() -> [String] {
    gate.withLock { gate in
      defer { gate.notes = [] }
      return gate.notes
    }
  }
  func checkpointWork(
    _ library: Library, isIdle: Bool
  ) throws(SystemCallError) -> (@Sendable () -> Void)? {
    let isDue = gate.withLock { gate in
      gate.idleness.append(isIdle)
      return gate.parts > gate.partsDone
    }
    if let fault = gate.withLock(\.checkpointFault) { throw fault }
    if !isDue { return nil }
    return { [gate] in
      gate.withLock { $0.isPartBegun = true }
      gate.wait { gate in
        if gate.holdsParts { return nil as Void? }
        gate.partsDone += 1
        return ()
      }
    }
  }
  var mayHeal: Bool { gate.withLock { $0.ailment != nil } }
  func heal(_ library: Library) {
    gate.withLock { gate in
      gate.heals += 1
      if gate.heals == 3 { gate.ailment = nil }
    }
  }
  func close(_ library: Library) -> SystemCallError? {
    gate.withLock { gate in
      gate.partsAtClose = gate.partsDone
      return gate.closeFault
    }
  }
}

/// A librarian with a store in memory, without the daemon.
final class LibrarianFixture: Sendable {
  let gate = Monitor(MemoryStore.Gate())
  let log = SaidLines()
  let published = PublishedLibrary(Library())
  let feed = ChangeFeed(sequence: 0) { "" }
  let librarian: Librarian

  /// - Parameters:
  ///   - library: that of the life before.
  ///   - index: the path of the index, which is not begun.
  init(
    _ startupGrace: StartupGrace = .none, folders: KnownFolders? = nil,
    library: Library = Library(),
    clock: Clock = .system, index: String = "/nowhere/index.sqlite"
  ) {
    let logger = log.logger
    librarian = Librarian(
      Librarian.Followers(
        published: published, feed: feed,
        index: IndexService(
          path: BytePath(index), published: published, clock: .system, logger: logger),
        playlists: PlaylistService(published: published, clock: .system, logger: logger),
        naming: Naming(published: published)),
      folders: folders, startupGrace: startupGrace, clock: clock, logger: logger)
    var library = library
    library.away.folders = [BytePath("/music")]
    librarian.start(
      library: library,
      store: MemoryStore(gate, startupGrace, sequence: library.sequence), newAlbums: nil)
  }

  /// A first look that found so many albums of one song each.
  @discardableResult
  func fill(
    albums: Int, refused: @escaping @Sendable (String) -> Void = { _ in }
  ) -> [BytePath: String] {
    librarian.merge(Self.contents(albums: albums), refused: refused) ?? [:]
  }

  static func contents(albums: Int) -> FolderContents {
    var contents = FolderContents(root: BytePath("/music"), seen: 1)
    contents.found = (0..<albums).map { found("\($0)/x.flac", $0, album: "A\($0)") }
    return contents
  }

  static func found(_ path: String, _ number: Int, album: String) -> FolderContents.Found {
    var tags = SongTags()
    (tags.album, tags.albumArtist) = (album, "X")
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: UInt64(number), birth: 1), size: 1,
      modified: 1, changed: 1)
    return FolderContents.Found(
      path: BytePath("/music/\(path)"),
      facts: FileFacts(
        stamp: stamp, tags: tags, audio: AudioProperties(),
        digest: AudioDigest(high: UInt64(number), low: 1), format: "flac"))
  }

  /// A library of so many songs in fifty albums, in the folder "/m".
  static func library(songs: Int) -> Library {
    let root = BytePath("/m")
    var library = Library()
    library.away.folders = [root]
    var contents = FolderContents(root: root, seen: 1)
    contents.found = (1...songs).map { number in
      var found = found("", number, album: "A\(number % 50)")
      found.path = BytePath("/m/\(number)")
      return found
    }
    return Merge.merge(
      contents, into: library, lookups: Lookups(library, roots: [root]), newAlbums: nil
    ).decision.library
  }

  func edit(
    _ edit: Edit, sequence: Int? = nil,
    _ answer: @escaping @Sendable (Result<Interface.Change, InterfaceError>) -> Void
  ) {
    submit(.edit { _ in edit }, sequence: sequence, answer)
  }

  private func submit(
    _ action: Librarian.Action, sequence: Int?,
    _ answer: @escaping @Sendable (Result<Interface.Change, InterfaceError>) -> Void
  ) {
    librarian.submit(
      Librarian.EditRequest(sequence: sequence, action: action) { result in { answer(result) } })
  }

  /// The edit's answer, waited for.
  func answer(_ edit: Edit, sequence: Int? = nil) -> Result<Interface.Change, InterfaceError> {
    answer(.edit { _ in edit }, sequence: sequence)
  }

  /// The answer to what is wished, waited for.
  func answer(
    _ action: Librarian.Action, sequence: Int? = nil
  ) -> Result<Interface.Change, InterfaceError> {
    let result = Monitor<Result<Interface.Change, InterfaceError>?>(nil)
    submit(action, sequence: sequence) { answer in result.withLock { $0 = answer } }
    return result.wait { $0 }
  }

  var order: [AlbumID] { Array(published.library.crates.first?.albums ?? []) }
}
