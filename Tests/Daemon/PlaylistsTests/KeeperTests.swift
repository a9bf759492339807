import Glibc
import LibraryModel
import ModelSupport
import Platform
import TestSupport
import Testing

@testable import Playlists

@Suite("A directory of playlists", .limited)
struct KeeperTests {
  private let lists: ListFolder

  init() throws { lists = try ListFolder() }

  @Test("What has not changed is not written again, whatever is said of it, nor at a next start")
  func unchanged() throws {
    var music = try Music.crates(3)
    var keeper = lists.keeper()
    #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
    #expect(try lists.names() == ["Crate 1.m3u8", "Crate 2.m3u8", "Crate 3.m3u8"])
    try lists.expectWritten(music.library)
    #expect(try lists.text("Crate 1").contains("\n/m/Album 1-1/1.flac\n#EXTINF"))
    let before = try lists.statuses()
    _ = keeper.update(to: music.library, touched: music.takeTouched())
    #expect(try lists.statuses() == before)
    var next = lists.keeper()
    _ = next.update(to: music.library, touched: [])
    #expect(try lists.statuses() == before)
    // One of the three does.
    try music.apply(
      .albumMoved(
        AlbumID(number: 5), crate: "Crate 1", after: nil, wasCrate: "Crate 1",
        wasAfter: AlbumID(number: 2)))
    _ = next.update(to: music.library, touched: music.takeTouched())
    let after = try lists.statuses()
    #expect(Set(after.filter { before[$0.key] != $0.value }.keys) == ["Crate 1.m3u8"])
    try lists.expectWritten(music.library)
  }

  @Test("A name that could not be let go of is a crate's again, and its file stays")
  func cameBack() throws {
    var music = try Music.crates(2)
    var keeper = lists.keeper()
    _ = keeper.update(to: music.library, touched: [])
    try lists.withoutRecords {
      try music.apply(.crateRenamed("Crate 1", to: "Other"))
      let problems = keeper.update(to: music.library, touched: []).problems.map(\.path.display)
      #expect(problems.contains(lists.path("Crate 1.m3u8")))
    }
    try music.apply(.crateRenamed("Other", to: "Crate 1"))
    for _ in 0..<2 {
      #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
      #expect(try lists.names() == ["Crate 1.m3u8", "Crate 2.m3u8"])
      try lists.expectWritten(music.library)
    }
  }

  @Test(
    "With a new store, a list that is not what it would be is nobody's: it stays, and is told of")
  func newStore() throws {
    var music = try Music.crates(3)
    var first = lists.keeper()
    _ = first.update(to: music.library, touched: [])
    let before = try lists.statuses()

    var second = PlaylistKeeper(lists.settings(), isStoreNew: true)
    #expect(second.update(to: Library(), touched: []).problems.isEmpty)
    #expect(try lists.statuses() == before)
    try music.raise("Crate 1")
    for _ in 0..<2 {
      let problems = second.update(to: music.library, touched: music.takeTouched()).problems
      #expect(problems.map(\.path.display) == [lists.path("Crate 1.m3u8")])
      #expect(try lists.statuses() == before)
      second = lists.keeper()
    }
    // The others are crated's again.
    try music.raise("Crate 2")
    #expect(second.update(to: music.library, touched: music.takeTouched()).problems.count == 1)
    let after = try lists.statuses()
    #expect(after.filter { before[$0.key] != $0.value }.keys.sorted() == ["Crate 2.m3u8"])
    // Done as the problem says.
    unlink(lists.path("Crate 1.m3u8"))
    #expect(second.update(to: music.library, touched: []).problems.isEmpty)
    try lists.expectWritten(music.library)
  }

