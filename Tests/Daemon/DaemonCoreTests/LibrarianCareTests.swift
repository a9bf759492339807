import CratesInterface
import Glibc
import LibraryModel
import LibraryStore
import LogSupport
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("The librarian's care for the store", .limited)
struct LibrarianCareTests {
  /// An hour behind, so that no wait for a time of it is long, and a thousand times as fast.
  private static func fastClock() -> Clock {
    let begun = Clock.system.monotonic()
    let hour: Int64 = 3_600_000_000_000
    return Clock(
      monotonic: { begun - hour + (Clock.system.monotonic() - begun) * 1000 },
      wall: Clock.system.wall)
  }

  @Test("a checkpoint goes on by itself, part by part, until it is done")
  func checkpoint() {
    let fixture = LibrarianFixture()
    fixture.gate.withLock { $0.parts = 3 }
    fixture.fill(albums: 1)
    #expect(fixture.gate.wait(until: Patience.end) { $0.partsDone == 3 ? true : nil } == true)
    fixture.librarian.stop()
    #expect(fixture.gate.withLock { $0.idleness.allSatisfy { !$0 } })
  }

  @Test("a part of a checkpoint that is being written is waited for at the end")
  func endsAfterParts() {
    let fixture = LibrarianFixture()
    fixture.gate.withLock { ($0.parts, $0.holdsParts) = (1, true) }
    fixture.fill(albums: 1)
    fixture.gate.wait { $0.isPartBegun ? () : nil }
    let stopping = BlockingThread("stopping") { fixture.librarian.stop() }
    let soon = Clock.system.monotonic() + 20_000_000
    #expect(fixture.gate.wait(until: soon) { $0.partsAtClose } == nil)
    fixture.gate.withLock { $0.holdsParts = false }
    stopping.join()
    #expect(fixture.gate.withLock(\.partsAtClose) == 1)
  }

  @Test("what the store has to tell at its start is said before anybody wants anything")
  func begins() {
    let startupGrace = StartupGrace(isOver: false)
    let fixture = LibrarianFixture(startupGrace)
    fixture.gate.withLock { $0.notes = ["a line was mended"] }
    startupGrace.end()
    fixture.log.wait(for: "warning: a line was mended")
    fixture.librarian.stop()
  }

