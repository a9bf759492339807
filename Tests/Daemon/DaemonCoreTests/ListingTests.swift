import CratesInterface
import LibraryModel
import LibraryStore
import ModelSupport
import Platform
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Listing", .limited)
struct ListingTests {
  @Test("a window skips and counts")
  func window() throws {
    func shown(_ first: Int?, _ count: Int?) throws -> [Int] {
      var window = try Window(first: first, count: count)
      return (1...5).filter { _ in window.takes() }
    }
    #expect(try shown(nil, nil) == [1, 2, 3, 4, 5])
    #expect(try shown(2, 2) == [2, 3])
    #expect(try shown(5, nil) == [5])
    #expect(try shown(6, 3) == [])
    #expect(try shown(1, 0) == [])
    var window = try Window(first: 4, count: 1)
    #expect(window.skips(2) && !window.skips(2) && !window.isOver)
    #expect(!window.takes() && window.takes() && window.isOver && !window.takes())
    window = try Window(first: 4, count: 1)
    #expect(!window.skips(4) && window.skips(3) && !window.skips(1) && window.takes())
    #expect(throws: InterfaceError.invalidParameter(parameter: "first")) { try shown(0, nil) }
    #expect(throws: InterfaceError.invalidParameter(parameter: "count")) { try shown(1, -1) }
  }

  @Test("every window of a listing is that part of all of it, in order", arguments: 1...20)
  func windows(seed: UInt64) throws {
    var maker = LibraryMaker(seed: seed)
    for _ in 0..<120 { _ = try maker.changes() }
    let library = maker.library
    for gone in [false, true] {
      let places = library.crates.flatMap { crate in
        crate.albums.compactMap { library.albums[$0] }.flatMap { album in
          library.songs(of: album).filter { gone || !$0.isGone }.map { "\(album.id) \($0.id)" }
        }
      }
      func songs(_ first: Int?, _ count: Int?) throws -> [Interface.Song] {
        var songs = ListedSongs(
          of: library.crates, in: library, gone: gone,
          window: try Window(first: first, count: count))
        return Array(AnyIterator { songs.next() })
      }
      func albums(_ first: Int?, _ count: Int?) throws -> [Interface.Album] {
        var albums = ListedAlbums(
          of: library.crates, in: library, gone: gone,
          window: try Window(first: first, count: count))
        return Array(AnyIterator { albums.next() })
      }
      let (allSongs, allAlbums) = (try songs(nil, nil), try albums(nil, nil))
      #expect(allSongs.map { "\($0.album) \($0.id)" } == places)
      #expect(Set(allSongs.map(\.album)) == Set(allAlbums.map(\.id)))
      for first in 1...(allSongs.count + 2) {
        #expect(try songs(first, nil) == Array(allSongs.dropFirst(first - 1)))
        #expect(try songs(first, 3) == Array(allSongs.dropFirst(first - 1).prefix(3)))
        #expect(try albums(first, 2) == Array(allAlbums.dropFirst(first - 1).prefix(2)))
      }
      for album in library.albums.values {
        var one = ListedSongs(
          of: [album.id], in: library, gone: gone, window: try Window(first: nil, count: nil))
        let ofAlbum = Array(AnyIterator { one.next() })
        #expect(ofAlbum == allSongs.filter { $0.album == "\(album.id)" })
        let positions = ofAlbum.compactMap(\.position)
        #expect(positions == Array(1..<(positions.count + 1)))
      }
    }
  }

  @Test("a listing that was kept goes on where it was, whatever became of the library since")
  func kept() throws {
    var maker = LibraryMaker(seed: 7)
    for _ in 0..<300 { _ = try maker.changes() }
    let window = try Window(first: nil, count: nil)
    let library = maker.library
    var whole = ListedSongs(of: library.crates, in: library, gone: true, window: window)
    let expected = Array(AnyIterator { whole.next() })
    var listing = ListedSongs(of: library.crates, in: library, gone: true, window: window)
    var found: [Interface.Song] = []
    while let song = listing.next() {
      found.append(song)
      // What is left is a value: another copy of it says the same.
      var copy = listing
      #expect(copy.next() == expected.dropFirst(found.count).first)
      _ = try maker.changes()
    }
    #expect(found == expected)
    #expect(found.count > 5)
  }

  @Test("what a song said is told when its file is gone, as far as it lasts")
  func details() throws {
    var library = Library()
    let (album, song) = (AlbumID(number: 1), SongID(number: 1))
    var traits = Traits()
    (traits.title, traits.artist, traits.track) = ("Title", "Artist", 3)
    (traits.recording, traits.release, traits.milliseconds) = ("recording", "release", 1_500)
    traits.year = 1957
    for change in [
      Change.crateAdded("Music", after: nil),
      .albumAdded(
        album, crate: "Music", after: nil, group: GroupKey(family: "x"), isFresh: false, seen: 0),
      .songAdded(
        song, album: album, after: nil, path: BytePath("/m/1.flac"), digest: nil, added: 5,
        seen: 0), .songGone(song, traits),
    ] { try library.apply(change, by: .folder) }
    let told = try #require(Listing(library: library).songs([song, SongID(number: 2)]).first)
    #expect(told.details.recording == "recording" && told.details.release == "release")
    #expect(told.title == "Title" && told.track == 3 && told.seconds == 1.5)
    #expect(told.presence == .gone && told.position == nil && told.added == Timestamp.text(5))
    #expect(told.details.year == 1957 && told.details.evidence == nil)
    #expect(told.details.genre == nil && told.details.bitRate == nil)
    try library.apply(
      .songFollowed(song, path: BytePath("/m/2.flac"), digest: nil, by: .tags), by: .folder)
    let back = try #require(Listing(library: library).songs([song]).first)
    #expect(back.position == 1 && back.path == "/m/2.flac" && back.details.bitRate == nil)
    #expect(back.details.evidence == Evidence.tags.sentence)
    let kept = try #require(library.albums[album])
    let shown = Listing(library: library).shown(kept, in: library.crates[0], 1)
    #expect(shown.came == 0 && shown.songs == 1)
  }

