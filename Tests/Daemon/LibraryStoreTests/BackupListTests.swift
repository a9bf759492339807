import LibraryModel
import Platform
import TestSupport
import Testing

@testable import LibraryStore

@Suite("The list of backups", .limited)
struct BackupListTests {
  private typealias Backup = BackupList<SimulatedDisk>.Backup

  private let text = """
    crated 1 sequence 9
    crate Jazz
    \talbum baaaaaaaaaaa group=x a crate
    \t\talso caaaaaaaaaaa
    \t\tsong faaaaaaaaaaa added=2026-11-21T05:11:02.123Z /album
    \t\tgone gaaaaaaaaaaa added=2026-11-21T05:11:02.123Z /song
    crate Music
    \talbum* daaaaaaaaaaa group=y b
    \talbum eaaaaaaaaaaa group=z c
    \t\tsong haaaaaaaaaaa added=2026-11-21T05:11:02.123Z /a
    \t\tsong iaaaaaaaaaaa added=2026-11-21T05:11:02.123Z /b
    \t\tsong jaaaaaaaaaaa added=2026-11-21T05:11:02.123Z /c
    end edited

    """

  @Test("Snapshots of both folders are listed, the newest first, with what is in them")
  func counts() throws {
    let (here, old) = (StoreName.snapshot(12), StoreName("crates.9.txt", in: .backups))
    let empty = StoreName("crates.10.txt", in: .backups)
    let disk = SimulatedDisk([
      old: Array(text.utf8), here: Array("crated 1 sequence 0\ncrate A".utf8), empty: [],
      .journal(12): Array(text.utf8), StoreName("lock"): [],
      StoreName("crates.13.txt.new"): Array(text.utf8),
    ])
    #expect(
      try BackupList.list(disk) == [
        Backup(generation: 12, name: here, crates: 1),
        Backup(generation: 10, name: empty),
        Backup(generation: 9, name: old, crates: 2, albums: 3, songs: 4),
      ])
  }

  @Test("One that can't be read is listed as that, and one that has gone is not")
  func unreadable() throws {
    let (first, second) = (StoreName.snapshot(1), StoreName.snapshot(2))
    let disk = SimulatedDisk([first: Array(text.utf8), second: Array(text.utf8)])
    disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.read], name: second)
    #expect(
      try BackupList.list(disk) == [
        Backup(generation: 2, name: second, isRead: false),
        Backup(generation: 1, name: first, crates: 2, albums: 3, songs: 4),
      ])
    disk.fault = nil
    // Before the first file is read.
    var calls = 0
    disk.beside = {
      calls += 1
      if calls == 2 { try? disk.remove(first) }
    }
    #expect(try BackupList.list(disk).map(\.name) == [second])
    disk.beside = nil
    disk.fault = .init(operation: 0, isLasting: true, code: 5, kinds: [.names])
    #expect(throws: SystemCallError.self) { try BackupList.list(disk) }
  }
}
