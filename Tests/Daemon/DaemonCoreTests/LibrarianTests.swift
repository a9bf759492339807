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
    func book() throws -> FolderBook {
      FolderBook(
        try DiskFiles(directory: BytePath(folder.path("store"))),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
    func look(_ album: String, _ songs: ClosedRange<Int>, seen: Int64) -> FolderContents {
      var contents = FolderContents(root: root, seen: seen)
      contents.found = songs.map { LibrarianDesk.found("\($0).flac", $0, album: album) }
      return contents
    }
    try book().note(
      FolderRecord(
        identity: FileIdentity(fileSystem: 1, inode: 1, birth: 1), isScanned: true), at: root)
    var desk = LibrarianDesk(folders: try book())
    desk.librarian.merge(look("Blue", 1...3, seen: 1))
    let album = try #require(desk.order.first)
    var retagged = look("Red", 1...2, seen: 2)
    retagged.absent = [BytePath("/music/3.flac")]
    desk.gate.withLock { $0.isHeld = true }
    let merging = BlockingThread("merging") { [desk, retagged] in desk.librarian.merge(retagged) }
    desk.gate.wait { $0.isWaiting ? () : nil }
    // It is kept before it is durable that the files left it.
    #expect(try book()[root]?.leaving == [album])
    desk.gate.withLock { $0.isHeld = false }
    merging.join()
    #expect(desk.order.count == 2)
    desk.librarian.stop()
    #expect(try book()[root]?.leaving == [album])
    // What a look says of the folder itself leaves that as it is.
    try book().note(
      FolderRecord(
        identity: FileIdentity(fileSystem: 1, inode: 2, birth: 1), isScanned: true), at: root)

    desk = LibrarianDesk(folders: try book(), library: desk.published.library)
    var vanished = FolderContents(root: root, seen: 3)
    vanished.vanished = retagged.absent
    desk.librarian.merge(vanished)
    #expect(desk.order == [album])
    #expect(desk.published.library.albums[album]?.group.family.contains("red") == true)
    #expect(try book()[root]?.leaving == [])
    desk.librarian.stop()
  }

  @Test("many who edit at once are waited for, as long as a synchronization at most")
  func crowd() throws {
    let crowd = try #require(Librarian.Crowd(of: 8, waiting: 3, duration: 5_000_000, now: 7))
    #expect(crowd.size == 11)
    #expect(crowd.until == 5_000_007)
    #expect(Librarian.Crowd(of: 8, waiting: 0, duration: .max / 2, now: 7)?.until == 20_000_007)
    #expect(Librarian.Crowd(of: 7, waiting: 99, duration: 5_000_000, now: 7) == nil)
  }

  @Test("nothing is written in a head start, which ends where somebody wants the librarian")
  func headStart() {
    let wishes: [(LibrarianDesk) -> Void] = [
      { desk in
        guard case .failure = desk.answer(.moveAlbums([], .top, crate: nil)) else {
          Issue.record("nothing was moved")
          return
        }
      },
      { $0.fill(albums: 1) }, { $0.librarian.setAway { Away() } }, { $0.librarian.stop() },
    ]
    for wish in wishes {
      let headStart = HeadStart(isOver: false)
      let desk = LibrarianDesk(headStart)
      #expect(!headStart.isOver)
      let soon = Clock.system.monotonic() + 20_000_000
      #expect(desk.gate.wait(until: soon) { $0.beganAfterHeadStart } == nil)
      wish(desk)
      #expect(headStart.isOver)
      #expect(desk.gate.wait { $0.beganAfterHeadStart })
      desk.librarian.stop()
    }
  }

  @Test("edits that wait while the disk is busy share one commit")
  func groupCommit() throws {
    let desk = LibrarianDesk()
    desk.fill(albums: 5)
    let albums = desk.order
    let answers = Monitor(0)
    desk.gate.withLock { $0.isHeld = true }
    desk.edit(.moveAlbums([albums[1]], .top, crate: nil)) { _ in answers.withLock { $0 += 1 } }
    desk.gate.wait { $0.isWaiting ? () : nil }
    for place in 2...4 {
      desk.edit(.moveAlbums([albums[place]], .top, crate: nil)) { _ in
        answers.withLock { $0 += 1 }
      }
    }
    // One that changes nothing by then is answered, too.
    desk.edit(.moveAlbums([albums[4]], .top, crate: nil)) { answer in
      #expect((try? answer.get().changed) == false)
      answers.withLock { $0 += 1 }
    }
    // Nothing is answered or shown before it is durable.
    #expect(answers.withLock { $0 } == 0)
    #expect(desk.order == albums)
    desk.gate.withLock { $0.isHeld = false }
    answers.wait { $0 == 5 ? () : nil }
    #expect(desk.gate.withLock { $0.batches } == [1, 1, 3])
    #expect(desk.order == [albums[4], albums[3], albums[2], albums[1], albums[0]])
    desk.librarian.stop()
  }

  @Test("a refused commit changes nothing, and a merge is tried again")
  func refused() throws {
    let desk = LibrarianDesk()
    desk.fill(albums: 2)
    let albums = desk.order
    desk.gate.withLock { $0.refusals = 1 }
    guard case .failure(.changesRefused) = desk.answer(.moveAlbums([albums[1]], .top, crate: nil))
    else { return #expect(Bool(false), "the edit is refused") }
    #expect(desk.order == albums)
    desk.gate.withLock { $0.refusals = 1 }
    desk.fill(albums: 3)
    #expect(desk.order.count == 3)
    desk.librarian.stop()
  }

  @Test("what was decided on changes that the disk refuses is decided again, on what there is")
  func refusedDraft() throws {
    let desk = LibrarianDesk()
    desk.fill(albums: 3)
    let albums = desk.order
    let answers = Monitor<[Int: Result<Interface.Change, InterfaceError>]>([:])
    desk.gate.withLock { $0.isHeld = true }
    desk.edit(.moveAlbums([albums[1]], .top, crate: nil)) { _ in }
    desk.gate.wait { $0.isWaiting ? () : nil }
    let top = Edit.moveAlbums([albums[2]], .top, crate: nil)
    let waiting: [Edit] = [
      .moveAlbums([albums[1]], .top, crate: nil), top, top, .renameCrate("Music", to: "Jazz"),
      .renameCrate("Music", to: "Blues"),
    ]
    for (number, edit) in waiting.enumerated() {
      desk.edit(edit) { answer in answers.withLock { $0[number] = answer } }
    }
    desk.gate.withLock { gate in
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
    #expect(desk.order == [albums[2], albums[1], albums[0]])
    #expect(desk.published.library.crates.map(\.name) == ["Blues"])
    desk.librarian.stop()
  }

  @Test("while the store takes nothing, all whose merges wait are told why, once it does none is")
  func refusedMerges() throws {
    let desk = LibrarianDesk()
    desk.gate.withLock { $0.refusals = .max }
    let told = Monitor<[Int: String]>([:])
    let done = Monitor(0)
    let threads = (0..<2).map { number in
      BlockingThread("folder \(number)") {
        desk.fill(albums: 2 + number) { reason in told.withLock { $0[number] = reason } }
        done.withLock { $0 += 1 }
      }
    }
    let reasons = told.wait { $0.count == 2 ? $0 : nil }
    #expect(Set(reasons.values) == ["the disk is full"])
    #expect(done.withLock { $0 } == 0)
    desk.gate.withLock { $0.refusals = 0 }
    for thread in threads { thread.join() }
    #expect(desk.order.count == 3)
    told.withLock { $0 = [:] }
    desk.fill(albums: 4) { reason in told.withLock { $0[2] = reason } }
    #expect(told.withLock { $0.isEmpty })
    desk.librarian.stop()
  }

  @Test("once the store takes an edit, nobody is told any more that it takes nothing")
  func refusalIsOver() throws {
    let desk = LibrarianDesk()
    desk.fill(albums: 2)
    desk.gate.withLock { $0.refusals = .max }
    let isTold = Monitor(false)
    let thread = BlockingThread("folder") {
      desk.fill(albums: 3) { _ in isTold.withLock { $0 = true } }
    }
    isTold.wait { $0 ? () : nil }
    #expect(desk.librarian.mergeRefusal == "the disk is full")
    desk.gate.withLock { $0.refusals = 0 }
    let change = try desk.answer(.moveAlbums([desk.order[1]], .top, crate: nil)).get()
    #expect(change.changed)
    #expect(desk.librarian.mergeRefusal == nil)
    thread.join()
    desk.librarian.stop()
  }

  @Test(
    "a file that the store never takes is named, and everything else is merged",
    arguments: [[], [0], [6], [2, 3], [0, 1, 2, 3, 4, 5, 6]])
  func unfitFiles(unfit: [Int]) throws {
    let desk = LibrarianDesk()
    let paths = Set(unfit.map { BytePath("/music/\($0)/x.flac") })
    desk.gate.withLock { $0.unfit = paths }
    let rejected = desk.fill(albums: 7)
    #expect(Set(rejected.keys) == paths)
    #expect(rejected.values.allSatisfy { $0.contains("too long") })
    #expect(desk.order.count == 7 - unfit.count)
    // Told again, it comes to the same; and what fits at last is merged.
    #expect(desk.fill(albums: 7).count == unfit.count)
    desk.gate.withLock { $0.unfit = [] }
    #expect(desk.fill(albums: 7).isEmpty)
    #expect(desk.order.count == 7)
    desk.librarian.stop()
  }

  /// Three songs of an album, one of which is absent since a merge that found another album.
  private func missingOne(_ refuse: (LibrarianDesk) -> Void = { _ in }) throws -> LibrarianDesk {
    let desk = LibrarianDesk()
    var contents = FolderContents(root: BytePath("/music"), seen: 1)
    contents.found = (1...3).map { LibrarianDesk.found("\($0).flac", $0, album: "Blue") }
    desk.librarian.merge(contents)
    refuse(desk)
    contents = FolderContents(root: BytePath("/music"), seen: 2)
    contents.found = [LibrarianDesk.found("red.flac", 9, album: "Red")]
    contents.absent = [BytePath("/music/3.flac")]
    desk.librarian.merge(contents)
    return desk
  }

  /// Where the song of the absent file is, when its sound was found elsewhere.
  private func placeOfMissing(_ desk: LibrarianDesk) -> [String] {
    var contents = FolderContents(root: BytePath("/music"), seen: 3)
    contents.found = [LibrarianDesk.found("new/3.flac", 3, album: "Best of")]
    desk.librarian.merge(contents)
    defer { desk.librarian.stop() }
    return desk.published.library.songs.values.filter { $0.digest?.high == 3 }
      .map(\.path.display).sorted()
  }

  @Test("what is absent is waited for in later merges, also where one was refused for a while")
  func absent() throws {
    #expect(placeOfMissing(try missingOne()) == ["/music/new/3.flac"])
    let refused = try missingOne { desk in desk.gate.withLock { $0.refusals = 1 } }
    #expect(placeOfMissing(refused) == ["/music/new/3.flac"])
    let rejected = try missingOne { desk in
      desk.gate.withLock { $0.unfit = [BytePath("/music/red.flac")] }
    }
    #expect(placeOfMissing(rejected) == ["/music/new/3.flac"])
  }

  @Test("a watcher that begins waits for nothing yet, and a folder in no setting for nothing more")
  func watcherBegins() throws {
    let both = ["/music/3.flac", "/music/new/3.flac"]
    var desk = try missingOne()
    desk.librarian.watcherBegins(at: BytePath("/music"))
    #expect(placeOfMissing(desk) == both)
    desk = try missingOne()
    for folder in ["/other", "/music"] {
      var away = Away()
      away.folders = [BytePath(folder)]
      desk.librarian.setAway { [away] in away }
    }
    #expect(placeOfMissing(desk) == both)
  }

  @Test("an edit against an older sequence is outdated")
  func outdated() throws {
    let desk = LibrarianDesk()
    desk.fill(albums: 3)
    let albums = desk.order
    let sequence = desk.published.library.sequence
    let first = desk.answer(.moveAlbums([albums[2]], .top, crate: nil), sequence: sequence)
    let change = try first.get()
    #expect(change.changed)
    #expect(change.albums == ["\(albums[2])"])
    guard
      case .failure(.outdated(let now)) = desk.answer(
        .moveAlbums([albums[1]], .top, crate: nil), sequence: sequence)
    else { return #expect(Bool(false), "the edit is outdated") }
    #expect(now == change.sequence)
    let nothing = try desk.answer(.moveAlbums([albums[2]], .top, crate: nil)).get()
    #expect(!nothing.changed)
    #expect(nothing.sequence == change.sequence)
    desk.librarian.stop()
  }

  @Test("an edit that was made for one number is decided when those before it have theirs")
  func outdatedBehindOthers() throws {
    let desk = LibrarianDesk()
    desk.fill(albums: 1)
    let sequence = desk.published.library.sequence
    let answers = Monitor<[Int: Result<Interface.Change, InterfaceError>]>([:])
    desk.gate.withLock { $0.isHeld = true }
    let edits: [(Edit, seen: Int?)] = [
      (.renameCrate("Music", to: "A"), nil), (.renameCrate("A", to: "B"), nil),
      (.renameCrate("B", to: "C"), sequence + 1), (.renameCrate("B", to: "D"), sequence + 2),
    ]
    for (number, (edit, seen)) in edits.enumerated() {
      desk.edit(edit, sequence: seen) { answer in answers.withLock { $0[number] = answer } }
      if number == 0 { desk.gate.wait { $0.isWaiting ? () : nil } }
    }
    desk.gate.withLock { $0.isHeld = false }
    let told = answers.wait { $0.count == 4 ? $0 : nil }
    #expect(throws: InterfaceError.outdated(sequence: sequence + 2)) { try told[2]?.get() }
    #expect(try told[3]?.get().sequence == sequence + 3)
    #expect(desk.published.library.crates.map(\.name) == ["D"])
    desk.librarian.stop()
  }

  @Test("once a look is merged that changes nothing, nobody is told that nothing is taken")
  func refusalEnds() {
    let desk = LibrarianDesk()
    desk.fill(albums: 2)
    desk.librarian.mailbox.withLock {
      $0.mergeRefusal = Librarian.MergeRefusal(reason: "full", until: 0)
    }
    let told = Monitor<[String]>([])
    desk.fill(albums: 2) { reason in told.withLock { $0.append(reason) } }
    #expect(told.withLock { $0 } == ["full"] && desk.librarian.mergeRefusal == nil)
    desk.librarian.stop()
  }

  @Test("an edited text is compared with what was read, as long as that is known")
  func text() throws {
    let desk = LibrarianDesk()
    desk.fill(albums: 4)
    let read = desk.published.library
    desk.librarian.texts.keep(read)
    let albums = desk.order
    let moved = try desk.answer(.moveAlbums([albums[3]], .top, crate: nil)).get()
    #expect(desk.order == [albums[3], albums[0], albums[1], albums[2]])

    func apply(_ order: [AlbumID], readAt sequence: Int) -> Result<Interface.Change, InterfaceError>
    {
      let text = "crate Music\n" + order.map { "\talbum \($0)\n" }.joined()
      let result = Monitor<Result<Interface.Change, InterfaceError>?>(nil)
      do throws(InterfaceError) {
        let call = Call.applyText(text: text, sequence: sequence, crate: nil)
        let request = try EditingText.request(call, in: desk.published.library) { answer in
          { result.withLock { $0 = answer } }
        }
        if let request { desk.librarian.submit(request) }
      } catch {
        return .failure(error)
      }
      return result.wait { $0 }
    }
    let written = [albums[0], albums[2], albums[1], albums[3]]
    let change = try apply(written, readAt: read.sequence).get()
    #expect(change.changed)
    #expect(desk.order == [albums[3], albums[0], albums[2], albums[1]])
    #expect(try !apply(written, readAt: read.sequence).get().changed)
    // The text is as it was read a moment ago, so all that differs was moved.
    #expect(try apply(written, readAt: change.sequence).get().changed)
    #expect(desk.order == written)

    let now = desk.published.library.sequence
    for sequence in [moved.sequence, now + 1] {
      #expect(throws: InterfaceError.outdated(sequence: now)) {
        try apply(written, readAt: sequence).get()
      }
    }
    #expect(throws: InterfaceError.self) { try apply([AlbumID(number: 1)], readAt: now).get() }
    for _ in 0..<8 {
      _ = desk.answer(.moveAlbums([desk.order[3]], .top, crate: nil))
      desk.librarian.texts.keep(desk.published.library)
    }
    #expect(throws: InterfaceError.self) { try apply(written, readAt: read.sequence).get() }
    desk.librarian.stop()
  }

  @Test("a stopped librarian refuses, and lets watchers go")
  func stopped() {
    let desk = LibrarianDesk()
    desk.fill(albums: 1)
    desk.librarian.stop()
    guard case .failure = desk.answer(.renameCrate("Music", to: "Jazz")) else {
      return #expect(Bool(false), "the edit is refused")
    }
    desk.fill(albums: 2)
    #expect(desk.order.count == 1)
  }

  @Test("files are held back from the index while more of a first scan is to come")
  func heldBack() throws {
    for (isFirstScan, ends, isHeld) in [
      (true, false, true), (true, true, false), (false, false, false),
    ] {
      let folder = try TemporaryFolder()
      let desk = LibrarianDesk(index: folder.path("index.sqlite"))
      var contents = LibrarianDesk.contents(albums: 1)
      (contents.isFirstScan, contents.endsFirstScan) = (isFirstScan, ends)
      desk.librarian.merge(contents)
      desk.librarian.stop()
      // What is held back is noted beside it.
      #expect(try names(in: folder.path) == (isHeld ? ["index.sqlite.unwritten"] : []))
    }
  }

  @Test("files of songs that are forgotten are not known to the index any longer")
  func forgotten() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("index.sqlite")
    let desk = LibrarianDesk(index: path)
    let service = desk.librarian.followers.index
    service.start(try LibraryIndex.open(at: path, newest: 0).index, Library())
    func files() throws -> Int? {
      guard case .wholly(let index) = service.written(within: 60_000_000_000) else { return nil }
      return try index.files().count
    }
    desk.fill(albums: 2)
    #expect(try files() == 2)
    // Their folder left the settings, and nobody looks at it.
    var away = Away()
    away.folders = [BytePath("/other")]
    desk.librarian.setAway { [away] in away }
    let forget = Edit.forget(songs: [], albums: [], folder: BytePath("/music"), all: false)
    #expect(try desk.answer(forget).get().changed)
    #expect(desk.published.library.songs.count == 0)
    #expect(try files() == 0)
    desk.librarian.stop()
    service.stop()
  }
}
