import Glibc
import LibraryModel
import ModelSupport
import Platform
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Checking a store", .limited)
struct StoreCheckTests {
  private func check(_ files: [StoreName: [UInt8]]) -> StoreReport {
    let disk = SimulatedDisk(files)
    let report = StoreCheck.run(disk)
    #expect(disk.trace.allSatisfy { [.names, .read].contains($0.kind) })
    return report
  }

  /// Where each finding is.
  private func places(_ report: StoreReport) -> [String] {
    report.findings.map { "\($0.name):\($0.line.map(String.init) ?? "")" }
  }

  @Test("A good store has no findings, and is counted")
  func good() throws {
    let report = check(try DamageTests.sample().files)
    #expect(report.findings.isEmpty && report.notes.isEmpty)
    #expect(report.verdict == .good)
    #expect(report.generations == 2)
    #expect(report.state?.generation == 2)
  }

  @Test("Whatever a power cut leaves is no finding: what it tore never happened")
  func powerCuts() throws {
    var random = SeededGenerator(usually: 11)
    var torn = 0
    let (whole, _) = try PowerLossTests.stoppedDisk(Workload(), at: .max)
    for stop in 0...whole.trace.count {
      let (disk, outcome) = try PowerLossTests.stoppedDisk(Workload(), at: stop)
      let seed = random.next()
      var choices = Choices.seeded(seed)
      let report = check(disk.afterPowerLoss(&choices).files)
      torn += report.notes.count { $0.reason.contains("last batch") }
      // Before the first snapshot there is nothing yet.
      if outcome.answered.sequence == 0, report.state == nil { continue }
      // Where a file's move to the backups is no single step for the disk, a journal may be in
      // neither place; what it continued is a backup already.
      let findings = report.findings.filter { finding in
        finding.name.folder == .store || !finding.reason.contains("journal.")
          || !finding.reason.contains("is missing")
      }
      #expect(findings.isEmpty, "\(findings) after operation \(stop), seed \(seed)")
    }
    #expect(torn > 0)
  }

  @Test(
    "Whatever kills leave, over many lives, is no finding",
    arguments: 1...UInt64(Effort.runs(6, nightly: 200)))
  func kills(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bounds = BackupBounds()
    (bounds.generations, bounds.bytes, bounds.undoable) = (2, 0, 3)
    let disk = SimulatedDisk()
    var maker = LibraryMaker(seed: seed)
    for life in 1...40 {
      disk.restart()
      disk.stopsAt = disk.trace.count + Int.random(in: 0...60, using: &random)
      live(on: disk, keeping: bounds, &maker)
      disk.stopsAt = nil
      let report = check(disk.files)
      // Before the first snapshot there is nothing yet.
      if report.state == nil, !disk.files.keys.contains(where: { $0.generation("crates") != nil }) {
        continue
      }
      #expect(report.verdict == .good, "\(report.findings) after life \(life), \(seed)")
    }
  }

  /// Until the disk stops.
  private func live(
    on disk: SimulatedDisk, keeping bounds: BackupBounds, _ maker: inout LibraryMaker
  ) {
    guard let opened = try? Recovery.open(disk, keeping: bounds) else { return }
    maker.library = opened.library
    while !disk.isStopped {
      if Int.random(in: 0..<4, using: &maker.random) == 0 {
        try? opened.store.checkpoint(maker.library)
      }
      if (try? change(opened.store, &maker)) == nil { return }
    }
  }

  @Test(
    "What a daemon writes meanwhile is no finding",
    arguments: 1...UInt64(Effort.runs(12, nightly: 2_000)))
  func beside(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let disk = SimulatedDisk()
    let store = try Recovery.open(disk).store
    var maker = LibraryMaker(seed: seed)
    var failure: (any Error)?
    func work() throws {
      for _ in 0..<Int.random(in: 0...2, using: &random) { try change(store, &maker) }
      store.journalBound = 0
      try store.checkpointWork(maker.library, isIdle: false)?()
    }
    for _ in 0..<10 { try work() }
    disk.beside = {
      do { try work() } catch { failure = error }
    }
    let report = StoreCheck.run(disk)
    disk.beside = nil
    #expect(failure == nil)
    #expect(report.verdict == .good && report.findings.isEmpty, "\(report), seed \(seed)")
  }

  @Test("A batch that is torn matters not where the next journal begins before it")
  func tornBefore() throws {
    var files = try StoreRestoreTests.sample().files
    for (name, bytes) in files where name.generation("journal").map({ $0 < 3 }) == true {
      files[name] = bytes + Array("12345678 99 half a li".utf8)
    }
    let report = check(files)
    #expect(report.verdict == .good && report.findings.isEmpty && report.damaged.isEmpty)
  }

