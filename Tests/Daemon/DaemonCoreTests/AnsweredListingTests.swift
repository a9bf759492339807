import CratesInterface
import LibraryModel
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Listings, as they are answered", .limited)
struct AnsweredListingTests {
  private let fixture: AnsweringFixture
  private let train: String
  private let steps: String
  private let blue: String

  /// Two crates: `Jazz` with Giant Steps and Blue Train, below it `Music` with Kind of Blue.
  init() throws {
    fixture = try AnsweringFixture()
    (train, steps, blue) = try fixture.findThree()
    try fixture.change(
      .moveAlbums(
        albums: [steps, train], place: Interface.Place(.top), crate: "Jazz", gather: .given,
        sequence: nil))
    try fixture.change(.moveCrate(crate: "Jazz", place: Interface.Place(.top), sequence: nil))
  }

  @Test("What is more than a batch comes whole, in one reply and in many")
  func batches() throws {
    let fixture = try AnsweringFixture()
    let songs = (1...400).map { (title: "A title that takes some room, number \($0)", seconds: 9) }
    for album in ["One", "Two", "Three"] { try fixture.find(album, by: "Somebody", songs) }
    #expect(try fixture.songs().shown.count == 1200)
    let call = Call.listSongs(crate: nil, album: nil, gone: false, first: nil, count: nil)
    let replies = try fixture.replies(call)
    #expect(replies.count > 1)
    #expect(replies.reduce(0) { $0 + ($1["songs"]?.array?.count ?? 0) } == 1200)
  }

