import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import LibraryStore

@Suite("The store's directory on a real disk", .limited)
struct StoreFolderTests {
  let folder: TemporaryFolder
  let path: BytePath

  init() throws {
    folder = try TemporaryFolder()
    path = BytePath(folder.path("store"))
  }

  private func mode(_ name: String, _ mode: mode_t) throws {
    try #require(chmod(name.isEmpty ? path.display : "\(path.display)/\(name)", mode) == 0)
  }

  @Test("What others may read or write is told of both folders, and of the store's files alone")
  func openToOthers() throws {
    let files = try DiskFiles(directory: path)
    for name in [
      "lock", "crates.1.txt", "crates.2.txt.new", "folders.txt", "notes.txt", "backups/torn.1.x",
      "backups/damaged.1.x", "backups/lock", "backups/journal.1.txt",
    ] {
      try folder.write([], to: "store/\(name)")
      try mode(name, 0o600)
    }
    func told() throws -> [String] {
      try DiskFiles(reading: path).openToOthers().map { "\($0.name) \($0.mode)" }
    }
    #expect(try told().isEmpty && files.openToOthers().isEmpty)
    for name in ["lock", "crates.1.txt", "backups/journal.1.txt"] { try mode(name, 0o640) }
    for name in ["crates.2.txt.new", "folders.txt", "backups/torn.1.x"] { try mode(name, 0o602) }
    for name in ["notes.txt", "backups/lock"] { try mode(name, 0o666) }
    try mode("backups/damaged.1.x", 0o601)
    try mode("backups", 0o710)
    #expect(
      try told() == [
        "backups/damaged.1.x 600", "backups/journal.1.txt 600", "backups/torn.1.x 600",
        "backups 700", "crates.1.txt 600", "crates.2.txt.new 600", "folders.txt 600", "lock 600",
      ])
    try mode("", 0o701)
    #expect(try told().first == ". 700")
  }

  @Test("Files and directories that are there already are not made anew, and those above are made")
  func madeOnce() throws {
    let deep = BytePath(folder.path("a/b/c"))
    let files = try DiskFiles(directory: deep)
    let file = try files.create(.journal(1))
    try files.close(file)
    #expect(try DiskFiles(directory: deep).names(in: .store) == ["backups", "journal.1.txt"])
    #expect(try DiskFiles(again: files).names(in: .store) == ["backups", "journal.1.txt"])
    #expect(try DiskFiles(again: files).names(in: .backups).isEmpty)
    try folder.write([], to: "file")
    let error = #expect(throws: SystemCallError.self) {
      try DiskFiles(directory: BytePath(folder.path("file/store")))
    }
    #expect(error?.code == ENOTDIR)
    // The directory of the backups may be missing where a store is only read, and be no file.
    try #require(rmdir("\(deep.display)/backups") == 0)
    #expect(try DiskFiles(reading: deep).names(in: .backups).isEmpty)
    try folder.write([], to: "a/b/c/backups")
    #expect(throws: SystemCallError.self) { try DiskFiles(reading: deep) }
  }

  @Test("A file has its size and its bytes, and one that is not there has none")
  func sizes() throws {
    let files = try DiskFiles(directory: path)
    #expect(try files.size(of: .journal(1)) == nil)
    for count in [0, 1, 70_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
      try folder.write(bytes, to: "store/backups/journal.1.txt")
      let name = StoreName("journal.1.txt", in: .backups)
      #expect(try files.size(of: name) == count)
      #expect(try files.read(name) == bytes)
      #expect(try DiskFiles.read(path.appending("backups/journal.1.txt".utf8)) == bytes)
      try files.synchronizeFound(name)
    }
    #expect(try DiskFiles.read(path.appending("nothing".utf8)) == nil)
    #expect(throws: SystemCallError.self) { try files.synchronizeFound(.journal(1)) }
    try folder.write([], to: "store/file")
    let inFile = StoreName("file/x")
    #expect(throws: SystemCallError.self) { try files.size(of: inFile) }
    #expect(throws: SystemCallError.self) { try files.read(inFile) }
  }

  @Test("A file that is larger than any of the store's is not read")
  func tooLarge() throws {
    let path = BytePath(try folder.write([1, 2, 3], to: "file"))
    #expect(try DiskFiles.read(path, most: 3) == [1, 2, 3])
    let error = #expect(throws: SystemCallError.self) { try DiskFiles.read(path, most: 2) }
    #expect(error?.code == EFBIG)
  }

  @Test("Whether there is room is tried without a trace")
  func probe() throws {
    let files = try DiskFiles(directory: path)
    try files.probe()
    // What an earlier call left says nothing of the names.
    errno = EIO
    #expect(try files.names(in: .store) == ["backups"])
  }

  @Test("The new name of a file is not given over another's")
  func renames() throws {
    let files = try DiskFiles(directory: path)
    let (old, new) = (StoreName("a"), StoreName("b", in: .backups))
    try folder.write([1], to: "store/a")
    try folder.write([2], to: "store/backups/b")
    let taken = #expect(throws: SystemCallError.self) { try files.rename(old, to: new) }
    #expect(taken?.code == EEXIST)
    #expect(try files.read(new) == [2])
    try files.remove(new)
    try files.rename(old, to: new)
    #expect(try files.read(new) == [1])
    let nothing = #expect(throws: SystemCallError.self) { try files.rename(old, to: new) }
    #expect(nothing?.code == ENOENT)
  }
}

