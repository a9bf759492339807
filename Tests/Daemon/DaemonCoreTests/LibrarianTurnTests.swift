import CratesInterface
import LibraryModel
import LibraryStore
import LogSupport
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("The librarian's turns", .limited)
struct LibrarianTurnTests {
  private typealias Mailbox = Librarian.Mailbox

  private static let edit = Librarian.EditRequest(
    action: .edit { _ in .renameCrate("a", to: "b") }, answer: { _ in {} })
  private static let merge = Librarian.MergeRequest(
    found: .contents(LibrarianFixture.contents(albums: 1)), done: { _ in })

  @Test("Whatever waits is taken once, all of it at a time")
  func taken() {
    let cases: [(name: String, put: (inout Mailbox) -> Void)] = [
      ("edits", { $0.edits = [Self.edit, Self.edit] }), ("merges", { $0.merges = [Self.merge] }),
      ("aways", { $0.aways = [Librarian.AwayRequest(away: { Away() }, done: {})] }),
      ("crate for new albums", { $0.newAlbums = "" }),
      ("checkpoint", { $0.hasCheckpointed = true }),
    ]
    for (name, put) in cases {
      var mailbox = Mailbox()
      let nothing = mailbox.take(now: 5, isMerging: false)
      #expect(nothing == nil)
      put(&mailbox)
      guard let work = mailbox.take(now: 5, isMerging: false) else {
        Issue.record("\(name) wait")
        continue
      }
      #expect(work.edits.count == (name == "edits" ? 2 : 0))
      #expect(work.merges.count == (name == "merges" ? 1 : 0))
      #expect(work.aways.count == (name == "aways" ? 1 : 0))
      #expect((work.newAlbums != nil) == (name == "crate for new albums"))
      #expect(work.hasCheckpointed == (name == "checkpoint") && !work.isStopping)
      let again = mailbox.take(now: 5, isMerging: false)
      #expect(again == nil, "\(name)")
      // At the end there is a turn though nothing waits.
      mailbox.isStopping = true
      for _ in 0..<2 {
        let last = mailbox.take(now: 5, isMerging: false)
        #expect(last?.isStopping == true && last?.edits.isEmpty == true)
      }
    }
  }

  @Test("Merges come one at a time, and none where the store has just refused one")
  func merges() {
    var mailbox = Mailbox()
    mailbox.merges = [Self.merge, Self.merge, Self.merge]
    mailbox.mergeRefusal = Librarian.MergeRefusal(reason: "full", until: 10)
    let early = mailbox.take(now: 9, isMerging: false)
    #expect(early == nil)
    mailbox.edits = [Self.edit]
    let edit = mailbox.take(now: 9, isMerging: false)
    #expect(edit?.edits.count == 1 && edit?.merges.isEmpty == true)
    #expect(mailbox.merges.count == 3)
    let late = mailbox.take(now: 10, isMerging: false)
    #expect(late?.merges.count == 1 && mailbox.merges.count == 2)
    mailbox.isStopping = true
    let last = mailbox.take(now: 9, isMerging: false)
    #expect(last?.merges.count == 1 && mailbox.merges.count == 1)
    mailbox.isStopping = false
    mailbox.mergeRefusal = nil
    let next = mailbox.take(now: 0, isMerging: false)
    #expect(next?.merges.count == 1 && mailbox.merges.isEmpty)
  }

  @Test("While a merge is decided, no other one is begun, and edits wait only where they are to")
  func whileMerging() {
    var mailbox = Mailbox()
    mailbox.merges = [Self.merge]
    for isStopping in [false, true] {
      mailbox.isStopping = isStopping
      let nothing = mailbox.take(now: 0, isMerging: true)
      #expect(nothing == nil && mailbox.merges.count == 1)
    }
    mailbox.edits = [Self.edit]
    let alone = mailbox.take(now: 0, isMerging: true, takesEdits: false)
    #expect(alone == nil && mailbox.edits.count == 1)
    mailbox.decided = .some(nil)
    let decided = mailbox.take(now: 0, isMerging: true, takesEdits: false)
    #expect(decided?.decided != nil && decided?.edits.isEmpty == true)
    #expect(mailbox.decided == nil && mailbox.edits.count == 1)
    let edit = mailbox.take(now: 0, isMerging: true)
    #expect(edit?.edits.count == 1 && edit?.merges.isEmpty == true)
  }

