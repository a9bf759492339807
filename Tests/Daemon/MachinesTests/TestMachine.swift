import LibraryModel
import LibraryStore
import Machines
import ModelSupport
import SharedOrder
import TestSupport

/// A machine with a library of its own and a folder that others carry.
struct TestMachine {
  static let now: Int64 = 1_800_000_000_000

  let home: TemporaryFolder
  let share: TemporaryFolder
  var keeper: MachineKeeper
  var library = Library()
  var wall = Self.now
  var last = Transaction(by: .person)
  var problems: [String] = []
  var isOwnFileMissing = false

  init(_ name: String, _ share: TemporaryFolder? = nil) throws {
    home = try TemporaryFolder()
    let share = try share ?? TemporaryFolder()
    self.share = share
    keeper = MachineKeeper(
      .init(
        folder: BytePath(share.path), name: name,
        stateFile: BytePath(home.path).appending("machines.txt".utf8)),
      nil, library: Library())
  }

  // MARK: What is done here

  mutating func commit(_ decision: Decision) throws {
    if decision.isEmpty { return }
    wall += 10
    var transaction = decision.transaction
    transaction.time = wall
    transaction.sequence = library.sequence + 1
    try library.apply(transaction)
    last = transaction
    keeper.follow([transaction], to: library)
  }

  /// - Parameter ids: the numbers of the ids of albums that have another one on this machine.
  mutating func arrive(_ albums: [Int], ids: [Int: Int] = [:]) throws {
    var decision = Decision(library: library, by: .folder)
    let home = library.crates.first?.name ?? "Music"
    var changes: [Change] = []
    if library.crates.isEmpty {
      changes.append(.crateAdded(home, after: nil, id: CrateID(number: 7)))
    }
    for number in albums.reversed() {
      let album = Self.album(ids[number] ?? number)
      let group = GroupKey(family: "by\tartist\t\(number)")
      changes.append(
        .albumAdded(
          album, crate: home, after: nil, group: group, isFresh: false, seen: 1))
      changes.append(
        .songAdded(
          SongID(number: 1 << 40 + UInt64(number)), album: album, after: nil,
          path: BytePath("/\(number)"), digest: AudioDigest(high: UInt64(number + 1) << 32, low: 7),
          added: 1, seen: 1))
    }
    for change in changes {
      try decision.library.apply(change, by: .folder)
      decision.transaction.changes.append(change)
    }
    try commit(decision)
  }

  mutating func move(_ albums: Int..., to crate: String) throws {
    try commit(
      library.decide(
        .moveAlbums(albums.map(Self.album), .top, crate: crate, gathered: .given), newAlbums: nil))
  }

  // MARK: A round, as the daemon makes it

  mutating func read() throws {
    wall += 10
    let round = keeper.read(now: wall)
    problems = round.problems.map(\.message)
    isOwnFileMissing = round.isOwnFileMissing
    if let order = keeper.neededOrder() {
      try keeper.save()
      try commit(try library.decide(order, from: keeper.namesOfSenders, newAlbums: nil))
    }
  }

  /// Reads, does what is wished, and writes.
  mutating func round() throws {
    try read()
    try keeper.write(isMissing: isOwnFileMissing)
  }

  /// Begins anew with what was saved.
  ///
  /// - Parameter before: the library as of that, from which the last transaction led on.
  mutating func restart(as name: String? = nil, with before: Library? = nil) throws {
    let state = try MachineReader.state(try readFile(home.path("machines.txt")))
    let settings = keeper.settings
    keeper = MachineKeeper(
      .init(
        folder: settings.folder, name: name ?? settings.name, stateFile: settings.stateFile), state,
      library: before ?? library)
    if before != nil { keeper.follow([last], to: library) }
  }

  static func album(_ number: Int) -> AlbumID { AlbumID(number: 1 << 40 + UInt64(number)) }

  var shown: String {
    library.crates.map { crate in
      "\(crate.name) " + crate.albums.map { "\($0.number - 1 << 40)" }.joined(separator: " ")
    }.joined(separator: ", ")
  }
}
