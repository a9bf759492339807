import Glibc
import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite("What is news of which directory", .limited) struct NewsTests {
  /// The numbers of the watches, in the order of the first looks.
  private static let (cookies, root, folder) = (Int32(1), Int32(2), Int32(3))
  private static let directory = Int32(IN_ISDIR)

  private typealias News = PendingFolders.Changes

  /// A watch, what the kernel tells, the name, and the news of the root and of "A".
  private static let table: [(Int32, Int32, String, root: News?, folder: News?)] = [
    (root, IN_CREATE, "x.mp3", .other, nil), (root, IN_MODIFY, "x.mp3", .other, nil),
    (root, IN_ATTRIB, "x.mp3", .other, nil), (root, IN_DELETE, "x.mp3", .deletion, nil),
    (root, IN_MOVED_FROM, "x.mp3", .deletion, nil), (folder, IN_DELETE, "x.mp3", nil, .deletion),
    (root, IN_CREATE, "x", .other, nil), (root, IN_MOVED_TO, "x", .other, nil),
    (root, IN_DELETE, "x", .deletion, nil), (root, IN_MOVED_FROM, "x", .deletion, nil),
    (root, IN_MODIFY, "x", nil, nil), (root, IN_ATTRIB, "x", nil, nil),
    (root, IN_CLOSE_WRITE, "x", nil, nil), (folder, IN_CREATE, "x", nil, .other),
    (root, IN_CLOSE_WRITE, "cover.jpg", .other, nil), (root, IN_ATTRIB, "cover.jpg", .other, nil),
    (root, IN_MODIFY, "cover.jpg", nil, nil),
    (folder, IN_MODIFY, ".crateignore", nil, [.other, .subtree]),
    (root, IN_DELETE, ".crateignore", [.other, .subtree], nil),
    (root, IN_CREATE, ".hidden", nil, nil), (root, IN_CREATE | directory, ".hidden", nil, nil),
    (root, IN_CREATE | directory, "B", .finished, nil),
    (root, IN_MOVED_TO | directory, "B", .finished, nil),
    (root, IN_CREATE | directory, "A", .finished, [.finished, .subtree]),
    (root, IN_MOVED_TO | directory, "A", .finished, [.finished, .subtree]),
    (root, IN_ATTRIB | directory, "A", .other, .other),
    (root, IN_ATTRIB | directory, "B", .other, nil),
    (root, IN_DELETE | directory, "A", .deletion, .deletion),
    (root, IN_MOVED_FROM | directory, "A", .deletion, .deletion),
    (root, IN_ATTRIB, "", .finished, nil), (root, IN_MOVE_SELF, "", .finished, nil),
    (folder, IN_ATTRIB, "", nil, .other), (folder, IN_DELETE_SELF, "", .deletion, nil),
    (folder, IN_MOVE_SELF, "", .deletion, nil), (cookies, IN_CREATE, "x.mp3", nil, nil),
    (99, IN_CREATE, "x.mp3", nil, nil),
  ]

  private func watcher(_ events: MadeUpEvents) throws -> SteppedWatcher {
    let music = TemporaryFolder()
    music.makeFolder("A")
    return try SteppedWatcher(music, events: events)
  }

  @Test("each kind of event makes a look due where it may have changed something, and only there")
  func kinds() throws {
    let events = MadeUpEvents()
    let watcher = try watcher(events)
    for (watch, mask, name, root, folder) in Self.table {
      events.tell(watch, mask, name)
      watcher.loop.takeEvents()
      let due = watcher.core.session.agenda.pending.takeAll(at: watcher.loop.now)
      var news: [String: News] = [:]
      for one in due { news[one.path.display] = one.changes }
      var wanted: [String: News] = [:]
      wanted[""] = root
      wanted["A"] = folder
      #expect(news == wanted, "\(name): \(mask)")
      #expect(due.allSatisfy { $0.finished.isEmpty })
    }
  }

  @Test("a file is finished that was closed or moved in, till it is written to again")
  func finished() throws {
    let events = MadeUpEvents()
    let watcher = try watcher(events)
    for mask in [IN_CLOSE_WRITE, IN_MOVED_TO] {
      events.tell(Self.folder, mask, "1.mp3")
      events.tell(Self.folder, mask, "2.mp3")
      events.tell(Self.folder, IN_MODIFY, "2.mp3")
      events.tell(Self.folder, mask, "no music")
      watcher.loop.takeEvents()
      let due = watcher.core.session.agenda.pending.takeAll(at: watcher.loop.now)
      #expect(due.map(\.path) == [BytePath("A")])
      #expect(due.map(\.finished) == [[Array("1.mp3".utf8)]])
    }
  }

  @Test(
    "a rename is remembered until something else comes to its place, or it is gone",
    arguments: [
      (IN_CREATE, false), (IN_DELETE, false), (IN_MOVED_TO, false), (IN_MODIFY, true),
      (IN_CLOSE_WRITE, true), (IN_ATTRIB, true),
    ] as [(Int32, Bool)], [false, true])
  func renames(_ what: (mask: Int32, isKept: Bool), isFolder: Bool) throws {
    let events = MadeUpEvents()
    let music = TemporaryFolder()
    music.makeFolder("A")
    for name in ["A/1.mp3", "2.mp3"] { music.write(name, name) }
    let watcher = try SteppedWatcher(music, events: events)
    let loop = watcher.loop
    // Both halves have the same cookie.
    let kind = isFolder ? Self.directory : 0
    events.tell(Self.root, IN_MOVED_FROM | kind, isFolder ? "A" : "2.mp3")
    events.tell(Self.root, IN_MOVED_TO | kind, isFolder ? "B" : "3.mp3")
    loop.takeEvents()
    #expect(!loop.core.session.agenda.renames.isEmpty)
    events.tell(Self.root, what.mask | kind, isFolder ? "B" : "3.mp3")
    loop.takeEvents()
    let origin = loop.core.session.agenda.renames.takeOrigin(
      of: BytePath(isFolder ? "B/1.mp3" : "3.mp3"))
    #expect(origin == (what.isKept ? BytePath(isFolder ? "A/1.mp3" : "2.mp3") : nil))
  }

  @Test("a watch that the kernel has ended is of no directory any more")
  func ended() throws {
    let events = MadeUpEvents()
    let watcher = try watcher(events)
    #expect(watcher.core.session.watching.table.count == 2)
    events.tell(Self.folder, IN_ATTRIB)
    watcher.loop.takeEvents()
    #expect(watcher.core.session.watching.table.count == 2)
    events.tell(Self.folder, IN_IGNORED)
    watcher.loop.takeEvents()
    #expect(watcher.core.session.watching.table.count == 1)
  }
}
