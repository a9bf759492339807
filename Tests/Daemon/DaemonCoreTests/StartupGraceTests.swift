import LibraryIndex
import LibraryModel
import Logging
import Platform
import TestSupport
import Testing

@testable import DaemonCore

/// Head starts that nobody ends but those who are tried: what forgets to would hang.
@Suite("The startup grace", .limited)
struct StartupGraceTests {
  private let startupGrace = StartupGrace(isOver: false)
  private let published = PublishedLibrary(Library())
  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private func index(_ path: String) -> IndexService {
    IndexService(
      path: BytePath(path), published: published, startupGrace: startupGrace, clock: .system,
      logger: logger)
  }

  @Test("is waited for until its time, or until somebody ends it before")
  func ends() {
    let waiter = BlockingThread("waiter") { [startupGrace] in startupGrace.wait() }
    #expect(!startupGrace.isOver)
    startupGrace.end(at: Clock.system.monotonic() + 1_000_000)
    #expect(startupGrace.isOver)
    waiter.join()
    // Nobody waits for the time of one that is over.
    startupGrace.end(at: .max)
    StartupGrace.none.wait()
  }

  @Test("is for those who have something to show, be it not read yet")
  func library() throws {
    var library = Library()
    #expect(StartupGrace(for: library).isOver)
    let nothing = try #require(LibraryOutline(library, songsOfFolder: [:]))
    #expect(!StartupGrace(for: Library(nothing)).isOver)
    try library.addOneSong()
    #expect(!StartupGrace(for: library).isOver)
  }

  @Test("is as long as listing all of it takes, and a second at most")
  func length() {
    for (songs, length) in [
      (0, 100_000_000), (1, 100_000_000), (12_000, 100_000_000), (12_120, 101_000_000),
      (24_000, 200_000_000), (120_000, 1_000_000_000), (10_000_000, 1_000_000_000),
    ] as [(Int, Int64)] {
      #expect(StartupGrace.length(songs: songs) == length, "\(songs)")
    }
    #expect(StartupGrace(for: Library()).length == StartupGrace.length(songs: 0))
  }

  @Test("ends where a search wants the index, or it is to stop")
  func index() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("index.sqlite")
    let service = index(path)
    service.start(try LibraryIndex.open(at: path, newest: 0).index, Library())
    #expect(!startupGrace.isOver)
    guard case .wholly = service.written(within: 60_000_000_000) else {
      Issue.record("the index was not written")
      return
    }
    #expect(startupGrace.isOver)
    service.stop()

    let other = StartupGraceTests()
    let stopped = other.index(path)
    stopped.start(nil, Library())
    stopped.stop()
    #expect(other.startupGrace.isOver)
  }
}
