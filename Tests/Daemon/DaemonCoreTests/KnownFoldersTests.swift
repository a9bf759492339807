import Glibc
import LibraryModel
import LibraryStore
import LogSupport
import Platform
import Settings
import TestSupport
import Testing
import VarlinkServer

@testable import DaemonCore

@Suite("The records of music folders", .limited)
struct KnownFoldersTests {
  private let folder: TemporaryFolder
  private let log = SaidLines()
  private let root = BytePath("/music")

  init() throws { folder = try TemporaryFolder() }

  private func knownFolders() throws -> KnownFolders {
    KnownFolders(try DiskFiles(directory: BytePath(folder.path("store"))), logger: log.logger)
  }

  private func record(_ inode: UInt64, isScanned: Bool = true) -> FolderRecord {
    FolderRecord(
      identity: FileIdentity(fileSystem: 1, inode: inode, birth: 1), isScanned: isScanned)
  }

  private func album(_ number: Int) -> AlbumID { AlbumID(number: UInt64(number)) }

  @Test(
    "What is noted is known after a restart, and what a merge told stays beside what a look does")
  func kept() throws {
    let first = try knownFolders()
    #expect(first.roots == [] && first[root] == nil && first.leaving == [:])
    // Of a folder that was never looked at nothing can leave.
    first.note(leaving: [album(1)], at: root)
    #expect(first[root] == nil)
    first.note(record(1), at: root)
    first.note(leaving: [album(1), album(2)], at: root)
    first.note(record(2), at: root)
    first.note(record(3), at: BytePath("/other"))
    for knownFolders in [first, try knownFolders()] {
      #expect(Set(knownFolders.roots) == [root, BytePath("/other")])
      #expect(knownFolders[root]?.identity.inode == 2 && knownFolders[root]?.isScanned == true)
      #expect(knownFolders.leaving == [root: [album(1), album(2)]])
    }
    #expect(log.all == [])
  }

  @Test("A thousand albums that leave are kept, the same ones each time")
  func bounds() throws {
    let knownFolders = try knownFolders()
    knownFolders.note(record(1), at: root)
    for count in [1_000, 1_001, 2_000] {
      knownFolders.note(leaving: Set((1...count).map(album)), at: root)
      #expect(knownFolders.leaving[root] == Set((1...1_000).map(album)))
    }
  }

  @Test("Where it can't be read or kept, that is said, and it goes on with what it knows")
  func faults() throws {
    let files = try DiskFiles(directory: BytePath(folder.path("store")))
    let whole = KnownFolders(files, logger: log.logger)
    whole.note(record(1), at: root)
    let name = try #require(
      try names(in: folder.path("store")).first { $0.contains("folder") })
    let path = folder.path("store/\(name)")
    unlink(path)
    mkdir(path, 0o700)
    mkdir(path + "/x", 0o700)
    whole.note(record(2), at: root)
    #expect(log.all.count == 1)
    #expect(
      log.all[0].hasPrefix("warning: what is known of /music could not be kept: "))
    #expect(whole[root]?.identity.inode == 2)
    // What is the same isn't written.
    whole.note(record(2), at: root)
    #expect(log.all.count == 1)
    let other = KnownFolders(files, logger: log.logger)
    #expect(other.roots == [] && log.all.count == 2)
    #expect(
      log.all[1].hasPrefix("warning: what was known of the music folders could not be read: "))
  }

  @Test("Each failure has the status that says what to do about it")
  func failures() {
    let call = SystemCallError("open", "/x")
    #expect(DaemonFailure(call, "do this").status == 71)
    #expect(DaemonFailure(call, "do this").description.hasSuffix(": do this"))
    #expect(DaemonFailure(StoreFailure.newerVersion(9, file: "a")).status == 78)
    #expect(DaemonFailure(StoreFailure.unusable("no")).status == 65)
    #expect(
      [DaemonFailure.owned, DaemonFailure.wrongUse, DaemonFailure.unusableStore] == [3, 64, 65])
  }

  @Test("An image beside songs is the cover of their album, the best place first")
  func covers() throws {
    var library = Library()
    library.away.folders = [BytePath("/m")]
    var contents = FolderContents(root: BytePath("/m"), seen: 1)
    contents.found = ["A/CD1/1", "A/CD1/2", "A/CD2/3"].enumerated().map { number, name in
      var found = LibrarianFixture.found("", number + 1, album: "A")
      found.path = BytePath("/m/\(name).flac")
      return found
    }
    library =
      Merge.merge(
        contents, into: library, lookups: Lookups(library, roots: [BytePath("/m")]),
        newAlbums: nil
      ).decision.library
    let album = try #require(library.albums.values.first)
    let covers = FolderCovers()
    #expect(covers.cover(of: album, in: library) == nil)
    let places = ["/m/A/CD2", "/m/A/CD1", "/m/A"]
    for (number, place) in places.enumerated() {
      let digest = CoverDigest(number: UInt64(number + 1))
      covers.note(digest, in: BytePath(place))
      #expect(covers.cover(of: album, in: library) == digest, "\(place)")
    }
    // Beside what is gone nobody looks.
    covers.note(nil, in: BytePath("/m/A"))
    covers.note(nil, in: BytePath("/m/A/CD1"))
    contents.found = []
    contents.vanished = [BytePath("/m/A/CD2/3.flac")]
    library =
      Merge.merge(
        contents, into: library, lookups: Lookups(library, roots: [BytePath("/m")]),
        newAlbums: nil
      ).decision.library
    let left = try #require(library.albums.values.first)
    #expect(covers.cover(of: left, in: library) == nil)
  }
}
