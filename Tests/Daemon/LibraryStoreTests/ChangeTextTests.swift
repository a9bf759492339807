import LibraryModel
import ModelSupport
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Changes as text", .limited)
struct ChangeTextTests {
  /// Every case at least once; a new case doesn't compile before it has a number here.
  static func caseNumber(_ change: Change) -> Int {
    switch change {
    case .crateAdded: 0
    case .crateRemoved: 1
    case .crateMoved: 2
    case .crateRenamed: 3
    case .albumAdded: 4
    case .albumMoved: 5
    case .albumRemoved: 6
    case .albumArranged: 7
    case .albumTouched: 8
    case .albumRegrouped: 9
    case .albumTookOver: 10
    case .aliasDropped: 11
    case .aliasRestored: 12
    case .firstScanEnded: 13
    case .songAdded: 14
    case .songMoved: 15
    case .songRegrouped: 16
    case .songFollowed: 17
    case .songRetagged: 18
    case .songGone: 19
    case .songForgotten: 20
    case .slotDropped: 21
    case .slotRestored: 22
    }
  }

  static let caseCount = 23

  static let names = [
    "Jazz", "two words", "two\nlines", "%", "%0A", "\t", "first", "after", "was", " ", "é",
    "e\u{301}",
    String(repeating: "n", count: 255),
  ]

  static func samples() -> [Change] {
    let (a, b, c) = (AlbumID(number: 5), AlbumID(number: 1 << 58), CrateID(number: 7))
    let (s, t) = (SongID(number: 0), SongID(number: (23 << 55) | 77))
    let group = GroupKey(family: "in\t\tx y", edition: "2 %25")
    let digest = AudioDigest(high: 1, low: .max)
    var changes: [Change] = [
      .albumArranged(a, true), .albumArranged(a, false), .albumTookOver(a, other: b),
      .albumRegrouped(a, group: group, was: GroupKey(family: "f"), alias: b),
      .albumRegrouped(a, group: GroupKey(family: "f"), was: group, alias: nil),
      .songMoved(s, in: a, after: nil, wasAfter: t), .songMoved(s, in: b, after: t, wasAfter: nil),
      .songRegrouped(s, album: a, after: nil, was: b), .songRetagged(s, in: a),
      .songRegrouped(s, album: a, after: t, was: b), .songRetagged(t, in: b),
      .songGone(s, Traits()),
      .aliasDropped(a, of: b), .aliasRestored(b, of: a), .albumTouched(a, isNew: true),
      .slotDropped(s, in: a, wasAfter: nil), .slotDropped(s, in: b, wasAfter: t),
      .slotRestored(t, in: a, after: s), .slotRestored(t, in: b, after: nil), .albumTouched(b),
    ]
    for name in names {
      var traits = Traits()
      (traits.disc, traits.track, traits.milliseconds) = (0, 99, 1_001)
      (traits.title, traits.recording, traits.release) = (name, name, name)
      (traits.artist, traits.album, traits.albumArtist, traits.year) = (name, name, name, 0)
      changes.append(.songGone(s, traits))
    }
    for name in names where crateNameFault(name) == nil {
      changes += [
        .crateAdded(name, after: nil), .crateAdded(name, after: "x y", id: c),
        .crateRemoved(name, wasAfter: nil), .crateRemoved(name, wasAfter: "x", id: c),
        .crateMoved(name, after: nil, wasAfter: name),
        .crateMoved(name, after: name, wasAfter: nil),
        .crateRenamed(name, to: "after"),
        .albumAdded(a, crate: name, after: b, group: group, isFresh: true, seen: 1),
        .albumAdded(
          a, crate: name, after: nil, group: GroupKey(family: name), isFresh: false, seen: 0),
        .albumMoved(a, crate: name, after: nil, wasCrate: "was", wasAfter: b),
        .albumRemoved(a, was: AlbumRecord(crate: name, after: nil, group: group)),
        .albumAdded(
          a,
          AlbumRecord(
            crate: name, after: b, group: GroupKey(family: name), seen: 3, isArranged: true,
            isTouched: true)),
      ]
    }
    var traits = Traits()
    (traits.track, traits.title) = (7, "path gone")
    for (place, name) in LibraryMaker.fileNames.enumerated() {
      let path = BytePath(Array("/".utf8) + name)
      let by = Evidence.allCases[place % Evidence.allCases.count]
      changes += [
        .firstScanEnded(path), .songFollowed(s, path: path, digest: nil, by: by),
        .songFollowed(s, path: path, digest: digest, by: by),
        .songAdded(
          s, album: a, after: t, path: path, digest: digest, added: 1_795_237_862_123,
          seen: 1_795_237_862_123),
        .songAdded(
          s, album: a, after: nil, path: path, digest: nil, added: 0, seen: 1_795_237_862_123),
        .songForgotten(
          t,
          was: SongRecord(
            album: a, after: nil, group: group, path: path, digest: nil, added: 0, isGone: false,
            traits: Traits())),
        .songAdded(
          s,
          SongRecord(
            album: a, after: t, group: group, path: path, digest: digest, added: 1, seen: 2,
            isGone: true, isTouched: true, traits: traits)),
      ]
    }
    return changes
  }

