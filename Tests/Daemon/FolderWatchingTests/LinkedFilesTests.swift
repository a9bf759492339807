import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// Nobody tells of anything but of the directory in which something was done.
@Suite("Links to files", .limited) struct LinkedFilesTests {
  private let music = TemporaryFolder()
  private let outside = TemporaryFolder()
  private let watcher: SteppedWatcher

  init() throws {
    for name in ["A", "B", "C", "M"] { music.makeFolder(name) }
    outside.write("1.mp3", "out")
    watcher = try SteppedWatcher(music, events: MadeUpEvents())
  }

  private func link(_ name: String, to target: String) {
    #expect(symlink(target, music(name)) == 0)
  }

  /// What is listed after a look at a directory.
  private func songs(after folder: String) -> [String] {
    watcher.core.session.agenda.pending.note(.other, in: BytePath(folder), at: watcher.loop.now)
    for _ in 0..<4 {
      watcher.turn(by: seconds)
      watcher.settle()
    }
    return watcher.songs.keys.sorted()
  }

  @Test("of several to one file the first is listed, in whichever order they come and go")
  func several() {
    link("B/x.mp3", to: outside("1.mp3"))
    #expect(songs(after: "B") == ["B/x.mp3"])
    link("C/x.mp3", to: outside("1.mp3"))
    #expect(songs(after: "C") == ["B/x.mp3"])
    link("A/x.mp3", to: outside("1.mp3"))
    #expect(songs(after: "A") == ["A/x.mp3"])
    link("A/a.mp3", to: outside("1.mp3"))
    #expect(songs(after: "A") == ["A/a.mp3"])
    // A look at one of the others changes nothing.
    for folder in ["B", "C"] { #expect(songs(after: folder) == ["A/a.mp3"]) }
    for (gone, first) in [("A/a", "A/x"), ("A/x", "B/x"), ("B/x", "C/x")] {
      #expect(unlink(music(gone + ".mp3")) == 0)
      #expect(songs(after: String(gone.prefix(1))) == [first + ".mp3"])
    }
    #expect(unlink(music("C/x.mp3")) == 0)
    #expect(songs(after: "C") == [])
    #expect(!watcher.core.session.paths.hasLinks)
  }

  @Test("a file in the music folder is listed by its own name where that comes first")
  func inside() {
    music.write("M/1.mp3", "in")
    #expect(songs(after: "M") == ["M/1.mp3"])
    link("M/2.mp3", to: "1.mp3")
    #expect(songs(after: "M") == ["M/1.mp3"])
    link("B/1.mp3", to: "../M/1.mp3")
    #expect(songs(after: "B") == ["B/1.mp3"])
    #expect(songs(after: "M") == ["B/1.mp3"])
    link("A/1.mp3", to: "../B/1.mp3")
    #expect(songs(after: "A") == ["A/1.mp3"])
    for name in ["A", "B"] { #expect(unlink(music(name + "/1.mp3")) == 0) }
    #expect(songs(after: "A") == ["M/1.mp3"])
  }

  @Test(
    "a link that leads elsewhere leaves its file to the others", arguments: [true, false])
  func elsewhere(isKnown: Bool) {
    outside.write("2.mp3", "other")
    link("A/x.mp3", to: outside("1.mp3"))
    link("B/x.mp3", to: outside("1.mp3"))
    if isKnown { link("C/x.mp3", to: outside("2.mp3")) }
    for folder in ["C", "B", "A"] { _ = songs(after: folder) }
    #expect(watcher.songs["A/x.mp3"] == "out" && watcher.songs.count == (isKnown ? 2 : 1))
    #expect(unlink(music("A/x.mp3")) == 0)
    link("A/x.mp3", to: outside("2.mp3"))
    _ = songs(after: "A")
    #expect(watcher.songs == ["A/x.mp3": "other", "B/x.mp3": "out"])
  }

  @Test(
    "what has no listed place of its own in the music folder is listed by its link",
    arguments: [
      "M/1.dat", ".M/1.mp3", "M/.x.mp3", "A/.a/b/1.mp3", "M/lost+found/1.mp3", "M/#recycle/1.mp3",
      "C/ignored/1.mp3",
    ])
  func unlisted(target: String) {
    for name in [".M", "A/.a/b", "M/lost+found", "M/#recycle", "C/ignored"] {
      music.makeFolder(name)
    }
    music.write("C/.crateignore", "ignored")
    _ = songs(after: "C")
    music.write(target, "in")
    link("z.mp3", to: target)
    #expect(songs(after: "") == ["z.mp3"])
  }
}
