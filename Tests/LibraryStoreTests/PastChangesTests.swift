import LibraryModel
import Testing

@testable import LibraryStore

@Suite("Past changes")
struct PastChangesTests {
  private let crate = Change.crateAdded("Jazz", after: nil)

  /// A store into which the person and the folder wrote by turns, with a restart after each.
  private func disk(starts: Int) throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    for start in 0..<starts {
      let opened = try Recovery.open(disk)
      var library = opened.library
      // Renames to and fro need nothing but the crate.
      let change: Change =
        start == 0
        ? crate
        : start % 2 == 1 ? .crateRenamed("Jazz", to: "Rock") : .crateRenamed("Rock", to: "Jazz")
      let author = start % 3 == 0 ? Author.person : .folder
      let committed = try opened.store.commit(
        [
          CommittedChange(
            sequence: 0, time: 1, author: author, summary: "change \(start)", changes: [change])
        ], to: library)
      try library.apply(change, by: author)
      library.advance(to: committed[0].sequence)
      opened.store.close(library)
      disk.restart()
    }
    return disk
  }

  @Test("All of them are found across checkpoints and restarts, the newest so many")
  func acrossRestarts() throws {
    // Few enough for every backup to be there still.
    let store = try Recovery.open(try disk(starts: 8)).store
    let all = store.pastChanges(before: .max, most: 100, of: nil)
    #expect(all.map(\.sequence) == Array(1...8))
    #expect(store.pastChanges(before: .max, most: 3, of: nil).map(\.sequence) == [6, 7, 8])
    #expect(store.pastChanges(before: 5, most: 2, of: nil).map(\.sequence) == [3, 4])
    let own = store.pastChanges(before: .max, most: 2, of: .person)
    #expect(own.map(\.sequence) == [4, 7])
    #expect(store.pastChanges(before: 1, most: 3, of: nil).isEmpty)
  }

  @Test("What the person did outlives the thinning of the backups")
  func thinned() throws {
    let starts = 4 * StoreLimits.backupsKept
    let disk = try disk(starts: starts)
    let store = try Recovery.open(disk).store
    let own = store.pastChanges(before: .max, most: UndoHistory.kept, of: .person)
    #expect(own.map(\.sequence) == Array(stride(from: 1, through: starts, by: 3)))
    let backups = disk.files.keys.filter { $0.folder == .backups }
    // Each start made two generations.
    #expect(backups.count { $0.generation("crates") != nil } < starts)
    #expect(backups.count { $0.generation("journal") != nil } < starts)
  }
}
