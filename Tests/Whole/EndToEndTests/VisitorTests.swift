import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// What other files bring and take away changes nothing of those that nobody touched.
@Suite("What comes and goes beside an album", .serialized, .limited)
struct VisitorTests {
  let home: Home
  let tagger: Tagger
  let sounds: [String]

  init() throws {
    home = try Home()
    tagger = try Tagger()
    sounds = try SampleMusic.sounds(.flac)
  }

  /// A song of ten seconds or less, with a sound of its own for each number.
  @discardableResult
  private func song(_ path: String, sound: Int, _ tags: [String: String]) throws -> String {
    let whole = "\(home.music)/\(path)"
    try makeFolders(String(whole[..<(whole.lastIndex(of: "/") ?? whole.endIndex)]))
    try writeFile(try readFile(sounds[sound]), to: whole)
    try tagger.write(tags, to: whole)
    return whole
  }

  private func makeFolders(_ path: String) throws {
    let made = try run("mkdir", ["-p", path])
    try #require(made.status == 0, "\(made.errors)")
  }

  private func tags(_ album: String, _ track: Int, artist: String? = "Artist") -> [String: String] {
    var tags = ["title": "\(album) \(track)", "album": album, "track": "\(track)"]
    tags["album_artist"] = artist
    return tags
  }

  @Test(
    "Songs with a release id that join an album, and go again, leave it its id and its moves",
    arguments: [1, 3, 5], [true, false])
  func release(visitors: Int, whileRunning: Bool) throws {
    for track in 1...3 { try song("A/\(track).flac", sound: track, tags("Album", track)) }
    try song("Z/1.flac", sound: 0, tags("Other", 1))
    let session = try Session(home)
    let id = try session.client.album("Album").id
    try session.client.move(albums: [id], .top, to: "Best")
    let order = try session.client.order()
    try session.meanwhile(running: whileRunning) {
      for track in 4..<4 + visitors {
        var all = tags("Album", track + 6)
        all["musicbrainz_albumid"] = "11111111-2222-3333-4444-555555555555"
        try song("more/\(track).flac", sound: track, all)
      }
    }
    let client = session.client
    #expect(try client.songs().count == 4 + visitors)
    try session.meanwhile(running: whileRunning) { removeTree("\(home.music)/more") }
    // Fewer than half of the songs are left, and nobody saw the others go.
    if visitors > 4, !whileRunning { try session.client.ask(.rescan(path: home.music)) }
    let ids = try session.client.albums().map(\.id)
    #expect(ids.sorted() == order.albums.map(\.id).sorted())
    try session.client.ask(.undo(sequence: nil))
    #expect(try session.client.albums().first { $0.id == id }?.crate == "Music")
    try session.client.ask(.redo(sequence: nil))
    try session.client.ask(.forget(songs: nil, albums: nil, all: true, sequence: nil))
    expectSame(try session.client.order(), order)
    try session.stop()
  }

  @Test(
    "Of two songs that only their sounds tell apart, one that goes leaves the other alone",
    arguments: [true, false])
  func interludes(whileRunning: Bool) throws {
    let interlude = ["title": "Interlude", "album": "Album", "album_artist": "Artist"]
    let first = try song("A/a one.flac", sound: 1, interlude)
    try song("A/b two.flac", sound: 2, interlude)
    try song("A/c.flac", sound: 3, tags("Album", 1))
    let session = try Session(home)
    let order = try session.client.order()
    let aside = home.folder.path("aside.flac")
    try session.meanwhile(running: whileRunning) { try move(first, to: aside) }
    expectSame(try session.client.order(), order)
    let gone = try session.client.songs(gone: true).filter { $0.presence == .gone }
    #expect(gone.map(\.path) == [first])
    try session.meanwhile(running: whileRunning) { try move(aside, to: first) }
    expectSame(try session.client.order(), order)
    #expect(try session.client.status().gone == 0)
    try session.stop()
  }

  @Test(
    "An album whose songs are deleted keeps its id and its place from those retagged before",
    arguments: [true, false])
  func deleted(whileRunning: Bool) throws {
    let paths = try (1...6).map { track in
      try song("A/\(track).flac", sound: track, tags("Album", track))
    }
    try song("Z/1.flac", sound: 0, tags("Other", 1))
    let session = try Session(home)
    let id = try session.client.album("Album").id
    try session.client.move(albums: [try session.client.album("Other").id], .top)
    try session.meanwhile(running: whileRunning) {
      for track in 1...3 { try tagger.write(tags("Split", track), to: paths[track - 1]) }
    }
    let order = try session.client.order()
    #expect(try session.client.albums().map(\.title) == ["Other", "Split", "Album"])
    let aside = try home.folder.makeFolder("aside")
    try session.meanwhile(running: whileRunning) {
      for track in 4...6 { try move(paths[track - 1], to: "\(aside)/\(track).flac") }
    }
    #expect(try session.client.albums(gone: true).first { $0.id == id }?.title == "Album")
    expectSame(try session.client.order(), order)
    try session.meanwhile(running: whileRunning) {
      for track in 4...6 { try move("\(aside)/\(track).flac", to: paths[track - 1]) }
    }
    #expect(try session.client.albums().map(\.title) == ["Other", "Split", "Album"])
    expectSame(try session.client.order(), order)
    try session.stop()
  }

  @Test(
    "A file with a tag that no line of the store could hold costs nothing but itself, if that",
    arguments: [true, false])
  func longTag(whileRunning: Bool) throws {
    try song("Z/1.flac", sound: 0, tags("Other", 1))
    let session = try Session(home)
    try session.meanwhile(running: whileRunning) {
      var all = tags("Album", 1)
      all["musicbrainz_albumid"] = String(repeating: "r%", count: 20_000)
      try song("A/1.flac", sound: 1, all)
    }
    try session.meanwhile(running: whileRunning) {
      try song("B/1.flac", sound: 2, tags("Next", 1))
    }
    #expect(try session.client.albums().map(\.title).contains("Next"))
    let told = try home.problems().count
    #expect(try session.client.songs().count + told == 3)
    try session.stop()
  }

  @Test("Whoever sees the same files gives them the same ids, in whatever spelling they are")
  func spellings() throws {
    let names = ["Caf\u{E9}", "Cafe\u{301}"]
    for (number, name) in names.enumerated() {
      var all = tags("x", number + 1)
      all["album"] = name
      try song("\(number)/1.flac", sound: number + 1, all)
    }
    var seen: Set<[String]> = []
    for _ in 0..<8 {
      let session = try Session(home)
      let albums = try session.client.albums()
      #expect(albums.count == 1)
      seen.insert(albums.map(\.id) + (try session.client.songs().map(\.id)))
      try session.stop()
      removeTree(home.store)
      removeTree(home.folder.path("cache/crated"))
    }
    #expect(seen.count == 1)
  }
}
