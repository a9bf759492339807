import Glibc
import LibraryModel
import TestSupport
import Testing

@testable import FolderWatching

@Suite("Looks at files by name in large directories", .limited) struct NamedLookTests {
  /// A directory with three files, which are many here, beside one with one.
  private func watcher(
    _ events: (any KernelEvents)? = nil, before: (TemporaryFolder) -> Void = { _ in },
    change: (inout WatchSettings) -> Void = { _ in }
  ) throws -> SteppedWatcher {
    let music = TemporaryFolder()
    for name in ["a/1.mp3", "a/2.mp3", "a/3.mp3", "b/1.mp3"] {
      music.makeFolder(String(name.prefix(1)))
      music.write(name, name)
    }
    before(music)
    return try SteppedWatcher(music, events: events) { settings in
      settings.manyFiles = 3
      change(&settings)
    }
  }

  private func settle(_ watcher: SteppedWatcher) {
    for _ in 0..<4 {
      watcher.settle()
      watcher.turn(by: 1_100 * milliseconds)
    }
    watcher.settle()
  }

  /// What is there, by another walk.
  private func there(_ music: TemporaryFolder) -> [String: String] {
    let start = music.path.display.utf8.count + 1
    return Dictionary(
      uniqueKeysWithValues: music.walk().map { (String($0.key.dropFirst(start)), $0.value) })
  }

  struct Deed: CustomTestStringConvertible {
    var testDescription: String
    var isByName: Bool
    var does: @Sendable (TemporaryFolder) -> Void

    init(
      _ description: String, isByName: Bool = false,
      _ does: @escaping @Sendable (TemporaryFolder) -> Void
    ) {
      testDescription = description
      self.isByName = isByName
      self.does = does
    }
  }

  static let deeds: [Deed] = [
    Deed("a new file", isByName: true) { $0.write("a/4.mp3", "new") },
    Deed("a file moved in", isByName: true) { $0.move("b/1.mp3", "a/4.mp3") },
    Deed("a file moved out", isByName: true) { $0.move("a/1.mp3", "b/4.mp3") },
    Deed("a file that went", isByName: true) { $0.delete("a/1.mp3") },
    Deed("a file that changed", isByName: true) { $0.write("a/1.mp3", "changed") },
    Deed("a file renamed over another", isByName: true) { $0.move("a/1.mp3", "a/2.mp3") },
    Deed("two files that exchanged their names", isByName: true) {
      _ = exchangeNames($0("a/1.mp3"), $0("a/2.mp3"))
    },
    Deed("a file that came and went", isByName: true) {
      $0.write("a/4.mp3", "new")
      $0.delete("a/4.mp3")
    },
    Deed("several at once", isByName: true) {
      $0.write("a/5.mp3", "five")
      $0.delete("a/2.mp3")
      $0.write("a/0.mp3", "zero")
      $0.move("a/3.mp3", "a/22.mp3")
    },
    Deed("a file in a small directory") { $0.write("b/2.mp3", "new") },
    Deed("a directory with a file's name") { $0.makeFolder("a/4.mp3") },
    Deed("a directory in the place of a file") {
      $0.delete("a/1.mp3")
      $0.makeFolder("a/1.mp3")
    },
    Deed("a directory") {
      $0.makeFolder("a/c")
      $0.write("a/c/1.mp3", "deep")
    },
    Deed("a link") { symlink("../b/1.mp3", $0("a/0.mp3")) },
    Deed("a link to nothing") { symlink("nothing.mp3", $0("a/4.mp3")) },
    Deed("a second name of a file") { link($0("a/1.mp3"), $0("a/4.mp3")) },
    Deed("an image") { $0.write("a/cover.jpg", "picture") },
    Deed("an image that goes") {
      $0.write("a/4.mp3", "new")
      $0.write("a/cover.jpg", "picture")
      $0.delete("a/cover.jpg")
    },
    Deed("rules of what is left out") {
      $0.write("a/.crateignore", "*.flac")
      $0.write("a/4.mp3", "new")
    },
    Deed("other permissions of the directory") {
      $0.write("a/4.mp3", "new")
      chmod($0("a"), 0o700)
    },
    Deed("the directory moved") { $0.move("a", "c") },
    Deed("the directory moved away and back") {
      $0.write("a/4.mp3", "new")
      $0.move("a", "c")
      $0.move("c", "a")
    },
    Deed("another directory in its place") {
      $0.makeFolder("c")
      $0.write("c/1.mp3", "other")
      $0.write("a/4.mp3", "new")
      _ = exchangeNames($0("a"), $0("c"))
    },
    Deed("the directory that went") { $0.delete("a") },
  ]

