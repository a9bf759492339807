import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// Swapped names, the same sound twice, and files that come and go hours apart.
@Suite("Songs that are easily mistaken", .serialized, .limited)
struct OddRecognisingTests {
  let home: Home
  let tagger: Tagger

  init() throws {
    home = try Home()
    tagger = try Tagger()
  }

  private func makeAlbum(
    _ title: String, _ format: SampleFormat = .flac, sounds: Range<Int> = 0..<4
  ) throws -> TaggedAlbum {
    try TaggedAlbum(
      title, by: "Artist", format, of: try SampleMusic.sounds(format)[sounds],
      in: try home.folder.makeFolder("Music/\(title)"), tagger)
  }

  /// The third song of each album on top.
  private func arrange(_ client: CratesClient) throws -> Order {
    let songs = Dictionary(grouping: try client.songs(), by: \.album)
    for (_, songs) in songs.sorted(by: { $0.key < $1.key }) {
      try client.move(songs: [songs[2].id], .top)
    }
    return try client.order()
  }

  /// The paths of the songs by their ids.
  private func paths(_ client: CratesClient) throws -> [String: String] {
    Dictionary(uniqueKeysWithValues: try client.songs().map { ($0.id, $0.path) })
  }

  @Test("Files that swap names are the songs they were", arguments: [true, false])
  func swapped(whileRunning: Bool) throws {
    let album = try makeAlbum("Swapped")
    let other = try makeAlbum("Other", .mp3)
    let session = try Session(home)
    let order = try arrange(session.client)
    let before = try paths(session.client)
    var names: [String: String] = [:]
    try session.meanwhile(running: whileRunning) {
      // Two within an album, and three in a ring over two albums.
      let swaps = [
        [album.paths[0], album.paths[1]], [other.paths[0], other.paths[2], other.paths[3]],
      ]
      for ring in swaps {
        try move(ring[0], to: home.folder.path("aside"))
        for (from, to) in zip(ring.dropFirst(), ring) {
          try move(from, to: to)
          names[from] = to
        }
        try move(home.folder.path("aside"), to: ring[ring.count - 1])
        names[ring[0]] = ring[ring.count - 1]
      }
    }
    expectSame(try session.client.order(), order)
    #expect(try paths(session.client) == before.mapValues { names[$0] ?? $0 })
    try session.stop()
  }

  @Test(
    "The same sound in two albums is two songs, each with its own life", arguments: [true, false])
  func inTwoAlbums(whileRunning: Bool) throws {
    let album = try makeAlbum("Album")
    let hits = try makeAlbum("Greatest Hits")
    let session = try Session(home)
    let order = try arrange(session.client)
    #expect(try session.client.songs().count == 8)
    let before = try paths(session.client)

    // One goes; both are renamed; one comes back under another name; both go and come back.
    let aside = try home.folder.makeFolder("aside")
    try session.meanwhile(running: whileRunning) {
      try move(hits.paths[1], to: "\(aside)/1")
      try move(album.paths[2], to: "\(home.music)/a.flac")
      try move(hits.paths[2], to: "\(home.music)/b.flac")
    }
    expectSame(try session.client.order(), order)
    #expect(try session.client.status().gone == 1)
    try session.meanwhile(running: whileRunning) {
      try move("\(aside)/1", to: "\(home.music)/Album/returned.flac")
      try move("\(home.music)/a.flac", to: "\(aside)/a")
      try move("\(home.music)/b.flac", to: "\(aside)/b")
    }
    expectSame(try session.client.order(), order)
    #expect(try session.client.status().gone == 2)
    try session.meanwhile(running: whileRunning) {
      try move("\(aside)/b", to: album.paths[2])
      try move("\(aside)/a", to: hits.paths[2])
    }
    expectSame(try session.client.order(), order)
    let names = [
      hits.paths[1]: "\(home.music)/Album/returned.flac", album.paths[2]: hits.paths[2],
      hits.paths[2]: album.paths[2],
    ]
    #expect(try paths(session.client) == before.mapValues { names[$0] ?? $0 })
    try session.stop()
  }

  @Test(
    "A duplicate takes over when the song's file goes, and stays its file",
    arguments: [true, false], [true, false])
  func duplicates(whileRunning: Bool, withoutIndex: Bool) throws {
    let album = try makeAlbum("Album")
    try home.folder.makeFolder("Music/Zeroth copies")
    let double = "\(home.music)/Zeroth copies/double.flac"
    try copy(album.paths[1], to: double)
    let session = try Session(home)
    let order = try arrange(session.client)
    #expect(try session.client.songs().count == 4)
    #expect(try home.problems().map(\.kind) == [.duplicate])
    // The problem is found when somebody asks; since when it is so, nobody knows.
    #expect(try !home.crate("problems").output.contains("(since"))
    if withoutIndex { try session.restart(withoutIndex: true) }
    let before = try paths(session.client)

    for isThere in [false, true, false] {
      try session.meanwhile(running: whileRunning) {
        if isThere { try copy(double, to: album.paths[1]) } else { removeTree(album.paths[1]) }
      }
      expectSame(try session.client.order(), order, "first file there: \(isThere)")
      #expect(try session.client.status().gone == 0)
      let names = [album.paths[1]: double]
      #expect(try paths(session.client) == before.mapValues { names[$0] ?? $0 })
      #expect(try home.problems().count == (isThere ? 1 : 0))
    }
    try session.meanwhile(running: whileRunning) { removeTree(double) }
    #expect(try session.client.status().gone == 1)
    expectSame(try session.client.order(), order)
    try session.stop()
  }

  enum Later: CaseIterable {
    case goneFirst, thereFirst
  }