  @Test("Who was just answered is waited for, where they are many, and never for long")
  func crowds() {
    let few = Librarian.CommitGroup(of: 7, waiting: 90, duration: 5, now: 100)
    #expect(few == nil)
    let many = Librarian.CommitGroup(of: 8, waiting: 3, duration: 5, now: 100)
    #expect(many?.size == 11 && many?.until == 105)
    let slow = Librarian.CommitGroup(of: 9, waiting: 0, duration: 900_000_000, now: 100)
    #expect(slow?.size == 9 && slow?.until == 20_000_100)
  }

  @Test("Actions that depend on all before them are decided alone, and so is every trial")
  func alone() throws {
    var library = Library()
    try library.apply(.crateAdded("Music", after: nil), by: .folder)
    let list = EditedList(name: "", crate: library.crates[0].id, lines: [], bases: [])
    let actions: [(Librarian.Action, isAlone: Bool)] = [
      (.edit { _ in .renameCrate("a", to: "b") }, false), (.list(list, told: { _ in }), false),
      (.undo(), true), (.redo(), true),
      (.text(WrittenOrder(), readAt: 1, TextScope(), origin: nil), true),
    ]
    for (action, isAlone) in actions {
      var request = Librarian.EditRequest(action: action, answer: { _ in {} })
      #expect(request.isAlone == isAlone)
      request.isDryRun = true
      #expect(request.isAlone)
    }
  }