  @Test("when nobody has wanted anything for a minute, what can wait is done, once")
  func idle() {
    let clock = Self.fastClock()
    let fixture = LibrarianFixture(clock: clock)
    let begun = clock.monotonic()
    fixture.fill(albums: 1)
    #expect(
      fixture.gate.wait(until: Patience.end) { $0.idleness.contains(true) ? true : nil } == true)
    #expect(clock.monotonic() - begun >= 60_000_000_000)
    fixture.librarian.stop()
    #expect(fixture.gate.withLock(\.idleness) == [false, true])
  }

  @Test("a store that takes nothing is helped every five seconds, and that it does again is said")
  func healing() throws {
    let clock = Self.fastClock()
    let fixture = LibrarianFixture(clock: clock)
    fixture.fill(albums: 1)
    fixture.gate.withLock { gate in
      gate.ailment = "the disk is full"
      gate.notes = ["a note of the store"]
    }
    let begun = clock.monotonic()
    // What anybody wants shows how it is.
    fixture.librarian.setNewAlbums("Later")
    #expect(fixture.gate.wait(until: Patience.end) { $0.heals == 3 ? true : nil } == true)
    #expect(clock.monotonic() - begun >= 15_000_000_000)
    fixture.log.wait(for: "notice: the store takes changes again")
    #expect(fixture.log.all.filter { $0.contains("takes changes again") }.count == 1)
    #expect(fixture.log.all.filter { $0 == "warning: a note of the store" }.count == 1)
    fixture.librarian.stop()
    guard case .ready = fixture.librarian.state else {
      Issue.record("it is not known to be well")
      return
    }
  }

  @Test(
    "what a look came to is logged, with how files were recognised, and nothing where it is old")
  func logged() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 2)
    let infos = { fixture.log.all.filter { $0.hasPrefix("info: ") } }
    #expect(infos().count == 1)
    fixture.fill(albums: 2)
    #expect(infos().count == 1)
    var contents = FolderContents(root: BytePath("/music"), seen: 2)
    contents.found = [LibrarianFixture.found("0/moved.flac", 0, album: "A0")]
    contents.vanished = [BytePath("/music/0/x.flac")]
    fixture.librarian.merge(contents)
    #expect(infos().count <= 2)
    let notes = fixture.log.all.filter { $0.hasPrefix("debug: ") && $0.contains("moved.flac") }
    #expect(notes.count == 1)
    fixture.librarian.stop()
  }

  @Test("that a store takes nothing is known to who asks")
  func state() {
    let fixture = LibrarianFixture()
    fixture.gate.withLock { $0.ailment = "the disk is full" }
    fixture.fill(albums: 1)
    guard case .full("the disk is full") = fixture.librarian.state else {
      Issue.record("it is not known")
      return
    }
    fixture.librarian.stop()
  }

  @Test("an undo whose past can't be read is refused with the reason, and tried again later")
  func unreadablePast() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 3)
    let albums = fixture.order
    _ = try fixture.answer(.moveAlbums([albums[2]], .top, crate: nil)).get()
    let arranged = fixture.order
    let before = fixture.published.library.sequence
    let reason = "change 4 is damaged"
    fixture.gate.withLock { $0.pastFault = reason }
    let actions: [Librarian.Action] = [
      .undo(), .undo(.to(1)), .redo(),
      .text(WrittenOrder(), readAt: 1, TextScope(), origin: nil),
    ]
    for action in actions {
      #expect(throws: InterfaceError.changesRefused(reason: reason)) {
        try fixture.answer(action).get()
      }
    }
    #expect(fixture.order == arranged)
    #expect(fixture.published.library.sequence == before)
    fixture.gate.withLock { $0.pastFault = nil }
    #expect(throws: InterfaceError.nothingToUndo()) { try fixture.answer(.undo()).get() }
    fixture.librarian.stop()
  }

  @Test("an undo or a redo of more than one change may hold is refused, and says what may be")
  func tooMuchAtOnce() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 3_000)
    let start = fixture.published.library.sequence
    // From the first question on what is done is followed.
    #expect(throws: InterfaceError.nothingToUndo()) { try fixture.answer(.undo()).get() }
    // Each moves all albums but one: 22 are more than 65,536 moves, 21 are not.
    for _ in 1...22 {
      _ = try fixture.answer(
        .moveAlbums(fixture.order.reversed(), .top, crate: nil, gathered: .given)
      ).get()
    }
    let (before, order) = (fixture.published.library.sequence, fixture.order)
    let reason = "22 changes are too much at once: take at most 21 at a time"
    for action in [Librarian.Action.undo(.count(22)), .undo(.to(start))] {
      #expect(throws: InterfaceError.changesRefused(reason: reason)) {
        try fixture.answer(action).get()
      }
    }
    #expect(fixture.published.library.sequence == before && fixture.order == order)
    _ = try fixture.answer(.undo(.count(2))).get()
    #expect(fixture.order == order)
    _ = try fixture.answer(.redo(.count(2))).get()
    #expect(fixture.order == order)
    fixture.librarian.stop()
  }

  @Test(
    "where another file of a song is the first that is there, the song has it, refused or not",
    arguments: [0, 1])
  func away(refusals: Int) throws {
    let fixture = LibrarianFixture()
    var contents = FolderContents(root: BytePath("/music"), seen: 1)
    contents.found = ["drive/x.flac", "x.flac"].map { LibrarianFixture.found($0, 1, album: "A") }
    fixture.librarian.merge(contents)
    let song = try #require(fixture.published.library.songs.values.first)
    #expect(fixture.published.library.songs.count == 1)
    #expect(song.path == BytePath("/music/drive/x.flac"))
    var away = Away()
    away.folders = [BytePath("/music")]
    away.places = [BytePath("/music/drive")]
    fixture.gate.withLock { $0.refusals = refusals }
    fixture.librarian.setAway { [away] in away }
    #expect(fixture.published.library.away == away)
    #expect(
      happensInTime {
        refusals == 0 || fixture.published.library.songs[song.id]?.path != song.path
      })
    let now = fixture.published.library
    #expect(now.songs[song.id]?.path == BytePath("/music/x.flac"))
    #expect(now.songs[song.id].map(now.presence) == .present)
    fixture.librarian.stop()
  }
}
