import LibraryModel
import ModelSupport
import OrderFormat
import TestSupport
import Testing

@testable import LibraryStore

@Suite("The order as text to be edited", .limited)
struct OrderTextTests {
  private let start = """
    crate Jazz
    \talbum bkqv7m2a3x4e Miles Davis - Kind of Blue
    \t\tsong kx2mf7qd4t3a 01 So What
    \t\tgone gd7rt2wz6c5k
    crate Music
    \talbum* hb3c4d5e6f7g

    """

  private func line(_ text: String) -> (line: Int, reason: String)? {
    do {
      _ = try OrderText.written(text)
    } catch {
      if case .editRejected(let line, let reason) = error { return (line, reason) }
    }
    return nil
  }

  @Test("crates, albums and songs are read with the numbers of their lines")
  func reading() throws {
    let order = try OrderText.written(start)
    #expect(order.crates.map(\.name) == ["Jazz", "Music"])
    #expect(order.crates.map(\.line) == [1, 5])
    #expect(order.crates[0].albums.map(\.id.description) == ["bkqv7m2a3x4e"])
    #expect(order.crates[0].albums[0].songs.map(\.line) == [3, 4])
    #expect(order.crates[1].albums.map(\.line) == [6])
  }

  @Test("what the format takes for an id is one")
  func ids() {
    var random = SeededGenerator(usually: 20_261_129)
    for text in [
      id("a"), id("z"), id("2"), id("l"), "", "a", id("a") + "a", "é" + id("a").dropLast(2),
    ] {
      #expect(OrderSyntax.isID(text) == (AlbumID(text) != nil), "\(text)")
    }
    for _ in 0..<1000 {
      let text = "\(AlbumID(number: random.next() % (24 << 55)))"
      #expect(OrderSyntax.isID(text) && AlbumID(text) != nil, "\(text)")
    }
  }

  private func id(_ letter: Character) -> String { String(repeating: letter, count: 12) }

  @Test("what editors do to a text is read")
  func kindness() throws {
    let order = try OrderText.written(start)
    func names(_ order: WrittenOrder) -> [String] {
      order.crates.flatMap { crate in
        [crate.name] + crate.albums.flatMap { ["\($0.id)"] + $0.songs.map { "\($0.id)" } }
      }
    }
    let texts = [
      start.replacing("\n", with: "\r\n"), start.replacing("\t", with: "  "),
      start.replacing("\n", with: "  \n\n# a remark\n  # another\n"), "\u{FEFF}" + start,
      start.replacing("crate Music", with: "crate \t Music"),
      start.replacing("crate Music", with: "\t\tslot gd7rt2wz6c5k elsewhere\ncrate Music"),
      start.replacing(" Miles Davis - Kind of Blue", with: ""), String(start.dropLast()),
    ]
    for text in texts { #expect(names(try OrderText.written(text)) == names(order), "\(text)") }
    #expect(try OrderText.written("").crates.isEmpty)
    #expect(try OrderText.written("crate 100%25 a#b\n").crates.map(\.name) == ["100% a#b"])
  }

  @Test(
    "a line that makes no sense is named",
    arguments: [
      ("song kx2mf7qd4t3a\n", 1), ("crate A\n\n#\nalbum bkqv\n", 4),
      ("crate A\n\talbum bkqv7m2a3x4e\n\t\tsong \n", 3), ("crate %FF\n", 1),
      ("crate A\nend 1 lines\n", 2), ("\r\n\r\nmusic\r\n", 3),
    ])
  func refusals(text: String, number: Int) throws {
    let fault = try #require(line(text))
    #expect(fault.line == number)
    #expect(!fault.reason.isEmpty)
  }

  @Test("one album can be shown of its crate, and an order for nobody to read has ids alone")
  func parts() throws {
    var maker = LibraryMaker(seed: 7)
    for _ in 0..<60 { _ = try maker.committed() }
    let library = maker.library
    let crate = try #require(library.crates.first { $0.albums.count > 1 })
    for id in crate.albums {
      let order = try OrderText.written(OrderText.text(library, of: [crate], only: id))
      #expect(order.crates.map(\.name) == [crate.name])
      #expect(order.crates[0].albums.map(\.id) == [id])
      let album = try #require(library.albums[id])
      #expect(order.crates[0].albums[0].songs.map(\.id) == library.songs(of: album).map(\.id))
    }
    let nowhere = AlbumID(number: 3)
    #expect(OrderText.text(library, of: [crate], only: nowhere).hasPrefix("crate "))
    let bare = start.replacing("gone", with: "song")
      .replacing(" Miles Davis - Kind of Blue", with: "").replacing(" 01 So What", with: "")
      .replacing("album*", with: "album").replacing("Music", with: "100%25")
    #expect(OrderText.text(try OrderText.written(bare)) == bare)
  }

  @Test("whatever the names, what is shown is read again as the order it was")
  func roundTrip() throws {
    var random = SeededGenerator(usually: 20_261_126)
    for _ in 0..<200 {
      var maker = LibraryMaker(seed: random.next())
      for _ in 0..<60 { _ = try maker.committed() }
      let library = maker.library
      let text = OrderText.text(library, of: library.crates)
      let order = try OrderText.written(text)
      #expect(order.crates.map(\.name) == library.crates.map(\.name), "\(random)")
      for (written, crate) in zip(order.crates, library.crates) {
        #expect(written.albums.map(\.id) == Array(crate.albums), "\(random)")
        for (written, album) in zip(written.albums, crate.albums.compactMap { library.albums[$0] })
        {
          #expect(written.songs.map(\.id) == library.songs(of: album).map(\.id), "\(random)")
        }
      }
      let decision = try library.decide(order, readFrom: library, newAlbums: "x")
      #expect(decision.changes.allSatisfy { if case .crateRemoved = $0 { true } else { false } })
      #expect(decision.transaction.notes.isEmpty)
      let lines = text.utf8.split(separator: 0x0A)
      #expect(lines.allSatisfy { $0.count < 1200 }, "\(random)")
    }
  }

  @Test("whatever is done to a text, it is an order or refused with one of its lines")
  func garbled() throws {
    var random = SeededGenerator(usually: 20_261_128)
    var maker = LibraryMaker(seed: random.next())
    for _ in 0..<40 { _ = try maker.committed() }
    let library = maker.library
    let whole = Array(OrderText.text(library, of: library.crates).utf8)
    let pieces: [[UInt8]] = ["\n", "\t", " ", "crate", "album* ", "song ", "#", "%", "\r"].map {
      Array($0.utf8)
    }
    var refused = 0
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(place + Int.random(in: 0...20, using: &random), bytes.count)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.replaceSubrange(place..<end, with: pieces.randomElement(using: &random) ?? [])
        default: bytes.insert(contentsOf: bytes[place..<end], at: place)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      do {
        let order = try OrderText.written(text)
        let decision = try library.decide(order, readFrom: library, newAlbums: nil)
        #expect(decision.library.songs.count == library.songs.count, "\(random)")
      } catch {
        guard case .editRejected(let line, _) = error else {
          Issue.record("\(error) \(random)")
          continue
        }
        refused += 1
        #expect((1...text.utf8.count { $0 == 0x0A } + 1).contains(line), "\(random)")
      }
    }
    #expect(refused > 100 && refused < 2900)
  }
}