  @Test("With a new store, lists that it wrote are its own after their directory was away")
  func newStoreAway() throws {
    var music = try Music.crates(3)
    var keeper = PlaylistKeeper(lists.settings(), isStoreNew: true)
    #expect(keeper.update(to: music.library, touched: music.takeTouched()).problems.isEmpty)
    let aside = lists.directory + "-aside"
    try #require(rename(lists.directory, aside) == 0)
    try writeFile([], to: lists.directory)
    #expect(keeper.update(to: music.library, touched: []).problems.count == 1)
    unlink(lists.directory)
    try #require(rename(aside, lists.directory) == 0)
    try music.raise("Crate 1")
    #expect(keeper.update(to: music.library, touched: music.takeTouched()).problems.isEmpty)
    try lists.expectWritten(music.library)
  }

  @Test("New tags alone are written, too")
  func retagged() throws {
    var music = try Music.crates(2)
    var keeper = lists.keeper()
    _ = keeper.update(to: music.library, touched: music.takeTouched())
    let before = try lists.statuses()
    var tags = SongTags()
    (tags.title, tags.artist, tags.album) = ("Other", "Other artist", "Other album")
    music.attach(tags, to: SongID(number: 3))
    _ = keeper.update(to: music.library, touched: music.takeTouched())
    #expect(try lists.text("Crate 1").contains("#EXTINF:60,Other artist - Other\n"))
    #expect(try lists.statuses()["Crate 2.m3u8"] == before["Crate 2.m3u8"])
  }

  @Test("What other programs have there is left alone, and is a problem where a playlist would be")
  func foreign() throws {
    var music = try Music.crates(5)
    let theirs = ["Crate 1.m3u8": "#EXTM3U\nsong.mp3\n", "Mine.m3u8": "#EXTM3U\n", "a.txt": "a"]
    for (name, text) in theirs { try lists.write(text, to: name) }
    try lists.write("song.mp3\n", to: "elsewhere")
    #expect(symlink("elsewhere", lists.path("Crate 2.m3u8")) == 0)
    #expect(symlink("nowhere", lists.path("Crate 3.m3u8")) == 0)
    #expect(mkdir(lists.path("Crate 4.m3u8"), 0o755) == 0)
    #expect(mkfifo(lists.path("A pipe.m3u8"), 0o644) == 0)
    // Copies have the mark of what they are copies of.
    try lists.write("#EXTM3U\n#CRATED:Crate 5.m3u8\n", to: "A copy.m3u8")
    let before = try lists.statuses().filter { $0.key != "Crate 5.m3u8" }
    var keeper = lists.keeper()
    for library in [music.library, music.library] {
      let problems = keeper.update(to: library, touched: music.takeTouched()).problems
      #expect(
        problems.map(\.path.name).sorted { $0.lexicographicallyPrecedes($1) }.map {
          String(decoding: $0, as: UTF8.self)
        } == (1...4).map { "Crate \($0).m3u8" })
      #expect(problems.allSatisfy { $0.mayPass && $0.message.contains("did not write") })
      #expect(try lists.statuses().filter { before[$0.key] != nil } == before)
      #expect(try lists.names().count == before.count + 1)
    }
    // When they make room, and at once where the crate is renamed.
    for crate in 1...3 { #expect(unlink(lists.path("Crate \(crate).m3u8")) == 0) }
    try music.apply(.crateRenamed("Crate 4", to: "Another"))
    #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
    #expect(rmdir(lists.path("Crate 4.m3u8")) == 0)
    try lists.expectWritten(music.library)
    #expect(try lists.status("A copy.m3u8") == before["A copy.m3u8"])
  }

  @Test("A player that drops our comments makes the list no stranger's, and what it wrote is kept")
  func playersOwn() throws {
    var music = try Music.crates(2)
    var keeper = lists.keeper()
    _ = keeper.update(to: music.library, touched: [])
    let written = "m/Album 1-2/2.flac\nm/Album 1-1/1.flac\n"
    for isRestarted in [false, true] {
      if isRestarted { keeper = lists.keeper() }
      try lists.write(written, to: "Crate 1.m3u8")
      try music.raise("Crate 1")
      #expect(keeper.update(to: music.library, touched: music.takeTouched()).problems.isEmpty)
      try lists.expectWritten(music.library)
    }
    // The same bytes, once.
    let kept = try lists.keptNames()
    #expect(kept.allSatisfy { $0.hasPrefix("Crate 1 2") && $0.hasSuffix(".m3u8") })
    #expect(!kept.isEmpty)
    for name in kept {
      #expect(try readFile(lists.state.path("kept/\(name)")) == Array(written.utf8))
    }
  }

