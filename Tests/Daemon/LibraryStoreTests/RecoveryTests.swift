import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Recovery", .limited)
struct RecoveryTests {
  @Test(
    "A store never starts empty where something was",
    arguments: [
      "journal.7.txt", "backups/crates.3.txt", "crates.3.txt~", "backups/torn.1.journal.2.txt",
      "crates.99999999999999999999.txt", "backups/journal.1.txt", "journal.1.txt.old",
    ])
  func neverEmpty(name: String) throws {
    let sample = try SampleJournal(batches: [1], seed: 2)
    let parts = name.split(separator: "/").map(String.init)
    let files = [
      StoreName(parts[parts.count - 1], in: parts.count == 1 ? .store : .backups): sample.bytes
    ]
    let disk = SimulatedDisk(files)
    #expect(throws: StoreFailure.self) { try Recovery.open(disk) }
    #expect(disk.files == files)
  }

  @Test("Other people's files do not keep a store from being made")
  func strangers() throws {
    let disk = SimulatedDisk([StoreName("lock"): [], StoreName(".directory"): [1]])
    #expect(try Recovery.open(disk).store.state == .ready)
  }

  @Test("First starts that are cut off over and over leave nothing that is in the way")
  func firstStarts() throws {
    let header = JournalText.header(generation: 1, base: 0)
    let disk = SimulatedDisk([
      .journal(1): Array(header.prefix(5)), .journal(2): [], .journal(3): [0, 0, 0],
      .journal(4): writtenJournal(4, base: 0, count: 0),
      StoreName("crates.5.txt.new"): [0, 0],
    ])
    let opened = try Recovery.open(disk)
    #expect(opened.store.state == .ready)
    #expect(disk.files[.snapshot(6)] != nil)
  }

  @Test("Checkpoints that were cut off over and over leave nothing that is in the way")
  func checkpointsCutOff() throws {
    let sample = try SampleJournal(batches: [1, 1], seed: 4)
    let disk = sample.disk()
    for (generation, bytes) in [(2, []), (3, [0x63, 0x72]), (4, [0])] as [(Int, [UInt8])] {
      try disk.synchronize(disk.create(.journal(generation)))
      let file = try disk.create(StoreName("crates.\(generation).txt.new"))
      try disk.append(bytes, to: file)
    }
    let opened = try Recovery.open(disk)
    #expect(opened.store.state == .ready, "\(opened.notes)")
    expectSame(opened.library, try #require(sample.libraries.last))
    #expect(!disk.files.keys.contains { $0.name.hasSuffix(".new") })
  }

  @Test("A journal that was begun and given up does not cut off the one that went on")
  func abandonedJournal() throws {
    let sample = try SampleJournal(batches: [1, 1, 1], seed: 4)
    let disk = sample.disk()
    let base = sample.libraries[1].sequence
    try disk.append(writtenJournal(2, base: base, count: 0), to: disk.create(.journal(2)))
    let opened = try Recovery.open(disk)
    #expect(opened.store.state == .ready, "\(opened.notes)")
    expectSame(opened.library, try #require(sample.libraries.last))
  }

  @Test("What was edited while stopped is taken over; with changes beside it, the person is asked")
  func edited() throws {
    let text = Array("crated 1 sequence 0\ncrate Mine\nend edited\n".utf8)
    for journal in [writtenJournal(1, base: 0, count: 0), nil] {
      var files: [StoreName: [UInt8]] = [.snapshot(1): text]
      files[.journal(1)] = journal
      let disk = SimulatedDisk(files)
      let opened = try Recovery.open(disk)
      #expect(opened.store.state == .ready, "\(opened.notes)")
      #expect(opened.library.crates.map(\.name) == ["Mine"])
      #expect(disk.files[StoreName("crates.1.txt", in: .backups)] == text)
      #expect(try Recovery.open(disk).library.crates.map(\.name) == ["Mine"])
    }
    let sample = try SampleJournal(batches: [1], seed: 4)
    let both = SimulatedDisk([.snapshot(1): text, .journal(1): sample.bytes])
    #expect(throws: StoreFailure.self) { try Recovery.open(both) }
    let bad = SimulatedDisk([.snapshot(1): Array("crated 1 sequence 0\nx\nend edited\n".utf8)])
    #expect(
      throws: StoreFailure.unusable(
        "crates.1.txt, line 2: \"x\" with 0 tabs before it is no line of a library; mend the line"
          + " and start again")
    ) { try Recovery.open(bad) }
  }

  @Test("A later version is left alone, in a snapshot and in a journal")
  func laterVersion() throws {
    let sample = try SampleJournal(batches: [1], seed: 4)
    for name in [StoreName.snapshot(1), .journal(1)] {
      var files = sample.disk().files
      let word = name == .journal(1) ? "crated-journal" : "crated"
      files[name] = Array("\(word) 3 of its own kind\n".utf8)
      let disk = SimulatedDisk(files)
      #expect(throws: StoreFailure.newerVersion(3, file: name.description)) {
        try Recovery.open(disk)
      }
      #expect(disk.files == files)
    }
  }

