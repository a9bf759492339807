import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

/// A journal of batches as the store would write it, and where each ends.
struct SampleJournal {
  var bytes: [UInt8]
  var ends: [Int]
  var changes: [Transaction] = []
  /// The library after each batch, the one before the first included.
  var libraries: [Library]
  /// The same for each record.
  var recordEnds: [Int]
  var recordLibraries: [Library]

  /// - Parameter batches: how many changes each has.
  init(batches: [Int], seed: UInt64, generation: Int = 1) throws {
    var maker = LibraryMaker(seed: seed)
    libraries = [maker.library]
    recordLibraries = [maker.library]
    let header = JournalText.header(generation: generation, base: 0)
    var text = JournalText(header: header, base: 0)
    bytes = header + [0x0A]
    ends = [bytes.count]
    recordEnds = [bytes.count]
    for count in batches {
      var batch: [Transaction] = []
      for _ in 0..<count {
        batch.append(try maker.committed())
        maker.library.advance(to: maker.library.sequence + 1)
        recordLibraries.append(maker.library)
      }
      var places = text
      for place in batch.indices {
        // As long alone as it is with the others, which alone say so.
        var one = [batch[place]]
        let together = place > 0 ? " together".utf8.count : 0
        recordEnds.append(
          (recordEnds.last ?? 0) + places.records(of: &one).count + together)
      }
      bytes += text.records(of: &batch)
      ends.append(bytes.count)
      changes += batch
      libraries.append(maker.library)
    }
  }

  /// The disk of a store with this journal and the empty snapshot that it continues.
  func disk(with journal: [UInt8]? = nil) -> SimulatedDisk {
    SimulatedDisk([.snapshot(1): Snapshot.text(Library()), .journal(1): journal ?? bytes])
  }
}

@Suite("Journal", .limited)
struct JournalTests {
  @Test(
    "What is journaled is read again, alone and in groups", arguments: 1...30 as ClosedRange<UInt64>
  )
  func roundTrip(seed: UInt64) throws {
    let sample = try SampleJournal(batches: [1, 1, 3, 1, 5, 2, 1], seed: seed)
    let contents = try JournalReader.read(sample.bytes)
    #expect(contents.end == .whole)
    #expect(contents.base == 0)
    try #require(contents.transactions.count == sample.changes.count)
    for (found, made) in zip(contents.transactions, sample.changes) {
      #expect(found == made)
    }
  }

  @Test(
    "Replaying a journal gives the library, and a snapshot of it the same",
    arguments: 1...40 as ClosedRange<UInt64>)
  func replay(seed: UInt64) throws {
    let sample = try SampleJournal(batches: [4, 1, 20, 1, 1, 30, 2, 25, 1], seed: seed)
    var library = Library()
    for change in try JournalReader.read(sample.bytes).transactions {
      try library.apply(change)
    }
    let state = try #require(sample.libraries.last)
    #expect(brokenInvariant(of: state) == nil)
    expectSame(library, state, "seed \(seed)")
    let text = Snapshot.text(state)
    let read = try SnapshotReader.read(text)
    #expect(!read.isEdited)
    expectSame(read.library, state, "seed \(seed)")
    #expect(Snapshot.text(read.library) == text)
  }