  @Test("Every change is read as it was written, and takes one line")
  func everyCase() throws {
    let samples = Self.samples()
    #expect(Set(samples.map(Self.caseNumber)) == Set(0..<Self.caseCount))
    for change in samples {
      let line = ChangeText.text(change).bytes
      #expect(!line.contains { $0 < 0x20 })
      #expect(
        try ChangeText.change(line[...]) == change, "\(String(decoding: line, as: UTF8.self))")
    }
  }

  @Test("When something was seen is left out where it is the usual time, and only there")
  func seenTimes() {
    let (album, song, group) = (AlbumID(number: 5), SongID(number: 6), GroupKey(family: "x"))
    func isWritten(_ change: Change) -> Bool {
      let line = ChangeText.text(change).bytes
      return String(decoding: line, as: UTF8.self).contains(" seen ")
    }
    for time in [-1, 0, 1, 2] as [Int64] {
      let kept = AlbumRecord(crate: "A", after: nil, group: group, seen: time)
      for change in [
        Change.albumRemoved(album, was: kept), .albumAdded(album, kept),
        .albumAdded(album, crate: "A", after: nil, group: group, isFresh: false, seen: time),
      ] { #expect(isWritten(change) == (time != 0)) }
      let file = SongRecord(
        album: album, after: nil, group: group, path: BytePath("/m"), digest: nil, added: 1,
        seen: time, isGone: false, traits: Traits())
      for change in [
        Change.songForgotten(song, was: file), .songAdded(song, file),
        .songAdded(
          song, album: album, after: nil, path: BytePath("/m"), digest: nil, added: 1, seen: time),
      ] { #expect(isWritten(change) == (time != 1)) }
    }
  }

  @Test("A crate's name that no crate can have is refused")
  func crateNames() throws {
    for name in Self.names.filter({ crateNameFault($0) != nil }) {
      for change in [Change.crateAdded(name, after: nil), .crateRenamed("Jazz", to: name)] {
        let line = ChangeText.text(change).bytes
        #expect(throws: ParseError.self) { try ChangeText.change(line[...]) }
      }
    }
  }

  @Test("A changed word, a missing one and one too many are refused")
  func strictness() throws {
    for change in Self.samples() {
      let line = ChangeText.text(change).bytes
      #expect(throws: ParseError.self) { try ChangeText.change(line[...] + Array(" more".utf8)) }
      let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
      // What may be left out is at the end of the line; the verb and the noun never are.
      for count in 0..<min(2, words.count) {
        let short = words.prefix(count).joined(separator: [0x20])
        #expect(throws: ParseError.self) { try ChangeText.change(Array(short)[...]) }
      }
    }
  }

  @Test("What a file says wrongly of itself does not make a line that can't be read")
  func wildTraits() throws {
    var traits = Traits()
    (traits.disc, traits.track, traits.milliseconds) = (-1, .min, .max)
    let line = ChangeText.text(.songGone(SongID(number: 1), traits)).bytes
    guard case .songGone(_, let found) = try ChangeText.change(line[...]) else {
      Issue.record("another change")
      return
    }
    #expect(found.disc == nil)
    #expect(found.track == nil)
    #expect(found.milliseconds == 999_999_999_999)
  }
}