/// What stands behind the ids, for people.
@Suite("The order as a person reads it", .limited)
struct ShownTextTests {
  private typealias Row = (title: String, artist: String, disc: Int?, track: Int?)

  /// An album by Ada, from 1959, with songs of the numbers 1 and up.
  private func library(_ title: String, _ rows: [Row]) throws -> Library {
    var library = Library()
    library.away.folders = [BytePath("/m")]
    let album = AlbumID(number: 1 << 50)
    try library.apply(.crateAdded("Jazz", after: nil), by: .folder)
    try library.apply(
      .albumAdded(
        album, crate: "Jazz", after: nil, group: GroupKey(family: "x"), isFresh: false, seen: 0),
      by: .folder)
    var last: SongID?
    for (place, row) in rows.enumerated() {
      let song = SongID(number: UInt64(place + 1) << 50)
      try library.apply(
        .songAdded(
          song, album: album, after: last, path: BytePath("/m/\(place).flac"), digest: nil,
          added: 0, seen: 0), by: .folder)
      last = song
      var tags = SongTags()
      (tags.title, tags.artist, tags.albumArtist, tags.album) = (
        row.title, row.artist, "Ada", title
      )
      (tags.disc, tags.track, tags.date) = (row.disc, row.track, "1959")
      let stamp = FileStamp(
        identity: FileIdentity(fileSystem: 1, inode: 1, birth: 1), size: 1, modified: 1, changed: 1)
      library.attach(
        FileFacts(
          stamp: stamp, tags: tags, audio: AudioProperties(), digest: nil, format: "flac"),
        to: song)
    }
    return library
  }

  /// The lines without their ids.
  private func lines(_ library: Library, hasSongs: Bool = true) -> [String] {
    OrderText.text(library, of: library.crates, hasSongs: hasSongs).split(separator: "\n").map {
      let words = $0.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      return words.count < 3 || !$0.hasPrefix("\t") ? String($0) : "\(words[0]) \(words[2])"
    }
  }

  @Test("numbers have two digits, and discs stand before them where there are several")
  func numbers() throws {
    var library = try library(
      "Blue", [("A", "Ada", 1, 1), ("B", "", 1, 12), ("C", "Bob", nil, 3), ("D", "ada", 1, nil)])
    #expect(
      lines(library) == [
        "crate Jazz", "\talbum Ada - Blue (1959)", "\t\tsong 01 A", "\t\tsong 12 B",
        "\t\tsong 03 Bob - C", "\t\tsong D",
      ])
    #expect(lines(library, hasSongs: false) == ["crate Jazz", "\talbum Ada - Blue (1959)"])
    let song = SongID(number: 2 << 50)
    try library.apply(.songGone(song, try #require(library.songs[song]).lasting), by: .folder)
    library.away.places = [BytePath("/m/2.flac")]
    let words = lines(library).dropFirst(2).map { $0.split(separator: " ")[0] }
    #expect(words == ["\t\tsong", "\t\tgone", "\t\toffline", "\t\tsong"])
    library = try self.library("Blue (1959)", [("A", "Ada", 1, 9), ("B", "Ada", 2, 10)])
    #expect(
      lines(library) == [
        "crate Jazz", "\talbum Ada - Blue (1959)", "\t\tsong 1-09 A", "\t\tsong 2-10 B",
      ])
  }

  @Test("what is long is cut, and nothing makes a line of its own")
  func long() throws {
    let long = String(repeating: "é", count: 200)
    let shown = lines(try library("100%", [(long, "Ada", nil, 1), ("a\nb\u{1B}", "Ada", nil, 2)]))
    #expect(shown[1] == "\talbum Ada - 100%25 (1959)")
    #expect(shown[2].hasSuffix("é…") && shown[2].utf8.count < 220)
    #expect(shown[3] == "\t\tsong 02 a%0Ab%1B" && shown.count == 4)
  }
}
