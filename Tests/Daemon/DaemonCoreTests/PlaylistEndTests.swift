import Glibc
import LibraryModel
import LogSupport
import Platform
import Playlists
import Settings
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Ends and beginnings of the playlists' thread", .limited)
struct PlaylistEndTests {
  @Test("an end waits five seconds for a drive that hangs, and then leaves it to itself")
  func hanging() throws {
    let gate = Monitor((isReached: false, isOpen: false))
    let log = SaidLines { line in
      guard line.contains("/Crate 1.m3u8: ") else { return }
      gate.withLock { $0.isReached = true }
      gate.wait { $0.isOpen ? () : nil }
    }
    let behind = Monitor<Int64>(0)
    let clock = Clock(
      monotonic: { Clock.system.monotonic() - behind.withLock { $0 } }, wall: Clock.system.wall)
    let life = try PlaylistLife(clock: clock, log.logger)
    try life.folder.write("#EXTM3U\n", to: "Lists/Crate 1.m3u8")
    try life.add(1)
    life.keep(in: "Lists")
    gate.wait { $0.isReached ? () : nil }
    // A tenth of a second is left of them.
    behind.withLock { $0 = 4_900_000_000 }
    let begun = Clock.system.monotonic()
    life.service.stop()
    #expect(Clock.system.monotonic() - begun >= 100_000_000)
    let told = "warning: the playlists could not be written in time: the next start does it"
    #expect(log.all == [told])
    gate.withLock { $0.isOpen = true }
    life.service.wait(forRounds: 1)
    // A second end has nobody to wait for.
    life.service.stop()
    #expect(log.all.filter { $0 == told }.count == 1)
  }

  @Test("lists are wanted as the settings say")
  func kept() {
    let state = BytePath("/state")
    var settings = Settings(musicFolders: [BytePath("/m")])
    #expect(PlaylistSettings(settings, state: state) == nil)
    settings.playlists = BytePath("/lists")
    for (ending, expected) in [
      (Settings.PlaylistsEnding.m3u8, PlaylistEnding.m3u8), (.m3u, .m3u),
    ] {
      for (edited, isTaken) in [(Settings.PlaylistsEdited.ignored, false), (.taken, true)] {
        (settings.playlistsEnding, settings.playlistsEdited) = (ending, edited)
        let kept = PlaylistSettings(
          directory: BytePath("/lists"), state: state, ending: expected, takesEdits: isTaken)
        #expect(PlaylistSettings(settings, state: state) == kept)
      }
    }
  }

  @Test(
    "a directory is looked at once more where it was not watched, and then when something happens")
  func watched() throws {
    let now = Monitor(Clock.system.monotonic() - 3_600_000_000_000)
    let life = try PlaylistLife(
      clock: Clock(monotonic: { now.withLock { $0 } }, wall: Clock.system.wall))
    let pass = { now.withLock { $0 += PlaylistTiming.longestLag } }
    func keep(_ name: String) {
      life.service.keep(
        PlaylistSettings(
          directory: BytePath(life.folder.path(name)), state: BytePath(life.folder.path("state")),
          takesEdits: true))
      pass()
    }
    try life.add(1)
    keep("Lists")
    life.service.wait(forRounds: 1)
    try life.add(2)
    pass()
    life.service.wait(forRounds: 2)
    let soon = Clock.system.monotonic() + 20_000_000
    while Clock.system.monotonic() < soon { sched_yield() }
    // What it wrote itself is news, too, which has a time of its own.
    #expect(life.service.rounds == 2)
    // It is made by the first look.
    keep("Others")
    life.service.wait(forRounds: 4)
    #expect(life.text("Others/Crate 2.m3u8") != nil)
    life.service.stop()
  }

  @Test("what players did is told to nobody before somebody decides")
  func undecided() throws {
    let life = try PlaylistLife()
    let request = Librarian.EditRequest(action: .undo(), answer: { _ in {} })
    #expect(!life.service.submit(request))
    let told = Monitor(0)
    life.service.submitEdits { _ in told.withLock { $0 += 1 } }
    #expect(life.service.submit(request) && told.withLock { $0 } == 1)
  }

  @Test("one that ends in time is waited for, and says nothing")
  func inTime() throws {
    let log = SaidLines()
    let life = try PlaylistLife(log.logger)
    life.keep(in: "Lists")
    try life.add(1)
    life.service.stop()
    #expect(life.text("Lists/Crate 1.m3u8") != nil)
    #expect(log.all == [])
  }

  @Test(
    "what the settings want, and what changed after a look, is written at an end that comes at once"
  )
  func atOnce() throws {
    var life = try PlaylistLife()
    try life.add(1)
    life.keep(in: "Lists")
    life.service.stop()
    #expect(life.text("Lists/Crate 1.m3u8") != nil)

    life = try PlaylistLife()
    life.keep(in: "Lists")
    life.service.wait(forRounds: 1)
    try life.add(1)
    life.service.stop()
    #expect(life.text("Lists/Crate 1.m3u8") != nil)
  }

  @Test("nothing that was told is nothing to write")
  func nothing() throws {
    let life = try PlaylistLife()
    try life.add(1)
    life.keep(in: "Lists")
    life.service.wait(forRounds: 1)
    unlink(life.folder.path("Lists/Crate 1.m3u8"))
    let library = life.published.library
    life.service.note([], from: library, to: library)
    life.service.stop()
    #expect(life.text("Lists/Crate 1.m3u8") == nil)
  }

  @Test("lists that are there are nobody's for a new store, and its own are its own from then on")
  func newStore() throws {
    let before = try PlaylistLife()
    try before.add(1)
    before.keep(in: "Lists")
    before.service.wait(forRounds: 1)
    before.service.stop()
    let text = try #require(before.text("Lists/Crate 1.m3u8"))

    // One that goes on with the same store takes them for its own.
    let next = try PlaylistLife(in: before.folder, library: before.published.library)
    next.keep(in: "Lists")
    next.service.wait(forRounds: 1)
    next.service.stop()
    #expect(try names(in: before.folder.path("Lists")) == ["Crate 1.m3u8"])

    let new = try PlaylistLife(in: before.folder)
    new.keep(in: "Lists")
    new.service.wait(forRounds: 1)
    #expect(new.text("Lists/Crate 1.m3u8") == text)
    try new.add(2)
    new.service.wait(forRounds: 2)
    // Back from another directory, its own lists are there.
    new.keep(in: nil)
    new.service.wait(forRounds: 3)
    new.keep(in: "Lists")
    new.service.wait(forRounds: 4)
    new.service.stop()
    #expect(try names(in: before.folder.path("Lists")) == ["Crate 1.m3u8", "Crate 2.m3u8"])
    #expect(new.text("Lists/Crate 1.m3u8") == text)
    #expect(new.problems.isEmpty)
  }
}
