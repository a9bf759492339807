import LibraryModel
import Platform
import TestSupport
import Testing

@testable import LibraryStore

/// Stores that are put together by hand, file by file.
@Suite("What a check finds where", .limited)
struct StoreCheckLinesTests {
  /// The snapshot after so many changes.
  private func snapshot(_ sequence: Int) throws -> [UInt8] {
    var library = Library()
    for number in 0..<sequence {
      try library.apply(.crateAdded("\(number)", after: nil), by: .person)
    }
    library.advance(to: sequence)
    return Snapshot.text(library)
  }

  private func backup(_ name: String) -> StoreName { StoreName(name, in: .backups) }

  private func places(_ findings: [StoreReport.Finding]) -> [String] {
    findings.map { "\($0.name):\($0.line.map(String.init) ?? "")" }
  }

  private func check(_ files: [StoreName: [UInt8]]) -> StoreReport {
    StoreCheck.run(SimulatedDisk(files))
  }

  /// Three changes before a checkpoint and two after it.
  private func sample() throws -> [StoreName: [UInt8]] {
    [
      backup("crates.1.txt"): try snapshot(0),
      backup("journal.1.txt"): writtenJournal(1, base: 0, count: 3),
      .snapshot(2): try snapshot(3), .journal(2): writtenJournal(2, base: 3, count: 2),
    ]
  }

  @Test("A store is checked again while its files come and go, five times at most")
  func attempts() throws {
    let disk = SimulatedDisk(try sample())
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
    var files = try sample()
    #expect(check(files).highestSequence == 5 && check(files).newestGeneration == 2)
    files[StoreName("crates.5.txt.new")] = []
    #expect(check(files).newestGeneration == 5)
    files[backup("journal.7.txt")] = Array("garbage\nof\nthree lines\nand a half".utf8)
    let report = check(files)
    #expect(report.highestSequence == 5 + 4 && report.newestGeneration == 7)
    #expect(places(report.findings) == ["backups/journal.7.txt:1"])
    #expect(report.damaged == [backup("journal.7.txt")])
    #expect(try check([.snapshot(4): snapshot(9)]).highestSequence == 9)
    #expect(try check([.snapshot(4): snapshot(9)]).newestGeneration == 4)
  }

  @Test("A journal of another generation, version or beginning is found at its first line")
  func headers() throws {
    for (bytes, isDamaged) in [
      (writtenJournal(3, base: 3, count: 0), false), (Array("crated-journal 9 x\n".utf8), false),
      (Array("crated-journal x\n".utf8), true), (writtenJournal(2, base: 4, count: 1), false),
    ] {
      var files = try sample()
      files[.journal(2)] = bytes
      let report = check(files)
      #expect(places(report.findings).contains("journal.2.txt:1"))
      #expect(report.damaged.contains(.journal(2)) == isDamaged)
    }
  }

  @Test("A journal that was not begun whole is only noted, where nothing is missed in it")
  func unbegun() throws {
    var files = try sample()
    files[.journal(3)] = []
    var report = check(files)
    #expect(report.verdict == .good && places(report.notes) == ["journal.3.txt:1"])
    files[.journal(4)] = writtenJournal(4, base: 5, count: 1)
    report = check(files)
    #expect(report.verdict == .good && places(report.notes) == ["journal.3.txt:1"])
    // A change is missed between those before it and those after.
    files[.journal(4)] = writtenJournal(4, base: 6, count: 1)
    report = check(files)
    #expect(report.verdict == .findings && report.notes.isEmpty)
    #expect(report.damaged == [.journal(3)] && places(report.findings).contains("journal.3.txt:1"))
    // Its snapshot follows a journal that is begun.
    files = try sample()
    files[.journal(2)] = Array("crated-jour".utf8)
    report = check(files)
    #expect(report.damaged == [.journal(2)] && places(report.findings).contains("journal.2.txt:1"))
  }

  @Test("One that was given up while it was begun misses nothing, wherever it is by now")
  func givenUp() throws {
    // Its first line could not be made safe, nor the file removed: changes went on in the one
    // before it.
    var files = try sample()
    files[.journal(3)] = writtenJournal(3, base: 4, count: 0)
    files[.journal(4)] = writtenJournal(4, base: 5, count: 1)
    #expect(check(files).verdict == .good)
    for name in [StoreName.snapshot(2), .journal(2), .journal(3)] {
      files[backup(name.name)] = files.removeValue(forKey: name)
    }
    files[.snapshot(4)] = try snapshot(5)
    let report = check(files)
    #expect(report.verdict == .good && report.findings.isEmpty)
  }