  @Test("The newest changes are the same when only the end of a journal is read")
  func newest() throws {
    let batches = (0..<240).map { [1, 1, 3, 1, 40, 2][$0 % 6] }
    let sample = try SampleJournal(batches: batches, seed: 11)
    let all = try JournalReader.read(sample.bytes)
    let whole = all.transactions
    try #require(sample.bytes.count > 150_000)
    var answers = 0
    for most in [1, 7, 100, 400, whole.count, whole.count + 1] {
      for before in [Int.max, whole[whole.count - 3].sequence, whole[whole.count / 2].sequence] {
        guard let end = try JournalReader.newest(most, before: before, in: sample.bytes) else {
          #expect(most > 100 || before < whole[whole.count - 3].sequence)
          continue
        }
        answers += 1
        let found = end.transactions.filter { $0.sequence < before }
        try #require(found.count >= most)
        let expected = whole.filter { $0.sequence < before }.suffix(found.count)
        #expect(found.map(\.sequence) == expected.map(\.sequence))
        #expect(found.map(\.changes) == expected.map(\.changes))
        #expect(found.map(\.sentence) == expected.map(\.sentence))
        #expect(end.sequence == all.sequence)
      }
    }
    #expect(answers >= 6)
    let few = try JournalReader.newest(1, before: .max, in: sample.bytes)
    #expect(try #require(few).transactions.count < whole.count / 2)
    let short = Array(sample.bytes.prefix(20_000))
    #expect(try JournalReader.newest(1, before: .max, in: short) == nil)
  }

  @Test("What undo asks of a journal is the same when nothing else of its records is read")
  func ownTransactions() throws {
    let disk = SimulatedDisk()
    var maker = LibraryMaker(seed: 21)
    let store = try Recovery.open(disk).store
    for turn in 1...60 {
      var batch: [Transaction] = []
      for _ in 0..<[1, 4, 1, 9][turn % 4] { batch.append(try maker.committed()) }
      // What is taken back and done again is of any number here: reading does not ask.
      if turn % 3 == 0 {
        let last = batch.count - 1
        batch[last].author = .person
        batch[last].reversals = [
          Reversal(.undo, turn, changeCount: 1),
          Reversal(.redo, turn + 1, changeCount: batch[last].changes.count - 1),
        ]
        batch[last].sentence = "Taken back"
      }
      let numbered = try store.commit(batch, to: Library())
      maker.library.advance(to: numbered.last?.sequence ?? 0)
    }
    let bytes = try #require(disk.files[.journal(1)])
    var most = 0
    for end in stride(from: bytes.count, to: bytes.count / 2, by: -Effort.runs(397, nightly: 97)) {
      let cut = Array(bytes[..<end])
      let (whole, own) = (try JournalReader.read(cut), try JournalReader.ownTransactions(cut))
      #expect(own.end == whole.end && own.sequence == whole.sequence)
      #expect(own.base == whole.base && own.isAfterEdit == whole.isAfterEdit)
      let expected = whole.transactions.filter { $0.author == .person }
      try #require(own.transactions.map(\.sequence) == expected.map(\.sequence))
      #expect(
        own.transactions.map { $0.reversals.map(\.number) }
          == expected.map { $0.reversals.map(\.number) })
      #expect(own.transactions.allSatisfy { $0.changes.isEmpty })
      most = max(most, expected.count)
    }
    #expect(most > 40)
    // Nothing of it is taken for good that was changed since.
    var damaged = bytes
    damaged[bytes.count / 2] ^= 1
    let (whole, own) = (
      try JournalReader.read(damaged), try JournalReader.ownTransactions(damaged)
    )
    guard case .damaged = whole.end else { return #expect(whole.end == .whole, "not damaged") }
    #expect(own.end == whole.end)
  }

  @Test("Where the end of a journal is torn or damaged, it alone is not enough")
  func newestDamaged() throws {
    let sample = try SampleJournal(batches: Array(repeating: 3, count: 600), seed: 12)
    let ends = sample.ends.suffix(2)
    let last = try #require(ends.first)
    for place in stride(from: last, to: sample.bytes.count, by: Effort.runs(97, nightly: 7)) {
      var bytes = sample.bytes
      bytes[place] ^= 1
      #expect(try JournalReader.newest(1, before: .max, in: bytes) == nil)
      let cut = Array(sample.bytes.prefix(place))
      let found = try JournalReader.newest(1, before: .max, in: cut)
      #expect((found == nil) == (place != last))
    }
  }

