import FolderWatching
import LibraryModel
import LibraryStore
import Logging
import Platform
import TagReading
import TestSupport
import Testing

@testable import DaemonCore

@Suite("A music folder's service", .limited)
struct FolderServiceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func service(isScanned: Bool) throws -> FolderService {
    let published = PublishedLibrary(Library())
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let librarian = Librarian(
      published: published, feed: ChangeFeed(sequence: 0) { "" },
      index: IndexService(
        path: BytePath("/nowhere/index.sqlite"), published: published, clock: .system,
        logger: logger),
      playlists: PlaylistService(published: published, clock: .system, logger: logger),
      naming: Naming(published: published), clock: .system, logger: logger)
    return FolderService(
      root: BytePath(folder.path), isScanned: isScanned, librarian: librarian,
      book: FolderBook(try DiskFiles(directory: BytePath(folder.path("store"))), logger: logger),
      problems: ProblemList(), covers: CoverBook(), clock: .system, logger: logger,
      stateChanged: {})
  }

  @Test("says that it is being read from before its first look begins")
  func progress() throws {
    let readers = try ReaderPool(program: BytePath("/nowhere"), clock: .system)
    for isScanned in [false, true] {
      let service = try service(isScanned: isScanned)
      // Nor will it be where it can't be watched.
      #expect(service.progress == nil)
      try service.prepare(
        settings: WatchSettings(cookies: BytePath(folder.path("run"))), known: { [] },
        looks: LookTimes(), readers: readers)
      #expect(service.progress?.scanned == (isScanned ? nil : 0))
      #expect(service.progress?.toScan == nil)
      service.folderState(WatchState(mode: .watching, progress: .init(scanned: 3, toScan: 5)))
      #expect(service.progress?.scanned == 3)
      #expect(service.progress?.toScan == 5)
      var seen = WatchState(mode: .watching)
      seen.isSeen = true
      service.folderState(seen)
      #expect(service.progress == nil)
      service.stop()
    }
    readers.shutDown()
  }
}
