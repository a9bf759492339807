import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

/// No change can be too long for the journal: each text in it at its longest, each byte escaped.
@Suite("The longest lines", .limited)
struct LongestLineTests {
  /// Bytes of a path that Linux takes, and a little more than any that can be opened.
  private static let path = BytePath([0x2F] + [UInt8](repeating: 0xFF, count: 4095))
  private static let crate = String(repeating: "%", count: 255)

  /// Groups of which each byte takes three in a line, and what is escaped in them already, nine.
  private static var groups: [GroupKey] {
    let folder = AlbumFolder(of: path.appending([0x78]), root: BytePath("/"))
    let edition = String(GroupKey.folder(folder).dropFirst("folder\t".count))
    return ["%", "\u{1}"].flatMap { letter in
      let wild = String(repeating: letter, count: 100_000)
      return [
        GroupKey(
          family: GroupKey.tagged(artist: wild, album: wild),
          edition: "\(GroupKey.release(wild)) \(edition)"),
        GroupKey(
          family: GroupKey.inFolder(folder, album: wild), edition: "\(traits.release) \(edition)"),
        GroupKey(family: GroupKey.folder(folder), edition: edition),
      ]
    }
  }

  private static let traits: Traits = {
    var tags = SongTags()
    let wild = String(repeating: "\u{1}", count: 100_000)
    (tags.title, tags.artist, tags.album, tags.albumArtist) = (wild, wild, wild, wild)
    (tags.recording, tags.release) = (wild, wild)
    (tags.disc, tags.track, tags.date) = (.max, .max, "9999")
    var audio = AudioProperties()
    audio.milliseconds = 999_999_999_999
    let stamp = FileStamp(
      identity: FileIdentity(fileSystem: 1, inode: 1, birth: 1), size: 1, modified: 1, changed: 1)
    let facts = FileFacts(stamp: stamp, tags: tags, audio: audio, digest: nil, format: "flac")
    return Traits(facts, path: path)
  }()

  private static func changes(_ group: GroupKey) -> [Change] {
    let (a, b) = (AlbumID(number: 1), AlbumID(number: 2))
    let (s, t) = (SongID(number: 1), SongID(number: 2))
    let digest = AudioDigest(high: .max, low: .max)
    // The end of the year 9999.
    let time: Int64 = 253_402_300_799_999
    let song = SongRecord(
      album: a, after: t, group: group, path: path, digest: digest, added: time, seen: 1,
      isGone: true, isTouched: true, traits: traits)
    let album = AlbumRecord(
      crate: crate, after: b, group: group, seen: time, isArranged: true, isTouched: true)
    return [
      .crateAdded(crate, after: crate), .crateRemoved(crate, wasAfter: crate),
      .crateMoved(crate, after: crate, wasAfter: crate), .crateRenamed(crate, to: crate),
      .albumAdded(a, crate: crate, after: b, group: group, isFresh: true, seen: time),
      .albumMoved(a, crate: crate, after: b, wasCrate: crate, wasAfter: b),
      .albumRemoved(a, was: album), .albumAdded(a, album), .albumArranged(a, false),
      .albumTouched(a), .firstScanEnded(path),
      .albumRegrouped(a, group: group, was: group, alias: b), .albumTookOver(a, other: b),
      .aliasDropped(a, of: b), .aliasRestored(a, of: b),
      .songAdded(s, album: a, after: t, path: path, digest: digest, added: time, seen: 1),
      .songMoved(s, in: a, after: t, wasAfter: t),
      .songRegrouped(s, album: a, after: t, was: b),
      .songFollowed(s, path: path, digest: digest, by: .musicbrainz),
      .songRetagged(s, in: a), .songGone(s, traits),
      .songFollowed(s, path: path, digest: digest, by: .musicbrainz),
      .songForgotten(s, was: song), .songAdded(s, song),
      .slotDropped(s, in: a, wasAfter: t), .slotRestored(s, in: a, after: t),
    ]
  }

  @Test("Every change fits a line twice over, with its sentence, and is read again")
  func everyChange() throws {
    let changes = Self.groups.flatMap(Self.changes)
    #expect(Set(changes.map(ChangeTextTests.caseNumber)) == Set(0..<ChangeTextTests.caseCount))
    var longest = 0
    for change in changes {
      let header = JournalText.header(generation: 1, base: 999_999_999_999_990)
      var text = JournalText(header: header, base: 999_999_999_999_990)
      let sentence = String(repeating: "\u{1}", count: 9999)
      var batch = [Transaction(by: .person, sentence: sentence, changes: [change])]
      let journal = header + [0x0A] + text.records(of: &batch)
      longest = max(longest, text.longest)
      #expect(try JournalReader.read(journal).transactions.map(\.changes) == [[change]])
    }
    // Paths and keys at their longest, each byte escaped, are not short.
    #expect(longest > 32 << 10 && longest <= JournalText.longestLine / 2, "\(longest)")
  }

  @Test(
    "An album that keeps thousands of slots and ids is forgotten, put back, and read again",
    .nightly)
  func manySlots() throws {
    let disk = SimulatedDisk()
    let store = try Recovery.open(disk).store
    var library = Library()
    let (a, b) = (AlbumID(number: 1), AlbumID(number: 2))
    let songs = (1...4_000).map { SongID(number: UInt64($0)) }
    var changes: [Change] = [.crateAdded("Music", after: nil)]
    for album in [b, a] {
      changes.append(
        .albumAdded(
          album, crate: "Music", after: nil, group: GroupKey(family: "folder\t\(album)"),
          isFresh: false, seen: 0))
    }
    var last: SongID?
    for song in songs {
      changes.append(
        .songAdded(
          song, album: a, after: last, path: BytePath("/m/\(song)"), digest: nil, added: 0, seen: 0)
      )
      last = song
    }
    last = nil
    for song in songs {
      changes.append(.songRegrouped(song, album: b, after: last, was: a))
      changes.append(.aliasRestored(AlbumID(number: song.number + 10_000), of: a))
      last = song
    }
    var history = UndoHistory()
    func commit(_ transaction: Transaction) throws {
      for change in transaction.changes where transaction.author == .folder {
        try library.apply(change, by: .folder)
      }
      let numbered = try store.commit([transaction], to: library)
      library.advance(to: numbered[0].sequence)
      history.follow(numbered[0])
    }
    try commit(Transaction(by: .folder, sentence: "x", changes: changes))
    let before = library
    let forgotten = try library.decide(.forget(songs: [], albums: [a], all: false), newAlbums: nil)
    library = forgotten.library
    try commit(forgotten.transaction)
    #expect(library.albums[a] == nil && forgotten.changes.count == 8_001)
    let undone = try #require(library.decideUndo(history, newAlbums: nil))
    library = undone.library
    try commit(undone.transaction)
    #expect(lines(of: library, withSequence: false) == lines(of: before, withSequence: false))
    disk.restart()
    expectSame(try Recovery.open(disk).library, library)
  }
}