  @Test("A bit that flips anywhere, in the store or its backups, is found in its file")
  func bits() throws {
    let sample = try DamageTests.sample().files
    for (name, bytes) in sample {
      for place in stride(from: 0, to: bytes.count, by: 5) {
        var files = sample
        files[name]?[place] ^= 1 << UInt8(place % 8)
        let report = check(files)
        // A torn last batch is a note, and damage to it looks the same.
        let found = (report.findings + report.notes).filter { $0.name == name }
        if found.isEmpty, !isNewer(report) {
          Issue.record("byte \(place) of \(name): \(places(report))")
        }
        if name != .journal(2), report.verdict == .good {
          Issue.record("byte \(place) of \(name)")
        }
      }
    }
  }

  private func isNewer(_ report: StoreReport) -> Bool {
    if case .newer = report.verdict { true } else { false }
  }

  @Test("A finding names the line, and says what to do")
  func lines() throws {
    let sample = try DamageTests.sample().files
    var files = sample
    let journal = try #require(sample[.journal(2)])
    let ends = journal.indices.filter { journal[$0] == 0x0A }
    // In the second line; whole batches stand behind it.
    files[.journal(2)]?[ends[0] + 30] ^= 1
    var report = check(files)
    #expect(places(report) == ["journal.2.txt:2"])
    #expect(report.findings.first?.reason.contains("crated restore") == true)
    #expect(report.verdict == .findings)
    #expect(report.readOnly != nil)

    files = sample
    let snapshot = StoreName("crates.1.txt", in: .backups)
    files[snapshot] = Array("crated 1 sequence 0\ncrate A\nalbum\nend edited\n".utf8)
    report = check(files)
    #expect(places(report) == ["backups/crates.1.txt:3"])

    files = sample
    files[.journal(2)] = nil
    #expect(places(check(files)) == ["crates.2.txt:"])
    files = sample
    files[StoreName("journal.1.txt", in: .backups)] = nil
    #expect(places(check(files)) == ["backups/crates.1.txt:"])
    files = sample
    files[StoreName("journal.1.txt", in: .backups)]?.removeLast(9)
    #expect(places(check(files)).count == 1)
  }

  @Test("A journal that does not fit its snapshot is found at the line that does not")
  func misfit() throws {
    let sample = try SampleJournal(batches: [1, 1, 4], seed: 3)
    var text = JournalText(header: JournalText.header(generation: 1, base: 0), base: 0)
    var batch = [
      Transaction(
        by: .person, sentence: "two",
        changes: [
          .crateAdded("Here", after: nil), .crateRenamed("Nowhere", to: "There"),
        ])
    ]
    let bytes = JournalText.header(generation: 1, base: 0) + [0x0A] + text.records(of: &batch)
    var files = sample.disk().files
    files[.journal(1)] = bytes
    #expect(places(check(files)) == ["journal.1.txt:2"])
  }

  @Test("Files of others are named, and folders.txt is read to the line")
  func others() throws {
    var files = try DamageTests.sample().files
    files[StoreName("notes.txt")] = [1]
    files[StoreName("crates.2.txt~")] = [1]
    files[StoreName("lock")] = []
    files[StoreName("torn.1.journal.1.txt", in: .backups)] = [1]
    files[FolderRecords.name] = FolderRecords.text([
      BytePath("/m"): FolderRecord(
        identity: FileIdentity(fileSystem: 1, inode: 2, birth: 3), isScanned: true)
    ])
    var report = check(files)
    #expect(report.verdict == .good)
    #expect(report.notes.map(\.name.name).sorted() == ["crates.2.txt~", "notes.txt"])
    files[FolderRecords.name]? += Array("folder x\n".utf8)
    report = check(files)
    #expect(places(report) == ["folders.txt:3"])
  }

  @Test("What can't be opened is unusable, and a later version is left alone")
  func unusable() throws {
    let sample = try DamageTests.sample().files
    func isUnusable(_ files: [StoreName: [UInt8]]) -> Bool {
      if case .unusable = check(files).verdict { true } else { false }
    }
    #expect(isUnusable([:]))
    #expect(isUnusable(sample.filter { $0.key.folder == .backups }))
    var files = sample
    for name in sample.keys where name.name.hasPrefix("crates.") { files[name] = [] }
    #expect(isUnusable(files))
    files = sample
    files[.snapshot(2)] = Array("crated 2\n".utf8)
    #expect(check(files).verdict == .newer(2, file: "crates.2.txt"))
  }

