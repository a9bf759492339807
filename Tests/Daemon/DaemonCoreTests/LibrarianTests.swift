import CratesInterface
import LibraryIndex
import LibraryModel
import LibraryStore
import Logging
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("The librarian", .limited)
struct LibrarianTests {
  @Test("an album that is left while a file is waited for hands itself over after a restart, too")
  func leaving() throws {
    let folder = try TemporaryFolder()
    let root = BytePath("/music")
    func knownFolders() throws -> KnownFolders {
      KnownFolders(
        try DiskFiles(directory: BytePath(folder.path("store"))),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
    func look(_ album: String, _ songs: ClosedRange<Int>, seen: Int64) -> FolderContents {
      var contents = FolderContents(root: root, seen: seen)
      contents.found = songs.map { LibrarianFixture.found("\($0).flac", $0, album: album) }
      return contents
    }
    try knownFolders().note(
      FolderRecord(
        identity: FileIdentity(fileSystem: 1, inode: 1, birth: 1), isScanned: true), at: root)
    var fixture = LibrarianFixture(folders: try knownFolders())
    fixture.librarian.merge(look("Blue", 1...3, seen: 1))
    let album = try #require(fixture.order.first)
    var retagged = look("Red", 1...2, seen: 2)
    retagged.absent = [BytePath("/music/3.flac")]
    fixture.gate.withLock { $0.isHeld = true }
    let merging = BlockingThread("merging") { [fixture, retagged] in
      fixture.librarian.merge(retagged)
    }
    fixture.gate.wait { $0.isWaiting ? () : nil }
    // It is kept before it is durable that the files left it.
    #expect(try knownFolders()[root]?.leaving == [album])
    fixture.gate.withLock { $0.isHeld = false }
    merging.join()
    #expect(fixture.order.count == 2)
    fixture.librarian.stop()
    #expect(try knownFolders()[root]?.leaving == [album])
    // What a look says of the folder itself leaves that as it is.
    try knownFolders().note(
      FolderRecord(
        identity: FileIdentity(fileSystem: 1, inode: 2, birth: 1), isScanned: true), at: root)

    fixture = LibrarianFixture(folders: try knownFolders(), library: fixture.published.library)
    var vanished = FolderContents(root: root, seen: 3)
    vanished.vanished = retagged.absent
    fixture.librarian.merge(vanished)
    #expect(fixture.order == [album])
    #expect(fixture.published.library.albums[album]?.group.family.contains("red") == true)
    #expect(try knownFolders()[root]?.leaving == [])
    fixture.librarian.stop()
  }

  @Test("many who edit at once are waited for, as long as a synchronization at most")
  func commitGroup() throws {
    let group = try #require(Librarian.CommitGroup(of: 8, waiting: 3, duration: 5_000_000, now: 7))
    #expect(group.size == 11)
    #expect(group.until == 5_000_007)
    let endless = Librarian.CommitGroup(of: 8, waiting: 0, duration: .max / 2, now: 7)
    #expect(endless?.until == 20_000_007)
    #expect(Librarian.CommitGroup(of: 7, waiting: 99, duration: 5_000_000, now: 7) == nil)
  }

  @Test("nothing is written in the startup grace, which ends where a client wants the librarian")
  func startupGrace() {
    let actions: [(LibrarianFixture) -> Void] = [
      { fixture in
        guard case .failure = fixture.answer(.moveAlbums([], .top, crate: nil)) else {
          Issue.record("nothing was moved")
          return
        }
      },
      { $0.fill(albums: 1) }, { $0.librarian.setAway { Away() } }, { $0.librarian.stop() },
    ]
    for action in actions {
      let startupGrace = StartupGrace(isOver: false)
      let fixture = LibrarianFixture(startupGrace)
      #expect(!startupGrace.isOver)
      let soon = Clock.system.monotonic() + 20_000_000
      #expect(fixture.gate.wait(until: soon) { $0.beganAfterGrace } == nil)
      action(fixture)
      #expect(startupGrace.isOver)
      #expect(fixture.gate.wait { $0.beganAfterGrace })
      fixture.librarian.stop()
    }
  }

  @Test("edits that wait while the disk is busy share one commit")
  func groupCommit() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 5)
    let albums = fixture.order
    let answers = Monitor(0)
    fixture.gate.withLock { $0.isHeld = true }
    fixture.edit(.moveAlbums([albums[1]], .top, crate: nil)) { _ in answers.withLock { $0 += 1 } }
    fixture.gate.wait { $0.isWaiting ? () : nil }
    for place in 2...4 {
      fixture.edit(.moveAlbums([albums[place]], .top, crate: nil)) { _ in
        answers.withLock { $0 += 1 }
      }
    }
    // One that changes nothing by then is answered, too.
    fixture.edit(.moveAlbums([albums[4]], .top, crate: nil)) { answer in
      #expect((try? answer.get().changed) == false)
      answers.withLock { $0 += 1 }
    }
    // Nothing is answered or shown before it is durable.
    #expect(answers.withLock { $0 } == 0)
    #expect(fixture.order == albums)
    fixture.gate.withLock { $0.isHeld = false }
    answers.wait { $0 == 5 ? () : nil }
    #expect(fixture.gate.withLock { $0.batches } == [1, 1, 3])
    #expect(fixture.order == [albums[4], albums[3], albums[2], albums[1], albums[0]])
    fixture.librarian.stop()
  }

