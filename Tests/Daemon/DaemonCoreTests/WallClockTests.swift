import CratesInterface
import FolderWatching
import LibraryModel
import LibraryStore
import Logging
import Platform
import Synchronization
import TestSupport
import Testing

@testable import DaemonCore

@Suite("A wall clock that jumps", .limited)
struct WallClockTests {
  /// Ten years in nanoseconds.
  private static let decade: Int64 = 3_650 * 86_400 * 1_000_000_000
  private static let start: Int64 = 1_800_000_000 * 1_000_000_000
  /// More than there are backups of before they are thinned.
  private static let lives = 24

  /// A clock whose wall time is turned by hand.
  private final class Hands: Sendable {
    private let wall = Mutex(WallClockTests.start)

    var clock: Clock {
      Clock(monotonic: Clock.system.monotonic, wall: { [self] in wall.withLock { $0 } })
    }
    var milliseconds: Int64 { wall.withLock { $0 / 1_000_000 } }

    func turn(by nanoseconds: Int64) { wall.withLock { $0 += nanoseconds } }
  }

  /// What a store went through.
  private struct Story: Equatable {
    /// The names of the crates and their albums' ids, after each step.
    var orders: [[String]] = []
    /// The numbers of the edits, as they were answered.
    var sequences: [Int] = []
    /// What is in the store in the end, without what the files hold.
    var files: [String] = []
  }

  /// A librarian with a store on the disk, from its start to its stop.
  private final class Life {
    let librarian: Librarian
    let published: PublishedLibrary
    private let clock: Clock
    private let scanTimes = ScanTimes()
    private let past: PastLibrary<DiskFiles>

    init(_ folder: TemporaryFolder, _ clock: Clock) throws {
      let files = try DiskFiles(directory: BytePath(folder.path("store")))
      past = PastLibrary(files)
      let opened = try Recovery.open(files)
      #expect(opened.store.state == .ready, "\(opened.notes)")
      self.clock = clock
      var library = opened.library
      library.away.folders = [BytePath("/music")]
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      published = PublishedLibrary(library)
      scanTimes.note(library.newestScan)
      librarian = Librarian(
        Librarian.Followers(
          published: published, feed: ChangeFeed(sequence: library.sequence) { "" },
          index: IndexService(
            path: BytePath(folder.path("index.sqlite")), published: published, clock: clock,
            logger: logger),
          playlists: PlaylistService(published: published, clock: clock, logger: logger),
          naming: Naming(published: published)),
        clock: clock, scanTimes: scanTimes, logger: logger)
      librarian.start(
        library: library, store: opened.store, newestTime: try past.newestTime() ?? 0,
        newAlbums: nil)
    }

    private static func path(_ number: Int) -> BytePath { BytePath("/music/\(number).flac") }

    func song(_ number: Int) -> Song? {
      published.library.songs.values.first { $0.path == Self.path(number) }
    }

    /// An album of one song appears.
    func find(_ number: Int) {
      var contents = FolderContents(root: BytePath("/music"), seen: scanTimes.next(clock.wall()))
      var tags = SongTags()
      tags.album = "Album \(number)"
      tags.albumArtist = "X"
      let stamp = FileStamp(
        identity: FileIdentity(fileSystem: 1, inode: UInt64(number), birth: 1), size: 1,
        modified: 1, changed: 1)
      contents.found = [
        FolderContents.Found(
          path: Self.path(number),
          facts: FileFacts(
            stamp: stamp, tags: tags, audio: AudioProperties(),
            digest: AudioDigest(high: UInt64(number + 1), low: 1), format: "flac"))
      ]
      librarian.merge(contents)
    }

    func answer(_ action: Librarian.Action) throws -> Interface.Change {
      let result = Monitor<Result<Interface.Change, InterfaceError>?>(nil)
      librarian.submit(
        Librarian.EditRequest(sequence: nil, action: action) { answer in
          { result.withLock { $0 = answer } }
        })
      return try result.wait { $0 }.get()
    }

    var order: [String] {
      published.library.crates.flatMap { [$0.name] + $0.albums.map(\.description) }
    }

    /// The oldest first.
    func history() throws -> [Interface.Change] {
      try past.transactions(before: .max, most: 10_000, of: nil).map { Interface.Change($0) }
    }
  }

  /// - Parameter jump: how the clock is turned before the step of this number.
  private func story(turning jump: (Int) -> Int64) throws -> Story {
    let folder = try TemporaryFolder()
    let hands = Hands()
    var story = Story()
    var step = 0
    for number in 0..<Self.lives {
      func turn() {
        hands.turn(by: jump(step))
        step += 1
      }
      turn()
      let life = try Life(folder, hands.clock)
      if let last = story.orders.last { #expect(life.order == last, "start \(number)") }
      turn()
      if number == 0 { life.find(1000) }
      life.find(number)
      #expect(life.song(number)?.added == hands.milliseconds)
      story.orders.append(life.order)
      let albums = life.published.library.crates.first?.albums ?? []
      let bottom = try #require(albums.last)
      let actions: [Librarian.Action] = [
        .edit { _ in .renameCrate("Music", to: "Crate") },
        .edit { _ in .moveAlbums([bottom], .top, crate: nil) }, .undo(), .redo(), .undo(),
        .edit { _ in .renameCrate("Crate", to: "Music") },
      ]
      for action in actions {
        turn()
        let change = try life.answer(action)
        #expect(change.time == Timestamp.text(hands.milliseconds))
        if change.changed { story.sequences.append(change.sequence) }
        story.orders.append(life.order)
      }
      let history = try life.history()
      #expect(life.published.library.newestScan == life.song(number)?.seen)
      let sequences = history.map(\.sequence)
      #expect(sequences == sequences.sorted())
      #expect(Set(sequences).count == sequences.count)
      turn()
      life.librarian.stop()
    }
    #expect(story.sequences == story.sequences.sorted())
    #expect(Set(story.sequences).count == story.sequences.count)
    for place in ["store", "store/backups"] {
      story.files += try run("ls", [folder.path(place)]).output.split(separator: "\n").map {
        "\(place)/\($0)"
      }
    }
    return story
  }

  @Test("Ten years back or forward between changes and over restarts changes nothing but times")
  func jumps() throws {
    let steady = try story { _ in 1_000_000_000 }
    #expect(steady.sequences.count > 4 * Self.lives)
    #expect(steady.files.count { $0.contains("backups/crates.") } >= 20)
    #expect(!steady.files.contains { $0.hasSuffix("/crates.2.txt") }, "some were thinned out")
    let decade = Self.decade
    let jumps: [(Int) -> Int64] = [
      { $0 % 5 == 4 ? 4 * decade : -decade },
      // To before 1970 and on from there.
      { $0 < 25 ? -decade : 1 },
    ]
    for jump in jumps {
      let story = try story(turning: jump)
      #expect(story.orders == steady.orders)
      #expect(story.sequences == steady.sequences)
      #expect(story.files == steady.files)
    }
  }
}