  @Test("what a file says of a song besides is told, each thing by its name")
  func known() throws {
    var found = LibrarianFixture.found("a/1.flac", 1, album: "A")
    var tags = found.facts.tags
    (tags.genre, tags.composer, tags.date) = ("Genre", "Composer", "1957")
    (tags.recording, tags.release) = ("recording", "release")
    var audio = AudioProperties()
    (audio.bitRate, audio.sampleRate) = (320, 44_100)
    found.facts = FileFacts(
      stamp: found.facts.stamp, tags: tags, audio: audio, digest: found.facts.digest,
      format: "flac")
    var contents = FolderContents(root: BytePath("/music"), seen: 1)
    contents.found = [found]
    let library = Merge.merge(
      contents, into: Library(), lookups: Lookups(Library(), roots: []), newAlbums: nil
    ).decision.library
    let song = try #require(library.songs.values.first)
    let told = try #require(Listing(library: library).songs([song.id]).first)
    var expected = Interface.SongDetails()
    (expected.genre, expected.composer, expected.year) = ("Genre", "Composer", 1957)
    (expected.recording, expected.release) = ("recording", "release")
    (expected.bitRate, expected.sampleRate) = (320, 44_100)
    #expect(told.details == expected)
  }

  @Test("the longest text that is given out has eight MiB")
  func longestText() throws {
    func text(_ count: Int) throws -> String? {
      var library = Library()
      try library.apply(
        .crateAdded(String(repeating: "x", count: count), after: nil), by: .folder)
      let reply = try EditingText.read(library, crate: nil, album: nil, songs: true)
      guard case .text(let text, _) = reply else { return nil }
      return text
    }
    let rest = try #require(try text(9)).utf8.count - 9
    #expect(try text((8 << 20) - rest)?.utf8.count == 8 << 20)
    #expect(throws: InterfaceError.expectedMore) { try text((8 << 20) - rest + 1) }
  }

  @Test("any path survives as a file: URI")
  func uri() throws {
    let path = BytePath([0x2F, 0x61, 0x20, 0x25, 0xC3, 0xA9, 0xFF, 0x0A, 0x23, 0x3F])
    #expect(path.fileURI == "file:///a%20%25%C3%A9%FF%0A%23%3F")
    #expect(BytePath(uriOrPath: path.fileURI) == path)
    #expect(BytePath(uriOrPath: "/a b") == BytePath("/a b"))
    #expect(BytePath(uriOrPath: "a") == nil)
    #expect(BytePath(uriOrPath: "file:///a%2") == nil)
    #expect(BytePath(uriOrPath: "file:///a%zz") == nil)
    #expect(BytePath(uriOrPath: "http:///a") == nil)
  }

  @Test("a place needs its anchor, and takes none where it needs none")
  func places() throws {
    func place(_ place: Interface.Place) throws(InterfaceError) -> Place<String> {
      try Resolving.place(place) { $0 }
    }
    #expect(try place(Interface.Place(.top)) == .top)
    #expect(try place(Interface.Place(.before, anchor: "x")) == .before("x"))
    #expect(throws: InterfaceError.self) { try place(Interface.Place(.after)) }
    #expect(throws: InterfaceError.self) { try place(Interface.Place(.down, anchor: "x")) }
  }

  @Test("How long items are is known well enough to cut an answer in pieces")
  func lengths() throws {
    var maker = LibraryMaker(seed: 3)
    for _ in 0..<400 { _ = try maker.changes() }
    let (library, window) = (maker.library, try Window(first: nil, count: nil))
    func check<Items: ListedItems>(_ items: Items) where Items.Element: WireStructure {
      var (items, count) = (items, 0)
      while let item = items.next() {
        let (told, real) = (Items.bytes(of: item), item.json.text.utf8.count)
        #expect(told * 2 > real && told < real * 2, "\(item.json.text)")
        count += 1
      }
      #expect(count > 20)
    }
    // Long texts count in full.
    var (albums, songs) = (
      ListedAlbums(of: library.crates, in: library, gone: true, window: window),
      ListedSongs(of: library.crates, in: library, gone: true, window: window)
    )
    let (first, second) = (albums.next(), songs.next())
    let (album, song) = (try #require(first), try #require(second))
    let long = String(repeating: "x", count: 100_000)
    let ofAlbum = [\Interface.Album.title, \.artist, \.because]
    for texts in ofAlbum.map({ [$0] }) + [ofAlbum] {
      var other = album
      for text in texts { other[keyPath: text] = long }
      #expect(ListedAlbums.bytes(of: other) / 100_000 == texts.count)
    }
    let ofSong = [
      \Interface.Song.path, \.uri, \.title, \.artist, \.albumTitle, \.albumArtist,
    ]
    for texts in ofSong.map({ [$0] }) + [ofSong] {
      var other = song
      for text in texts { other[keyPath: text] = long }
      #expect(ListedSongs.bytes(of: other) / 100_000 == texts.count)
    }
    check(ListedAlbums(of: library.crates, in: library, gone: true, window: window))
    check(ListedSongs(of: library.crates, in: library, gone: true, window: window))
  }
}
