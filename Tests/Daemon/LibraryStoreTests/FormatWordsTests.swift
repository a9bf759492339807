import LibraryModel
import TestSupport
import Testing

@testable import LibraryStore

@Suite("Which words each format has", .limited)
struct FormatWordsTests {
  private static let time = "2026-11-21T05:11:02.123Z"
  private static let album = AlbumID(number: 5)
  private static let other = AlbumID(number: 6)
  private static let song = SongID(number: 7)

  /// A snapshot with one album and one song in it, the words in their places.
  private func snapshot(
    _ format: Int, album: String = "", below: String = "", song: String = "", kind: String = "song"
  ) -> String? {
    let text = """
      crated \(format) sequence 7
      crate A
      \talbum \(Self.album) group=x\(album) title
      \(below)\t\t\(kind) \(Self.song) added=\(Self.time)\(song) /m
      end edited

      """
    do throws(SnapshotReader.Fault) {
      _ = try SnapshotReader.read(Array(text.utf8))
      return nil
    } catch {
      guard case .rejected(let line, let reason) = error else { return "\(error)" }
      return "\(line): \(reason)"
    }
  }

  @Test("A word of an album is understood in its format, and refused by its name in the other")
  func albums() {
    let (first, second) = ([1], [2])
    for (words, formats, reason) in [
      ("", [1, 2], ""), (" fresh=1", [1, 2], ""),
      (" also=\(Self.other)", first, "also is no word of an album"),
      (" placed=1", first, "placed is no word of an album"),
      (" touched=all", second, "touched is no word of an album"),
      (" touched=some", second, "touched is no word of an album"),
      (" seen=\(Self.time)", second, "seen is no word of an album"),
      (" came=0", second, "came is no word of an album"),
      (" came=7", second, "came is no word of an album"),
      (" added=\(Self.time)", [], "added is no word of an album"),
      (" title=x", [], "title is no word of an album"),
      (" group=y", [], "group is no word of an album"),
      (" fresh=2", [], "a mark is =1, or left out"),
    ] {
      for format in [1, 2] {
        let expected = formats.contains(format) ? nil : "3: \(reason)"
        #expect(snapshot(format, album: words) == expected, "\(words) in format \(format)")
      }
    }
    #expect(snapshot(2, album: " touched=1") == "3: touched is =all or =some")
    #expect(snapshot(2, album: " seen=now") == "3: a bad time")
    for bad in ["-1", "x", ""] {
      #expect(snapshot(2, album: " came=\(bad)") == "3: a bad number of a change")
    }
    let twice = " also=\(Self.other) also=\(AlbumID(number: 9))"
    #expect(snapshot(1, album: twice) == "3: also is no word of an album")
    #expect(snapshot(1, album: " also=") == nil)
    #expect(snapshot(2, below: "\t\talso \(Self.other)\n") == nil)
    #expect(snapshot(2, below: "\t\talso \(Self.other) x\n") == "4: too many words")
    #expect(
      snapshot(1, below: "\t\talso \(Self.other)\n")
        == "4: \"also\" with 2 tabs before it is no line of a library")
  }

  @Test("So is a word of a song, whether its line is a plain one or not")
  func songs() {
    let digest = " digest=00112233445566778899aabbccddeeff"
    for (words, formats, reason) in [
      ("", [1, 2], ""), (digest, [1, 2], ""), (" disc=0 title=x", [1, 2], ""),
      (" placed=1", [1], "placed is no word of a song"),
      (" touched=1", [2], "touched is no word of a song"),
      (" seen=\(Self.time)", [2], "seen is no word of a song"),
      (" seen=\(Self.time)\(digest)", [2], "seen is no word of a song"),
      ("\(digest) touched=1", [2], "touched is no word of a song"),
      (" fresh=1", [], "fresh is no word of a song"), (" came=1", [], "came is no word of a song"),
      (" also=\(Self.other)", [], "also is no word of a song"),
      (" disc=x", [], "x is not a number"),
    ] {
      for format in [1, 2] {
        for kind in ["song", "gone", "offline"] {
          let expected = formats.contains(format) ? nil : "4: \(reason)"
          #expect(
            snapshot(format, song: words, kind: kind) == expected, "\(words) in format \(format)")
        }
      }
    }
    #expect(snapshot(1, song: " placed=2") == "4: a mark is =1, or left out")
    #expect(snapshot(2, song: " touched=all") == "4: a mark is =1, or left out")
    #expect(snapshot(2, song: " seen=now") == "4: a bad time")
    #expect(snapshot(2, song: " title=%") == "4: % is not text")
  }

  /// What a journal's line says in a format, or why it is not understood.
  private func change(_ text: String, _ format: Int) -> Result<[Change], LineFault> {
    Result { () throws(LineFault) in
      var words = Words(Array(text.utf8)[...])
      var changes: [Change] = []
      try ChangeText.read(&words, format: format, to: &changes)
      if !words.isEmpty { throw LineFault("too many words") }
      return changes
    }
  }

  @Test("A change that came with a format is none in the one before")
  func changes() {
    let (album, other, song) = (Self.album, Self.other, Self.song)
    for (text, reason) in [
      ("asked by x", "asked by is no change"),
      ("remove id \(other) was \(album)", "remove id is no change"),
      ("restore id \(other) to \(album)", "restore id is no change"),
      ("forget slot \(song) in album \(album) was first", "forget slot is no change"),
      ("restore slot \(song) in album \(album) first", "restore slot is no change"),
      ("add album \(album) to crate A first group x seen \(Self.time)", "too many words"),
      (
        "add song \(song) to album \(album) first added \(Self.time) seen \(Self.time) digest -"
          + " path /m", "\"digest\" is missing"
      ),
    ] {
      #expect(change(text, 1) == .failure(LineFault(reason)), "\(text)")
      #expect((try? change(text, 2).get())?.count == 1, "\(text)")
    }
    for (text, reason) in [
      ("end crate", "a crate's name is missing"), ("begin scan /m", "begin scan is no change"),
      ("swap crate A", "swap crate is no change"),
      ("swap album \(album)", "swap album is no change"),
      ("swap song \(song)", "swap song is no change"), ("swap id \(other)", "swap id is no change"),
      ("swap slot \(song) in album \(album)", "swap slot is no change"),
      ("undo", "the number of a change is missing"),
      ("undo x", "the number of a change is not a number"),
      ("end scan m", "a path is missing, or is not absolute"),
      ("add thing x", "add thing is no change"),
      ("asked for x", "\"by\" is missing"),
      ("follow song \(song) by guess digest - path /m", "an unknown evidence"),
      ("lose song \(song) color=x", "an unknown key"), ("lose song \(song) x", "too many words"),
    ] {
      #expect(change(text, 2) == .failure(LineFault(reason)), "\(text)")
    }
  }

  private func kept(_ isArranged: Bool, isTouched: Bool) -> KeptAlbum {
    KeptAlbum(
      crate: "A", after: nil, group: GroupKey(family: "x"), isArranged: isArranged,
      isTouched: isTouched)
  }

  @Test("The lists of the first format are changes of their own, undone in the order turned round")
  func lists() throws {
    let (album, song) = (Self.album, Self.song)
    let aliases = (10...12).map { AlbumID(number: $0) }
    let slots = (20...22).map { SongID(number: $0) }
    let words =
      aliases.map { "also \($0) " }.joined() + slots.map { "slot \($0) " }.joined()
    let anchors = [nil, slots[0], slots[1]]
    let restored =
      [Change.albumRestored(album, kept(true, isTouched: true))]
      + zip(slots, anchors).map { .slotRestored($0, in: album, after: $1) }
      + aliases.map { .aliasRestored($0, of: album) }
    let dropped =
      aliases.reversed().map { Change.aliasDropped($0, of: album) }
      + zip(slots, anchors).reversed().map { .slotDropped($0, in: album, wasAfter: $1) }
      + [.albumRemoved(album, was: kept(false, isTouched: false))]
    let place = "crate A first \(words)"
    #expect(
      try change("restore album \(album) to \(place)arranged placed group x", 1).get() == restored)
    #expect(try change("remove album \(album) was \(place)group x", 1).get() == dropped)
    // In the next format they are none.
    for text in ["restore album \(album) to \(place)group x", "remove album \(album) was \(place)"]
    {
      #expect(change(text, 2) == .failure(LineFault("\"group\" is missing")))
    }
    let homes = [AlbumID(number: 30), AlbumID(number: 31)]
    let places = "slot \(homes[0]) first slot \(homes[1]) after \(slots[0]) "
    let file = "added \(Self.time) digest - path /m group x"
    let start = "album \(album) first "
    let back = try change("restore song \(song) to \(start)\(places)placed \(file)", 1).get()
    #expect(
      Array(back.dropFirst()) == [
        .slotRestored(song, in: homes[0], after: nil),
        .slotRestored(song, in: homes[1], after: slots[0]),
      ])
    guard case .songRestored(song, let kept)? = back.first else {
      Issue.record("\(back)")
      return
    }
    #expect(kept.isTouched && !kept.isGone && kept.seen == kept.added)
    let away = try change("forget song \(song) was \(start)\(places)gone \(file)", 1).get()
    #expect(
      Array(away.dropLast()) == [
        .slotDropped(song, in: homes[0], wasAfter: nil),
        .slotDropped(song, in: homes[1], wasAfter: slots[0]),
      ])
    #expect(change("forget song \(song) was \(start)\(places)\(file)", 2) != .success(away))
  }

  @Test("A line of the first format tells nothing, and its words are its sentence")
  func sentences() throws {
    func transactions(_ format: Int, _ words: String) throws -> JournalContents {
      let header = Array("crated-journal \(format) generation 1 base 0".utf8)
      let rest = Array("1 \(Self.time) person \(words)".utf8)
      let sum = Checksum.text(
        JournalText.checksum(after: Checksum.crc32c(header[...]), rest[...]))
      return try JournalReader.read(header + [0x0A] + sum + [0x20] + rest + [0x0A])
    }
    let told = "add crate A first told it%0A is%20so"
    #expect(try transactions(2, told).transactions.map(\.sentence) == ["it\n is so"])
    #expect(try transactions(1, told).end == .torn(line: 2))
    #expect(try transactions(2, "add crate A first told %4").end == .torn(line: 2))
    #expect(try transactions(2, "add crate A first x").end == .torn(line: 2))
    for (format, words, sentence) in [
      (1, "add crate A%20B first", "add crate A B first"),
      (2, "add crate A%20B first", "add crate A B first"),
      (1, "move crate A first was after B", "move crate A first"),
      // A crate may be called like a word of ours.
      (2, "remove crate was was after was", "remove crate was"),
      (2, "remove crate crate was first", "remove crate crate"),
      (2, "remove crate after was after was", "remove crate after"),
      (2, "add crate was after A", "add crate was after A"),
      (2, "add crate A after was", "add crate A after was"),
      (2, "rename crate was to B", "rename crate was to B"),
      (2, "rename crate A to was", "rename crate A to was"),
      (2, "move crate was after was was first", "move crate was after was"),
      (2, "move crate after after crate was after was", "move crate after after crate"),
      (
        2, "move album \(Self.album) to crate was first was crate was first",
        "move album \(Self.album) to crate was first"
      ),
      (
        2, "retag album \(Self.album) group was was group",
        "retag album \(Self.album) group was"
      ),
    ] {
      #expect(try transactions(format, words).transactions.map(\.sentence) == [sentence])
    }
  }
}
