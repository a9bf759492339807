import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import Playlists

@Suite("What is known of a directory of playlists", .limited)
struct KeeperStateTests {
  private let lists: ListFolder

  init() throws { lists = try ListFolder() }

  @Test("Each list that was written or removed is counted, once")
  func counts() throws {
    var music = try Music.crates(2)
    for takesEdits in [false, true] {
      let lists = try ListFolder()
      var keeper = lists.keeper(takesEdits: takesEdits)
      func written() -> Int {
        keeper.update(to: music.library, touched: music.takeTouched()).written
      }
      #expect(written() == 2)
      #expect(written() == 0)
      let name = try #require(music.library.crates.first?.name)
      try music.apply(.crateRenamed(name, to: name + "x"))
      #expect(written() == 2)
      #expect(written() == 0)
      var next = lists.keeper(takesEdits: takesEdits)
      #expect(next.update(to: music.library, touched: []).written == 0)
      #expect(keeper.due == .max && next.due == .max)
    }
  }

  @Test("A list of several pieces is written whole, and compared to its last byte")
  func pieces() throws {
    var music = Music()
    try music.add("Long")
    let album = try music.add(album: "A", by: "B", to: "Long")
    for number in 0..<3_000 {
      try music.add(
        song: BytePath("/m/\(number) of many songs.flac"), "Title", by: "B", album: "A",
        albumArtist: "B", to: album)
    }
    var keeper = lists.keeper()
    #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
    try lists.expectWritten(music.library)
    let good = try readFile(lists.path("Long.m3u8"))
    #expect(good.count > 140_000)
    keeper = lists.keeper()
    #expect(keeper.update(to: music.library, touched: []).written == 0)
    for place in [0, 70_000, good.count - 2] {
      var bytes = good
      bytes[place] ^= 1
      try lists.write(bytes, to: "Long.m3u8")
      keeper = lists.keeper()
      #expect(keeper.update(to: music.library, touched: []).written == 1, "\(place)")
      try lists.expectWritten(music.library)
    }
  }

  @Test("What was wrong with a list is over where its crate goes")
  func crateGone() throws {
    var music = try Music.crates(2)
    try lists.write("mine\n", to: "Crate 2.m3u8")
    var keeper = lists.keeper()
    #expect(keeper.update(to: music.library, touched: []).problems.count == 1)
    for album in music.library.crate(named: "Crate 2")?.albums ?? [] {
      try music.apply(
        .albumMoved(album, crate: "Crate 1", after: nil, wasCrate: "Crate 2", wasAfter: nil))
    }
    try music.apply(.crateRemoved("Crate 2", wasAfter: nil))
    #expect(keeper.update(to: music.library, touched: music.takeTouched()).problems.isEmpty)
    #expect(keeper.lists.count == 1)
    #expect(try lists.names() == ["Crate 1.m3u8", "Crate 2.m3u8"])
  }

  @Test("What a new store forgot it goes on with, in whatever directory")
  func forgetsOnce() throws {
    let music = try Music.crates(1)
    var keeper = PlaylistKeeper(lists.settings(), isStoreNew: true)
    #expect(keeper.update(to: music.library, touched: []).written == 1)
    let bytes = try readFile(lists.path("Crate 1.m3u8"))
    // Another directory is in the place of the one that was there.
    try #require(rename(lists.directory, lists.directory + "-before") == 0)
    defer { removeTree(lists.directory + "-before") }
    try #require(mkdir(lists.directory, 0o755) == 0)
    try lists.write(bytes, to: "Crate 1.m3u8")
    let outcome = keeper.update(to: music.library, touched: [])
    #expect(outcome.written == 0 && outcome.problems.isEmpty)
    #expect(try lists.names() == ["Crate 1.m3u8"])
  }

  @Test("Songs of lists that nobody needs are removed at a start")
  func tidied() throws {
    let music = try Music.crates(1)
    var keeper = lists.keeper(takesEdits: true)
    _ = keeper.update(to: music.library, touched: [])
    let before = try names(in: lists.records())
    try writeFile([], to: lists.records() + "/songs-\(TextDigest(of: [1]))")
    keeper = lists.keeper(takesEdits: true)
    _ = keeper.update(to: music.library, touched: [])
    #expect(try names(in: lists.records()) == before && before.count == 2)
  }

  @Test("After a kill before it had its name or after, a list is ours by its bytes alone")
  func killedAtFirst() throws {
    let music = try Music.crates(1)
    let file = BytePath("Crate 1.m3u8")
    for (isIntended, isOurs) in [(true, true), (false, false)] {
      let lists = try ListFolder()
      let settings = lists.settings()
      var records = try PlaylistRecords(of: settings.directory, in: settings.state)
      try lists.write("mine\n", to: file.display)
      let digest = TextDigest(of: (isIntended ? "mine\n" : "other").utf8)
      try records.willWrite(file, digest, songs: [])
      var keeper = lists.keeper()
      #expect(keeper.update(to: music.library, touched: []).problems.isEmpty == isOurs)
      #expect(try (lists.text("Crate 1") == "mine\n") == !isOurs)
    }
    // What it was once compared with makes nothing ours.
    var keeper = lists.keeper()
    _ = keeper.update(to: music.library, touched: [])
    _ = keeper.update(to: Library(), touched: [])
    let line = "base \(TextDigest(of: "mine\n".utf8)) Crate 1.m3u8\n"
    let records = try lists.records() + "/lists"
    try writeFile(readFile(records) + line.utf8, to: records)
    try lists.write("mine\n", to: file.display)
    keeper = lists.keeper()
    #expect(keeper.update(to: music.library, touched: []).problems.count == 1)
    #expect(try lists.text("Crate 1") == "mine\n")
  }

  @Test("What could not be written is tried again with the next look")
  func triedAgain() throws {
    var music = try Music.crates(1)
    for takesEdits in [false, true] {
      let lists = try ListFolder()
      var keeper = lists.keeper(takesEdits: takesEdits)
      _ = keeper.update(to: music.library, touched: music.takeTouched())
      try lists.withoutRecords {
        try music.raise("Crate 1")
        #expect(keeper.update(to: music.library, touched: music.takeTouched()).problems.count == 1)
      }
      #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
      try lists.expectWritten(music.library)
    }
  }

  @Test("What became another file just before it would be written over is looked at anew")
  func writtenMeanwhile() throws {
    let music = try Music.crates(1)
    var keeper = lists.keeper(takesEdits: true)
    _ = keeper.update(to: music.library, touched: [])
    let file = BytePath("Crate 1.m3u8")
    let entry = keeper.records?[file]
    let former = try lists.status(file.display)
    try lists.write("/m/mine.flac\n", to: file.display)
    let folder = try PlaylistFolder(keeper.directory)
    let place = try #require(keeper.place)
    let text = PlaylistText(music.library, at: place)
    var one = try #require(keeper.lists.values.first)
    var outcome = PlaylistKeeper.Outcome()
    one.crate.name = "Another"
    #expect(try !keeper.write(&one, over: former, text, in: folder, &outcome))
    #expect(one.status == nil && one.scanDue == .min && outcome.written == 0)
    #expect(keeper.records?[file] == entry && entry != nil)
    #expect(try lists.text("Crate 1") == "/m/mine.flac\n")
    let now = try lists.status(file.display)
    #expect(try keeper.write(&one, over: now, text, in: folder, &outcome))
    #expect(try one.status == lists.status(file.display) && outcome.written == 1)
    #expect(try lists.text("Crate 1").contains("#PLAYLIST:Another\n"))
  }
}
