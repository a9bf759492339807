import CratesInterface
import LibraryModel
import Platform
import TagReading
import TestSupport
import Testing

@testable import DaemonCore

@Suite("What is looked for, as it is answered", .limited)
struct AnsweredFindingTests {
  private let fixture: AnsweringFixture
  private let train: String
  private let steps: String

  init() throws {
    fixture = try AnsweringFixture()
    train = try fixture.find(
      "Blue Train", by: "John Coltrane", year: 1957, [("Blue Train", 643), ("Locomotion", 434)])
    steps = try fixture.find("Giant Steps", by: "John Coltrane", [("Giant Steps", 286)])
    try fixture.change(
      .moveAlbums(
        albums: [train, steps], place: Interface.Place(.top), crate: nil, gather: .given,
        sequence: nil))
  }

  @Test("A search finds albums and songs, all or in one crate, and says how many there are")
  func search() throws {
    func found(_ query: String, in crate: String? = nil, limit: Int? = nil) throws
      -> (albums: [String], songs: [String], counts: [Int?])
    {
      guard
        case .found(let albums, let songs, let albumCount, let songCount, let sequence) =
          try fixture.reply(.search(query: query, crate: crate, limit: limit))
      else { return ([], [], []) }
      #expect(sequence == fixture.published.library.sequence)
      // As they are listed.
      let listed = try fixture.albums(albums.map(\.id)).shown
      #expect(albums.sorted { $0.id < $1.id } == listed.sorted { $0.id < $1.id })
      let ofSongs = try fixture.songs(songs.map(\.id)).shown
      #expect(songs.sorted { $0.id < $1.id } == ofSongs.sorted { $0.id < $1.id })
      return (albums.map(\.id), songs.map(\.title), [albumCount, songCount])
    }
    let all = try found("coltrane")
    // Songs that match by nothing else are left out.
    #expect(Set(all.albums) == [train, steps] && all.counts == [2, 0])
    let titled = try found("title:t")
    #expect(titled.albums == [] && titled.counts == [0, 1] && titled.songs == ["Blue Train"])
    let one = try found("coltrane -title:x s", limit: 1)
    #expect(one.albums.count == 1 && one.songs.count == 1 && one.counts == [1, 1])
    #expect(try found("locomotion").songs == ["Locomotion"])
    #expect(try found("").counts == [0, 0])
    #expect(try found("nothing").albums.isEmpty)
    try fixture.change(
      .moveAlbums(albums: [steps], place: Interface.Place(.top), crate: "Best", sequence: nil))
    #expect(try found("coltrane", in: "Best").albums == [steps])
    try fixture.find("Kind of Blue", by: "Miles Davis", [("So What", 562)])
    try fixture.change(
      .moveAlbums(albums: [train], place: Interface.Place(.bottom), crate: nil, sequence: nil))
    #expect(try found("train").albums == [train])
    try fixture.change(
      .moveAlbums(albums: [train], place: Interface.Place(.top), crate: nil, sequence: nil))
    #expect(try found("train").albums == [train])
    #expect(try found("coltrane", in: "Best").counts == [1, 0])
    let refused = { (crate: String?, limit: Int?) in
      try fixture.refusal(.search(query: "x", crate: crate, limit: limit))
    }
    #expect(try refused("Rock", nil) == .noSuchCrate(name: "Rock"))
    #expect(try refused(nil, -1) == .invalidParameter(parameter: "limit"))
    #expect(try refused(nil, 0) == nil)
    guard
      case .invalidQuery(let word, _) = try fixture.refusal(
        .search(query: "colour:blue", limit: nil))
    else { return #expect(Bool(false), "there is no such field") }
    #expect(word.hasPrefix("colour"))
  }

  @Test("Lists' songs are matched by path, below others' roots and by what is known of them")
  func matching() throws {
    func matched(
      _ wanted: Interface.Wanted, relativeTo folder: String? = nil, roots: [Interface.Root] = []
    ) throws -> Interface.Matched? {
      guard
        case .matches(let matched, let sequence) = try fixture.reply(
          .match(wanted: [wanted], relativeTo: folder, roots: roots))
      else { return nil }
      #expect(sequence == fixture.published.library.sequence && matched.count == 1)
      return matched.first
    }
    let song = try fixture.songs(train)[1]
    let path = fixture.path("Blue Train", 2).display
    let byPath = try matched(Interface.Wanted(path: path))
    #expect(byPath?.song == song && byPath?.album == train && byPath?.by == "its path")
    // These are no ends of paths alone, of which another song may have the same.
    #expect(
      try matched(Interface.Wanted(path: "Blue Train/2.flac"), relativeTo: fixture.music.display)
        == byPath)
    #expect(
      try matched(
        Interface.Wanted(path: "C:/Blue Train/2.flac"),
        roots: [Interface.Root(theirs: "C:", ours: fixture.music.display)]) == byPath)
    var known = Interface.Wanted(title: "Locomotion")
    (known.artist, known.album, known.seconds) = ("John Coltrane", "Blue Train", 434)
    #expect(try matched(known)?.song == song)
    let missing = try matched(Interface.Wanted(path: "/elsewhere/9.flac"))
    #expect(missing?.song == nil && missing?.album == nil && missing?.tried != nil)
    #expect(
      try fixture.refusal(.match(wanted: [known], relativeTo: "x"))
        == .invalidParameter(parameter: "relativeTo"))
    #expect(
      try fixture.refusal(.match(wanted: [known], roots: [Interface.Root(theirs: "C:", ours: "x")]))
        == .invalidParameter(parameter: "roots"))
    // Tables of an older library find nothing new.
    let added = try fixture.find("Kind of Blue", by: "Miles Davis", [("So What", 562)])
    #expect(
      try matched(Interface.Wanted(path: fixture.path("Kind of Blue", 1).display))?.album == added)
  }

  @Test("A cover is looked for beside songs that are there, and has the type that its bytes have")
  func artwork() throws {
    func artwork(_ album: String) throws -> String? {
      guard case .artwork(let type, let text) = try fixture.reply(.artwork(album: album)) else {
        return nil
      }
      return "\(type) \(text)"
    }
    #expect(try fixture.refusal(.artwork(album: train)) == .noArtwork(album: train))
    #expect(
      try fixture.refusal(.artwork(album: "zzzz2222zzzz")) == .noSuchAlbum(id: "zzzz2222zzzz"))
    let kinds: [(start: [UInt8], type: String?)] = [
      ([0xFF, 0xD8, 0xFF, 1], "image/jpeg"), ([0xFF, 0xD8, 1], nil),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
      (Array("GIF87a".utf8), "image/gif"), (Array("GIF89a".utf8), "image/gif"),
      (Array("RIFF....WEBP".utf8), "image/webp"), (Array("RIFF...WEBP".utf8), nil),
      (Array("BM".utf8), "image/bmp"), (Array("<svg".utf8), nil),
    ]
    for (bytes, type) in kinds {
      try fixture.folder.write(bytes, to: "music/Blue Train/cover.jpg")
      if let type {
        #expect(try artwork(train) == "\(type) \(Base64.encoded(bytes))")
      } else {
        #expect(try fixture.refusal(.artwork(album: train)) == .noArtwork(album: train))
      }
    }
    try fixture.folder.write([0xFF, 0xD8, 0xFF], to: "music/Blue Train/cover.jpg")
    #expect(try artwork(train) != nil)
    #expect(try fixture.refusal(.artwork(album: steps)) == .noArtwork(album: steps))
    fixture.lose("Blue Train", 1)
    #expect(try artwork(train) != nil)
    fixture.lose("Blue Train", 2)
    #expect(try fixture.refusal(.artwork(album: train)) == .noArtwork(album: train))
  }

  @Test("The cover of an album is that of the folder it is in, or of its disc's")
  func coverBook() throws {
    let cover = try #require(CoverDigest(number: 7))
    #expect(try fixture.albums([train]).shown.map(\.cover) == [nil])
    fixture.covers.note(cover, in: fixture.music.appending("Giant Steps".utf8))
    #expect(try fixture.albums([train, steps]).shown.map(\.cover) == [nil, cover.description])
    fixture.covers.note(nil, in: fixture.music.appending("Giant Steps".utf8))
    #expect(try fixture.albums([steps]).shown.map(\.cover) == [nil])
  }

  @Test("Covers as pixels come in the order in which they were asked for, from what was kept")
  func thumbnails() throws {
    let cover = try #require(CoverDigest(number: 7))
    let bad = try #require(CoverDigest(number: 8))
    let made = try #require(Thumbnail(width: 1, height: 1, bytes: [1, 2, 3]))
    let cache = ThumbnailCache(
      directory: BytePath(fixture.folder.path("covers")), clock: .system)
    cache.keep(.made(made), cover, side: 16)
    cache.keep(.unshowable, bad, side: 16)
    fixture.covers.note(cover, in: fixture.music.appending("Giant Steps".utf8))
    fixture.covers.note(bad, in: fixture.music.appending("Blue Train".utf8))
    let names = Array(repeating: [train, steps, "zzzz2222zzzz"], count: 7).flatMap { $0 }
    let replies = try fixture.replies(.thumbnails(albums: names, side: 16))
    #expect(replies.map { $0["album"]?.string } == names)
    #expect(
      replies.prefix(3).map { $0["digest"]?.string }
        == [bad.description, cover.description, nil])
    #expect(replies.prefix(3).map { $0["width"]?.integer } == [0, 1, 0])
    guard case .thumbnail(let one) = try fixture.reply(.thumbnails(albums: [steps], side: 16))
    else {
      return #expect(Bool(false), "one is answered without more")
    }
    #expect(one.bytes == [1, 2, 3] && one.album == steps)
    #expect(try fixture.refusal(.thumbnails(albums: [steps, train], side: 16)) == .expectedMore)
  }
}