  @Test(
    "What goes here and appears elsewhere hours apart, under other tags, is the same song",
    arguments: Later.allCases, [true, false])
  func hoursApart(_ later: Later, whileRunning: Bool) throws {
    let albums = try StoryTests.formats.map { try makeAlbum("Album \($0)", $0) }
    let session = try Session(home)
    let order = try arrange(session.client)
    let ids = Dictionary(uniqueKeysWithValues: try session.client.songs().map { ($0.path, $0.id) })
    let aside = try home.folder.makeFolder("aside")
    func appear() throws {
      for album in albums {
        var tags = album.tags(of: 1)
        // A copy that is there beside the file has to be the same song to the person.
        if later == .goneFirst { tags["title"] = "Another title" }
        let path = "\(aside)/\(album.title).\(album.format.pathExtension)"
        try tagger.write(tags, to: path)
        try move(path, to: "\(home.music)/\(album.title).\(album.format.pathExtension)")
      }
    }
    func disappear() throws { for album in albums { removeTree(album.paths[1]) } }
    for album in albums {
      try copy(album.paths[1], to: "\(aside)/\(album.title).\(album.format.pathExtension)")
    }
    try session.meanwhile(running: whileRunning, later == .goneFirst ? disappear : appear)
    expectSame(try session.client.order(), order)
    #expect(
      try session.client.status().gone == (later == .goneFirst ? StoryTests.formats.count : 0))
    try session.restart(withoutIndex: true)
    try session.meanwhile(running: whileRunning, later == .goneFirst ? appear : disappear)
    expectSame(try session.client.order(), order)
    #expect(try session.client.status().gone == 0)
    let paths = try paths(session.client)
    for album in albums {
      let id = try #require(ids[album.paths[1]])
      #expect(paths[id] == "\(home.music)/\(album.title).\(album.format.pathExtension)")
    }
    try session.stop()
  }

  @Test(
    "What went and comes in another format, after restarts and without the index, is the same song")
  func anotherFormat() throws {
    let album = try makeAlbum("Album", .mp3)
    let session = try Session(home)
    let order = try arrange(session.client)
    try session.meanwhile(running: true) { for path in album.paths { removeTree(path) } }
    try session.restart(after: .killed, withoutIndex: true)
    expectSame(try session.client.order(), order)
    let first = try session.client.status().sequence
    let staging = try home.folder.makeFolder("staging")
    _ = try TaggedAlbum(
      "Album", by: "Artist", .opus, of: try SampleMusic.sounds(.opus).suffix(4),
      in: staging, tagger)
    try session.meanwhile(running: true) { try move(staging, to: "\(home.music)/Again") }
    expectSame(try session.client.order(), order)
    let notes = try session.client.changes(after: first).flatMap(\.notes)
    #expect(notes.count == 4)
    #expect(notes.allSatisfy { $0.contains("its tags") })
    try session.stop()
  }

  @Test(
    "Where there is no sound to go by, a rename or the file itself tells", arguments: [true, false])
  func silence(whileRunning: Bool) throws {
    try home.folder.makeFolder("Music/Silence")
    let paths = (1...3).map { "\(home.music)/Silence/\($0).wav" }
    for (index, path) in paths.enumerated() {
      let result = try run(
        "ffmpeg",
        [
          "-nostdin", "-v", "error", "-f", "lavfi", "-i", "anullsrc=duration=\(index + 1)",
          "-c:a", "pcm_s16le", path,
        ])
      try #require(result.status == 0, "\(result.errors)")
      try tagger.write(
        ["title": "Silence \(index)", "album": "Silence", "track": "\(index + 1)"], to: path)
    }
    let session = try Session(home)
    let order = try arrange(session.client)
    let first = try session.client.status().sequence
    try session.meanwhile(running: whileRunning) {
      for (index, path) in paths.enumerated() {
        // Nothing but the file is the same, not even its title.
        try move(path, to: "\(home.music)/Silence/now \(9 - index).wav")
      }
    }
    expectSame(try session.client.order(), order)
    let notes = try session.client.changes(after: first).flatMap(\.notes)
    #expect(notes.count == 3)
    // A running daemon may see the file at its new name before it hears of the rename.
    let tellers = whileRunning ? ["a rename", "the same file"] : ["the same file"]
    for note in notes {
      #expect(tellers.contains { note.hasSuffix("recognised by \($0)") }, "\(note)")
    }
    try session.stop()
  }

  @Test("Where the sound, the title and the track are others, MusicBrainz tells")
  func musicBrainz() throws {
    let album = try makeAlbum("Album")
    for index in 0..<4 { try tagger.write(tags(album, index), to: album.paths[index]) }
    let session = try Session(home)
    let order = try arrange(session.client)
    let first = try session.client.status().sequence
    let staging = try home.folder.makeFolder("staging")
    let new = try TaggedAlbum(
      "Album", by: "Artist", .ogg, of: try SampleMusic.sounds(.ogg).suffix(4),
      in: staging, tagger)
    for index in 0..<4 {
      var tags = tags(album, index)
      tags["title"] = "Retitled \(index)"
      tags["track"] = "\(20 + index)"
      try tagger.write(tags, to: new.paths[index])
    }
    try session.restart {
      for path in album.paths { removeTree(path) }
      try move(staging, to: "\(home.music)/Again")
    }
    expectSame(try session.client.order(), order)
    let notes = try session.client.changes(after: first).flatMap(\.notes)
    #expect(notes.count == 4)
    #expect(notes.allSatisfy { $0.contains("its MusicBrainz ids") }, "\(notes)")
    try session.stop()
  }

  private func tags(_ album: TaggedAlbum, _ index: Int) -> [String: String] {
    var tags = album.tags(of: index)
    tags["musicbrainz_trackid"] = "recording \(index)"
    tags["musicbrainz_albumid"] = "release"
    return tags
  }
}
