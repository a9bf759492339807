import LibraryModel
import TestSupport
import Testing

@testable import LibraryStore

/// A program that copies the store lists its folders and reads the files one after the other, and
/// the store goes on meanwhile.
@Suite("Copies of a store in use", .limited)
struct CopyTests {
  /// What is seen of the store at each moment of its life.
  struct Moment {
    var files: [StoreName: [UInt8]]
    var answered: Library
  }

  static func moments() throws -> [Moment] {
    let (whole, _) = try PowerLossTests.stoppedDisk(Workload(), at: .max)
    return try (0...whole.trace.count).map { stop in
      let (disk, outcome) = try PowerLossTests.stoppedDisk(Workload(), at: stop)
      return Moment(files: disk.files, answered: outcome.answered)
    }
  }

  /// What is copied from this moment on; nil where a file went away between being listed and being
  /// read, of which every such program tells.
  static func copy(
    _ moments: [Moment], from start: Int, _ random: inout SeededGenerator
  ) -> [StoreName: [UInt8]]? {
    var now = start
    func pass() {
      // Mostly at once.
      let steps = [0, 0, 0, 1, 2, 10].randomElement(using: &random) ?? 0
      now = min(now + steps, moments.count - 1)
    }
    var copy: [StoreName: [UInt8]] = [:]
    for folder in [StoreName.Folder.store, .backups].shuffled(using: &random) {
      let names = moments[now].files.keys.filter { $0.folder == folder }
        .sorted { $0.name < $1.name }.shuffled(using: &random)
      for name in names {
        pass()
        guard let bytes = moments[now].files[name] else { return nil }
        copy[name] = bytes
      }
      pass()
    }
    return copy
  }

  @Test("Whenever a store is copied, the copy has all that was answered before, and nothing half")
  func anyMoment() throws {
    let moments = try Self.moments()
    // From the first snapshot on.
    let begun = try #require(moments.firstIndex { $0.files[.snapshot(1)] != nil })
    let promised = moments.map { lines(of: $0.answered) }
    var random = SeededGenerator(usually: 38)
    var copies = 0
    let most = Effort.runs(1_000, nightly: 100_000)
    for _ in 0..<most {
      let start = Int.random(in: begun..<moments.count, using: &random)
      guard let files = Self.copy(moments, from: start, &random) else { continue }
      copies += 1
      let comment = "copied from operation \(start) on, copy \(copies), \(random)"
      do {
        let opened = try Recovery.open(SimulatedDisk(files))
        let found = opened.library
        if opened.store.state != .ready { Issue.record("\(opened.notes) \(comment)") }
        if found.sequence < moments[start].answered.sequence {
          Issue.record("at \(found.sequence), an answer is lost: \(comment)")
        }
        if !promised.contains(lines(of: found)) { Issue.record("something else: \(comment)") }
      } catch {
        Issue.record("\(error) \(comment)")
      }
    }
    #expect(copies > most / 4)
  }
}