  @Test("What is missing between journals is no finding where one may have been thinned out")
  func thinned() throws {
    var files = try sample()
    files[.snapshot(5)] = files.removeValue(forKey: .snapshot(2))
    files[.journal(5)] = writtenJournal(5, base: 3, count: 2)
    files[.journal(2)] = nil
    files[backup("journal.1.txt")] = writtenJournal(1, base: 0, count: 1)
    files[backup("journal.3.txt")] = []
    let report = check(files)
    #expect(report.verdict == .good && report.damaged.isEmpty)
    #expect(places(report.notes) == ["backups/journal.3.txt:1"])
  }

  @Test("Where a journal ends before the next one begins, the line is told that should follow")
  func ends() throws {
    var files = try sample()
    files[backup("journal.1.txt")] = writtenJournal(1, base: 0, count: 1)
    var report = check(files)
    #expect(places(report.findings) == ["backups/journal.1.txt:4"])
    #expect(
      report.findings[0].reason.hasPrefix("changes up to 3 should follow; it can't be restored"))
    #expect(report.damaged.isEmpty)
    // Others may have been thinned out in between.
    files[StoreName("crates.3.txt")] = files.removeValue(forKey: .snapshot(2))
    files[.journal(3)] = writtenJournal(3, base: 3, count: 2)
    files[.journal(2)] = nil
    #expect(check(files).verdict == .good)
    // What was edited goes on from anywhere.
    files = try sample()
    files[backup("journal.1.txt")] = writtenJournal(1, base: 0, count: 1)
    files[.journal(2)] = writtenJournal(2, base: 3, count: 2, isAfterEdit: true)
    report = check(files)
    #expect(report.findings.isEmpty && report.verdict == .good)
  }

  @Test("A torn batch is a note at the end, and a finding where changes are missed behind it")
  func torn() throws {
    var files = try sample()
    files[.journal(2)]?.removeLast(3)
    var report = check(files)
    #expect(report.verdict == .good && report.damaged == [.journal(2)])
    #expect(places(report.notes) == ["journal.2.txt:5"])
    files = try sample()
    files[backup("journal.1.txt")]?.removeLast(3)
    report = check(files)
    #expect(places(report.findings) == ["backups/journal.1.txt:8"])
    #expect(report.damaged == [backup("journal.1.txt")])
    // What was given up when the next one began does not matter.
    files[backup("journal.1.txt")] = writtenJournal(1, base: 0, count: 4).dropLast(3)
    report = check(files)
    #expect(report.verdict == .good && report.damaged.isEmpty && report.notes.isEmpty)
  }

  @Test("A journal that was begun and given up is none that the one before ends at")
  func abandoned() throws {
    var files: [StoreName: [UInt8]] = [
      .snapshot(1): try snapshot(0), .journal(1): writtenJournal(1, base: 0, count: 3).dropLast(3),
      .journal(2): writtenJournal(2, base: 1, count: 0),
    ]
    var report = check(files)
    #expect(places(report.notes) == ["journal.1.txt:8"] && report.damaged == [.journal(1)])
    // With its snapshot it was not given up.
    files[.snapshot(2)] = try snapshot(1)
    report = check(files)
    #expect(report.notes.isEmpty && report.damaged.isEmpty)
  }

  @Test("A damaged line is a finding, unless the next journal begins before it")
  func damaged() throws {
    func flipped(_ bytes: [UInt8], line: Int) throws -> [UInt8] {
      var bytes = bytes
      let ends = bytes.indices.filter { bytes[$0] == 0x0A }
      bytes[try #require(ends.dropFirst(line - 2).first) + 12] ^= 1
      return bytes
    }
    var files = try sample()
    files[backup("journal.1.txt")] = try flipped(writtenJournal(1, base: 0, count: 3), line: 5)
    let report = check(files)
    #expect(places(report.findings) == ["backups/journal.1.txt:5"])
    #expect(report.damaged == [backup("journal.1.txt")])
    files[backup("journal.1.txt")] = try flipped(writtenJournal(1, base: 0, count: 6), line: 11)
    #expect(check(files).verdict == .good && check(files).damaged.isEmpty)
  }

  @Test("A change that does not fit is found at the record that it is in")
  func misfits() throws {
    let bad = Change.crateRenamed("Nowhere", to: "There")
    let (one, two) = (Change.crateAdded("A", after: nil), Change.crateAdded("B", after: nil))
    for changes in [[bad], [one, two, bad], [one, bad, two]] {
      let header = JournalText.header(generation: 2, base: 3)
      var text = JournalText(header: header, base: 3)
      var good = (0..<2).map { number in
        Transaction(by: .person, sentence: "", changes: [.crateAdded("g\(number)", after: nil)])
      }
      var batch = [Transaction(by: .person, sentence: "bad", changes: changes)]
      var bytes = header + [0x0A]
      for index in good.indices {
        var one = [good[index]]
        bytes += text.records(of: &one)
        good[index] = one[0]
      }
      bytes += text.records(of: &batch)
      var files = try sample()
      files[.journal(2)] = bytes
      #expect(places(check(files).findings) == ["journal.2.txt:8"])
    }
  }

  @Test("What a start would refuse is a finding, though no file is to blame")
  func readOnly() throws {
    var files = try sample()
    files[backup("crates.5.txt")] = try snapshot(5)
    files[backup("journal.5.txt")] = writtenJournal(5, base: 5, count: 0)
    let report = check(files)
    #expect(report.findings.isEmpty && report.readOnly != nil && report.verdict == .findings)
  }

  @Test("A restored snapshot has the next number after all that were given out")
  func restored() throws {
    let disk = SimulatedDisk(try sample())
    let restored = try StoreRestore.restore(try snapshot(1), named: "it", into: disk)
    #expect(restored.library.sequence == 6 && restored.library.crates.count == 1)
    let newer = try StoreRestore.restore(try snapshot(40), named: "it", into: disk)
    #expect(newer.library.sequence == 41)
  }

  @Test("What is damaged is set aside under a free name, and a start does it where that fails")
  func setAside() throws {
    var files = try sample()
    files[.snapshot(2)]?[5] ^= 1
    files[.journal(2)] = Array("garbage\n".utf8)
    files[backup("damaged.1.journal.2.txt")] = [1]
    files[backup("damaged.2.journal.2.txt")] = [2]
    files[backup("damaged.1.crates.2.txt")] = [3]
    let disk = SimulatedDisk(files)
    let restored = try StoreRestore.restore(try snapshot(1), named: "it", into: disk)
    #expect(restored.notes.isEmpty)
    let asides = disk.files.keys.map(\.name).filter { $0.hasPrefix("damaged.") }.sorted()
    #expect(
      asides == [
        "damaged.1.crates.2.txt", "damaged.1.journal.2.txt", "damaged.2.crates.2.txt",
        "damaged.2.journal.2.txt", "damaged.3.journal.2.txt",
      ])
    let failing = SimulatedDisk(files)
    failing.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.rename])
    failing.passes = 1
    let half = try StoreRestore.restore(try snapshot(1), named: "it", into: failing)
    #expect(half.generation == 3 && half.notes.count == 1)
    #expect(half.notes.first?.hasPrefix("the next start has to do the rest (rename") == true)
    #expect(failing.files[.snapshot(3)] != nil)
    // Where it can't even be put in place, nothing is left of it.
    let none = SimulatedDisk(files)
    none.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.rename])
    #expect(throws: StoreFailure.self) {
      try StoreRestore.restore(try snapshot(1), named: "it", into: none)
    }
    #expect(none.files == files)
  }

  @Test("What is wrong is told by generations, the journals before the snapshots")
  func order() {
    var files: [StoreName: [UInt8]] = [:]
    for generation in 8...11 {
      files[backup("journal.\(generation).txt")] = writtenJournal(1, base: 0, count: 0)
      files[backup("crates.\(generation).txt")] = Array(
        "crated 1 sequence 0\ncrate A\nalbum\nend edited\n".utf8)
    }
    #expect(
      places(check(files).findings)
        == (8...11).map { "backups/journal.\($0).txt:1" }
        + (8...11).map { "backups/crates.\($0).txt:3" })
  }

  @Test("The last change before the next journal has to fit, and none behind it")
  func lastChange() throws {
    for (base, found) in [(2, ["backups/journal.1.txt:5"]), (1, [])] {
      let files = [
        backup("crates.1.txt"): try snapshot(0),
        backup("journal.1.txt"): writtenJournal(
          1, base: 0, [[.crateAdded("0", after: nil)], [.crateRenamed("Nowhere", to: "There")]]),
        .snapshot(2): try snapshot(base), .journal(2): writtenJournal(2, base: base, count: 1),
      ]
      #expect(places(check(files).findings) == found)
    }
  }

  @Test("What follows an edited snapshot need not fit what was before it")
  func edited() throws {
    var library = Library()
    try library.apply(.crateAdded("Y", after: nil), by: .person)
    library.advance(to: 4)
    let files = [
      backup("crates.1.txt"): try snapshot(0),
      backup("journal.1.txt"): writtenJournal(1, base: 0, count: 3),
      backup("crates.2.txt"): Array("crated 1 sequence 3\ncrate X\nend edited\n".utf8),
      backup("journal.2.txt"): writtenJournal(2, base: 3, [[.crateRenamed("X", to: "Y")]]),
      .snapshot(3): Snapshot.text(library), .journal(3): writtenJournal(3, base: 4, count: 1),
    ]
    #expect(places(check(files).findings) == [] && check(files).verdict == .good)
    #expect(check(files).state?.crates == 2)
  }
}
