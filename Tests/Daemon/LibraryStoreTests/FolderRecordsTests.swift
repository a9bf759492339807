import LibraryModel
import TestSupport
import Testing

@testable import LibraryStore

@Suite("What is known of music folders", .limited)
struct FolderRecordsTests {
  private let records = [
    BytePath("/home/ada/Music"): FolderRecord(
      identity: FileIdentity(fileSystem: .max, inode: 2, birth: -3), isScanned: true),
    BytePath(Array("/mnt/a b%".utf8) + [0xFF, 0x0A]): FolderRecord(
      identity: FileIdentity(fileSystem: 0, inode: .max, birth: 0), isScanned: false),
  ]

  @Test("any folder is read as it was written")
  func roundTrip() {
    #expect(FolderRecords.records(FolderRecords.text(records)) == records)
    #expect(FolderRecords.records(FolderRecords.text([:])) == [:])
  }

  @Test("what is mounted inside a folder, and when its first scan began, is kept with it")
  func inside() {
    var records = records
    let path = BytePath("/home/ada/Music")
    records[path]?.isScanned = false
    records[path]?.firstScanSeen = -4
    records[path]?.innerFileSystems = [InnerFileSystem.Kind.mount, .volume, .link].map { kind in
      InnerFileSystem(
        kind, at: path.appending("a b\n\(kind)".utf8), fileSystem: .max, inode: 9,
        isInStamps: kind != .mount)
    }
    records[path]?.leaving = [AlbumID(number: 7), AlbumID(number: 9)]
    let text = FolderRecords.text(records)
    #expect(FolderRecords.records(text) == records)
    #expect(FolderRecords.badLine(of: text) == nil)
    // What lies in no folder is not understood.
    let lines = text.split(separator: 0x0A)
    for line in [lines[2], lines[5]] {
      let orphan = Array([lines[0], line].joined(separator: [0x0A])) + [0x0A]
      #expect(FolderRecords.badLine(of: orphan) == 2)
      #expect(FolderRecords.records(orphan) == nil)
    }
    #expect(lines[5].starts(with: "left ".utf8))
  }

  @Test("folders are written in the order of their paths")
  func order() {
    var many = records
    for number in 1...9 {
      many[BytePath("/\(number)")] = FolderRecord(
        identity: FileIdentity(fileSystem: 1, inode: 2, birth: 3), isScanned: true)
    }
    let lines = FolderRecords.text(many).split(separator: 0x0A).dropFirst()
    let paths = lines.compactMap { $0.split(separator: 0x20).last }.map { Array($0) }
    #expect(paths.count == many.count)
    #expect(paths == paths.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test("the first line that is not understood is named")
  func badLines() {
    let lines = FolderRecords.text(records).split(separator: 0x0A).map(Array.init)
    func badLine(_ lines: [[UInt8]], _ end: [UInt8] = [0x0A]) -> Int? {
      FolderRecords.badLine(of: Array(lines.joined(separator: [0x0A])) + end)
    }
    #expect(badLine(lines) == nil && badLine([lines[0]]) == nil)
    #expect(badLine([]) == 1 && badLine([Array("crated-folders 2".utf8)]) == 1)
    #expect(badLine(lines, []) == lines.count)
    #expect(FolderRecords.records(FolderRecords.text(records).dropLast()) == nil)
    for place in lines.indices {
      var other = lines
      other[place] = Array("x".utf8)
      #expect(badLine(other) == place + 1)
    }
    let album = AlbumID(number: 7)
    for (line, isGood) in [
      ("folder fs=1 inode=2 birth=-3 /a", true), ("folder fs=1 inode=2 birth=3 scanned=1 /a", true),
      ("folder fs=1 inode=2 birth=3 scanned=1 seen=-4 /a b", true),
      ("folder fs=-1 inode=2 birth=3 /a", false), ("folder inode=2 fs=1 birth=3 /a", false),
      ("folder fs=1 inode=2 birth=3 a", false), ("folder fs=1 inode=2 birth=3", false),
      ("folder fs=1 inode=2 birth=x /a", false), ("folder fs=1 inode=2 birth=3 seen=x /a", false),
      ("folder fs=1 inode=2 birth=3 scanned=0 /a", false), ("folder 1 inode=2 birth=3 /a", false),
      ("folder fs=1 inode=2 birth=3 /a%4", false), ("mount fs=1 inode=2 /a", true),
      ("volume fs=1 inode=2 unstable=1 /a", true), ("link fs=1 inode=2 /a", true),
      ("link fs=1 inode=2 unstable=0 /a", false), ("left \(album)", true), ("left x", false),
    ] {
      let found = badLine(Array(lines[..<2]) + [Array(line.utf8)])
      #expect(found == (isGood ? nil : 3), "\(line)")
    }
  }

  @Test("the file on the disk is replaced as a whole, whatever a power cut has left beside it")
  func onDisk() throws {
    let folder = try TemporaryFolder()
    let files = try DiskFiles(directory: BytePath(folder.path("store")))
    #expect(try files.folderRecords() == [:])
    try files.replaceFolderRecords([:])
    _ = try folder.write(Array("half".utf8), to: "store/folders.txt.new")
    try files.replaceFolderRecords(records)
    #expect(try files.folderRecords() == records)
    #expect(try files.names(in: .store).sorted() == ["backups", "folders.txt"])
  }
}
