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

  /// Groups with tabs wherever they may be.
  private static let groups: [GroupKey] = [
    "by\tx\ty", "in\t\talbum", "folder\t", "in\tfolder\t", "by\t\t", "in\t\t\t",
  ].flatMap { family in
    ["", "2", "a\tb"].map { GroupKey(family: family, edition: $0) }
  }

  private static let digest = AudioDigest(high: 1, low: .max)

  static func samples() -> [Change] {
    let (a, b, c) = (AlbumID(number: 5), AlbumID(number: 1 << 58), CrateID(number: 7))
    let (s, t) = (SongID(number: 0), SongID(number: (23 << 55) | 77))
    let group = GroupKey(family: "in\t\tx y", edition: "2 %25")
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
    changes += groups.map { Change.albumRegrouped(a, group: $0, was: $0, alias: nil) }
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
    for time in [-1, 0, 1, 2] as [Int64] {
      let kept = AlbumRecord(crate: "A", after: nil, group: group, seen: time)
      let file = SongRecord(
        album: album, after: nil, group: group, path: BytePath("/m"), digest: nil, added: 1,
        seen: time, isGone: false, traits: Traits())
      for (change, usual) in [
        (.albumRemoved(album, was: kept), 0), (.albumAdded(album, kept), 0),
        (.songForgotten(song, was: file), 1), (.songAdded(song, file), 1),
      ] as [(Change, Int64)] {
        #expect(line(change).contains(" seen ") == (time != usual), "\(change)")
      }
    }
  }

  private func line(_ change: Change) -> String {
    String(decoding: ChangeText.text(change).bytes, as: UTF8.self)
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

  @Test("What an absent song is known by is written as it is read again")
  func traits() throws {
    let song = SongID(number: 7)
    for (text, change) in [
      ("", { _ in }), (" disc=0 track=0 year=0", { ($0.disc, $0.track, $0.year) = (0, 0, 0) }),
      (" track=12 year=1959", { ($0.track, $0.year) = (12, 1959) }),
      (" seconds=0.001", { $0.milliseconds = 1 }),
      (" seconds=61.020", { $0.milliseconds = 61_020 }),
      (" seconds=999999999.999", { $0.milliseconds = 999_999_999_999 }),
      (
        " title=a%20b recording=%25 release=c artist=d album=e albumartist=f",
        {
          ($0.title, $0.recording, $0.release) = ("a b", "%", "c")
          ($0.artist, $0.album, $0.albumArtist) = ("d", "e", "f")
        }
      ),
    ] as [(String, (inout Traits) -> Void)] {
      var traits = Traits()
      change(&traits)
      #expect(line(.songGone(song, traits)) == "lose song \(song)\(text)")
      let read = try ChangeText.change(Array("lose song \(song)\(text)".utf8)[...])
      #expect(read == .songGone(song, traits), "\(text)")
    }
    // What a file says wrongly of itself does not make a line that can't be read.
    for (disc, milliseconds, text) in [
      (-1, -1, ""), (.min, 0, ""), (-1, .max, " seconds=999999999.999"),
      (-1, 1_000_000_000_000, " seconds=999999999.999"),
    ] as [(Int, Int, String)] {
      var traits = Traits()
      (traits.disc, traits.track, traits.year) = (disc, disc, disc)
      traits.milliseconds = milliseconds
      #expect(line(.songGone(song, traits)) == "lose song \(song)\(text)")
    }
  }

  @Test("A word that no change has is refused, with why")
  func reasons() {
    let (album, other, song) = (AlbumID(number: 5), AlbumID(number: 6), SongID(number: 7))
    let lose = "lose song \(song)"
    let numbers = ["disc", "track", "year"].flatMap { key in
      ["-1", "", "x", "1.0"].map { ("\(lose) \(key)=\($0)", "\($0) is not a number") }
    }
    let seconds = ["1", "1.5", "1.5000", "1000000000.000", "1.000.000", ""].map {
      ("\(lose) seconds=\($0)", "\($0) is not a number of seconds")
    }
    let digits = "0123456789abcdefffeeddccbbaa9988"
    let fewer = String(digits.dropLast())
    let follow = "follow song \(song) by sound digest"
    let digests = ["--", fewer, digits + "0"].map {
      ("\(follow) \($0) path /m", "a digest has 32 digits")
    }
    let letters = ["A", "g", "-", "/"].flatMap { letter in
      ["\(fewer)\(letter)", "\(letter)\(fewer)"].map {
        ("\(follow) \($0) path /m", "a digest has hexadecimal digits")
      }
    }
    for (text, reason) in numbers + seconds + digests + letters + [
      ("arrange  album \(album)", "a noun is missing"),
      ("arrange album", "an album's id is missing"),
      ("join album \(album) too \(other)", "\"to\" is missing"),
      ("move song \(song) in albums", "\"in album\" is missing"),
      ("end crate", "end crate is no change"), ("begin scan /m", "begin scan is no change"),
      ("swap crate A", "swap crate is no change"),
      ("swap album \(album)", "swap album is no change"),
      ("swap song \(song)", "swap song is no change"), ("swap id \(other)", "swap id is no change"),
      ("swap slot \(song) in album \(album)", "swap slot is no change"),
      ("undo", "a noun is missing"), ("asked by x", "asked by is no change"),
      ("end scan m", "a path is missing, or is not absolute"),
      ("add thing x", "add thing is no change"),
      ("follow song \(song) by guess digest - path /m", "an unknown evidence"),
      ("\(lose) color=x", "an unknown key"), ("\(lose) x", "too many words"),
      ("\(lose) seconds=-1.000", "-1 is not a number"), ("\(lose) title=%F", "%F is not text"),
      ("\(lose) title=%FF", "%FF is not text"),
    ] {
      #expect(throws: ParseError(reason), "\(text)") {
        try ChangeText.change(Array(text.utf8)[...])
      }
    }
  }
}
