import Glibc
import LibraryModel
import TestSupport
import Testing

@testable import LibraryStore

/// Files of each version as they were written once. A change of the format adds files and edits
/// none.
@Suite("Formats of every version", .limited)
struct GoldenTests {
  static func folder(_ format: Int) -> String {
    Repository.folder() + "/Golden/v\(format)"
  }

  private static var traits: Traits {
    var traits = Traits()
    (traits.disc, traits.track, traits.title) = (1, 2, "Freddie\nFreeloader 100%")
    (traits.artist, traits.album, traits.albumArtist) = ("Miles", "Kind of Blue", "Miles Davis")
    traits.year = 1959
    (traits.milliseconds, traits.recording, traits.release) = (586_040, "rec", "rel")
    return traits
  }

  /// One of each kind of change, in batches of one line, of several, and of several changes.
  ///
  /// - Parameter format: what can't be said in the first is as it is understood.
  static func history(_ format: Int) throws -> [[Transaction]] {
    let seen: Int64? = format == 1 ? nil : 1_795_237_900_000
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
      return Transaction(
        by: author, time: time, sentence: summary, changes: changes)
    }
    return [
      [
        change(
          .folder, "found 3 songs",
          .crateAdded("Music", after: nil, id: crate(21, format)),
          .crateAdded("100% Jazz", after: "Music", id: crate(22, format)),
          .albumAdded(
            kind, crate: "Music", after: nil, group: key, isFresh: true, seen: seen ?? 0),
          .albumAdded(
            blue, crate: "Music", after: kind,
            group: GroupKey(family: "in\t\tx", edition: "2"), isFresh: false, seen: 0),
          .songAdded(
            so, album: kind, after: nil, path: path("01 So What.flac"),
            digest: AudioDigest(high: 1, low: 0xFF), added: 1_795_237_862_123,
            seen: seen ?? 1_795_237_862_123),
          .songAdded(
            freddie, album: kind, after: so, path: BytePath(folder.bytes + [0x2F, 0xFF, 0x0A]),
            digest: nil, added: 0, seen: seen ?? 0),
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
      [change(.folder, "", .songReturned(freddie, path: path("b"), digest: nil, by: .tags))],
      [change(.folder, "", .songGone(freddie, traits))],
      [change(.folder, "cleared away", clearedAway(slot: so, in: kind, traits, seen))],
      format == 1 ? [] : [change(.person, "put “Jazz” on top\nof 100%", onTop("Jazz", other))],
      format == 1 ? [] : [change(.person, "as in a list", askedByList("Jazz"))],
      format == 1 ? [] : [change(.folder, "retagged", .songRetagged(so, in: kind))],
    ]
  }

  /// A crate moves, and an album that stays is touched.
  private static func onTop(_ crate: String, _ album: AlbumID) -> [Change] {
    [.crateMoved(crate, after: nil, wasAfter: nil), .albumTouched(album)]
  }

  private static func crate(_ number: UInt64, _ format: Int) -> CrateID? {
    format == 1 ? nil : CrateID(number: number)
  }

  private static func askedByList(_ crate: String) -> [Change] {
    [.asked(by: "100% Jazz.m3u"), .crateMoved(crate, after: nil, wasAfter: nil)]
  }

  /// An album and a song that are dropped, put back, and dropped again.
  private static func clearedAway(
    slot: SongID, in home: AlbumID, _ traits: Traits, _ seen: Int64?
  ) -> [Change] {
    let (album, song) = (AlbumID(number: 8), SongID(number: 14))
    let alias = AlbumID(number: 98)
    let (group, path) = (GroupKey(family: "folder\tz"), BytePath("/home/ada/Music/z"))
    let kept = KeptAlbum(
      crate: "Music", after: nil, group: group, seen: seen ?? 0, isArranged: true, isTouched: true)
    func place(isGone: Bool, isTouched: Bool = false, _ traits: Traits = Traits()) -> KeptSong {
      KeptSong(
        album: album, after: nil, group: group, path: path, digest: nil, added: 2, seen: seen,
        isGone: isGone, isTouched: isTouched, traits: traits)
    }
    return [
      .albumAdded(
        album, crate: "Music", after: nil, group: group, isFresh: false, seen: seen ?? 0),
      .songAdded(
        song, album: album, after: nil, path: path, digest: nil, added: 2, seen: seen ?? 2),
      .songForgotten(song, was: place(isGone: true, traits)),
      .aliasDropped(alias, of: album), .slotDropped(slot, in: album, wasAfter: nil),
      .albumRemoved(album, was: kept), .albumRestored(album, kept),
      .slotRestored(slot, in: album, after: nil), .aliasRestored(alias, of: album),
      .songRestored(song, place(isGone: false, isTouched: true)),
      .slotRestored(song, in: home, after: slot),
    ] + (seen == nil ? [] : [.slotDropped(song, in: home, wasAfter: slot)]) + [
      .songForgotten(song, was: place(isGone: false)),
      .aliasDropped(alias, of: album), .slotDropped(slot, in: album, wasAfter: nil),
      .albumRemoved(album, was: kept),
      .crateRemoved("Music", wasAfter: "Jazz", id: crate(21, seen == nil ? 1 : 2)),
    ]
  }

  /// What this version writes today, and the library after the history.
  static func written() throws -> (journal: [UInt8], snapshot: [UInt8], library: Library) {
    let header = JournalText.header(generation: 12, base: 0)
    var text = JournalText(header: header, base: 0)
    var journal = header + [0x0A]
    var library = Library()
    for var batch in try history(2) {
      journal += text.lines(of: &batch)
      for change in batch {
        for step in change.changes { try library.apply(step, by: change.author) }
        library.advance(to: change.sequence)
      }
    }
    // The folder is away so that some songs are offline, whatever else decides it.
    library.away.folders = [BytePath("/mnt")]
    return (journal, Snapshot.text(library), library)
  }

  @Test("Files of version 2 are read, and written the same")
  func versionTwo() throws {
    let written = try Self.written()
    let folder = Self.folder(2)
    let paths = (journal: "\(folder)/journal.12.txt", snapshot: "\(folder)/crates.13.txt")
    if getenv("UPDATE_GOLDEN") != nil {
      try writeFile(written.journal, to: paths.journal)
      try writeFile(written.snapshot, to: paths.snapshot)
    }
    let journal = try readFile(paths.journal)
    let snapshot = try readFile(paths.snapshot)
    let contents = try JournalReader.read(journal)
    let changes = try Self.history(2).flatMap { $0 }
    try expectSame(contents, changes)
    for (found, expected) in zip(contents.transactions, changes) where !expected.sentence.isEmpty {
      #expect(found.sentence == expected.sentence)
    }
    let cases = Set(changes.flatMap(\.changes).map(ChangeTextTests.caseNumber))
    #expect(cases == Set(0...17).union(20...28))
    let read = try SnapshotReader.read(snapshot)
    #expect(!read.isEdited)
    LibraryStoreTests.expectSame(read.library, written.library)
    #expect(read.library.brokenInvariant == nil && written.library.brokenInvariant == nil)
    #expect(
      String(decoding: journal, as: UTF8.self) == String(decoding: written.journal, as: UTF8.self))
    #expect(
      String(decoding: snapshot, as: UTF8.self) == String(decoding: written.snapshot, as: UTF8.self)
    )
  }

  @Test("Files of version 1 are read, and what was placed or arranged in them counts as touched")
  func versionOne() throws {
    let journal = try readFile("\(Self.folder(1))/journal.12.txt")
    let snapshot = try readFile("\(Self.folder(1))/crates.13.txt")
    let contents = try JournalReader.read(journal)
    let changes = try Self.history(1).flatMap { $0 }
    try expectSame(contents, changes)
    #expect(contents.transactions[2].sentence == "move crate 100% Jazz first")
    let read = try SnapshotReader.read(snapshot).library
    var replayed = Library()
    for change in contents.transactions {
      for step in change.changes { try replayed.apply(step, by: change.author) }
      replayed.advance(to: change.sequence)
    }
    #expect(lines(of: read, withTouches: false) == lines(of: replayed, withTouches: false))
    #expect(read.brokenInvariant == nil && replayed.brokenInvariant == nil)
    let (kind, other) = (AlbumID(number: 5), AlbumID(number: 7))
    #expect(read.touches[kind] == .all && read.touches[other] == nil)
    // The retagged song came later, as the journal knows.
    #expect(replayed.touches[kind] == .some && replayed.touches[other] == nil)
    let touched = replayed.songs.values.filter(replayed.isTouched).map(\.id).sorted()
    #expect(touched == [SongID(number: 11), SongID(number: 12)])
  }

  private func expectSame(_ contents: JournalContents, _ changes: [Transaction]) throws {
    #expect(contents.end == .whole)
    try #require(contents.transactions.count == changes.count)
    for (found, expected) in zip(contents.transactions, changes) {
      #expect(found.changes == expected.changes)
      #expect(found.time == expected.time)
    }
  }

  @Test("A journal that says that it follows an edited snapshot is read, and written the same")
  func afterEdit() throws {
    let journal = try readFile("\(Self.folder(1))/journal.14.txt")
    let contents = try JournalReader.read(journal)
    #expect(contents.isAfterEdit && contents.base == 29)
    let now = JournalText.header(generation: 14, base: 29, isAfterEdit: true) + [0x0A]
    #expect(
      String(decoding: now, as: UTF8.self) == "crated-journal 2 generation 14 base 29 edited\n")
    #expect(try JournalReader.read(now).isAfterEdit)
  }
}