  @Test("A journal that is cut anywhere holds the records that are whole, and tells where they end")
  func truncation() throws {
    let sample = try SampleJournal(batches: [1, 2, 1, 3], seed: 5)
    for length in Effort.some(of: Array(sample.bytes.indices), oneIn: 3) {
      let cut = Array(sample.bytes.prefix(length))
      guard length >= sample.ends[0] else {
        #expect(throws: JournalReader.Fault.self) { try JournalReader.read(cut) }
        continue
      }
      let contents = try JournalReader.read(cut)
      let whole = try #require(sample.recordEnds.lastIndex { $0 <= length })
      #expect(contents.transactions.count == whole, "cut to \(length)")
      let line = sample.bytes[..<sample.recordEnds[whole]].count { $0 == 0x0A } + 1
      let isWhole = sample.recordEnds.contains(length)
      #expect(contents.end == (isWhole ? .whole : .torn(line: line)), "cut to \(length)")
    }
  }

  @Test("Zeros where the disk did not come to writing are a torn batch, however many they are")
  func zeros() throws {
    let sample = try SampleJournal(batches: [1, 2, 1], seed: 6)
    let torn = JournalContents.End.torn(line: sample.bytes.count { $0 == 0x0A } + 1)
    let whole = try JournalReader.read(sample.bytes).transactions.map(\.sequence)
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    for count in Effort.some(of: Array(1...8192), oneIn: 7) {
      let contents = try JournalReader.read(sample.bytes + zeros(count))
      guard contents.end == torn, contents.transactions.map(\.sequence) == whole else {
        Issue.record(
          "\(contents.end) and \(contents.transactions.count) changes with \(count) zeros")
        return
      }
    }
    // Zeros behind part of a batch, too.
    for length in sample.ends[2]..<sample.ends[3] {
      let cut = Array(sample.bytes.prefix(length))
      for count in [1, 512 - length % 512, 4096] {
        let contents = try JournalReader.read(cut + zeros(count))
        guard case .torn = contents.end, contents.transactions.map(\.sequence) == whole.dropLast()
        else {
          Issue.record("\(contents.end) with \(count) zeros behind byte \(length)")
          return
        }
      }
    }
  }

  /// Whether the journal reads as torn, or as damaged, in any line.
  private func ends(_ bytes: [UInt8], torn isTorn: Bool) throws -> Bool {
    switch try JournalReader.read(bytes).end {
    case .whole: false
    case .torn: isTorn
    case .damaged: !isTorn
    }
  }

  @Test("Zeros in front of a batch that is there are damage: what stood there was answered")
  func zerosInTheMiddle() throws {
    let sample = try SampleJournal(batches: [1, 2, 1, 3], seed: 6)
    for first in 0..<3 {
      for last in first..<3 {
        var bytes = sample.bytes
        for place in sample.ends[first]..<sample.ends[last + 1] { bytes[place] = 0 }
        let line = bytes[..<sample.ends[first]].count { $0 == 0x0A } + 1
        // With all that follows, and with one batch alone.
        for end in [sample.ends[last + 2], bytes.count] {
          guard case .damaged(line, _) = try JournalReader.read(Array(bytes[..<end])).end else {
            Issue.record("zeros for batches \(first) to \(last), cut to \(end), pass for an end")
            continue
          }
        }
      }
    }
  }

  @Test("A hole in a torn batch of several records is torn wherever it is, and wherever it ends")
  func holes() throws {
    let sample = try SampleJournal(batches: [1, 4], seed: 14)
    let start = sample.ends[1]
    for hole in [1, 40, 200] {
      for length in (start + hole)..<sample.bytes.count {
        var bytes = Array(sample.bytes.prefix(length))
        for place in start..<(start + hole) { bytes[place] = 0 }
        try #require(try ends(bytes, torn: true), "a hole of \(hole) and a cut to \(length)")
      }
    }
    // A later record that was written together with a bad one proves nothing of it.
    let text = String(decoding: sample.bytes[start...], as: UTF8.self).split(separator: "\n")
    #expect(text.count { $0.hasPrefix("change ") && $0.contains(" together") } == 3)
    for place in start..<sample.bytes.count {
      var bytes = sample.bytes
      bytes[place] = 0
      try #require(try ends(bytes, torn: true), "a hole at \(place - start)")
    }
  }

