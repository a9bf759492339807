import Glibc
import LibraryModel
import ModelSupport
import Platform
import TestSupport
import Testing

@testable import LibraryStore

/// The check of stores that are put together by hand, file by file.
@Suite("What a check finds where", .limited)
struct StoreCheckLinesTests {
  /// The snapshot after so many changes.
  static func snapshot(_ sequence: Int) throws -> [UInt8] {
    var library = Library()
    for number in 0..<sequence {
      try library.apply(.crateAdded("\(number)", after: nil), by: .person)
    }
    library.advance(to: sequence)
    return Snapshot.text(library)
  }

  /// Three changes before a checkpoint and two after it.
  static func sample() throws -> [StoreName: [UInt8]] {
    [
      backup("crates.1.txt"): try snapshot(0),
      backup("journal.1.txt"): writtenJournal(1, base: 0, count: 3),
      .snapshot(2): try snapshot(3), .journal(2): writtenJournal(2, base: 3, count: 2),
    ]
  }

  private static func backup(_ name: String) -> StoreName { StoreName(name, in: .backups) }
  private let first = backup("journal.1.txt")

  /// The sample with other files, or without some.
  private func sample(_ others: [StoreName: [UInt8]?]) throws -> [StoreName: [UInt8]] {
    var files = try Self.sample()
    for (name, bytes) in others { files[name] = bytes }
    return files
  }

  /// Checks the store, and where in it something is found, noted, and damaged.
  @discardableResult
  private func expect(
    _ files: [StoreName: [UInt8]], findings: [String] = [], notes: [String] = [],
    damaged: [String] = [], verdict: StoreReport.Verdict? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) -> StoreReport {
    func places(_ findings: [StoreReport.Finding]) -> [String] {
      findings.map { "\($0.name):\($0.line.map(String.init) ?? "")" }
    }
    let report = StoreCheck.run(SimulatedDisk(files))
    #expect(places(report.findings) == findings, sourceLocation: location)
    #expect(places(report.notes) == notes, sourceLocation: location)
    #expect(report.damaged.map(\.description) == damaged, sourceLocation: location)
    let expected = verdict ?? (findings.isEmpty ? .good : .findings)
    #expect(report.verdict == expected, sourceLocation: location)
    return report
  }

