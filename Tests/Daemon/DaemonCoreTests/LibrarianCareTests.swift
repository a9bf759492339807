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
    let desk = LibrarianDesk()
    desk.gate.withLock { $0.parts = 3 }
    desk.fill(albums: 1)
    #expect(desk.gate.wait(until: Patience.end) { $0.partsDone == 3 ? true : nil } == true)
    desk.librarian.stop()
    #expect(desk.gate.withLock { $0.idleness.allSatisfy { !$0 } })
  }

  @Test("a part of a checkpoint that is being written is waited for at the end")
  func endsAfterParts() {
    let desk = LibrarianDesk()
    desk.gate.withLock { ($0.parts, $0.holdsParts) = (1, true) }
    desk.fill(albums: 1)
    desk.gate.wait { $0.isPartBegun ? () : nil }
    let stopping = BlockingThread("stopping") { desk.librarian.stop() }
    let soon = Clock.system.monotonic() + 20_000_000
    #expect(desk.gate.wait(until: soon) { $0.partsAtClose } == nil)
    desk.gate.withLock { $0.holdsParts = false }
    stopping.join()
    #expect(desk.gate.withLock(\.partsAtClose) == 1)
  }

  @Test("what the store has to tell at its start is said before anybody wants anything")
  func begins() {
    let headStart = HeadStart(isOver: false)
    let desk = LibrarianDesk(headStart)
    desk.gate.withLock { $0.notes = ["a line was mended"] }
    headStart.end()
    desk.log.wait(for: "warning: a line was mended")
    desk.librarian.stop()
  }

  @Test("when nobody has wanted anything for a minute, what can wait is done, once")
  func idle() {
    let clock = Self.fastClock()
    let desk = LibrarianDesk(clock: clock)
    let begun = clock.monotonic()
    desk.fill(albums: 1)
    #expect(desk.gate.wait(until: Patience.end) { $0.idleness.contains(true) ? true : nil } == true)
    #expect(clock.monotonic() - begun >= 60_000_000_000)
    desk.librarian.stop()
    #expect(desk.gate.withLock(\.idleness) == [false, true])
  }

  @Test("a store that takes nothing is helped every five seconds, and that it does again is said")
  func healing() throws {
    let clock = Self.fastClock()
    let desk = LibrarianDesk(clock: clock)
    desk.fill(albums: 1)
    desk.gate.withLock { gate in
      gate.ailment = "the disk is full"
      gate.notes = ["a note of the store"]
    }
    let begun = clock.monotonic()
    // What anybody wants shows how it is.
    desk.librarian.setNewAlbums("Later")
    #expect(desk.gate.wait(until: Patience.end) { $0.heals == 3 ? true : nil } == true)
    #expect(clock.monotonic() - begun >= 15_000_000_000)
    desk.log.wait(for: "notice: the store takes changes again")
    #expect(desk.log.all.filter { $0.contains("takes changes again") }.count == 1)
    #expect(desk.log.all.filter { $0 == "warning: a note of the store" }.count == 1)
    desk.librarian.stop()
    guard case .ready = desk.librarian.state else {
      Issue.record("it is not known to be well")
      return
    }
  }

  @Test(
    "what a look came to is logged, with how files were recognised, and nothing where it is old")
  func logged() throws {
    let desk = LibrarianDesk()
    desk.fill(albums: 2)
    let infos = { desk.log.all.filter { $0.hasPrefix("info: ") } }
    #expect(infos().count == 1)
    desk.fill(albums: 2)
    #expect(infos().count == 1)
    var contents = FolderContents(root: BytePath("/music"), seen: 2)
    contents.found = [LibrarianDesk.found("0/moved.flac", 0, album: "A0")]
    contents.vanished = [BytePath("/music/0/x.flac")]
    desk.librarian.merge(contents)
    #expect(infos().count <= 2)
    let notes = desk.log.all.filter { $0.hasPrefix("debug: ") && $0.contains("moved.flac") }
    #expect(notes.count == 1)
    desk.librarian.stop()
  }

  @Test("that a store takes nothing is known to who asks")
  func state() {
    let desk = LibrarianDesk()
    desk.gate.withLock { $0.ailment = "the disk is full" }
    desk.fill(albums: 1)
    guard case .full("the disk is full") = desk.librarian.state else {
      Issue.record("it is not known")
      return
    }
    desk.librarian.stop()
  }

  @Test("an undo whose past can't be read is refused with the reason, and tried again later")
  func unreadablePast() throws {
    let desk = LibrarianDesk()
    desk.fill(albums: 3)
    let albums = desk.order
    _ = try desk.answer(.moveAlbums([albums[2]], .top, crate: nil)).get()
    let arranged = desk.order
    let before = desk.published.library.sequence
    let reason = "change 4 is damaged"
    desk.gate.withLock { $0.pastFault = reason }
    let wishes: [Librarian.Wish] = [
      .undo(), .undo(.to(1)), .redo(),
      .text(WrittenOrder(), readAt: 1, TextScope(), origin: nil),
    ]
    for wish in wishes {
      #expect(throws: InterfaceError.changesRefused(reason: reason)) {
        try desk.answer(wish).get()
      }
    }
    #expect(desk.order == arranged)
    #expect(desk.published.library.sequence == before)
    desk.gate.withLock { $0.pastFault = nil }
    #expect(throws: InterfaceError.nothingToUndo()) { try desk.answer(.undo()).get() }
    desk.librarian.stop()
  }

  @Test("an undo or a redo of more than one change may hold is refused, and says what may be")
  func tooMuchAtOnce() throws {
    let desk = LibrarianDesk()
    desk.fill(albums: 3_000)
    let start = desk.published.library.sequence
    // From the first question on what is done is followed.
    #expect(throws: InterfaceError.nothingToUndo()) { try desk.answer(.undo()).get() }
    // Each moves all albums but one: 22 are more than 65,536 moves, 21 are not.
    for _ in 1...22 {
      _ = try desk.answer(
        .moveAlbums(desk.order.reversed(), .top, crate: nil, gathered: .given)
      ).get()
    }
    let (before, order) = (desk.published.library.sequence, desk.order)
    let reason = "22 changes are too much at once: take at most 21 at a time"
    for wish in [Librarian.Wish.undo(.count(22)), .undo(.to(start))] {
      #expect(throws: InterfaceError.changesRefused(reason: reason)) {
        try desk.answer(wish).get()
      }
    }
    #expect(desk.published.library.sequence == before && desk.order == order)
    _ = try desk.answer(.undo(.count(2))).get()
    #expect(desk.order == order)
    _ = try desk.answer(.redo(.count(2))).get()
    #expect(desk.order == order)
    desk.librarian.stop()
  }

  @Test(
    "where another file of a song is the first that is there, the song has it, refused or not",
    arguments: [0, 1])
  func away(refusals: Int) throws {
    let desk = LibrarianDesk()
    var contents = FolderContents(root: BytePath("/music"), seen: 1)
    contents.found = ["drive/x.flac", "x.flac"].map { LibrarianDesk.found($0, 1, album: "A") }
    desk.librarian.merge(contents)
    let song = try #require(desk.published.library.songs.values.first)
    #expect(desk.published.library.songs.count == 1)
    #expect(song.path == BytePath("/music/drive/x.flac"))
    var away = Away()
    away.folders = [BytePath("/music")]
    away.places = [BytePath("/music/drive")]
    desk.gate.withLock { $0.refusals = refusals }
    desk.librarian.setAway { [away] in away }
    #expect(desk.published.library.away == away)
    #expect(
      happensInTime {
        refusals == 0 || desk.published.library.songs[song.id]?.path != song.path
      })
    let now = desk.published.library
    #expect(now.songs[song.id]?.path == BytePath("/music/x.flac"))
    #expect(now.songs[song.id].map(now.presence) == .present)
    desk.librarian.stop()
  }
}
