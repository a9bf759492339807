import LibraryModel
import Platform
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Writing and archiving generations", .limited)
struct GenerationsTests {
  private func names(_ disk: SimulatedDisk) -> [String] {
    disk.files.keys.map(\.description).sorted()
  }

  @Test("What is older goes to the backups, what is being written or newer stays")
  func archive() {
    let text = Snapshot.text(Library())
    let disk = SimulatedDisk([
      .snapshot(4): text, .journal(4): [], .snapshot(5): text, .journal(5): [], .journal(6): [],
      StoreName("crates.4.txt.new"): [], StoreName("crates.5.txt.new"): [], StoreName("lock"): [],
    ])
    let generations = Generations(files: disk, keeping: BackupBounds())
    #expect(generations.archive(before: 5).isEmpty)
    let here = ["crates.5.txt", "crates.5.txt.new", "journal.5.txt", "journal.6.txt", "lock"]
    #expect(names(disk) == ["backups/crates.4.txt", "backups/journal.4.txt"] + here)
    let folders = disk.trace.filter { $0.kind == .synchronizeFolder }.map(\.subject)
    #expect(folders == ["backups", "store"], "a name is safe there before it is gone from here")
    // With nothing to move, nothing has to be made safe.
    #expect(generations.archive(before: 5).isEmpty)
    #expect(disk.trace.count { $0.kind == .synchronizeFolder } == 2)
  }

  @Test("A directory whose synchronization failed is never synchronized again")
  func faults() throws {
    let disk = SimulatedDisk([.snapshot(1): Snapshot.text(Library())])
    let generations = Generations(files: disk, keeping: BackupBounds())
    disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.synchronizeFolder])
    disk.failsOnce = true
    #expect(throws: SystemCallError.self) { try generations.makeJournal(2) }
    #expect(names(disk) == ["crates.1.txt"], "the journal is gone again")
    #expect(disk.trace.contains { $0.kind == .close && $0.subject == "journal.2.txt" })
    #expect(generations.fault(of: .store)?.code == 5 && generations.fault(of: .backups) == nil)
    let before = disk.trace.count
    #expect(throws: SystemCallError.self) { try generations.makeJournal(3) }
    #expect(generations.archive(before: 9).isEmpty)
    #expect(disk.trace.count == before && disk.offences.isEmpty)
  }

  @Test("A journal whose first line can't be written is closed and removed")
  func beginFails() throws {
    for kind in [SimulatedDisk.Kind.append, .synchronizeFile] {
      let disk = SimulatedDisk()
      let generations = Generations(files: disk, keeping: BackupBounds())
      let file = try generations.makeJournal(1)
      #expect(names(disk) == ["journal.1.txt"])
      disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [kind])
      #expect(throws: SystemCallError.self) { try generations.begin(file, 1, [1]) }
      #expect(names(disk).isEmpty && disk.trace.contains { $0.kind == .close })
    }
    let disk = SimulatedDisk()
    let generations = Generations(files: disk, keeping: BackupBounds())
    try generations.begin(try generations.makeJournal(1), 1, [1, 2])
    #expect(disk.files[.journal(1)] == [1, 2, 0x0A])
    #expect(disk.trace.last?.kind == .synchronizeFile)
  }

  @Test("A snapshot that can't get its name leaves nothing behind")
  func snapshotFails() throws {
    for kind in [SimulatedDisk.Kind.rename, .synchronizeFolder, .close, .synchronizeFile, .append] {
      let disk = SimulatedDisk()
      let generations = Generations(files: disk, keeping: BackupBounds())
      disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [kind])
      #expect(throws: SystemCallError.self) { try generations.writeSnapshot(Library(), 1) }
      let isThere = kind == .synchronizeFolder
      #expect(names(disk) == (isThere ? ["crates.1.txt"] : []), "\(kind)")
    }
  }
}
