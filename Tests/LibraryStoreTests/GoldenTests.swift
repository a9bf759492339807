import Glibc
import LibraryModel
import TestSupport
import Testing

@testable import LibraryStore

/// Files of version 1 as they were written once. A change of the format adds files and edits none.
@Suite("Formats of every version")
struct GoldenTests {
  static let folder: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast().joined(separator: "/") + "/Golden/v1"
  }()

  /// One of each kind of change, in batches of one line, of several, and of several changes.
  static func history() throws -> [[CommittedChange]] {
    let (kind, blue, other) = (AlbumID(number: 5), AlbumID(number: 6), AlbumID(number: 7))
    let (so, freddie, green) = (SongID(number: 11), SongID(number: 12), SongID(number: 13))
    let folder = BytePath("/home/ada/Music")
    func path(_ name: String) -> BytePath { folder.appending(name.utf8) }
    var traits = Traits()
    (traits.disc, traits.track, traits.title) = (1, 2, "Freddie\nFreeloader 100%")
    (traits.artist, traits.album, traits.albumArtist) = ("Miles", "Kind of Blue", "Miles Davis")
    traits.year = 1959
    (traits.milliseconds, traits.recording, traits.release) = (586_040, "rec", "rel")
    let key = GroupKey(family: "by\tmiles davis\tkind of blue")
    var time: Int64 = 1_795_237_862_123
    func change(_ author: Author, _ summary: String, _ changes: Change...) -> CommittedChange {
      change(author, summary, changes)
    }
    func change(_ author: Author, _ summary: String, _ changes: [Change]) -> CommittedChange {
      time += 61_001
      return CommittedChange(
        sequence: 0, time: time, author: author, summary: summary, changes: changes)
    }
    return [
      [
        change(
          .folder, "found 3 songs",
          .crateAdded("Music", after: nil), .crateAdded("100% Jazz", after: "Music"),
          .albumAdded(kind, crate: "Music", after: nil, group: key, isFresh: true),
          .albumAdded(
            blue, crate: "Music", after: kind,
            group: GroupKey(family: "in\t\tx", edition: "2"), isFresh: false),
          .songAdded(
            so, album: kind, after: nil, path: path("01 So What.flac"),
            digest: AudioDigest(high: 1, low: 0xFF), added: 1_795_237_862_123),
          .songAdded(
            freddie, album: kind, after: so, path: BytePath(folder.bytes + [0x2F, 0xFF, 0x0A]),
            digest: nil, added: 0),
          .songAdded(green, album: blue, after: nil, path: path("é"), digest: nil, added: 1))
      ],
      [change(.folder, "", .firstScanEnded(folder))],
      [
        change(.person, "", .crateMoved("100% Jazz", after: nil, wasAfter: "Music")),
        change(
          .person, "moved and arranged Kind of Blue",
          .albumMoved(kind, crate: "100% Jazz", after: nil, wasCrate: "Music", wasAfter: nil),
          .albumArranged(kind, true), .songMoved(so, in: kind, after: freddie, wasAfter: nil)),
        change(.person, "", .crateRenamed("100% Jazz", to: "Jazz")),
      ],
      [
        change(
          .folder, "retagged",
          .songRegrouped(green, album: kind, after: nil, was: blue),
          .albumAdded(
            other, crate: "Jazz", after: kind, group: GroupKey(family: "folder\tx"), isFresh: true),
          .albumTookOver(other, other: blue),
          .albumRegrouped(
            kind, group: GroupKey(family: "folder\ty"), was: key, alias: AlbumID(number: 99)),
          .songFollowed(so, path: path("So What.flac"), digest: nil, by: .sound))
      ],
      [change(.folder, "", .songGone(freddie, traits))],
      [change(.folder, "", .songReturned(freddie, path: path("b"), digest: nil, by: .tags))],
      [change(.folder, "", .songGone(freddie, traits))],
      [change(.folder, "cleared away", clearedAway(slot: so, in: kind, traits))],
    ]
  }

  /// An album and a song that are dropped, put back, and dropped again.
  private static func clearedAway(slot: SongID, in home: AlbumID, _ traits: Traits) -> [Change] {
    let (album, song) = (AlbumID(number: 8), SongID(number: 14))
    let (group, path) = (GroupKey(family: "folder\tz"), BytePath("/home/ada/Music/z"))
    let kept = KeptAlbum(
      crate: "Music", after: nil, group: group, isArranged: true, isPlaced: true,
      aliases: [AlbumID(number: 98)], slots: [slot])
    func place(
      isGone: Bool, isPlaced: Bool = false, slots: [KeptSlot] = [], _ traits: Traits = Traits()
    ) -> KeptSong {
      KeptSong(
        album: album, after: nil, slots: slots, group: group, path: path, digest: nil, added: 2,
        isGone: isGone, isPlaced: isPlaced, traits: traits)
    }
    return [
      .albumAdded(album, crate: "Music", after: nil, group: group, isFresh: false),
      .songAdded(song, album: album, after: nil, path: path, digest: nil, added: 2),
      .songForgotten(song, was: place(isGone: true, traits)),
      .albumRemoved(album, was: kept), .albumRestored(album, kept),
      .songRestored(
        song, place(isGone: false, isPlaced: true, slots: [KeptSlot(album: home, after: slot)])),
      .songForgotten(song, was: place(isGone: false)), .albumRemoved(album, was: kept),
      .crateRemoved("Music", wasAfter: "Jazz"),
    ]
  }

  /// What this version writes today.
  static func written() throws -> (journal: [UInt8], snapshot: [UInt8], library: Library) {
    let header = JournalText.header(generation: 12, base: 0)
    var text = JournalText(header: header, base: 0)
    var journal = header + [0x0A]
    var library = Library()
    for var batch in try history() {
      journal += text.lines(of: &batch)
      for change in batch {
        for step in change.changes { try library.apply(step, by: change.author) }
        library.advance(to: change.sequence)
      }
    }
    // So that some songs are offline, whatever else decides it.
    library.away.folders = [BytePath("/mnt")]
    return (journal, Snapshot.text(library), library)
  }

  @Test("Files of version 1 are read, and written the same")
  func versionOne() throws {
    let written = try Self.written()
    let paths = (journal: "\(Self.folder)/journal.12.txt", snapshot: "\(Self.folder)/crates.13.txt")
    if getenv("UPDATE_GOLDEN") != nil {
      try writeFile(written.journal, to: paths.journal)
      try writeFile(written.snapshot, to: paths.snapshot)
    }
    let journal = try readFile(paths.journal)
    let snapshot = try readFile(paths.snapshot)
    let contents = try JournalReader.read(journal)
    #expect(contents.end == .whole)
    let changes = try Self.history().flatMap { $0 }
    try #require(contents.changes.count == changes.count)
    for (found, expected) in zip(contents.changes, changes) {
      #expect(found.changes == expected.changes)
      #expect(found.time == expected.time)
    }
    let cases = Set(changes.flatMap(\.changes).map(ChangeTextTests.caseNumber))
    #expect(cases == Set(0...17).union([20, 21]))
    let read = try SnapshotReader.read(snapshot)
    #expect(!read.isEdited)
    expectSame(read.library, written.library)
    #expect(brokenInvariant(of: read.library) == nil)
    #expect(
      String(decoding: journal, as: UTF8.self) == String(decoding: written.journal, as: UTF8.self))
    #expect(
      String(decoding: snapshot, as: UTF8.self) == String(decoding: written.snapshot, as: UTF8.self)
    )
  }

  @Test("A journal that says that it follows an edited snapshot is read, and written the same")
  func afterEdit() throws {
    let journal = try readFile("\(Self.folder)/journal.14.txt")
    let contents = try JournalReader.read(journal)
    #expect(contents.isAfterEdit && contents.base == 29)
    #expect(journal == JournalText.header(generation: 14, base: 29, isAfterEdit: true) + [0x0A])
  }
}