  @Test("A snapshot that is wrong in itself is found, at the line that does not fit")
  func invariants() throws {
    let (song, home) = (SongID(number: 1), AlbumID(number: 2))
    let text = """
      crated 1 sequence 0
      crate A
      \talbum \(home) group=a x
      \t\talso \(home)
      \t\tsong \(song) added=2025-01-05T19:22:10.000Z /a
      end edited

      """
    #expect(places(check([.snapshot(1): Array(text.utf8)])).first == "crates.1.txt:4")
  }

  @Test("What is wrong only with what a journal made of a snapshot is found once, and named")
  func invariantsOfJournals() throws {
    let (album, other) = (AlbumID(number: 1), AlbumID(number: 2))
    let group = GroupKey(family: "x")
    func added(_ album: AlbumID) -> Change {
      .albumAdded(album, crate: "A", after: nil, group: group, isFresh: false, seen: 0)
    }
    let good = [[Change.crateAdded("A", after: nil)], [added(album)], [added(other)]]
    // An id that leads to two albums.
    let bad = [Change.albumRegrouped(album, group: group, was: group, alias: other)]
    let fault =
      "with its journals: the id \(other), which album \(album) took over, leads elsewhere"
    let start = Snapshot.text(Library())
    let report = check([.snapshot(1): start, .journal(1): writtenJournal(1, base: 0, good + [bad])])
    #expect(report.verdict == .findings)
    #expect(
      report.findings == [
        .init(
          name: .snapshot(1), line: nil,
          reason: "\(fault); put a good generation in place with \"crated restore\"")
      ])
    // A start reads on after a snapshot that is damaged.
    let backup = StoreName("crates.1.txt", in: .backups)
    let all = check([
      backup: start, StoreName("journal.1.txt", in: .backups): writtenJournal(1, base: 0, good),
      .snapshot(2): [0x0A], .journal(2): writtenJournal(2, base: 3, [bad]),
    ])
    #expect(places(all) == ["crates.2.txt:1", "backups/crates.1.txt:"])
    #expect(
      all.findings.last?.reason
        == "\(fault); it can't be restored; the store itself does not need it")
  }

  @Test(
    "Libraries as they come have nothing wrong in themselves",
    arguments: 1...20 as ClosedRange<UInt64>)
  func sound(seed: UInt64) throws {
    var maker = LibraryMaker(seed: seed)
    for _ in 0..<80 {
      _ = try maker.changes()
      #expect(maker.library.brokenInvariant == nil)
    }
  }
}

@Suite("Checking a store on a real disk", .limited)
struct StoreCheckDiskTests {
  let folder: TemporaryFolder
  let path: BytePath

  init() throws {
    folder = try TemporaryFolder()
    path = BytePath(folder.path("store"))
    _ = try Recovery.open(DiskFiles(directory: path)).store.close(Library())
  }

  private func look() throws -> ProgramResult {
    try run("find", [path.display, "-printf", "%p %i %m %s %T@ %C@\n"])
  }

  @Test("Nothing is made, and no time but that of reading changes")
  func changesNothing() throws {
    try #require(rmdir(path.display + "/backups") == 0)
    let before = try look()
    let files = try DiskFiles(reading: path)
    #expect(StoreCheck.run(files).verdict == .good)
    #expect(try files.openToOthers().isEmpty)
    #expect(try look().outputBytes == before.outputBytes)
    #expect(throws: SystemCallError.self) {
      try DiskFiles(reading: BytePath(folder.path("nowhere")))
    }
    #expect(access(folder.path("nowhere"), F_OK) != 0)
  }

  @Test("What bears the name of a file and can't be read is found, and a restore sets it aside")
  func unreadable() throws {
    try #require(mkdir(path.display + "/journal.9.txt", 0o700) == 0)
    let files = try DiskFiles(directory: path)
    #expect(StoreCheck.run(files).findings.first?.name == .journal(9))
    _ = try StoreRestore.restore(Snapshot.editedText(Library()), named: "it", into: files)
    #expect(try files.names(in: .backups).contains("damaged.1.journal.9.txt"))
    #expect(try Recovery.open(files).store.state == .ready)
  }

  @Test("What others may read is told, with the mode it should have")
  func permissions() throws {
    try #require(chmod(path.display, 0o750) == 0)
    try #require(chmod(path.display + "/crates.1.txt", 0o604) == 0)
    try writeFile([], to: path.display + "/not ours")
    let found = try DiskFiles(reading: path).openToOthers()
    #expect(found.map { "\($0.name) \($0.mode)" } == [". 700", "crates.1.txt 600"])
  }
}