  @Test("a refused commit changes nothing, and a merge is tried again")
  func refused() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 2)
    let albums = fixture.order
    fixture.gate.withLock { $0.refusals = 1 }
    guard
      case .failure(.changesRefused) = fixture.answer(.moveAlbums([albums[1]], .top, crate: nil))
    else { return #expect(Bool(false), "the edit is refused") }
    #expect(fixture.order == albums)
    fixture.gate.withLock { $0.refusals = 1 }
    fixture.fill(albums: 3)
    #expect(fixture.order.count == 3)
    fixture.librarian.stop()
  }

  @Test("what was decided on changes that the disk refuses is decided again, on what there is")
  func refusedDraft() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 3)
    let albums = fixture.order
    let answers = Monitor<[Int: Result<Interface.Change, InterfaceError>]>([:])
    fixture.gate.withLock { $0.isHeld = true }
    fixture.edit(.moveAlbums([albums[1]], .top, crate: nil)) { _ in }
    fixture.gate.wait { $0.isWaiting ? () : nil }
    let top = Edit.moveAlbums([albums[2]], .top, crate: nil)
    let waiting: [Edit] = [
      .moveAlbums([albums[1]], .top, crate: nil), top, top, .renameCrate("Music", to: "Jazz"),
      .renameCrate("Music", to: "Blues"),
    ]
    for (number, edit) in waiting.enumerated() {
      fixture.edit(edit) { answer in answers.withLock { $0[number] = answer } }
    }
    fixture.gate.withLock { gate in
      gate.isHeld = false
      gate.refusalsAfter = 1
    }
    let told = answers.wait { $0.count == 5 ? $0 : nil }
    for number in [1, 3] {
      #expect(throws: InterfaceError.changesRefused(reason: "the disk is full")) {
        try told[number]?.get()
      }
    }
    // Before any change that was refused there was nothing to do.
    #expect(try told[0]?.get().changed == false)
    #expect(try told[2]?.get().changed == true)
    #expect(try told[4]?.get().changed == true)
    #expect(fixture.order == [albums[2], albums[1], albums[0]])
    #expect(fixture.published.library.crates.map(\.name) == ["Blues"])
    fixture.librarian.stop()
  }

  @Test("while the store takes nothing, all whose merges wait are told why, once it does none is")
  func refusedMerges() throws {
    let fixture = LibrarianFixture()
    fixture.gate.withLock { $0.refusals = .max }
    let told = Monitor<[Int: String]>([:])
    let done = Monitor(0)
    let threads = (0..<2).map { number in
      BlockingThread("folder \(number)") {
        fixture.fill(albums: 2 + number) { reason in told.withLock { $0[number] = reason } }
        done.withLock { $0 += 1 }
      }
    }
    let reasons = told.wait { $0.count == 2 ? $0 : nil }
    #expect(Set(reasons.values) == ["the disk is full"])
    #expect(done.withLock { $0 } == 0)
    fixture.gate.withLock { $0.refusals = 0 }
    for thread in threads { thread.join() }
    #expect(fixture.order.count == 3)
    told.withLock { $0 = [:] }
    fixture.fill(albums: 4) { reason in told.withLock { $0[2] = reason } }
    #expect(told.withLock { $0.isEmpty })
    fixture.librarian.stop()
  }

  @Test("once the store takes an edit, nobody is told any more that it takes nothing")
  func refusalIsOver() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 2)
    fixture.gate.withLock { $0.refusals = .max }
    let isTold = Monitor(false)
    let thread = BlockingThread("folder") {
      fixture.fill(albums: 3) { _ in isTold.withLock { $0 = true } }
    }
    isTold.wait { $0 ? () : nil }
    #expect(fixture.librarian.mergeRefusal == "the disk is full")
    fixture.gate.withLock { $0.refusals = 0 }
    let change = try fixture.answer(.moveAlbums([fixture.order[1]], .top, crate: nil)).get()
    #expect(change.changed)
    #expect(fixture.librarian.mergeRefusal == nil)
    thread.join()
    fixture.librarian.stop()
  }

  @Test(
    "a file that the store never takes is named, and everything else is merged",
    arguments: [[], [0], [6], [2, 3], [0, 1, 2, 3, 4, 5, 6]])
  func unfitFiles(unfit: [Int]) throws {
    let fixture = LibrarianFixture()
    let paths = Set(unfit.map { BytePath("/music/\($0)/x.flac") })
    fixture.gate.withLock { $0.unfit = paths }
    let rejected = fixture.fill(albums: 7)
    #expect(Set(rejected.keys) == paths)
    #expect(rejected.values.allSatisfy { $0.contains("too long") })
    #expect(fixture.order.count == 7 - unfit.count)
    // Told again, it comes to the same; and what fits at last is merged.
    #expect(fixture.fill(albums: 7).count == unfit.count)
    fixture.gate.withLock { $0.unfit = [] }
    #expect(fixture.fill(albums: 7).isEmpty)
    #expect(fixture.order.count == 7)
    fixture.librarian.stop()
  }

  /// Three songs of an album, one of which is absent since a merge that found another album.
  private func missingOne(_ refuse: (LibrarianFixture) -> Void = { _ in }) throws
    -> LibrarianFixture
  {
    let fixture = LibrarianFixture()
    var contents = FolderContents(root: BytePath("/music"), seen: 1)
    contents.found = (1...3).map { LibrarianFixture.found("\($0).flac", $0, album: "Blue") }
    fixture.librarian.merge(contents)
    refuse(fixture)
    contents = FolderContents(root: BytePath("/music"), seen: 2)
    contents.found = [LibrarianFixture.found("red.flac", 9, album: "Red")]
    contents.absent = [BytePath("/music/3.flac")]
    fixture.librarian.merge(contents)
    return fixture
  }

  /// Where the song of the absent file is, when its sound was found elsewhere.
  private func placeOfMissing(_ fixture: LibrarianFixture) -> [String] {
    var contents = FolderContents(root: BytePath("/music"), seen: 3)
    contents.found = [LibrarianFixture.found("new/3.flac", 3, album: "Best of")]
    fixture.librarian.merge(contents)
    defer { fixture.librarian.stop() }
    return fixture.published.library.songs.values.filter { $0.digest?.high == 3 }
      .map(\.path.display).sorted()
  }

  @Test("what is absent is waited for in later merges, also where one was refused for a while")
  func absent() throws {
    #expect(placeOfMissing(try missingOne()) == ["/music/new/3.flac"])
    let refused = try missingOne { fixture in fixture.gate.withLock { $0.refusals = 1 } }
    #expect(placeOfMissing(refused) == ["/music/new/3.flac"])
    let rejected = try missingOne { fixture in
      fixture.gate.withLock { $0.unfit = [BytePath("/music/red.flac")] }
    }
    #expect(placeOfMissing(rejected) == ["/music/new/3.flac"])
  }

  @Test("a watcher that begins waits for nothing yet, and a folder in no setting for nothing more")
  func watcherBegins() throws {
    let both = ["/music/3.flac", "/music/new/3.flac"]
    var fixture = try missingOne()
    fixture.librarian.watcherBegins(at: BytePath("/music"))
    #expect(placeOfMissing(fixture) == both)
    fixture = try missingOne()
    for folder in ["/other", "/music"] {
      var away = Away()
      away.folders = [BytePath(folder)]
      fixture.librarian.setAway { [away] in away }
    }
    #expect(placeOfMissing(fixture) == both)
  }

  @Test("an edit against an older sequence is outdated")
  func outdated() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 3)
    let albums = fixture.order
    let sequence = fixture.published.library.sequence
    let first = fixture.answer(.moveAlbums([albums[2]], .top, crate: nil), sequence: sequence)
    let change = try first.get()
    #expect(change.changed)
    #expect(change.albums == ["\(albums[2])"])
    guard
      case .failure(.outdated(let now)) = fixture.answer(
        .moveAlbums([albums[1]], .top, crate: nil), sequence: sequence)
    else { return #expect(Bool(false), "the edit is outdated") }
    #expect(now == change.sequence)
    let nothing = try fixture.answer(.moveAlbums([albums[2]], .top, crate: nil)).get()
    #expect(!nothing.changed)
    #expect(nothing.sequence == change.sequence)
    fixture.librarian.stop()
  }

  @Test("an edit that was made for one number is decided when those before it have theirs")
  func outdatedBehindOthers() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 1)
    let sequence = fixture.published.library.sequence
    let answers = Monitor<[Int: Result<Interface.Change, InterfaceError>]>([:])
    fixture.gate.withLock { $0.isHeld = true }
    let edits: [(Edit, seen: Int?)] = [
      (.renameCrate("Music", to: "A"), nil), (.renameCrate("A", to: "B"), nil),
      (.renameCrate("B", to: "C"), sequence + 1), (.renameCrate("B", to: "D"), sequence + 2),
    ]
    for (number, (edit, seen)) in edits.enumerated() {
      fixture.edit(edit, sequence: seen) { answer in answers.withLock { $0[number] = answer } }
      if number == 0 { fixture.gate.wait { $0.isWaiting ? () : nil } }
    }
    fixture.gate.withLock { $0.isHeld = false }
    let told = answers.wait { $0.count == 4 ? $0 : nil }
    #expect(throws: InterfaceError.outdated(sequence: sequence + 2)) { try told[2]?.get() }
    #expect(try told[3]?.get().sequence == sequence + 3)
    #expect(fixture.published.library.crates.map(\.name) == ["D"])
    fixture.librarian.stop()
  }

  @Test("once a look is merged that changes nothing, nobody is told that nothing is taken")
  func refusalEnds() {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 2)
    fixture.librarian.mailbox.withLock {
      $0.mergeRefusal = Librarian.MergeRefusal(reason: "full", until: 0)
    }
    let told = Monitor<[String]>([])
    fixture.fill(albums: 2) { reason in told.withLock { $0.append(reason) } }
    #expect(told.withLock { $0 } == ["full"] && fixture.librarian.mergeRefusal == nil)
    fixture.librarian.stop()
  }

  @Test("an edited text is compared with what was read, as long as that is known")
  func text() throws {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 4)
    let read = fixture.published.library
    fixture.librarian.texts.keep(read)
    let albums = fixture.order
    let moved = try fixture.answer(.moveAlbums([albums[3]], .top, crate: nil)).get()
    #expect(fixture.order == [albums[3], albums[0], albums[1], albums[2]])

    func apply(_ order: [AlbumID], readAt sequence: Int) -> Result<Interface.Change, InterfaceError>
    {
      let text = "crate Music\n" + order.map { "\talbum \($0)\n" }.joined()
      let result = Monitor<Result<Interface.Change, InterfaceError>?>(nil)
      do throws(InterfaceError) {
        let call = Call.applyText(text: text, sequence: sequence, crate: nil)
        let request = try EditingText.request(call, in: fixture.published.library) { answer in
          { result.withLock { $0 = answer } }
        }
        if let request { fixture.librarian.submit(request) }
      } catch {
        return .failure(error)
      }
      return result.wait { $0 }
    }
    let written = [albums[0], albums[2], albums[1], albums[3]]
    let change = try apply(written, readAt: read.sequence).get()
    #expect(change.changed)
    #expect(fixture.order == [albums[3], albums[0], albums[2], albums[1]])
    #expect(try !apply(written, readAt: read.sequence).get().changed)
    // The text is as it was read a moment ago, so all that differs was moved.
    #expect(try apply(written, readAt: change.sequence).get().changed)
    #expect(fixture.order == written)

    let now = fixture.published.library.sequence
    for sequence in [moved.sequence, now + 1] {
      #expect(throws: InterfaceError.outdated(sequence: now)) {
        try apply(written, readAt: sequence).get()
      }
    }
    #expect(throws: InterfaceError.self) { try apply([AlbumID(number: 1)], readAt: now).get() }
    for _ in 0..<8 {
      _ = fixture.answer(.moveAlbums([fixture.order[3]], .top, crate: nil))
      fixture.librarian.texts.keep(fixture.published.library)
    }
    #expect(throws: InterfaceError.self) { try apply(written, readAt: read.sequence).get() }
    fixture.librarian.stop()
  }

  @Test("a stopped librarian refuses, and lets watchers go")
  func stopped() {
    let fixture = LibrarianFixture()
    fixture.fill(albums: 1)
    fixture.librarian.stop()
    guard case .failure = fixture.answer(.renameCrate("Music", to: "Jazz")) else {
      return #expect(Bool(false), "the edit is refused")
    }
    fixture.fill(albums: 2)
    #expect(fixture.order.count == 1)
  }

  @Test("files are held back from the index while more of a first scan is to come")
  func heldBack() throws {
    for (isFirstScan, ends, isHeld) in [
      (true, false, true), (true, true, false), (false, false, false),
    ] {
      let folder = try TemporaryFolder()
      let fixture = LibrarianFixture(index: folder.path("index.sqlite"))
      var contents = LibrarianFixture.contents(albums: 1)
      (contents.isFirstScan, contents.endsFirstScan) = (isFirstScan, ends)
      fixture.librarian.merge(contents)
      fixture.librarian.stop()
      // What is held back is noted beside it.
      #expect(try names(in: folder.path) == (isHeld ? ["index.sqlite.unwritten"] : []))
    }
  }

  @Test("files of songs that are forgotten are not known to the index any longer")
  func forgotten() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("index.sqlite")
    let fixture = LibrarianFixture(index: path)
    let service = fixture.librarian.followers.index
    service.start(try LibraryIndex.open(at: path, newest: 0).index, Library())
    func files() throws -> Int? {
      guard case .wholly(let index) = service.written(within: 60_000_000_000) else { return nil }
      return try index.files().count
    }
    fixture.fill(albums: 2)
    #expect(try files() == 2)
    // Their folder left the settings, and nobody looks at it.
    var away = Away()
    away.folders = [BytePath("/other")]
    fixture.librarian.setAway { [away] in away }
    let forget = Edit.forget(songs: [], albums: [], folder: BytePath("/music"), all: false)
    #expect(try fixture.answer(forget).get().changed)
    #expect(fixture.published.library.songs.count == 0)
    #expect(try files() == 0)
    fixture.librarian.stop()
    service.stop()
  }
}