  /// One bit less in a line.
  private func flipped(_ bytes: [UInt8], line: Int) throws -> [UInt8] {
    var bytes = bytes
    let ends = bytes.indices.filter { bytes[$0] == 0x0A }
    bytes[try #require(ends.dropFirst(line - 2).first) + 12] ^= 1
    return bytes
  }

  @Test("A store is checked again while its files come and go, five times at most")
  func attempts() throws {
    let disk = SimulatedDisk(try Self.sample())
    func reads() -> Int {
      disk.trace.count { $0.kind == .read && $0.subject == "backups/crates.1.txt" }
    }
    #expect(StoreCheck.run(disk).verdict == .good && reads() == 1)
    var number = 0
    disk.beside = {
      number += 1
      _ = try? disk.create(StoreName("note \(number)"))
    }
    #expect(StoreCheck.run(disk).verdict == .good && reads() == 1 + 5)
    disk.beside = nil
    #expect(StoreCheck.run(disk).verdict == .good && reads() == 1 + 5 + 1)
    disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.names])
    let reason =
      "the store can't be read (names store: Input/output error): check its permissions"
    #expect(StoreCheck.run(disk).verdict == .unusable(reason))
  }

  @Test("The numbers that were given out are counted, those that can't be read too")
  func numbers() throws {
    let garbage = Array("garbage\nof\nthree lines\nand a half".utf8)
    let unfinished = StoreName("crates.5.txt.new")
    for (files, sequence, generation) in [
      (try Self.sample(), 5, 2), (try sample([unfinished: []]), 5, 5),
      (try sample([Self.backup("journal.7.txt"): garbage]), 5 + 4, 7),
      ([.snapshot(4): try Self.snapshot(9)], 9, 4),
    ] {
      let report = StoreCheck.run(SimulatedDisk(files))
      #expect(report.highestSequence == sequence && report.newestGeneration == generation)
    }
  }

  @Test("A journal of another generation, version or beginning is found at its first line")
  func headers() throws {
    for (bytes, isDamaged) in [
      (writtenJournal(3, base: 3, count: 0), false), (Array("crated-journal 9 x\n".utf8), false),
      (Array("crated-journal x\n".utf8), true), (writtenJournal(2, base: 4, count: 1), false),
    ] {
      let report = StoreCheck.run(SimulatedDisk(try sample([.journal(2): bytes])))
      #expect(report.findings.contains { $0.name == .journal(2) && $0.line == 1 })
      #expect(report.damaged.contains(.journal(2)) == isDamaged)
    }
  }

  @Test("A journal that was not begun whole is only noted, where nothing is missed in it")
  func unbegun() throws {
    let note = ["journal.3.txt:1"]
    expect(try sample([.journal(3): []]), notes: note)
    let next = writtenJournal(4, base: 5, count: 1)
    expect(try sample([.journal(3): [], .journal(4): next]), notes: note)
    // A change is missed between those before it and those after.
    let later = writtenJournal(4, base: 6, count: 1)
    let report = StoreCheck.run(SimulatedDisk(try sample([.journal(3): [], .journal(4): later])))
    #expect(report.findings.contains { $0.name == .journal(3) && $0.line == 1 })
    #expect(report.damaged == [.journal(3)] && report.notes.isEmpty)
    // Its snapshot follows a journal that is begun.
    expect(
      try sample([.journal(2): Array("crated-jour".utf8)]), findings: ["journal.2.txt:1"],
      damaged: ["journal.2.txt"])
    // One may have been thinned out.
    expect(
      try sample([
        .snapshot(2): nil, .journal(2): nil, .snapshot(5): Self.snapshot(3),
        .journal(5): writtenJournal(5, base: 3, count: 2),
        first: writtenJournal(1, base: 0, count: 1), Self.backup("journal.3.txt"): [],
      ]), notes: ["backups/journal.3.txt:1"])
  }

  @Test("One that was given up while it was begun misses nothing, wherever it is by now")
  func givenUp() throws {
    // Its first line could not be made safe, nor the file removed: changes went on in the one
    // before it.
    var files = try sample([
      .journal(3): writtenJournal(3, base: 4, count: 0),
      .journal(4): writtenJournal(4, base: 5, count: 1),
    ])
    expect(files)
    for name in [StoreName.snapshot(2), .journal(2), .journal(3)] {
      files[Self.backup(name.name)] = files.removeValue(forKey: name)
    }
    files[.snapshot(4)] = try Self.snapshot(5)
    expect(files)
    // It is none that a torn one before it ends at, unless its snapshot is there.
    files = [
      .snapshot(1): try Self.snapshot(0),
      .journal(1): writtenJournal(1, base: 0, count: 3).dropLast(3),
      .journal(2): writtenJournal(2, base: 1, count: 0),
    ]
    expect(files, notes: ["journal.1.txt:8"], damaged: ["journal.1.txt"])
    files[.snapshot(2)] = try Self.snapshot(1)
    expect(files)
  }

  @Test("Where a journal ends before the next one begins, the line is told that should follow")
  func ends() throws {
    let short = writtenJournal(1, base: 0, count: 1)
    let report = expect(try sample([first: short]), findings: ["backups/journal.1.txt:4"])
    #expect(
      report.findings[0].reason.hasPrefix("changes up to 3 should follow; it can't be restored"))
    // Others may have been thinned out in between.
    expect(
      try sample([
        first: short, .snapshot(2): nil, .journal(2): nil, .snapshot(3): Self.snapshot(3),
        .journal(3): writtenJournal(3, base: 3, count: 2),
      ]))
    // What was edited goes on from anywhere.
    let edited = writtenJournal(2, base: 3, count: 2, isAfterEdit: true)
    expect(try sample([first: short, .journal(2): edited]))
  }

  @Test("A torn batch is a note at the end, and a finding where changes are missed behind it")
  func torn() throws {
    let last = writtenJournal(2, base: 3, count: 2).dropLast(3)
    expect(
      try sample([.journal(2): Array(last)]), notes: ["journal.2.txt:5"],
      damaged: ["journal.2.txt"])
    let earlier = writtenJournal(1, base: 0, count: 3).dropLast(3)
    expect(
      try sample([first: Array(earlier)]), findings: ["backups/journal.1.txt:8"],
      damaged: ["backups/journal.1.txt"])
    // What was given up when the next one began does not matter.
    expect(try sample([first: writtenJournal(1, base: 0, count: 4).dropLast(3)]))
  }

  @Test("A damaged line is a finding, unless the next journal begins before it")
  func damaged() throws {
    expect(
      try sample([first: flipped(writtenJournal(1, base: 0, count: 3), line: 5)]),
      findings: ["backups/journal.1.txt:5"], damaged: ["backups/journal.1.txt"])
    expect(try sample([first: flipped(writtenJournal(1, base: 0, count: 6), line: 11)]))
    let report = StoreCheck.run(
      SimulatedDisk(
        try sample([.journal(2): flipped(writtenJournal(2, base: 3, count: 3), line: 2)])))
    #expect(report.findings.map(\.line) == [2] && report.readOnly != nil)
    #expect(report.findings.first?.reason.contains("crated restore") == true)
  }

  @Test("A file that is missing is found at the snapshot that needs it")
  func missing() throws {
    expect(try sample([.journal(2): nil]), findings: ["crates.2.txt:"])
    expect(try sample([first: nil]), findings: ["backups/crates.1.txt:"])
  }

  @Test("A change that does not fit is found at the record that it is in")
  func misfits() throws {
    let bad = Change.crateRenamed("Nowhere", to: "There")
    let (one, two) = (Change.crateAdded("A", after: nil), Change.crateAdded("B", after: nil))
    for changes in [[bad], [one, two, bad], [one, bad, two]] {
      let journal = writtenJournal(2, base: 3, [[one], [two], changes])
      expect(try sample([.journal(2): journal]), findings: ["journal.2.txt:8"])
    }
    // The last change before the next journal has to fit, and none behind it.
    for (base, found) in [(2, ["backups/journal.1.txt:5"]), (1, [])] {
      expect(
        [
          Self.backup("crates.1.txt"): try Self.snapshot(0),
          first: writtenJournal(1, base: 0, [[.crateAdded("0", after: nil)], [bad]]),
          .snapshot(2): try Self.snapshot(base),
          .journal(2): writtenJournal(2, base: base, count: 1),
        ], findings: found)
    }
  }

  @Test("What a start would refuse is a finding, though no file is to blame")
  func readOnly() throws {
    let files = try sample([
      Self.backup("crates.5.txt"): Self.snapshot(5),
      Self.backup("journal.5.txt"): writtenJournal(5, base: 5, count: 0),
    ])
    #expect(expect(files, verdict: .findings).readOnly != nil)
  }

  @Test("What is wrong is told by generations, the journals before the snapshots")
  func order() {
    var files: [StoreName: [UInt8]] = [:]
    for generation in 8...11 {
      files[Self.backup("journal.\(generation).txt")] = writtenJournal(1, base: 0, count: 0)
      files[Self.backup("crates.\(generation).txt")] = Array(
        "crated 1 sequence 0\ncrate A\nalbum\nend edited\n".utf8)
    }
    let report = StoreCheck.run(SimulatedDisk(files))
    #expect(
      report.findings.map { "\($0.name.name):\($0.line ?? 0)" }
        == (8...11).map { "journal.\($0).txt:1" } + (8...11).map { "crates.\($0).txt:3" })
  }

  @Test("What follows an edited snapshot need not fit what was before it")
  func edited() throws {
    var library = Library()
    try library.apply(.crateAdded("Y", after: nil), by: .person)
    library.advance(to: 4)
    let report = expect([
      Self.backup("crates.1.txt"): try Self.snapshot(0),
      first: writtenJournal(1, base: 0, count: 3),
      Self.backup("crates.2.txt"): Array("crated 1 sequence 3\ncrate X\nend edited\n".utf8),
      Self.backup("journal.2.txt"): writtenJournal(2, base: 3, [[.crateRenamed("X", to: "Y")]]),
      .snapshot(3): Snapshot.text(library), .journal(3): writtenJournal(3, base: 4, count: 1),
    ])
    #expect(report.state?.crates == 2)
  }

  @Test("Files of others are named, and folders.txt is read to the line")
  func others() throws {
    let folders = FolderRecords.text([
      BytePath("/m"): FolderRecord(
        identity: FileIdentity(fileSystem: 1, inode: 2, birth: 3), isScanned: true)
    ])
    var files = try sample([
      StoreName("notes.txt"): [1], StoreName("crates.2.txt~"): [1], StoreName("lock"): [],
      Self.backup("torn.1.journal.1.txt"): [1], FolderRecords.name: folders,
    ])
    let notes = StoreCheck.run(SimulatedDisk(files)).notes.map(\.name.name).sorted()
    #expect(notes == ["crates.2.txt~", "notes.txt"])
    files = try sample([FolderRecords.name: folders + Array("folder x\n".utf8)])
    expect(files, findings: ["folders.txt:3"])
  }

  @Test("What is wrong only with what a journal made of a snapshot is found once, and named")
  func invariants() throws {
    let (song, album, other) = (SongID(number: 1), AlbumID(number: 1), AlbumID(number: 2))
    let text = """
      crated 1 sequence 0
      crate A
      \talbum \(other) group=a x
      \t\talso \(other)
      \t\tsong \(song) added=2025-01-05T19:22:10.000Z /a
      end edited

      """
    let alone = StoreCheck.run(SimulatedDisk([.snapshot(1): Array(text.utf8)]))
    #expect(alone.findings.first?.line == 4)
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
    let report = expect(
      [.snapshot(1): start, .journal(1): writtenJournal(1, base: 0, good + [bad])],
      findings: ["crates.1.txt:"])
    #expect(
      report.findings[0].reason
        == "\(fault); put a good generation in place with \"crated restore\"")
    // A start reads on after a snapshot that is damaged.
    let all = StoreCheck.run(
      SimulatedDisk([
        Self.backup("crates.1.txt"): start, first: writtenJournal(1, base: 0, good),
        .snapshot(2): [0x0A], .journal(2): writtenJournal(2, base: 3, [bad]),
      ]))
    #expect(
      all.findings.map { "\($0.name):\($0.line ?? 0)" }
        == ["crates.2.txt:1", "backups/crates.1.txt:0"])
    #expect(
      all.findings.last?.reason
        == "\(fault); it can't be restored; the store itself does not need it")
  }

  @Test("What is found after a check is a finding of it, and no better than it was")
  func findings() {
    let finding = StoreReport.Finding(name: .snapshot(1), line: nil, reason: "x")
    var report = StoreReport()
    report.add(finding)
    #expect(report.findings == [finding] && report.verdict == .findings)
    report.add(finding)
    #expect(report.findings.count == 2 && report.verdict == .findings)
    report.verdict = .unusable("y")
    report.add(finding)
    #expect(report.verdict == .unusable("y"))
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

  @Test("Nothing is made, and no time but that of reading changes")
  func changesNothing() throws {
    func state() throws -> [UInt8] {
      try run("find", [path.display, "-printf", "%p %i %m %s %T@ %C@\n"]).outputBytes
    }
    try #require(rmdir(path.display + "/backups") == 0)
    let before = try state()
    let files = try DiskFiles(reading: path)
    #expect(StoreCheck.run(files).verdict == .good)
    #expect(try files.openToOthers().isEmpty)
    #expect(try state() == before)
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
}
