import CratesInterface
import Glibc
import ProgramSupport
import TestSupport
import Testing

/// Songs in a new format that are made beside the old ones, which go later.
@Suite("Songs that are replaced at leisure", .serialized, .limited)
struct ReplacedLaterTests {
  let home: Home
  let old: TaggedAlbum
  let new: TaggedAlbum
  private let tagger: Tagger

  init() throws {
    home = try Home()
    tagger = try Tagger()
    let folder = try home.folder.makeFolder("Music/Album")
    old = try TaggedAlbum(
      "Album", by: "Artist", .mp3, of: try SampleMusic.sounds(.mp3).prefix(4), in: folder, tagger)
    new = try TaggedAlbum(
      "Album", by: "Artist", .flac, of: try SampleMusic.sounds(.flac).prefix(4),
      in: try home.folder.makeFolder("new"), tagger)
  }

  /// The old songs in an order of the person's, and the new ones beside them.
  private func start() throws -> (session: Session, order: Order) {
    let session = try Session(home)
    let songs = try session.client.songs().map(\.id)
    try session.client.move(songs: [songs[3], songs[1]], .top)
    let order = try session.client.order()
    try session.meanwhile(running: true) {
      for (index, path) in new.paths.enumerated() {
        try move(path, to: "\(home.music)/Album/new \(index).flac")
      }
    }
    try #require(try session.client.songs().count == 8)
    return (session, order)
  }

  @Test("They take the places of the old ones when those go", arguments: [true, false])
  func replaced(whileRunning: Bool) throws {
    let (session, order) = try start()
    let first = try session.client.status().sequence
    try session.restart(withoutIndex: !whileRunning)
    try session.meanwhile(running: whileRunning) { for path in old.paths { removeTree(path) } }
    expectSame(try session.client.order(), order)
    #expect(try session.client.status().gone == 0)
    #expect(try session.client.songs().allSatisfy { $0.format == "flac" })
    let notes = try session.client.changes(after: first).flatMap(\.notes)
    #expect(notes.count { $0.contains("recognised by its tags") } == 4, "\(notes)")
    try session.stop()
  }

  @Test("Those that were there when the person ordered the album stay where they are")
  func touched() throws {
    let (session, _) = try start()
    let flac = try session.client.songs().filter { $0.format == "flac" }.map(\.id)
    try session.client.move(songs: [flac[2]], .bottom)
    let order = try session.client.order()
    try session.meanwhile(running: true) { for path in old.paths { removeTree(path) } }
    expectSame(try session.client.order(), order)
    #expect(try session.client.status().gone == 4)
    #expect(try session.client.songs().map(\.id).sorted() == flac.sorted())
    try session.stop()
  }

  @Test("Where two would fit, neither does, and the old song keeps its place")
  func ambiguous() throws {
    let (session, _) = try start()
    try session.meanwhile(running: true) {
      let third = home.folder.path("third.ogg")
      try writeFile(try readFile(try SampleMusic.sounds(.ogg)[0]), to: third)
      try tagger.write(old.tags(of: 0), to: third)
      try move(third, to: "\(home.music)/Album/third.ogg")
    }
    let order = try session.client.order()
    try session.meanwhile(running: true) { removeTree(old.paths[0]) }
    expectSame(try session.client.order(), order)
    #expect(try session.client.status().gone == 1)
    try session.stop()
  }
}
