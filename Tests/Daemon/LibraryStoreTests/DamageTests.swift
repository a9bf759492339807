import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

/// What happens to files while nobody looks.
@Suite("Damage", .limited)
struct DamageTests {
  /// A store of two generations, and the library after each of the last journal's records.
  struct Sample {
    var files: [StoreName: [UInt8]]
    var libraries: [[LibraryLine]]

    var last: [LibraryLine] { libraries.last ?? [] }
  }

  static func sample() throws -> Sample {
    let disk = SimulatedDisk()
    var maker = LibraryMaker(seed: 21)
    let opened = try Recovery.open(disk)
    var libraries: [[LibraryLine]] = []
    func commit(_ count: Int) throws {
      let before = maker.library
      var changes: [Transaction] = []
      for _ in 0..<count {
        changes.append(try maker.committed(steps: count > 1 ? 2 : 1))
        maker.library.advance(to: maker.library.sequence + 1)
        libraries.append(lines(of: maker.library))
      }
      let numbered = try opened.store.commit(changes, to: before)
      #expect(numbered.last?.sequence == maker.library.sequence)
    }
    for _ in 0..<3 { try commit(1) }
    try opened.store.checkpoint(maker.library)
    libraries = [lines(of: maker.library)]
    for count in [1, 2, 1] { try commit(count) }
    #expect(disk.files[.snapshot(2)] != nil && disk.files[.journal(2)] != nil)
    #expect(disk.files[StoreName("crates.1.txt", in: .backups)] != nil)
    return Sample(files: disk.files, libraries: libraries)
  }

  /// - Parameter mayDrop: the states that may come out of it with nothing more than a note.
  func check(
    _ name: StoreName, _ bytes: [UInt8], _ sample: Sample, mayDrop: [[LibraryLine]],
    shows: [[LibraryLine]],
    _ comment: String
  ) {
    var files = sample.files
    files[name] = bytes
    let disk = SimulatedDisk(files)
    let opened: Recovery<SimulatedDisk>.Opened
    do {
      opened = try Recovery.open(disk)
    } catch {
      if disk.files != files { Issue.record("it was refused, and written to: \(comment)") }
      return
    }
    if opened.notes.isEmpty { Issue.record("it was not seen: \(comment)") }
    let found = lines(of: opened.library)
    if case .readOnly = opened.store.state {
      if disk.files != files { Issue.record("it is read-only, and was written to: \(comment)") }
      if !shows.contains(found) {
        Issue.record("something else is shown: \(comment)")
      }
    } else if !mayDrop.contains(found) {
      Issue.record("changes were lost: \(comment)")
    } else {
      PowerLossTests.checkInputs(files, disk, comment)
    }
  }

  @Test("A bit that flips anywhere in a journal is seen; only the last batch may pass for torn")
  func journalBits() throws {
    let sample = try Self.sample()
    let bytes = try #require(sample.files[.journal(2)])
    let beforeLast = sample.libraries[sample.libraries.count - 2]
    for place in bytes.indices {
      for bit in Effort.some(of: Array(0..<8), oneIn: 4) {
        var flipped = bytes
        flipped[place] ^= 1 << UInt8(bit)
        check(
          .journal(2), flipped, sample, mayDrop: [beforeLast], shows: sample.libraries,
          "bit \(bit) of byte \(place)")
      }
    }
  }

  @Test(
    "A bit that flips anywhere in a snapshot is seen, and the generation before shows everything")
  func snapshotBits() throws {
    let sample = try Self.sample()
    let bytes = try #require(sample.files[.snapshot(2)])
    for place in bytes.indices {
      for bit in 0..<8 {
        var flipped = bytes
        flipped[place] ^= 1 << UInt8(bit)
        check(
          .snapshot(2), flipped, sample, mayDrop: [], shows: [sample.last],
          "bit \(bit) of byte \(place)")
      }
    }
  }

  @Test("A journal or a snapshot cut anywhere is seen, but for a journal cut between two records")
  func truncations() throws {
    let sample = try Self.sample()
    let journal = try #require(sample.files[.journal(2)])
    let ends = journal.indices.filter { journal[$0] == 0x0A }.map { $0 + 1 }
    var unseen = 0
    for length in journal.indices {
      let cut = Array(journal.prefix(length))
      if ends.contains(length), try JournalReader.read(cut).end == .whole {
        // Nothing in the files tells; store-format.md says so.
        unseen += 1
        continue
      }
      check(
        .journal(2), cut, sample, mayDrop: length < ends[0] ? [] : sample.libraries,
        shows: sample.libraries, "a journal cut to \(length)")
    }
    #expect(unseen == sample.libraries.count - 1)
    let snapshot = try #require(sample.files[.snapshot(2)])
    for length in snapshot.indices {
      check(
        .snapshot(2), Array(snapshot.prefix(length)), sample, mayDrop: [], shows: [sample.last],
        "a snapshot cut to \(length)")
    }
  }

  @Test("A file that is away is missed")
  func missing() throws {
    let sample = try Self.sample()
    for name in [StoreName.snapshot(2), .journal(2)] {
      var files = sample.files
      files[name] = nil
      let disk = SimulatedDisk(files)
      if name == .snapshot(2) {
        #expect(throws: StoreFailure.self) { try Recovery.open(disk) }
      } else {
        let opened = try Recovery.open(disk)
        #expect(opened.notes.contains { $0.contains("journal.2.txt is missing") })
        #expect(lines(of: opened.library) == sample.libraries[0])
        #expect(opened.store.isReadOnly, "\(opened.store.state)")
      }
      #expect(disk.files == files)
    }
  }
}
