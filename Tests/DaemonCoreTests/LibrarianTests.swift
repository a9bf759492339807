import CratesInterface
import LibraryModel
import LibraryStore
import Logging
import Platform
import Testing

@testable import DaemonCore

/// A store in memory that can be held, and can refuse.
private final class MemoryStore: ChangeStore, @unchecked Sendable {
  struct Gate {
    var isHeld = false
    var isWaiting = false
    var refusals = 0
    var batches: [Int] = []
  }

  let gate: Monitor<Gate>
  var state: StoreState { .ready }
  private var sequence = 0

  init(_ gate: Monitor<Gate>) { self.gate = gate }

  func commit(
    _ changes: [CommittedChange], to library: Library, meanwhile: ([CommittedChange]) -> Void
  ) throws(StoreRefusal) -> [CommittedChange] {
    let numbered = changes.map { change in
      var change = change
      sequence += change.changes.count
      change.sequence = sequence
      return change
    }
    // Answers are made now, and not sent: what is refused below is answered with that.
    meanwhile(numbered)
    gate.withLock { $0.isWaiting = true }
    let isRefused = gate.wait { gate -> Bool? in
      if gate.isHeld { return nil }
      gate.isWaiting = false
      if gate.refusals > 0 {
        gate.refusals -= 1
        return true
      }
      gate.batches.append(changes.count)
      return false
    }
    if isRefused {
      sequence -= changes.reduce(0) { $0 + $1.changes.count }
      throw StoreRefusal(reason: "the disk is full", isUnknown: false)
    }
    return numbered
  }

  func pastChanges(before: Int, most: Int, of author: Author?) -> [CommittedChange] { [] }
  func library(at sequence: Int) -> Library? { nil }
  func takeNotes() -> [String] { [] }
  func checkpointWork(
    _ library: Library, isIdle: Bool
  ) throws(SystemCallError) -> (@Sendable () -> Void)? { nil }
  var mayHeal: Bool { false }
  func heal(_ library: Library) {}
  func close(_ library: Library) -> SystemCallError? { nil }
}

@Suite("The librarian")
struct LibrarianTests {
  private final class Desk: Sendable {
    let gate = Monitor(MemoryStore.Gate())
    let published = PublishedLibrary(Library())
    let librarian: Librarian

    init() {
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      librarian = Librarian(
        published: published, feed: ChangeFeed(sequence: 0) { "" },
        index: IndexService(
          path: BytePath("/nowhere/index.sqlite"), published: published, clock: .system,
          logger: logger),
        playlists: PlaylistService(published: published, clock: .system, logger: logger),
        clock: .system, logger: logger)
      var library = Library()
      library.away.folders = [BytePath("/music")]
      librarian.start(library: library, store: MemoryStore(gate), newAlbums: nil)
    }

    /// A first look that found so many albums of one song each.
    func fill(albums: Int) {
      var contents = FolderContents(root: BytePath("/music"), seen: 1)
      for number in 0..<albums {
        var tags = SongTags()
        tags.album = "A\(number)"
        tags.albumArtist = "X"
        let stamp = FileStamp(
          identity: FileIdentity(fileSystem: 1, inode: UInt64(number), birth: 1), size: 1,
          modified: 1, changed: 1)
        contents.found.append(
          FolderContents.Found(
            path: BytePath("/music/\(number)/x.flac"),
            facts: FileFacts(
              stamp: stamp, tags: tags, audio: AudioProperties(),
              digest: AudioDigest(high: UInt64(number), low: 1), format: "flac")))
      }
      librarian.merge(contents)
    }

    func edit(
      _ edit: Edit, sequence: Int? = nil,
      _ answer: @escaping @Sendable (Result<Interface.Change, InterfaceError>) -> Void
    ) {
      librarian.submit(
        Librarian.EditRequest(sequence: sequence, wish: .edit { _ in edit }) { result in
          { answer(result) }
        })
    }

    /// The edit's answer, waited for.
    func answer(_ edit: Edit, sequence: Int? = nil) -> Result<Interface.Change, InterfaceError> {
      let result = Monitor<Result<Interface.Change, InterfaceError>?>(nil)
      self.edit(edit, sequence: sequence) { answer in result.withLock { $0 = answer } }
      return result.wait { $0 }
    }

    var order: [AlbumID] { Array(published.library.crates.first?.albums ?? []) }
  }

  @Test("many who edit at once are waited for, as long as a synchronization at most")
  func crowd() throws {
    let crowd = try #require(Librarian.Crowd(of: 8, waiting: 3, duration: 5_000_000, now: 7))
    #expect(crowd.size == 11)
    #expect(crowd.until == 5_000_007)
    #expect(Librarian.Crowd(of: 8, waiting: 0, duration: .max / 2, now: 7)?.until == 20_000_007)
    #expect(Librarian.Crowd(of: 7, waiting: 99, duration: 5_000_000, now: 7) == nil)
  }

  @Test("edits that wait while the disk is busy share one commit")
  func groupCommit() throws {
    let desk = Desk()
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
    // Nothing is answered or shown before it is durable.
    #expect(answers.withLock { $0 } == 0)
    #expect(desk.order == albums)
    desk.gate.withLock { $0.isHeld = false }
    answers.wait { $0 == 4 ? () : nil }
    #expect(desk.gate.withLock { $0.batches } == [1, 1, 3])
    #expect(desk.order == [albums[4], albums[3], albums[2], albums[1], albums[0]])
    desk.librarian.stop()
  }

  @Test("a refused commit changes nothing, and a merge is tried again")
  func refused() throws {
    let desk = Desk()
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

  @Test("an edit against an older sequence is outdated")
  func outdated() throws {
    let desk = Desk()
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

  @Test("an edited text is compared with what was read, as long as that is known")
  func text() throws {
    let desk = Desk()
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
      do {
        desk.librarian.submit(
          try EditingText.request(text, readAt: sequence, crate: nil) { answer in
            { result.withLock { $0 = answer } }
          })
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
    // As it was read a moment ago, so all that differs was moved.
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
    let desk = Desk()
    desk.fill(albums: 1)
    desk.librarian.stop()
    guard case .failure = desk.answer(.renameCrate("Music", to: "Jazz")) else {
      return #expect(Bool(false), "the edit is refused")
    }
    desk.fill(albums: 2)
    #expect(desk.order.count == 1)
  }
}