  @Test("what is told by name is looked at by name, and what may be more is not", arguments: deeds)
  func named(deed: Deed) throws {
    let watcher = try watcher()
    settle(watcher)
    #expect(watcher.songs == there(watcher.music))
    #expect(watcher.loop.namedLooks == 0)
    deed.does(watcher.music)
    settle(watcher)
    var expected = there(watcher.music)
    if deed.testDescription == "a link" {
      // Before its target in byte order.
      expected["a/0.mp3"] = expected.removeValue(forKey: "b/1.mp3")
    }
    if deed.testDescription.hasPrefix("a link") { expected["a/4.mp3"] = nil }
    #expect(watcher.songs == expected)
    #expect((watcher.loop.namedLooks > 0) == deed.isByName)
  }

  struct Doubt: CustomTestStringConvertible {
    var testDescription: String
    var before: @Sendable (TemporaryFolder) -> Void = { _ in }
    var change: @Sendable (inout WatchSettings) -> Void = { _ in }

    init(
      _ description: String, before: @escaping @Sendable (TemporaryFolder) -> Void = { _ in },
      change: @escaping @Sendable (inout WatchSettings) -> Void = { _ in }
    ) {
      testDescription = description
      self.before = before
      self.change = change
    }
  }

  static let doubts: [Doubt] = [
    Doubt("too few files", change: { $0.manyFiles = 5 }),
    Doubt("no watch left", change: { $0.mostWatches = 0 }),
    Doubt("a link beside them", before: { symlink("/nothing", $0("a/readme")) }),
    Doubt("a link to a file elsewhere", before: { symlink("1.mp3", $0("b/0.mp3")) }),
  ]

  @Test("where something is in doubt, everything is looked at", arguments: doubts)
  func doubtful(doubt: Doubt) throws {
    let watcher = try watcher(before: doubt.before, change: doubt.change)
    settle(watcher)
    watcher.music.write("a/4.mp3", "new")
    settle(watcher)
    if doubt.testDescription == "no watch left" { watcher.rescan() }
    #expect(watcher.songs["a/4.mp3"] == "new")
    #expect(watcher.loop.namedLooks == 0)
  }

  @Test("files that are left out stay so, and those that could not be read are tried again")
  func leftOut() throws {
    let watcher = try watcher(before: { music in
      music.write("a/.crateignore", "no*")
      music.write("a/bad.mp3", "bad")
    })
    settle(watcher)
    watcher.music.write("a/no.mp3", "no")
    watcher.music.write("a/yes.mp3", "yes")
    settle(watcher)
    #expect(watcher.loop.namedLooks > 0)
    #expect(watcher.songs["a/no.mp3"] == nil && watcher.songs["a/yes.mp3"] == "yes")
    let bad = watcher.music.at("a/bad.mp3")
    #expect(watcher.problems.keys.contains(bad))
    watcher.music.write("a/bad.mp3", "good")
    settle(watcher)
    #expect(watcher.songs["a/bad.mp3"] == "good" && !watcher.problems.keys.contains(bad))
    watcher.music.delete("a/bad.mp3")
    // As if nobody had told of it.
    watcher.loop.readEvents()
    _ = watcher.loop.pending.takeAll(at: watcher.loop.now)
    watcher.rescan()
    #expect(watcher.songs["a/bad.mp3"] == nil)
  }

  @Test("a directory with another watch than before is looked at as a whole")
  func rewatched() throws {
    let watcher = try watcher()
    settle(watcher)
    let folder = try #require(watcher.loop.catalogue.find(BytePath("a")))
    let watch = try #require(watcher.loop.watches.watch(of: folder))
    watcher.music.write("a/4.mp3", "new")
    watcher.loop.readEvents()
    // While nobody watches, something happens.
    watcher.loop.inotify?.remove(watch)
    watcher.music.write("a/5.mp3", "unheard")
    settle(watcher)
    #expect(watcher.songs["a/5.mp3"] == "unheard")
    #expect(watcher.loop.namedLooks == 0)
    watcher.music.write("a/6.mp3", "heard")
    settle(watcher)
    #expect(watcher.songs == there(watcher.music))
    #expect(watcher.loop.namedLooks > 0)
  }

  @Test("after a look that took long, a large directory rests for nine of them", arguments: [3, 9])
  func rests(manyFiles: Int) throws {
    let events = try InterruptedEvents()
    let watcher = try watcher(events, change: { $0.manyFiles = manyFiles })
    settle(watcher)
    defer { events.interrupt = {} }
    events.interrupt = { watcher.turn(by: 40 * milliseconds) }
    watcher.music.write("a/4.mp3", "new")
    watcher.settle()
    #expect(watcher.songs["a/4.mp3"] == "new")
    let began = watcher.loop.now
    watcher.turn(by: 150 * milliseconds)
    watcher.music.write("a/5.mp3", "newer")
    watcher.settle()
    let isLarge = manyFiles < 5
    #expect((watcher.songs["a/5.mp3"] == nil) == isLarge)
    if isLarge { #expect(watcher.loop.nextTime() == began + 9 * 40 * milliseconds) }
    watcher.turn(by: 210 * milliseconds)
    watcher.settle()
    #expect(watcher.songs["a/5.mp3"] == "newer")
  }
}
