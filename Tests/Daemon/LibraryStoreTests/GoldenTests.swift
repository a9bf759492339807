import Glibc
import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

/// Files of each version as they were written once. A change of the format adds files and edits
/// none.
@Suite("Formats of every version", .limited)
struct GoldenTests {
  private static let folder = Repository.folder() + "/Golden/v1"

  private static var traits: Traits {
    var traits = Traits()
    (traits.disc, traits.track, traits.title) = (1, 2, "Freddie\nFreeloader 100%")
    (traits.artist, traits.album, traits.albumArtist) = ("Miles", "Kind of Blue", "Miles Davis")
    traits.year = 1959
    (traits.milliseconds, traits.recording, traits.release) = (586_040, "rec", "rel")
    return traits
  }

  /// One of each kind of change, in batches of one, of several, and with all that is said of them.
  private static func history() -> [[Transaction]] {
    let seen: Int64 = 1_795_237_900_000
    let (kind, blue, other) = (AlbumID(number: 5), AlbumID(number: 6), AlbumID(number: 7))
    let (so, freddie, green) = (SongID(number: 11), SongID(number: 12), SongID(number: 13))
    let folder = BytePath("/home/ada/Music")
    func path(_ name: String) -> BytePath { folder.appending(name.utf8) }
    let key = GroupKey(family: "by\tmiles davis\tkind of blue")
    var time: Int64 = 1_795_237_862_123
    func change(_ author: Author, _ summary: String, _ changes: Change...) -> Transaction {
      change(author, summary, changes)
    }
    func change(_ author: Author, _ summary: String, _ changes: [Change]) -> Transaction {
      time += 61_001
      return Transaction(by: author, time: time, sentence: summary, changes: changes)
    }
    return [
      [
        change(
          .folder, "found 3 songs",
          .crateAdded("Music", after: nil, id: CrateID(number: 21)),
          .crateAdded("100% Jazz", after: "Music", id: CrateID(number: 22)),
          .albumAdded(kind, crate: "Music", after: nil, group: key, isFresh: true, seen: seen),
          .albumAdded(
            blue, crate: "Music", after: kind,
            group: GroupKey(family: "in\t\tx", edition: "2"), isFresh: false, seen: 0),
          .songAdded(
            so, album: kind, after: nil, path: path("01 So What.flac"),
            digest: AudioDigest(high: 1, low: 0xFF), added: 1_795_237_862_123,
            seen: seen),
          .songAdded(
            freddie, album: kind, after: so, path: BytePath(folder.bytes + [0x2F, 0xFF, 0x0A]),
            digest: nil, added: 0, seen: seen),
          .songAdded(
            green, album: blue, after: nil, path: path("é"), digest: nil, added: 1, seen: 1))
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
            other, crate: "Jazz", after: kind, group: GroupKey(family: "folder\tx"), isFresh: true,
            seen: 0),
          .albumTookOver(other, other: blue),
          .albumRegrouped(
            kind, group: GroupKey(family: "folder\ty"), was: key, alias: AlbumID(number: 99)),
          .songFollowed(so, path: path("So What.flac"), digest: nil, by: .sound))
      ],
      [change(.folder, "", .songGone(freddie, traits))],
      [change(.folder, "", .songFollowed(freddie, path: path("b"), digest: nil, by: .tags))],
      [change(.folder, "", .songGone(freddie, traits))],
      [change(.folder, "cleared away", clearedAway(slot: so, in: kind, traits, seen))],
      [
        change(
          .person, "put “Jazz” on top\nof 100%", .crateMoved("Jazz", after: nil, wasAfter: nil),
          .albumTouched(other))
      ],
      [asked(change(.person, "as in a list", .crateMoved("Jazz", after: nil, wasAfter: nil)))],
      [change(.folder, "retagged", .songRetagged(so, in: kind))],
      [takenBack(change(.person, "Taken back, 2 changes", .albumTouched(other, isNew: true)))],
    ]
  }

  private static func asked(_ transaction: Transaction) -> Transaction {
    var transaction = transaction
    transaction.origin = "100% Jazz.m3u"
    return transaction
  }

  private static func takenBack(_ transaction: Transaction) -> Transaction {
    var transaction = transaction
    transaction.reversals = [
      Reversal(.undo, 13, changeCount: 1), Reversal(.redo, 12, changeCount: 0),
    ]
    return transaction
  }

  /// An album and a song that are dropped, put back, and dropped again.
  private static func clearedAway(
    slot: SongID, in home: AlbumID, _ traits: Traits, _ seen: Int64
  ) -> [Change] {
    let (album, song) = (AlbumID(number: 8), SongID(number: 14))
    let alias = AlbumID(number: 98)
    let (group, path) = (GroupKey(family: "folder\tz"), BytePath("/home/ada/Music/z"))
    let kept = AlbumRecord(
      crate: "Music", after: nil, group: group, seen: seen, isArranged: true, isTouched: true)
    func place(isGone: Bool, isTouched: Bool = false, _ traits: Traits = Traits()) -> SongRecord {
      SongRecord(
        album: album, after: nil, group: group, path: path, digest: nil, added: 2, seen: seen,
        isGone: isGone, isTouched: isTouched, traits: traits)
    }
    return [
      .albumAdded(
        album, crate: "Music", after: nil, group: group, isFresh: false, seen: seen),
      .songAdded(
        song, album: album, after: nil, path: path, digest: nil, added: 2, seen: seen),
      .songForgotten(song, was: place(isGone: true, traits)),
      .aliasDropped(alias, of: album), .slotDropped(slot, in: album, wasAfter: nil),
      .albumRemoved(album, was: kept), .albumAdded(album, kept),
      .slotRestored(slot, in: album, after: nil), .aliasRestored(alias, of: album),
      .songAdded(song, place(isGone: false, isTouched: true)),
      .slotRestored(song, in: home, after: slot), .slotDropped(song, in: home, wasAfter: slot),
      .songForgotten(song, was: place(isGone: false)),
      .aliasDropped(alias, of: album), .slotDropped(slot, in: album, wasAfter: nil),
      .albumRemoved(album, was: kept),
      .crateRemoved("Music", wasAfter: "Jazz", id: CrateID(number: 21)),
    ]
  }

  /// What is written today, and the library after the history.
  private static func written() throws -> (journal: [UInt8], snapshot: [UInt8], library: Library) {
    let header = JournalText.header(generation: 12, base: 0)
    var text = JournalText(header: header, base: 0)
    var journal = header + [0x0A]
    var library = Library()
    for var batch in history() {
      journal += text.records(of: &batch)
      for transaction in batch { try library.apply(transaction) }
    }
    // The folder is away so that some songs are offline, whatever else decides it.
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
    let transactions = Self.history().flatMap { $0 }
    #expect(contents.end == .whole)
    #expect(
      contents.transactions
        == zip(transactions, 1...).map { transaction, sequence in
          transaction.at(sequence)
        })
    let cases = Set(transactions.flatMap(\.changes).map(ChangeTextTests.caseNumber))
    #expect(cases == Set(0..<ChangeTextTests.caseCount))
    let read = try SnapshotReader.read(snapshot)
    #expect(!read.isEdited)
    expectSame(read.library, written.library)
    #expect(read.library.brokenInvariant == nil && written.library.brokenInvariant == nil)
    #expect(
      String(decoding: journal, as: UTF8.self) == String(decoding: written.journal, as: UTF8.self))
    #expect(
      String(decoding: snapshot, as: UTF8.self) == String(decoding: written.snapshot, as: UTF8.self)
    )
  }

  @Test("A journal that says that it follows an edited snapshot is read")
  func afterEdit() throws {
    let journal = Array("crated-journal 1 generation 14 base 29 edited\n".utf8)
    let contents = try JournalReader.read(journal)
    #expect(contents.isAfterEdit && contents.base == 29)
    let now = JournalText.header(generation: 14, base: 29, isAfterEdit: true)
    #expect(now + [0x0A] == journal)
  }
}