@Suite("Names in a store", .limited)
struct StoreNameTests {
  @Test("A name is the store's in the folder in which the store has such a file")
  func ours() {
    for folder in [StoreName.Folder.store, .backups] {
      for name in ["crates.1.txt", "journal.1.txt", "crates.1.txt.new"] {
        #expect(StoreName(name, in: folder).isOurs)
      }
      for name in ["crates.txt", "journal.1.txt.new", "notes.txt", "torn", "damaged", ""] {
        #expect(!StoreName(name, in: folder).isOurs, "\(name)")
      }
    }
    for name in ["lock", "backups", "folders.txt", "folders.txt.new"] {
      #expect(StoreName(name).isOurs && !StoreName(name, in: .backups).isOurs)
    }
    for name in ["torn.1.journal.1.txt", "damaged.1.crates.1.txt"] {
      #expect(!StoreName(name).isOurs && StoreName(name, in: .backups).isOurs)
    }
  }

  @Test("What is found after a check is a finding of it, and no better than it was")
  func findings() {
    let finding = StoreReport.Finding(name: .snapshot(1), line: nil, reason: "x")
    var report = StoreReport()
    report.add(finding)
    #expect(report.findings == [finding] && report.verdict == .findings)
    report.add(finding)
    #expect(report.findings.count == 2 && report.verdict == .findings)
    report.verdict = .unusable("y")
    report.add(finding)
    #expect(report.verdict == .unusable("y"))
  }
}

@Suite("The time of the newest change", .limited)
struct NewestTimeTests {
  private func time(_ journals: [[UInt8]]) throws -> Int64? {
    var files: [StoreName: [UInt8]] = [:]
    for (place, bytes) in journals.enumerated() {
      let folder = place + 1 == journals.count ? StoreName.Folder.store : .backups
      files[StoreName("journal.\(place + 1).txt", in: folder)] = bytes
    }
    return try PastLibrary(SimulatedDisk(files)).newestTime()
  }

  private func journal(base: Int = 0, _ seconds: Int64...) -> [UInt8] {
    let header = JournalText.header(generation: 1, base: base)
    var text = JournalText(header: header, base: base)
    return seconds.reduce(header + [0x0A]) { bytes, second in
      var batch = [
        Transaction(
          by: .person, time: 1_000 * second, changes: [.crateAdded("A", after: nil)])
      ]
      return bytes + text.records(of: &batch)
    }
  }

  @Test("It is that of the last whole record of the newest journal that has one")
  func times() throws {
    #expect(try time([]) == nil)
    #expect(try time([[], Array("torn".utf8)]) == nil)
    #expect(try time([journal()]) == nil)
    #expect(try time([journal(1)]) == 1000)
    #expect(try time([journal(1, 2)]) == 2000)
    #expect(try time([journal(1, 2) + Array("half a line".utf8)]) == 2000)
    #expect(try time([journal(1, 2).dropLast(3)]) == 1000)
    #expect(try time([journal(3), journal(base: 1, 1)]) == 1000)
    #expect(try time([journal(3), journal(base: 1)]) == 3000)
  }
}