  @Test("Crates are listed with what can be heard of them, and no more")
  func crates() throws {
    func crates() throws -> [Interface.Crate] {
      guard case .crates(let crates, let sequence) = try fixture.reply(.listCrates) else {
        return []
      }
      #expect(sequence == fixture.published.library.sequence)
      return crates
    }
    #expect(
      try crates() == [
        Interface.Crate(name: "Jazz", position: 1, albums: 2, songs: 4, seconds: 1624),
        Interface.Crate(name: "Music", position: 2, albums: 1, songs: 1, seconds: 562),
      ])
    fixture.lose("Giant Steps", 1)
    fixture.lose("Kind of Blue", 1)
    #expect(
      try crates() == [
        Interface.Crate(name: "Jazz", position: 1, albums: 2, songs: 3, seconds: 1338)
      ])
    fixture.lose("Giant Steps", 2)
    #expect(try crates().map(\.albums) == [1])
  }

  @Test("Albums are listed by crate, by id and by window, with how many there are of them")
  func albums() throws {
    let all = try fixture.albums()
    #expect(all.shown.map(\.id) == [steps, train, blue])
    #expect(all.shown.map(\.position) == [1, 2, 1])
    #expect(all.shown.map(\.crate) == ["Jazz", "Jazz", "Music"])
    #expect(all.total == 3)
    let shown = try #require(all.shown.dropFirst().first)
    #expect(shown.title == "Blue Train" && shown.artist == "John Coltrane" && shown.year == 1957)
    #expect(shown.songs == 2 && shown.seconds == 1077 && shown.presence == .present)
    #expect(shown.moved && !shown.because.isEmpty && shown.cover == nil)
    #expect(try fixture.albums(first: 2, count: 1).shown.map(\.id) == [train])
    #expect(try fixture.albums(first: 2, count: 1).total == 3)
    #expect(try fixture.albums(in: "Music").shown.map(\.id) == [blue])
    #expect(try fixture.albums(in: "Music").total == 1)
    // In the library's order; what is in no such crate, or not there, is left out.
    #expect(try fixture.albums([blue, train]).shown.map(\.id) == [train, blue])
    #expect(try fixture.albums([blue, train]).shown.map(\.position) == [2, 1])
    #expect(try fixture.albums(in: "Jazz", [blue, train]).shown.map(\.id) == [train])
    #expect(try fixture.albums([blue, "zzzz2222zzzz"]).shown.map(\.id) == [blue])
    #expect(
      try fixture.refusal(
        .listAlbums(crate: "Rock", albums: nil, gone: false, first: nil, count: nil))
        == .noSuchCrate(name: "Rock"))
    #expect(
      try fixture.refusal(.listAlbums(crate: nil, albums: nil, gone: false, first: 0, count: nil))
        == .invalidParameter(parameter: "first"))
  }

  @Test("What is gone is listed where it is asked for, without a position")
  func gone() throws {
    fixture.lose("Giant Steps", 1)
    fixture.lose("Giant Steps", 2)
    fixture.lose("Blue Train", 1)
    #expect(try fixture.albums().shown.map(\.id) == [train, blue])
    #expect(try fixture.albums().shown.map(\.position) == [1, 1])
    #expect(try fixture.albums().total == 2)
    let all = try fixture.albums(gone: true)
    #expect(all.shown.map(\.id) == [steps, train, blue] && all.total == 3)
    #expect(all.shown.map(\.position) == [nil, 1, 1])
    #expect(all.shown.map(\.presence) == [.gone, .present, .present])
    #expect(try fixture.albums([steps]).total == 0)
    #expect(try fixture.albums([steps], gone: true).shown.map(\.id) == [steps])
    #expect(try fixture.albums([steps], gone: true).total == 1)

    #expect(try fixture.songs(of: train).shown.map(\.title) == ["Locomotion"])
    #expect(try fixture.songs(of: train).shown.map(\.position) == [1])
    #expect(try fixture.songs(of: train).total == 1)
    let songs = try fixture.songs(of: train, gone: true)
    #expect(songs.shown.map(\.title) == ["Blue Train", "Locomotion"] && songs.total == 2)
    #expect(songs.shown.map(\.position) == [nil, 1])
    #expect(songs.shown.map(\.presence) == [.gone, .present])
  }

  @Test("Songs are listed by crate, by album, by id and by window")
  func songs() throws {
    let all = try fixture.songs()
    #expect(
      all.shown.map(\.title)
        == ["Giant Steps", "Naima", "Blue Train", "Locomotion", "So What"])
    #expect(all.shown.map(\.position) == [1, 2, 1, 2, 1] && all.total == 5)
    #expect(try fixture.songs(first: 2, count: 2).shown.map(\.title) == ["Naima", "Blue Train"])
    #expect(try fixture.songs(first: 2, count: 2).total == 5)
    #expect(try fixture.songs(in: "Music").shown.map(\.title) == ["So What"])
    #expect(try fixture.songs(in: "Music").total == 1)
    #expect(try fixture.songs(of: train).shown.map(\.title) == ["Blue Train", "Locomotion"])
    #expect(try fixture.songs(in: "Music", of: train).shown.isEmpty)
    let (first, second) = (try fixture.songs(train), try fixture.songs(blue))
    let some = try fixture.songs([second[0], first[1], "zzzz2222zzzz"])
    #expect(some.shown.map(\.title) == ["Locomotion", "So What"] && some.total == 2)
    #expect(some.shown.map(\.position) == [2, 1])
    let third = try fixture.songs(steps)[1]
    for (start, titles) in [(2, ["Locomotion", "So What"]), (3, ["So What"]), (4, [])] {
      let part = try fixture.songs([second[0], first[1], third], first: start)
      #expect(part.shown.map(\.title) == titles && part.total == 3)
    }
    #expect(
      try fixture.songs(in: "Jazz", [second[0], first[1]]).shown.map(\.title) == ["Locomotion"])
    #expect(try fixture.songs(of: blue, [second[0], first[1]]).shown.map(\.title) == ["So What"])
    #expect(
      try fixture.refusal(
        .listSongs(
          crate: nil, album: "zzzz2222zzzz", songs: nil, gone: false, first: nil, count: nil))
        == .noSuchAlbum(id: "zzzz2222zzzz"))

    let shown = try #require(all.shown.dropFirst(2).first)
    #expect(shown.id == first[0] && shown.album == train && shown.crate == "Jazz")
    #expect(shown.albumTitle == "Blue Train" && shown.albumArtist == "John Coltrane")
    #expect(shown.artist == "John Coltrane" && shown.track == 1 && shown.seconds == 643)
    #expect(shown.format == "flac" && shown.presence == .present)
    #expect(shown.path == fixture.path("Blue Train", 1).display)
    #expect(shown.details.year == 1957 && shown.details.genre == "Jazz")
    #expect(shown.details.bitRate == 320 && shown.details.sampleRate == 44_100)
    #expect(shown.details.composer == nil && shown.details.recording == nil)
  }

  @Test("What a file doesn't say is absent, and what it says is told, however little")
  func absent() throws {
    let fixture = try AnsweringFixture()
    try fixture.find("None", by: "Ada", bitRate: 0, [("None", 1)])
    try fixture.find("One", by: "Ada", bitRate: 1, [("One", 1)])
    let library = fixture.published.library
    var ids: [SongID] = []
    library.songs.forEach { id, _ in ids.append(id) }
    let songs = Listing(library: library).songs(ids)
    for (title, bitRate) in [("None", nil), ("One", 1)] as [(String, Int?)] {
      #expect(songs.contains { $0.title == title && $0.details.bitRate == bitRate }, "\(title)")
    }
  }

  @Test("A listing may come in several replies, or is one")
  func streamed() throws {
    let call = Call.listAlbums(crate: nil, albums: nil, gone: false, first: nil, count: nil)
    let replies = try fixture.replies(call)
    #expect(replies.count == 1)
    #expect(replies.first?["albums"]?.array?.count == 3)
  }

  @Test("Names are understood as crates, albums and songs, and what is spelt alike is told")
  func meanings() throws {
    func meanings(_ words: [[String]], _ wanted: [Interface.Kind]? = nil) throws
      -> [Interface.Meaning]
    {
      guard case .meanings(let found, _) = try fixture.reply(.resolve(words: words, wanted: wanted))
      else { return [] }
      return found
    }
    let found = try meanings([["Jazz"], ["Giant Steps"], ["Jazz", "2"], ["Jazz", "2", "1"]])
    #expect(found.count == 4)
    #expect(found[0].what.map(\.crate) == ["Jazz"])
    #expect(found[0].what.map(\.label) == ["Jazz"] && found[0].what.map(\.presence) == [.present])
    #expect(found[1].what.map(\.album) == [steps])
    #expect(found[1].what.map(\.label) == ["Giant Steps by John Coltrane"])
    #expect(found[2].what.map(\.album) == [train])
    #expect(found[3].what.map(\.label) == ["Blue Train of Blue Train"])
    #expect(found[3].what.map(\.song) == [try fixture.songs(train)[0]])
    #expect(try meanings([["song:Naima"]])[0].what.map(\.label) == ["Naima of Giant Steps"])
    #expect(try meanings([["Naima"]])[0].what.map(\.label) == ["Naima of Giant Steps"])
    #expect(try meanings([["Jazz"]], [.album])[0].what.isEmpty)
    let near = try meanings([["Gaint Steps"]])[0]
    #expect(near.what.isEmpty && near.near.map(\.album) == [steps])
    fixture.lose("Kind of Blue", 1)
    #expect(try meanings([["Music"]])[0].what.map(\.presence) == [.gone])
    #expect(
      try fixture.refusal(.resolve(words: [["Jazz", "x"]])) == .invalidParameter(parameter: "words")
    )
  }
}