  @Test("An undo among edits takes back the one before it, and has a synchronization of its own")
  func undoAmongEdits() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 1)
    // The past is read before anything is done, and followed from then on.
    #expect(throws: InterfaceError.nothingToUndo()) { try fixture.answer(.undo()).get() }
    fixture.gate.withLock { $0.isHeld = true }
    let answers = Monitor<[Bool]>([])
    func submit(_ action: Librarian.Action) {
      fixture.librarian.submit(
        Librarian.EditRequest(action: action) { answer in
          let isChanged = (try? answer.get().changed) == true
          return { answers.withLock { $0.append(isChanged) } }
        })
    }
    submit(.edit { _ in .renameCrate("Music", to: "A") })
    fixture.gate.wait { $0.isWaiting ? () : nil }
    submit(.edit { _ in .renameCrate("A", to: "B") })
    submit(.undo())
    submit(.edit { _ in .renameCrate("A", to: "C") })
    submit(.edit { _ in .renameCrate("C", to: "D") })
    fixture.gate.withLock { $0.isHeld = false }
    #expect(answers.wait { $0.count == 5 ? $0 : nil } == [true, true, true, true, true])
    #expect(fixture.gate.withLock(\.batches) == [1, 1, 1, 1, 2])
    #expect(fixture.published.library.crates.map(\.name) == ["D"])
    fixture.librarian.stop()
  }

  /// A clock that is an hour ahead of the one that waits go by: what is waited for till then, is
  /// waited for as long as it takes.
  private static let ahead = Clock(
    monotonic: { Clock.system.monotonic() + 3_600_000_000_000 }, wall: Clock.system.wall)

  @Test("Clients that edit again as soon as they are answered share a synchronization again")
  func gathered() throws {
    let fixture = LibrarianFixture(clock: Self.ahead)
    fixture.fill(albums: 1)
    let answers = Monitor(0)
    func rename(_ number: Int) {
      fixture.edit(.renameCrate("\(number)", to: "\(number + 1)")) { _ in
        answers.withLock { $0 += 1 }
      }
    }
    _ = try fixture.answer(.renameCrate("Music", to: "0")).get()
    fixture.gate.withLock { $0.isHeld = true }
    rename(0)
    fixture.gate.wait { $0.isWaiting ? () : nil }
    for number in 1...8 { rename(number) }
    fixture.gate.withLock { $0.isHeld = false }
    answers.wait { $0 == 9 ? () : nil }
    // One after the other, as slowly as may be.
    for number in 9...16 { rename(number) }
    answers.wait { $0 == 17 ? () : nil }
    #expect(fixture.gate.withLock { Array($0.batches.suffix(2)) } == [8, 8])
    // Nobody comes, and the end is not put off for them.
    fixture.librarian.stop()
  }

  @Test("Whoever is told knows whether the store takes changes, told of a change or a refusal")
  func states() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 2)
    let top = Edit.moveAlbums([fixture.order[1]], .top, crate: nil)
    let seen = Monitor<[StoreState]>([])
    fixture.feed.onChange { seen.withLock { $0.append(fixture.librarian.state) } }
    // The store is full from the next change on.
    fixture.gate.withLock { $0.ailment = "the disk is full" }
    _ = try fixture.answer(top).get()
    #expect(seen.withLock { $0 } == [.full("the disk is full")])
    fixture.librarian.stop()

    let other = LibrarianFixture()
    other.fill(albums: 2)
    other.gate.withLock { ($0.ailment, $0.refusals) = ("the disk is full", 1) }
    let album = other.order[1]
    let told = Monitor<StoreState?>(nil)
    other.edit(.moveAlbums([album], .top, crate: nil)) { _ in
      let state = other.librarian.state
      told.withLock { $0 = state }
    }
    #expect(told.wait { $0 } == .full("the disk is full"))
    other.librarian.stop()
  }

  @Test("That changes are refused is logged once, until one is taken")
  func refusalLog() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 2)
    func refuse() {
      fixture.gate.withLock { $0.refusals = 2 }
      for _ in 0..<2 {
        #expect(throws: InterfaceError.self) {
          try fixture.answer(.renameCrate("Music", to: "Jazz")).get()
        }
      }
    }
    func lines() -> Int {
      fixture.log.all.count { $0 == "error: changes were refused: the disk is full" }
    }
    refuse()
    #expect(lines() == 1)
    _ = try fixture.answer(.moveAlbums([fixture.order[1]], .top, crate: nil)).get()
    refuse()
    #expect(lines() == 2)
    fixture.librarian.stop()
  }

  @Test("A trial is refused where the real one would be, and a list is taken as an edit")
  func trials() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 2)
    let result = Monitor<Result<Interface.Change, InterfaceError>?>(nil)
    func tryRename() -> Result<Interface.Change, InterfaceError> {
      result.withLock { $0 = nil }
      fixture.librarian.submit(
        Librarian.EditRequest(
          action: .edit { _ in .renameCrate("Music", to: "Jazz") }, isDryRun: true
        ) { answer in { result.withLock { $0 = answer } } })
      return result.wait { $0 }
    }
    #expect(try tryRename().get().changed)
    fixture.gate.withLock { $0.ailment = "the disk is full" }
    #expect(throws: InterfaceError.changesRefused(reason: "the disk is full")) {
      try tryRename().get()
    }
    fixture.gate.withLock { $0.ailment = nil }
    fixture.librarian.stop()
  }

  @Test("What a player made of a list is an edit, or refused with what is wrong with it")
  func lists() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 3)
    let albums = fixture.order
    let songs = albums.compactMap { fixture.published.library.albums[$0]?.entries.first }
    let told = Monitor(0)
    func take(_ bases: [[SongID]]) throws -> Result<Interface.Change, InterfaceError> {
      let crate = try #require(fixture.published.library.crates.first?.id)
      let list = EditedList(
        name: "Music.m3u8", crate: crate, lines: songs.reversed().map { .song($0) }, bases: bases)
      return fixture.answer(.list(list) { _ in told.withLock { $0 += 1 } })
    }
    #expect(try take([songs]).get().changed)
    #expect(fixture.order == albums.reversed() && told.withLock { $0 } == 1)
    guard case .failure(.editRejected(line: 0, let reason)) = try take([]) else {
      Issue.record("it is taken")
      return
    }
    #expect(!reason.isEmpty && told.withLock { $0 } == 1)
    fixture.librarian.stop()
  }

  @Test("Checkpoints that can't be written are told, and nothing else stops")
  func checkpointFaults() throws {
    let fixture = LibrarianFixture()
    fixture.gate.withLock { gate in
      gate.checkpointFault = SystemCallError("write", "crates.7.txt")
      gate.closeFault = SystemCallError("rename", "crates.8.txt")
    }
    fixture.fill(albums: 1)
    fixture.log.wait(for: "warning: no checkpoint could be written; the journal goes on: write")
    _ = try fixture.answer(.renameCrate("Music", to: "Jazz")).get()
    fixture.librarian.stop()
    #expect(
      fixture.log.all.last?.hasPrefix(
        "warning: no last checkpoint could be written; the journal holds everything: rename")
        == true)
  }

  @Test("Who comes after the end is let go, whatever they want")
  func ended() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 1)
    let away = fixture.published.library.away
    fixture.librarian.stop()
    fixture.librarian.setAway { Away() }
    #expect(fixture.published.library.away == away)
    #expect(fixture.fill(albums: 2).isEmpty)
    #expect(throws: InterfaceError.changesRefused(reason: "crated is stopping")) {
      try fixture.answer(.renameCrate("Music", to: "Jazz")).get()
    }
  }
}
