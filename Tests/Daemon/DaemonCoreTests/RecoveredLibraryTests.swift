import LibraryModel
import LibraryStore
import LogSupport
import Platform
import ProgramSupport
import Settings
import TestSupport
import Testing

@testable import DaemonCore

@Suite("What a start recovers", .limited)
struct RecoveredLibraryTests {
  private let home: Home
  private let log = SaidLines()
  private var store: BytePath { BytePath(home.store) }

  init() throws {
    home = try Home()
    try makeDirectories(Array(home.store.utf8))
  }

  private func recovered() throws -> RecoveredLibrary {
    let surroundings = Daemon.Surroundings(
      settings: Settings(musicFolders: [BytePath(home.music)]),
      paths: try SettingsPaths(environment: home.environment),
      readerProgram: BytePath("/nowhere"), environment: home.environment)
    return try RecoveredLibrary(surroundings, try DiskFiles(directory: store), log.logger)
  }

  /// Changes one after the other, at these times, in a life that is closed or killed.
  private func live(_ times: [Int64], isKilled: Bool) throws {
    let opened = try Recovery.open(try DiskFiles(directory: store))
    var library = opened.library
    for time in times {
      let change = Change.crateAdded("Crate \(time)", after: nil)
      let done = try opened.store.commit(
        [Transaction(by: .person, time: time, sentence: "new", changes: [change])], to: library)
      try library.apply(change, by: .person)
      library.advance(to: try #require(done.last?.sequence))
    }
    if !isKilled { #expect(opened.store.close(library) == nil) }
  }

  private func contents() throws -> [String: [UInt8]] {
    let files = try names(in: home.store).filter { $0.hasSuffix(".txt") }
    return try Dictionary(
      uniqueKeysWithValues: files.map { ($0, try readFile("\(home.store)/\($0)")) })
  }

  @Test("The newest time is that of the last change, be it before the journal that is open")
  func times() throws {
    #expect(try recovered().newestTime == 0)
    try live([1_000, 3_000], isKilled: true)
    #expect(try recovered().newestTime == 3_000)
    try live([4_000, 5_000], isKilled: false)
    #expect(try recovered().newestTime == 5_000)
    #expect(log.all == [])
  }

  @Test("Nothing is written before somebody says so, and songs lie in the folders of the settings")
  func untouched() throws {
    try live([1_000], isKilled: false)
    try live([2_000], isKilled: true)
    let left = try contents()
    let recovered = try recovered()
    #expect(recovered.library.crates.count == 2)
    #expect(recovered.library.away.folders == [BytePath(home.music)])
    #expect(try contents() == left)
    recovered.store.writeRecovered(recovered.library)
    #expect(try contents() != left)
    recovered.store.close(recovered.library)
  }
}
