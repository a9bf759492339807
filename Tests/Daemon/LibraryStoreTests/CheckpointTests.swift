import LibraryModel
import ModelSupport
import Platform
import TestSupport
import Testing

@testable import LibraryStore

/// When generations are written, and what is kept of them.
@Suite("Checkpoints", .limited)
struct CheckpointTests {
  /// A store with a change in it, stopped.
  private func stopped(_ maker: inout LibraryMaker) throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = try Recovery.open(disk).store
    try change(store, &maker)
    #expect(store.close(maker.library) == nil)
    return disk
  }

  @Test("A start after a stop, and a stop without a change, write nothing")
  func nothingChanged() throws {
    var maker = LibraryMaker(seed: 11)
    let disk = try stopped(&maker)
    let files = disk.files
    let operations = disk.trace.count
    for _ in 0..<3 {
      disk.restart()
      let opened = try Recovery.open(disk)
      expectSame(opened.library, maker.library)
      #expect(opened.store.close(opened.library) == nil)
    }
    #expect(disk.files == files)
    let kinds = Set(disk.trace[operations...].map(\.kind))
    #expect(kinds == [.names, .read, .probe])
    // The first change waits for a journal alone; its snapshot follows.
    disk.restart()
    let store = try Recovery.open(disk).store
    try change(store, &maker)
    func added() -> [String] {
      let names = Set(files.keys.map(\.name))
      return disk.files.keys.map(\.name).filter { !names.contains($0) }.sorted()
    }
    #expect(added() == ["journal.3.txt"])
    let write = try #require(try store.checkpointWork(maker.library, isIdle: false))
    write()
    #expect(added() == ["crates.3.txt", "journal.3.txt"])
    #expect(try store.checkpointWork(maker.library, isIdle: false) == nil)
    #expect(disk.files.keys.count { $0.folder == .store } == 2, "the other one is archived")
    expectSame(try Recovery.open(disk).library, maker.library)
  }

  @Test("A start after a kill shows what is there, and writes it anew before the next change")
  func shownFirst() throws {
    var maker = LibraryMaker(seed: 12)
    let disk = SimulatedDisk()
    var store = try Recovery.open(disk).store
    try change(store, &maker)
    disk.restart()
    let before = (files: disk.files, operations: disk.trace.count)
    let opened = try Recovery.open(disk, writesLater: true)
    expectSame(opened.library, maker.library)
    #expect(disk.files == before.files)
    let kinds = disk.trace[before.operations...].map(\.kind)
    #expect(Set(kinds) == [.names, .read, .synchronizeFile, .probe])
    // The first change, or who looks after the store, writes it.
    opened.store.writeRecovered(opened.library)
    #expect(disk.files.keys.contains(StoreName("crates.2.txt")))
    let operations = disk.trace.count
    opened.store.writeRecovered(opened.library)
    #expect(disk.trace.count == operations, "once is enough")
    try change(opened.store, &maker)
    disk.restart()
    store = try Recovery.open(disk, writesLater: true).store
    #expect(!disk.files.keys.contains(StoreName("crates.3.txt")))
    try change(store, &maker)
    #expect(disk.files.keys.contains(StoreName("crates.3.txt")))
    expectSame(try Recovery.open(disk).library, maker.library)
  }

  @Test("What can't be synchronized, or is torn, is written anew before it is shown")
  func writtenFirst() throws {
    var maker = LibraryMaker(seed: 13)
    let disk = SimulatedDisk()
    try change(try Recovery.open(disk).store, &maker)
    let files = disk.files
    func expectWritten(_ files: [StoreName: [UInt8]], _ fault: SimulatedDisk.Fault? = nil) throws {
      let found = SimulatedDisk(files)
      found.fault = fault
      _ = try Recovery.open(found, writesLater: true)
      #expect(found.files.keys.contains(StoreName("crates.2.txt")))
      #expect(found.faultsMade == (fault == nil ? 0 : 1))
    }
    let journal = StoreName("journal.1.txt")
    try expectWritten(
      files,
      SimulatedDisk.Fault(
        operation: 0, isLasting: true, code: 5, kinds: [.synchronizeFile], name: journal))
    var torn = files
    torn[journal]?.removeLast()
    try expectWritten(torn)
  }

  @Test("A generation is kept of an order that is about to change, unless there is one already")
  func kept() throws {
    var maker = LibraryMaker(seed: 14)
    let disk = SimulatedDisk()
    let store = try Recovery.open(disk).store
    try change(store, &maker, count: 3)
    let before = maker.library
    try store.keep(before)
    let files = disk.files
    #expect(files.keys.contains(StoreName("crates.2.txt")))
    try store.keep(before)
    #expect(disk.files == files)
    try change(store, &maker)
    let text = try #require(disk.files[StoreName("crates.2.txt")])
    expectSame(try SnapshotReader.read(text).library, before)
    disk.restart()
    expectSame(try Recovery.open(disk).library, maker.library)
  }

  @Test("A store that was left whole is known by its seal, as long as nothing is done to it")
  func sealed() throws {
    var maker = LibraryMaker(seed: 12)
    let disk = try stopped(&maker)
    let seal = try #require(Recovery.seal(ofClosed: disk))
    disk.restart()
    let store = try Recovery.open(disk).store
    #expect(Recovery.seal(ofClosed: disk) == seal, "nothing was written")
    try change(store, &maker)
    #expect(Recovery.seal(ofClosed: disk) == nil)
    #expect(store.close(maker.library) == nil)
    let next = try #require(Recovery.seal(ofClosed: disk))
    #expect(next != seal)

    let name = try #require(
      disk.files.keys.first { $0.folder == .store && $0.generation("crates") != nil })
    let text = try #require(try disk.read(name))
    let files = disk.files
    func put(_ text: [UInt8]) { disk.replaceFiles(by: files.merging([name: text]) { $1 }) }
    for place in text.indices {
      var damaged = text
      damaged[place] ^= 1
      put(damaged)
      #expect(Recovery.seal(ofClosed: disk) == nil, "byte \(place)")
    }
    put(Snapshot.editedText(maker.library))
    #expect(Recovery.seal(ofClosed: disk) == nil)
    put(text)
    #expect(Recovery.seal(ofClosed: disk) == next)
  }

  @Test("Songs get the facts there are where the store was left whole, and only there")
  func factsAtTheStart() throws {
    var maker = LibraryMaker(seed: 13)
    for _ in 0..<60 { _ = try maker.changes() }
    let disk = try stopped(&maker)
    let identity = FileIdentity(fileSystem: 1, inode: 2, birth: 3)
    let facts = FileFacts(
      stamp: FileStamp(identity: identity, size: 4, modified: 5, changed: 6),
      tags: SongTags(), audio: AudioProperties(), digest: nil, format: "flac")
    func opened() throws -> (Recovery<SimulatedDisk>.Opened, asked: [Int]) {
      var asked: [Int] = []
      disk.restart()
      let opened = try Recovery.open(disk) { sequence in
        asked.append(sequence)
        return { id, path, digest in
          let song = maker.library.songs[id]
          #expect(song?.path == path && song?.digest == digest && song?.isGone == false)
          return id.number.isMultiple(of: 2) ? facts : nil
        }
      }
      return (opened, asked)
    }
    let (whole, asked) = try opened()
    #expect(asked == [maker.library.sequence] && whole.hasFacts)
    #expect(whole.library.fingerprint == maker.library.fingerprint)
    let songs = whole.library.songs.values
    try #require(songs.contains { $0.facts != nil } && songs.contains { $0.isGone })
    for song in songs {
      let has = !song.isGone && song.id.number.isMultiple(of: 2)
      #expect((song.facts != nil) == has && song.digest == maker.library.songs[song.id]?.digest)
    }
    // The store's first change is in a journal, after which it is written anew.
    try change(whole.store, &maker)
    let (changed, askedThen) = try opened()
    #expect(askedThen.isEmpty && !changed.hasFacts)
    expectSame(changed.library, maker.library)
    // A person's edit is read, and what absent songs are known by stays with them.
    #expect(changed.store.close(maker.library) == nil)
    let name = try #require(
      disk.files.keys.first { $0.folder == .store && $0.generation("crates") != nil })
    disk.replaceFiles(
      by: disk.files.merging([name: Snapshot.editedText(maker.library)]) { $1 })
    #expect(try !opened().0.hasFacts)
  }

  @Test("A start says at once that nothing can be changed", arguments: [28, 30] as [Int32])
  func faultAtStart(code: Int32) throws {
    var maker = LibraryMaker(seed: 12)
    let disk = try stopped(&maker)
    disk.restart()
    disk.fault = SimulatedDisk.Fault(operation: 0, isLasting: true, code: code, kinds: [.probe])
    let opened = try Recovery.open(disk)
    #expect(opened.store.state != .ready)
    #expect(opened.store.mayHeal)
    #expect(opened.notes.contains { $0.hasPrefix("nothing can be changed") })
    disk.fault = nil
    opened.store.heal(opened.library)
    #expect(opened.store.state == .ready)
  }

  @Test("A journal is made and a snapshot written beside the changes, and both are in order")
  func beside() throws {
    let disk = SimulatedDisk()
    let store = try Recovery.open(disk).store
    var maker = LibraryMaker(seed: 13)
    try change(store, &maker)
    store.journalBound = 0
    let make = try #require(try store.checkpointWork(maker.library, isIdle: false))
    #expect(try store.checkpointWork(maker.library, isIdle: false) == nil, "it is on its way")
    make()
    try change(store, &maker)
    let drawn = maker.library.sequence
    let write = try #require(try store.checkpointWork(maker.library, isIdle: false))
    try change(store, &maker)
    write()
    try change(store, &maker)
    #expect(try store.checkpointWork(maker.library, isIdle: false) == nil, "it is done")
    let snapshot = try #require(disk.files[.snapshot(2)])
    #expect(try SnapshotReader.read(snapshot).library.sequence == drawn)
    let journal = try JournalReader.read(try #require(disk.files[.journal(2)]))
    #expect(journal.base == drawn)
    #expect(journal.transactions.count == 2)
    #expect(disk.files[StoreName("journal.1.txt", in: .backups)] != nil)
    expectSame(try Recovery.open(disk).library, maker.library)
  }

  @Test("When nothing happens a shorter journal is enough for a checkpoint")
  func idle() throws {
    let disk = SimulatedDisk()
    let store = try Recovery.open(disk).store
    var maker = LibraryMaker(seed: 14)
    try change(store, &maker)
    #expect(try store.checkpointWork(maker.library, isIdle: true) == nil)
    while (disk.files[.journal(1)]?.count ?? 0) <= StoreLimits.journalForIdleCheckpoint {
      try change(store, &maker)
    }
    #expect(try store.checkpointWork(maker.library, isIdle: false) == nil)
    let library = maker.library
    disk.fault = SimulatedDisk.Fault(operation: 0, isLasting: true, code: 28, kinds: [.append])
    #expect(throws: StoreRefusal.self) { try change(store, &maker) }
    #expect(try store.checkpointWork(library, isIdle: true) == nil, "the disk is full")
    disk.fault = nil
    store.heal(library)
    #expect(try store.checkpointWork(library, isIdle: true) != nil)
  }

  @Test("A checkpoint is due when the journal is longer than its bound, and not before")
  func due() throws {
    for isIdle in [false, true] {
      let disk = SimulatedDisk()
      let store = try Recovery.open(disk).store
      var maker = LibraryMaker(seed: 14)
      try change(store, &maker)
      let size = try #require(disk.files[.journal(1)]).count
      store.journalBound = size
      #expect(try store.checkpointWork(maker.library, isIdle: isIdle) == nil)
      store.journalBound = size - 1
      #expect(try store.checkpointWork(maker.library, isIdle: isIdle) != nil)
    }
    // A large snapshot waits for a longer journal.
    let generations = Generations(files: SimulatedDisk(), keeping: BackupBounds())
    for (snapshot, bound, idle) in [(0, 8 << 20, 64 << 10), (64 << 20, 16 << 20, 256 << 10)] {
      generations.recordSnapshot([UInt8](repeating: 0x20, count: snapshot), 1)
      #expect(generations.journalBound(isIdle: false) == bound)
      #expect(generations.journalBound(isIdle: true) == idle)
    }
  }

  @Test("A snapshot that a person edits under a running daemon is kept, and that is said")
  func editedMeanwhile() throws {
    var maker = LibraryMaker(seed: 15)
    var disk = try stopped(&maker)
    for isRead in [true, false] {
      disk.restart()
      let store = try Recovery.open(disk).store
      if !isRead {
        try change(store, &maker)
        try store.checkpoint(maker.library)
      }
      #expect(store.takeNotes().isEmpty)
      // What the person sees and changes is the newest.
      let generation = try #require(disk.files.keys.compactMap { $0.generation("crates") }.max())
      var files = disk.files
      files[.snapshot(generation)] =
        Array("# mine\n".utf8) + (files[.snapshot(generation)] ?? [])
      disk.replaceFiles(by: files)
      try change(store, &maker)
      try store.checkpoint(maker.library)
      let notes = store.takeNotes()
      #expect(notes.count == 1)
      #expect(notes.first?.contains("backups/crates.\(generation).txt") == true, "\(notes)")
      let kept = disk.files[StoreName("crates.\(generation).txt", in: .backups)]
      #expect(kept == files[.snapshot(generation)])
      #expect(store.close(maker.library) == nil)
      expectSame(try Recovery.open(disk).library, maker.library)
      disk = SimulatedDisk(disk.files)
    }
  }

  @Test("A checkpoint whose journal was overtaken is given up once")
  func overtaken() throws {
    let disk = SimulatedDisk()
    let store = try Recovery.open(disk).store
    var maker = LibraryMaker(seed: 13)
    try change(store, &maker)
    store.journalBound = 0
    let make = try #require(try store.checkpointWork(maker.library, isIdle: false))
    make()
    store.journalBound = .max
    // A failure of the disk, after which the changes go on in a generation that is newer.
    let library = maker.library
    disk.fault = SimulatedDisk.Fault(
      operation: 0, isLasting: true, code: 5, kinds: [.synchronizeFile])
    disk.failsOnce = true
    #expect(throws: StoreRefusal.self) { try change(store, &maker) }
    #expect(disk.files[.snapshot(3)] != nil)
    #expect(try store.checkpointWork(library, isIdle: false) == nil)
    let closed = disk.trace.count { $0.kind == .close && $0.subject == "journal.2.txt" }
    #expect(closed == 1)
    // Nothing is left of it but what the newer one sent to the backups.
    let thin = try #require(try store.checkpointWork(library, isIdle: false))
    thin()
    let operations = disk.trace.count
    #expect(try store.checkpointWork(library, isIdle: false) == nil)
    #expect(disk.trace.count == operations)
  }

  /// Finds albums in a first scan.
  private struct Scan {
    let disk = SimulatedDisk()
    var store: LibraryStore<SimulatedDisk>
    var library = Library()

    init() throws {
      store = try Recovery.open(disk).store
      try commit([.crateAdded("Music", after: nil)])
    }

    mutating func commit(_ changes: [Change], by author: Author = .folder) throws {
      for change in changes { try library.apply(change, by: author) }
      let made = Transaction(by: author, time: 1, sentence: "done", changes: changes)
      library.advance(to: try store.commit([made], to: library)[0].sequence)
    }

    mutating func find(_ number: UInt64) throws {
      let group = GroupKey(family: GroupKey.tagged(artist: "X", album: "\(number)"))
      try commit([
        .albumAdded(
          AlbumID(number: number), crate: "Music", after: nil, group: group, isFresh: true, seen: 1)
      ])
      try store.checkpoint(library)
    }

    func backups(_ kind: String) -> [Int] {
      disk.files.keys.filter { $0.folder == .backups }.compactMap { $0.generation(kind) }.sorted()
    }
  }

  @Test("States of a first scan are no backups, but for those that hold something of the person's")
  func firstScan() throws {
    var scan = try Scan()
    for number in 1...4 { try scan.find(UInt64(number)) }
    // The first was begun by a recovery; the newest is no backup yet.
    #expect(scan.backups("crates") == [1])
    #expect(scan.backups("journal") == [1, 2, 3, 4])
    try scan.commit(
      [.crateAdded("Jazz", after: "Music")], by: .person)
    try scan.find(5)
    try scan.find(6)
    #expect(scan.backups("crates") == [1, 6])
    // What a recovery has read stays, and so does what it has written.
    scan.disk.restart()
    scan.store = try Recovery.open(scan.disk).store
    try scan.find(7)
    try scan.find(8)
    #expect(scan.backups("crates") == [1, 6, 7, 8])

    // The journals lead from the backup before to the newest state.
    var files = scan.disk.files
    for name in files.keys where (name.generation("crates") ?? 0) > 1 {
      files[name] = name.folder == .store ? Array("damaged".utf8) : nil
    }
    expectSame(try Recovery.open(SimulatedDisk(files)).library, scan.library)
  }

  @Test("A state of a first scan that somebody edited is kept, and that is said")
  func editedFirstScan() throws {
    var scan = try Scan()
    for number in 1...2 { try scan.find(UInt64(number)) }
    _ = scan.store.takeNotes()
    let newest = try #require(scan.disk.files.keys.compactMap { $0.generation("crates") }.max())
    var files = scan.disk.files
    files[.snapshot(newest)] = Array("# mine\n".utf8) + (files[.snapshot(newest)] ?? [])
    scan.disk.replaceFiles(by: files)
    try scan.find(3)
    #expect(scan.backups("crates") == [1, newest])
    #expect(scan.store.takeNotes().count == 1)
  }
}
