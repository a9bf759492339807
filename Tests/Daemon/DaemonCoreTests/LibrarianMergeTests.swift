import CratesInterface
import LibraryModel
import LibraryStore
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Merges beside edits", .limited)
struct LibrarianMergeTests {
  /// A librarian with an album, whose merges wait until the gate is opened.
  private struct Held {
    let fixture: LibrarianFixture
    private let isOpen = Monitor(false)
    private let merged = Monitor<[BytePath: String]?>(nil)

    init(clock: Clock = .system) {
      fixture = LibrarianFixture(clock: clock)
      fixture.fill(albums: 1)
      hold()
    }

    func hold() {
      isOpen.withLock { $0 = false }
      fixture.librarian.mergeThread.begin(fixture.published.library) { [isOpen] in
        isOpen.wait { $0 ? () : nil }
      }
    }

    func open() { isOpen.withLock { $0 = true } }

    /// Has the librarian begin to merge other albums.
    func beginMerge(seen: Int64 = 2, albums: Int = 1) {
      var contents = FolderContents(root: BytePath("/music"), seen: seen)
      contents.found = (1...albums).map { number in
        LibrarianFixture.found(
          "\(seen)-\(number)/x.flac", number * 10 + Int(seen), album: "B\(number)")
      }
      merged.withLock { $0 = nil }
      fixture.librarian.mailbox.withLock {
        $0.merges.append(
          Librarian.MergeRequest(found: .contents(contents)) { [merged] rejected in
            merged.withLock { $0 = rejected }
          })
      }
      fixture.librarian.mailbox.wait { $0.merges.isEmpty ? () : nil }
    }

    var isMerged: Bool { merged.withLock { $0 != nil } }

    func waitUntilMerged() -> [BytePath: String] { merged.wait { $0 } }
  }

  @Test("an edit is answered while a merge is decided, and both are in the order")
  func edit() throws {
    let held = Held()
    held.beginMerge()
    let change = try held.fixture.answer(.renameCrate("Music", to: "Mine")).get()
    #expect(change.changed && !held.isMerged)
    held.open()
    #expect(held.waitUntilMerged() == [:])
    let library = held.fixture.published.library
    #expect(library.crates.map(\.name) == ["Mine"])
    #expect(library.albums.count == 2)
    #expect(library.sequence == change.sequence + 1)
    held.fixture.librarian.stop()
  }

  @Test(
    "a merge that edits overtake again and again is decided while they wait, be it short or long",
    arguments: [1, 1_000_000])
  func overtaken(pace: Int64) throws {
    let begun = Clock.system.monotonic()
    let clock = Clock(
      monotonic: { begun + (Clock.system.monotonic() - begun) * pace }, wall: Clock.system.wall)
    let held = Held(clock: clock)
    held.beginMerge(albums: 9)
    var name = "Music"
    var edits = 0
    // Without an end it would never be done.
    held.open()
    while !held.isMerged, edits < 10_000 {
      _ = try held.fixture.answer(.renameCrate(name, to: "C\(edits)")).get()
      name = "C\(edits)"
      edits += 1
    }
    #expect(held.waitUntilMerged() == [:])
    #expect(edits < 10_000)
    #expect(held.fixture.published.library.albums.count == 10)
    held.fixture.librarian.stop()
  }

  @Test("a merge goes by the crate for new albums, and by what is offline, as they are at its end")
  func settings() throws {
    let held = Held()
    held.beginMerge()
    held.fixture.librarian.setNewAlbums("New")
    held.open()
    #expect(held.waitUntilMerged() == [:])
    #expect(held.fixture.published.library.crates.map(\.name) == ["Music", "New"])

    held.hold()
    held.beginMerge(seen: 3)
    var away = Away()
    away.folders = [BytePath("/elsewhere")]
    let isDone = Monitor(false)
    held.fixture.librarian.mailbox.withLock {
      $0.aways.append(
        Librarian.AwayRequest(away: { [away] in away }, done: { isDone.withLock { $0 = true } }))
    }
    _ = try held.fixture.answer(.renameCrate("New", to: "Newer")).get()
    // It is seen at once, and done when all is that it brings about.
    #expect(held.fixture.published.library.away.folders == away.folders)
    #expect(!isDone.withLock { $0 })
    held.open()
    isDone.wait { $0 ? () : nil }
    #expect(held.waitUntilMerged() == [:])
    // The file lies in no music folder any more.
    #expect(held.fixture.published.library.albums.count == 2)
    held.fixture.librarian.stop()
  }

  @Test("a librarian that stops ends the merge that it began, and does those that wait")
  func stop() {
    let held = Held()
    held.beginMerge()
    let isDone = Monitor(false)
    var waiting = FolderContents(root: BytePath("/music"), seen: 3)
    waiting.found = [LibrarianFixture.found("3/x.flac", 13, album: "B3")]
    held.fixture.librarian.mailbox.withLock { [waiting] in
      $0.merges.append(
        Librarian.MergeRequest(found: .contents(waiting)) { _ in isDone.withLock { $0 = true } })
    }
    let stopping = BlockingThread("stopping") { [librarian = held.fixture.librarian] in
      librarian.stop()
    }
    held.fixture.librarian.mailbox.wait { $0.isStopping ? () : nil }
    #expect(!held.isMerged)
    held.open()
    stopping.join()
    #expect(held.isMerged && isDone.withLock { $0 })
    #expect(held.fixture.published.library.albums.count == 3)
  }
}