  @Test("Records lost, repeated and swapped are damage, and so are lines")
  func lines() throws {
    let sample = try SampleJournal(batches: [1, 1, 1, 1, 1], seed: 9)
    let records = zip(sample.ends, sample.ends.dropFirst()).map { Array(sample.bytes[$0..<$1]) }
    var (lost, repeated, swapped) = (records, records, records)
    lost.remove(at: 2)
    repeated.insert(records[2], at: 2)
    swapped.swapAt(2, 3)
    let lines = records[2].dropLast().split(separator: 0x0A).map(Array.init)
    let others = lines.indices.flatMap { place in
      [Array(lines[..<place] + lines[(place + 1)...]), Array(lines[...place] + lines[place...])]
        .map { changed in
          var other = records
          other[2] = Array(changed.joined(separator: [0x0A])) + [0x0A]
          return other
        }
    }
    for changed in [lost, repeated, swapped] + others {
      let bytes = Array(sample.bytes[..<sample.ends[0]] + changed.joined())
      #expect(try ends(bytes, torn: false))
    }
  }

  @Test(
    "A line as long as the bound is read, and one that is longer is refused before it is written")
  func longLines() throws {
    let opened = try Recovery.open(SimulatedDisk())
    func refusal(_ length: Int) throws -> StoreRefusal? {
      let path = BytePath([0x2F] + [UInt8](repeating: 0x61, count: length))
      let change = Transaction(
        by: .folder, sentence: "", changes: [.firstScanEnded(path)])
      do {
        _ = try opened.store.commit([change], to: Library())
        return nil
      } catch {
        return error
      }
    }
    let rest = "\tend scan /\n".utf8.count
    let fits = JournalText.longestLine - rest
    #expect(
      try refusal(fits + 1)
        == StoreRefusal(
          reason: "a line of the journal would have 262145 bytes, and 262144 are the most",
          isUnknown: false, kind: .neverPasses))
    #expect(try refusal(fits) == nil)
    #expect(try Recovery.open(opened.store.files).transactions.count == 1)
  }

  @Test("A sentence of any length is written, cut between two characters")
  func longSentence() throws {
    for (letter, count) in [("後", 1024 / 3), ("a", 1024)] {
      let disk = SimulatedDisk()
      let long = Transaction(
        by: .folder, sentence: String(repeating: letter, count: 100_000),
        changes: [.crateAdded("a", after: nil)])
      _ = try Recovery.open(disk).store.commit([long], to: Library())
      let read = try Recovery.open(disk).transactions.map(\.sentence)
      #expect(read == [String(repeating: letter, count: count)])
    }
  }

  @Test("The longest header is no longer than what tells a journal without a change")
  func longestHeader() {
    let most = Int(String(repeating: "9", count: StoreLimits.mostDigits)) ?? 0
    let header = JournalText.header(generation: most, base: most, isAfterEdit: true)
    #expect((64..<JournalText.longestHeader).contains(header.count))
  }

  @Test("What is wrong with a record is told, and what follows it says that it was answered")
  func reasons() throws {
    let header = JournalText.header(generation: 1, base: 0)
    var text = JournalText(header: header, base: 1)
    var batch = [Transaction(by: .person, changes: [.crateAdded("A", after: nil)])]
    let next = text.records(of: &batch)
    let time = "1970-01-01T00:00:00.000Z"
    /// - Parameter sum: nil: the right one.
    func end(_ record: String, _ sum: String? = nil, next: [UInt8]) throws -> JournalContents.End {
      let record = Array("\(record)\n".utf8)
      let right = JournalText.checksum(after: Checksum.text(of: header[...]), record[...])
      let last = "end \(sum ?? String(decoding: right, as: UTF8.self))\n"
      return try JournalReader.read(header + [0x0A] + record + Array(last.utf8) + next).end
    }
    for (record, reason) in [
      ("crate A", "\"change\" is missing"),
      ("change 1 \(time) person 1\n\tswap crate A", "swap crate is no change"),
      ("change 1 \(time) person 1\n\tundo x", "the number of a change is not a number"),
      ("change 1 \(time) person 1\n\tundo 1 2", "too many words"),
      ("change 1 \(time) person 1\n\tadd crate A first x", "too many words"),
      ("change 1 \(time) person 0\n\tadd crate A first", "the checksum does not fit"),
      ("change 1 \(time) person 2\n\tadd crate A first", "the change has fewer lines than it says"),
      ("change 1 \(time) person 0 together x", "too many words"),
      ("change 1 \(time) person 0 asked ", "an origin is missing"),
      ("change 1 \(time) person 0 asked %7F", "a bad origin"),
      ("change 1 \(time) person 0 told %4", "a bad sentence"),
      ("change 2 \(time) person 0", "change 2 is out of turn"),
      ("change 1 \(time) nobody 0", "an unknown author"),
      ("change 1 yesterday person 0", "a bad time"),
    ] {
      #expect(try end(record, next: next) == .damaged(line: 2, reason), "\(record)")
    }
    let good = "change 1 \(time) person 1\n\tadd crate A first"
    #expect(try end(good, next: []) == .whole)
    #expect(
      try end(good, String(repeating: "0", count: 32), next: next)
        == .damaged(line: 2, "the checksum does not fit"))
  }

  @Test("A line feed that is none any more hides no batch before it, once the next one has begun")
  func lostLineFeed() throws {
    let sample = try SampleJournal(batches: [1, 1], seed: 9)
    let (start, end) = (sample.ends[1], sample.ends[2])
    for length in 0..<(end - start) {
      var bytes = Array(sample.bytes.prefix(start + length))
      bytes[start - 1] ^= 0x10
      // Its first line tells what it is.
      let isDamaged = bytes[start...].contains(0x0A)
      switch try JournalReader.read(bytes).end {
      case .torn(line: 2) where !isDamaged: continue
      case .damaged(line: 2, _) where isDamaged: continue
      case let other: Issue.record("\(other) with \(length) bytes of the next batch")
      }
    }
  }

  @Test("A header that is not understood is damage, and a later version is named, not judged")
  func headers() throws {
    for base in [0, 7, 100, 999_999_999_999_999] {
      #expect(try JournalReader.read(writtenJournal(1, base: base, count: 0)).base == base)
    }
    let later = Array("crated-journal 2 stands for something else\n".utf8)
    #expect(throws: JournalReader.Fault.newerVersion(2)) { try JournalReader.read(later) }
    for header in [
      "crated-journal 0 generation 1 base 0", "crated-journal 1 generation 1",
      "crated-journal 1 generation 1 base 0 edited x", "crated-journal 1 base 0 generation 1",
      "crated-journal 1 generation 1 base 0 x", "crated-journal 1 generation 01 base 0",
      "crated-journal 1 generation 1 base 00", "crated-journal 1 generation +1 base 0",
      "crated-journal 1 generation 1 base -0", "crated-journal 1 generation 1 base 1a",
      "crated-journal 1 generation 1 base /", "crated-journal 1 generation 1 base :",
      "crated-journal 1 generation 1 base ", "crated-journal 1 generation 1 base ١",
      "crated-journal 1 generation 1 base 1000000000000000",
    ] {
      #expect(throws: JournalReader.Fault.self) {
        try JournalReader.read(Array("\(header)\n".utf8))
      }
    }
  }
}