  @Test("A snapshot that was put back beside newer backups is not taken for the newest")
  func putBack() throws {
    let sample = try SampleJournal(batches: [1], seed: 4)
    var files = sample.disk().files
    files[StoreName("crates.5.txt", in: .backups)] = Snapshot.text(Library())
    files[StoreName("journal.5.txt", in: .backups)] = writtenJournal(5, base: 0, count: 0)
    let disk = SimulatedDisk(files)
    let opened = try Recovery.open(disk)
    #expect(opened.store.isReadOnly, "\(opened.store.state)")
    #expect(disk.files == files)
  }

  @Test("A torn batch is dropped with a copy, and one copy is enough")
  func tornCopy() throws {
    let sample = try SampleJournal(batches: [1, 2], seed: 4)
    let torn = Array(sample.bytes.dropLast(3))
    let copy = StoreName("torn.1.journal.1.txt", in: .backups)
    for kept in [nil, torn, [1, 2, 3]] as [[UInt8]?] {
      var files = sample.disk(with: torn).files
      files[copy] = kept
      let disk = SimulatedDisk(files)
      let opened = try Recovery.open(disk)
      expectSame(opened.library, sample.recordLibraries[2])
      let copies = disk.files.filter { $0.key.name.hasPrefix("torn.") && $0.value == torn }
      #expect(copies.count == 1)
      let isTaken = kept == [1, 2, 3]
      #expect(copies.keys.first?.name == "torn.\(isTaken ? 2 : 1).journal.1.txt")
      #expect(opened.notes.contains { $0.contains("dropped") && $0.contains("is a copy") })
    }
  }

  @Test("Zeros behind the journal cost nothing that was answered, and changes go on")
  func zeros() throws {
    let sample = try SampleJournal(batches: [1, 2, 1], seed: 4)
    let last = try #require(sample.libraries.last)
    for count in [1, 2, 8, 9, 10, 511, 512, 513, 4095, 4096, 4097, 8191, 8192] {
      let torn = sample.bytes + [UInt8](repeating: 0, count: count)
      let disk = sample.disk(with: torn)
      let opened = try Recovery.open(disk)
      #expect(opened.store.state == .ready, "\(opened.notes)")
      expectSame(opened.library, last, "\(count) zeros")
      #expect(disk.files[StoreName("torn.1.journal.1.txt", in: .backups)] == torn)
      var maker = LibraryMaker(seed: UInt64(count))
      maker.library = opened.library
      let numbered = try opened.store.commit([try maker.committed()], to: opened.library)
      #expect(numbered.first.map { $0.sequence > last.sequence } == true)
      maker.library.advance(to: numbered[0].sequence)
      expectSame(try Recovery.open(disk).library, maker.library, "\(count) zeros")
    }
  }
}
