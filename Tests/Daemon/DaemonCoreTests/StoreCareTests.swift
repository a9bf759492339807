import Glibc
import LibraryModel
import LibraryStore
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Care for a store that nobody uses", .limited)
struct StoreCareTests {
  private let folder: TemporaryFolder
  private let care: StoreCare
  private var store: String { folder.path("store") }

  /// A store of four lives, each of which gave the one crate another name.
  init() throws {
    folder = try TemporaryFolder()
    care = StoreCare(store: BytePath(folder.path("store")))
    for name in ["One", "Two", "Three", "Four"] { try live(name) }
  }

  private func live(_ name: String) throws {
    let opened = try Recovery.open(try DiskFiles(directory: BytePath(store)))
    var library = opened.library
    let change: Change =
      library.crates.first.map { .crateRenamed($0.name, to: name) }
      ?? .crateAdded(name, after: nil)
    let done = try opened.store.commit(
      [Transaction(by: .person, time: 1, sentence: name, changes: [change])], to: library)
    try library.apply(change, by: .person)
    library.advance(to: try #require(done.last?.sequence))
    #expect(opened.store.close(library) == nil)
  }

  private func check() -> (status: Int32, lines: [String]) {
    var lines: [String] = []
    let status = care.check { lines.append($0) }
    return (status, lines)
  }

  @Test("Numbers are grouped by thousands, and one is one")
  func numbers() {
    let numbers = [0, 7, 12, 999, 1_000, 12_034, 999_999, 1_000_000]
    #expect(
      numbers.map(StoreCare.grouped)
        == ["0", "7", "12", "999", "1,000", "12,034", "999,999", "1,000,000"])
    #expect(
      [0, 1, 2, 1_000].map { care.counted($0, "song") } == [
        "0 songs", "1 song", "2 songs", "1,000 songs",
      ])
  }

  @Test("A good store is good, one with others' permissions has findings, none is unusable")
  func checked() throws {
    let good = check()
    #expect(good.status == 0)
    #expect(good.lines.last?.hasPrefix("good: ") == true)
    #expect(good.lines.last?.hasSuffix("with 0 songs in 1 crate, change 4") == true)
    #expect(!care.isInUse)
    let file = "\(store)/\(try #require(try names(in: store).first { $0.hasSuffix(".txt") }))"
    let modes: [(path: String, open: mode_t, closed: mode_t)] = [
      (store, 0o755, 0o700), (file, 0o644, 0o600),
    ]
    for (path, mode, closed) in modes {
      chmod(path, mode)
      let open = check()
      #expect(open.status == 1)
      let octal = String(closed, radix: 8)
      let told = "\(path): others may read or write it: chmod \(octal) \(path)"
      #expect(open.lines.contains(told), "\(open.lines)")
      #expect(open.lines.last?.hasPrefix("1 finding: ") == true)
      chmod(path, closed)
    }
    let lock = try FileLock(path: BytePath(store).appending("lock".utf8).bytes)
    #expect(care.isInUse)
    #expect(check().lines.contains { $0.contains("in use by the crated with process id") })
    withExtendedLifetime(lock) {}
    var lines: [String] = []
    let none = StoreCare(store: BytePath(folder.path("none")))
    #expect(none.check { lines.append($0) } == DaemonFailure.unusableStore)
    #expect(lines.count == 1 && lines[0].hasPrefix("unusable: "))
  }

  @Test("A store that is damaged through, or of a later version, is told as what it is")
  func unusable() throws {
    let own = try names(in: store).filter { $0.hasPrefix("crates.") }
    for name in own { try writeFile(Array("crated 9\n".utf8), to: "\(store)/\(name)") }
    let newer = check()
    #expect(newer.status == DaemonFailure.configuration && newer.status == 78)
    #expect(newer.lines.last?.contains(own[0]) == true)
    for folder in [store, store + "/backups"] {
      for name in try names(in: folder) where name != "backups" {
        try writeFile([], to: "\(folder)/\(name)")
      }
    }
    let none = check()
    #expect(none.status == 65 && none.lines.last?.hasPrefix("unusable: ") == true)
  }

  @Test("What is no backup, or none that can be read, is told as that")
  func former() throws {
    let name = try #require(try names(in: store + "/backups").last { $0.hasPrefix("crates.") })
    let former = try care.former(name)
    #expect(former.origin == "order of \(former.date)")
    try writeFile(Array("nonsense".utf8), to: "\(store)/backups/\(name)")
    let damaged = try #require(throws: DaemonFailure.self) { _ = try care.former(name) }
    #expect(damaged.status == DaemonFailure.unusableStore)
    let directory = try folder.makeFolder("folder")
    let copied = try #require(throws: DaemonFailure.self) { _ = try care.former(directory) }
    #expect(copied.status == DaemonFailure.wrongUse)
    #expect(copied.description.contains("name the crates.N.txt in it"))
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let unread = try #require(throws: DaemonFailure.self) { _ = try care.former(pipe) }
    #expect(unread.status == DaemonFailure.unusableStore)
    #expect(unread.description.hasSuffix("): check the path and its permissions"))
  }

  @Test("An order that is laid over and only shown leaves a store as a kill left it")
  func shown() throws {
    let name = try #require(try names(in: store + "/backups").last { $0.hasPrefix("crates.") })
    let former = try care.former(name)
    let opened = try Recovery.open(try DiskFiles(directory: BytePath(store)))
    let change = Change.crateAdded("More", after: nil)
    _ = try opened.store.commit(
      [Transaction(by: .person, time: 1, sentence: "More", changes: [change])],
      to: opened.library)
    func contents() throws -> [String: [UInt8]] {
      let files = try names(in: store).filter { $0.hasSuffix(".txt") }
      return try Dictionary(
        uniqueKeysWithValues: files.map { ($0, try readFile("\(store)/\($0)")) })
    }
    let left = try contents()
    #expect(left.count > 1)
    do {
      guard case .over(let laid) = try care.laidOver(former, newAlbums: nil, index: nil) else {
        Issue.record("it can't be laid over")
        return
      }
      _ = laid.preview
    }
    #expect(try contents() == left)
  }

  @Test("Backups are listed with when they were written, by the clock on the wall")
  func dates() throws {
    let names = try run("ls", [store + "/backups"]).output.split(separator: "\n").filter {
      $0.hasPrefix("crates.")
    }
    #expect(names.count >= 2)
    var moment = tm()
    (moment.tm_year, moment.tm_mon, moment.tm_mday) = (101, 1, 3)
    (moment.tm_hour, moment.tm_min, moment.tm_isdst) = (4, 5, -1)
    let old = mktime(&moment)
    var today = tm()
    var now = time(nil)
    localtime_r(&now, &today)
    (moment.tm_year, moment.tm_mon, moment.tm_mday) = (today.tm_year, 0, 2)
    (moment.tm_hour, moment.tm_min, moment.tm_isdst) = (10, 39, -1)
    let recent = mktime(&moment)
    for (name, seconds) in zip(names, [old, recent]) {
      var times = [timeval(tv_sec: seconds, tv_usec: 0), timeval(tv_sec: seconds, tv_usec: 0)]
      #expect(utimes("\(store)/backups/\(name)", &times) == 0)
    }
    let lines = try care.backups()
    #expect(lines.count >= names.count + 1)
    #expect(lines[0].contains("Generation  Written"))
    #expect(lines.contains { $0.contains("  3 February 2001, 04:05  ") })
    #expect(lines.contains { $0.contains("  2 January, 10:39  ") })
    // Columns are as wide as what is in them.
    #expect(Set(lines.map(\.count)).count == 1)
    #expect(lines.count { $0.hasSuffix("     1       0      0") } >= 2)
  }

  @Test("Of a store without backups the heading is listed, and a link has the date of its backup")
  func dated() throws {
    let empty = StoreCare(store: BytePath(try folder.makeFolder("empty")))
    #expect(try empty.backups() == ["Generation  Written  Crates  Albums  Songs"])
    let name = try #require(try names(in: store + "/backups").last { $0.hasPrefix("crates.") })
    let link = folder.path("link.txt")
    try #require(symlink("\(store)/backups/\(name)", link) == 0)
    var moment = tm()
    (moment.tm_year, moment.tm_mon, moment.tm_mday) = (101, 1, 3)
    (moment.tm_hour, moment.tm_min, moment.tm_isdst) = (4, 5, -1)
    let old = mktime(&moment)
    var times = [timeval(tv_sec: old, tv_usec: 0), timeval(tv_sec: old, tv_usec: 0)]
    try #require(utimes(link, &times) == 0)
    #expect(try care.former(link).date == "3 February 2001, 04:05")
  }

  @Test("A former order is laid over that of now as one change, or put in its place")
  func restored() throws {
    let generation = try #require(
      try care.backups().last { $0.hasSuffix(" 1       0      0") }?.split(separator: " ").first
        .map(String.init))
    let former = try care.former(generation)
    let name = try #require(former.library.crates.first?.name)
    #expect(["One", "Two", "Three"].contains(name))
    #expect(try care.former("crates.\(generation).txt").library.crates.first?.name == name)
    #expect(
      try care.former("\(store)/backups/crates.\(generation).txt").library.crates.first?.name
        == name)
    for wrong in ["99", "none", "/none", store] {
      do throws(DaemonFailure) {
        _ = try care.former(wrong)
        #expect(Bool(false), "there is no backup \(wrong)")
      } catch {
        #expect(error.status == DaemonFailure.wrongUse)
      }
    }
    #expect(throws: DaemonFailure.self) {
      let lock = try Daemon.claim(BytePath(store))
      defer { withExtendedLifetime(lock) {} }
      _ = try care.laidOver(former, newAlbums: nil, index: nil)
    }
    let said = try care.put(former)
    #expect(
      said.first?.hasSuffix("0 songs in 1 crate; what was there before is in backups") == true)
    let opened = try Recovery.open(try DiskFiles(directory: BytePath(store)))
    #expect(opened.library.crates.map(\.name) == [name])
    opened.store.close(opened.library)
  }
}