  @Test("A copy is never ours, whatever it has in it, and whoever comes to be called like it")
  func copies() throws {
    var music = try Music.crates(2)
    var keeper = lists.keeper()
    _ = keeper.update(to: music.library, touched: [])
    // Copies as a person and as a player makes them: one of them even with the mark of its new
    // name.
    let text = try lists.text("Crate 1")
    let marked = text.replacing("#CRATED:Crate 1.m3u8", with: "#CRATED:Marked.m3u8")
    let copies = ["Copied.m3u8": text, "Saved.m3u8": "/m/a.flac\n", "Marked.m3u8": marked]
    for (name, text) in copies { try lists.write(text, to: name) }
    for name in copies.keys.sorted() {
      let former = try #require(music.library.crates.first?.name)
      try music.apply(.crateRenamed(former, to: String(name.dropLast(5))))
      let problems = keeper.update(to: music.library, touched: []).problems
      #expect(problems.map(\.path.display) == [lists.path(name)])
      #expect(try lists.names() == ["Copied.m3u8", "Crate 2.m3u8", "Marked.m3u8", "Saved.m3u8"])
    }
    for (name, text) in copies { #expect(try readFile(lists.path(name)) == Array(text.utf8)) }
  }

  @Test("Where what was remembered is lost, a list that a player changed stays, and is told of")
  func forgotten() throws {
    let music = try Music.crates(2)
    for ending in PlaylistEnding.allCases {
      let lists = try ListFolder()
      let settings = lists.settings(ending, takesEdits: true)
      var keeper = PlaylistKeeper(settings)
      #expect(keeper.update(to: music.library, touched: []).written == 2)
      let changed = "Crate 2.\(ending.rawValue)"
      try lists.write("/m/a.flac\n", to: changed)
      let before = try lists.statuses()
      removeTree(lists.state.path)
      for _ in 0..<2 {
        keeper = PlaylistKeeper(settings)
        let outcome = keeper.update(to: music.library, touched: [])
        #expect(outcome.written == 0 && outcome.edits.isEmpty)
        #expect(outcome.problems.map(\.path.display) == [lists.path(changed)])
        #expect(outcome.problems[0].message.contains("remove or rename it"))
        #expect(try lists.statuses() == before, "\(ending)")
      }
      unlink(lists.path(changed))
      let outcome = keeper.update(to: music.library, touched: [])
      #expect(outcome.problems.isEmpty && outcome.written == 1)
    }
  }

  @Test(
    "With the other ending, the lists have it, and the former ones go unless somebody edited one")
  func otherEnding() throws {
    let music = try Music.crates(2)
    var keeper = lists.keeper()
    _ = keeper.update(to: music.library, touched: [])
    try lists.write("mine\n", to: "Crate 2.m3u8")
    keeper = PlaylistKeeper(lists.settings(.m3u))
    #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
    #expect(try lists.names() == ["Crate 1.m3u", "Crate 2.m3u", "Crate 2.m3u8"])
    // MPD's own playlists are nobody else's.
    try lists.write("a.flac\n", to: "Mix.m3u")
    keeper = lists.keeper()
    _ = keeper.update(to: music.library, touched: [])
    #expect(try lists.names() == ["Crate 1.m3u8", "Crate 2.m3u8", "Mix.m3u"])
    #expect(try lists.text("Crate 2") == "mine\n")
  }

  @Test("Where nothing can be remembered, nothing is written, and a damaged memory is told")
  func memory() throws {
    let music = try Music.crates(2)
    var keeper = lists.keeper()
    try lists.state.write("a file in its place", to: "blocked")
    var settings = lists.settings()
    settings.state = BytePath(lists.state.path("blocked"))
    var blocked = PlaylistKeeper(settings)
    #expect(blocked.update(to: music.library, touched: []).problems.count == 1)
    #expect(try lists.names() == [])

    _ = keeper.update(to: music.library, touched: [])
    let records = try lists.records() + "/lists"
    let text = try readFile(records)
    for (index, damage) in [text.dropLast(5) + [], Array("crated lists 2\n".utf8), []].enumerated()
    {
      try writeFile(damage, to: records)
      try lists.write("a player's\n", to: "Crate 2.m3u8")
      let before = try lists.statuses()
      keeper = lists.keeper()
      let outcome = keeper.update(to: music.library, touched: [])
      #expect(outcome.problems.count == 1, "\(index): \(outcome.problems)")
      #expect(outcome.notices.map(\.file) == [lists.settings().state], "\(index)")
      #expect(outcome.notices[0].reason.contains("is damaged"))
      #expect(try lists.statuses() == before)
      unlink(lists.path("Crate 2.m3u8"))
      #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
    }
  }

  @Test("The playlist of a crate that was renamed or went is removed", arguments: [false, true])
  func removed(isRestarted: Bool) throws {
    var music = try Music.crates(3)
    var keeper = lists.keeper()
    _ = keeper.update(to: music.library, touched: [])
    if isRestarted { keeper = lists.keeper() }
    // A copy of it stays, and so does what somebody made of it.
    try lists.write(try readFile(lists.path("Crate 2.m3u8")), to: "Best of.m3u8")
    try lists.write("#EXTM3U\nmine.mp3\n", to: "Crate 3.m3u8")
    try music.apply(.crateRenamed("Crate 1", to: "Jazz/Rock"))
    for crate in 2...3 {
      for album in music.library.crate(named: "Crate \(crate)")?.albums ?? [] {
        try music.apply(
          .albumMoved(
            album, crate: "Jazz/Rock", after: nil, wasCrate: "Crate \(crate)", wasAfter: nil))
      }
      try music.apply(.crateRemoved("Crate \(crate)", wasAfter: nil))
    }
    #expect(keeper.update(to: music.library, touched: music.takeTouched()).problems.isEmpty)
    #expect(try lists.names() == ["Best of.m3u8", "Crate 3.m3u8", "Jazz_Rock.m3u8"])
    try lists.expectWritten(music.library)
    #expect(try lists.text("Crate 3") == "#EXTM3U\nmine.mp3\n")
  }

  @Test("Another spelling of the same name is another file, and the former one goes")
  func respelled() throws {
    var music = try Music.crates(1)
    var keeper = lists.keeper()
    for (name, bytes) in [("e\u{301}", 3), ("\u{E9}", 2), ("É", 2)] {
      try music.apply(.crateRenamed(try #require(music.library.crates.first?.name), to: name))
      #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
      let names = try lists.names()
      #expect(names.map(\.utf8.count) == [bytes + 5] && names.first?.first == name.first)
      try lists.expectWritten(music.library)
    }
  }

  @Test("What others deleted or altered is made good when it is looked at next")
  func mended() throws {
    var music = try Music.crates(4)
    var keeper = lists.keeper()
    _ = keeper.update(to: music.library, touched: [])
    let good = try readFile(lists.path("Crate 2.m3u8"))
    #expect(unlink(lists.path("Crate 1.m3u8")) == 0)
    try writeFile(good + Array("../more.mp3\n".utf8), to: lists.path("Crate 2.m3u8"))
    let other = try readFile(lists.path("Crate 3.m3u8"))
    try writeFile(other.dropLast(30) + [], to: lists.path("Crate 3.m3u8"))
    try music.apply(.crateMoved("Crate 4", after: nil, wasAfter: "Crate 3"))
    #expect(keeper.update(to: music.library, touched: []).problems.isEmpty)
    try lists.expectWritten(music.library)
  }

  @Test("What a killed daemon left half written is removed, and nothing else of that kind")
  func draft() throws {
    try lists.write("#EXTM3U\n", to: PlaylistFolder.draft)
    try lists.write("mine", to: ".crated-playlist.tmp.bak")
    var keeper = lists.keeper()
    _ = keeper.update(to: Library(), touched: [])
    #expect(try lists.names() == [".crated-playlist.tmp.bak"])
    // Whatever lies in its place.
    #expect(symlink(".crated-playlist.tmp.bak", lists.path(PlaylistFolder.draft)) == 0)
    #expect(keeper.update(to: try Music.crates(1).library, touched: []).problems.isEmpty)
    #expect(try lists.names() == [".crated-playlist.tmp.bak", "Crate 1.m3u8"])
    #expect(try readFile(lists.path(".crated-playlist.tmp.bak")) == Array("mine".utf8))
  }

  @Test("Whoever may read the directory may read the playlists, whatever the umask")
  func modes() throws {
    var keeper = lists.keeper()
    for (directory, file) in [(0o755, 0o644), (0o700, 0o600), (0o777, 0o644), (0o750, 0o640)] {
      #expect(chmod(lists.directory, mode_t(directory)) == 0)
      #expect(unlink(lists.path("Crate 1.m3u8")) == 0 || errno == ENOENT)
      _ = keeper.update(to: try Music.crates(1).library, touched: [])
      #expect(try lists.status("Crate 1.m3u8")?.mode == UInt32(S_IFREG) | UInt32(file))
    }
  }

  @Test(
    "A song whose path has a line break is a problem, and the others are there",
    arguments: [false, true])
  func lineBreaks(takesEdits: Bool) throws {
    var music = try Music.crates(2)
    let song = try music.add(
      song: BytePath("/m/two\nlines.mp3"), "Two", by: "B", album: "A", albumArtist: "B",
      to: AlbumID(number: 2))
    var keeper = lists.keeper(takesEdits: takesEdits)
    for round in 0..<4 {
      if round == 2 { keeper = lists.keeper(takesEdits: takesEdits) }
      let problems = keeper.update(to: music.library, touched: music.takeTouched()).problems
      #expect(problems.map(\.path) == [BytePath("/m/two\nlines.mp3")])
      #expect(problems.first?.mayPass == false)
    }
    try lists.expectWritten(music.library)
    try music.apply(
      .songFollowed(song, path: BytePath("/m/one line.mp3"), digest: nil, by: .rename))
    #expect(keeper.update(to: music.library, touched: music.takeTouched()).problems.isEmpty)
    #expect(try lists.text("Crate 1").contains("/one line.mp3\n"))
  }

  @Test("After any changes, in any portions, the files are those of the library")
  func random() throws {
    var generator = SeededGenerator(usually: 44)
    var rewritten = 0
    var kept = 0
    for _ in 0..<4 {
      let lists = try ListFolder()
      var maker = LibraryMaker(seed: generator.next())
      maker.library.away.folders = [BytePath("/home/ada/Music")]
      var keeper = lists.keeper()
      for step in 0..<50 {
        var touched: Set<AlbumID> = []
        for _ in 0..<[0, 1, 1, 3, 20][Int.random(in: 0..<5, using: &generator)] {
          let before = maker.library
          let changes = try maker.changes().changes
          touched.formUnion(Library.albumsTouched(by: changes, from: before, to: maker.library))
          for case .albumRegrouped(let id, _, _, _) in changes { touched.insert(id) }
        }
        let before = try lists.statuses()
        _ = keeper.update(to: maker.library, touched: touched)
        let after = try lists.statuses()
        for (name, status) in before where after[name] != nil {
          if after[name] == status { kept += 1 } else { rewritten += 1 }
        }
        try lists.expectWritten(maker.library, "\(generator), step \(step)")
        // None more.
        #expect(after.count == maker.library.crates.count, "\(generator), step \(step)")
      }
    }
    #expect(rewritten > 30 && kept > 30, "\(generator): \(rewritten) \(kept)")
  }
}
