import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import Playlists

@Suite("Lists that players edit", .limited)
struct KeeperEditTests {
  private var folder: EditedFolder

  init() throws {
    folder = try EditedFolder(sizes: [3, 2, 4, 3, 1, 5])
    try folder.settle()
  }

  /// The last album on top.
  private func lastOnTop(of crate: String = "Jazz") throws -> [String] {
    let songs = try folder.songs(in: crate)
    return songs.suffix(5) + songs.dropLast(5)
  }

  @Test(
    "an album that was moved is moved, a second later, and the list stays as the player wrote it")
  mutating func taken() throws {
    let goal = try lastOnTop()
    try folder.writeAsMPD(goal, to: "Jazz")
    try folder.look(after: 0.9)
    try folder.look(after: 0.9)
    #expect(folder.told.isEmpty)
    #expect(try folder.verdicts() == ["by Jazz.m3u8: Album 5 is on top of Jazz (1 of 6)"])
    #expect(try folder.crateSongs("Jazz") == goal && folder.problems.isEmpty)
    let before = try folder.lists.statuses()
    try folder.look(after: 100)
    #expect(try folder.lists.statuses() == before)
    #expect(try folder.songs(in: "Jazz") == goal && folder.told.isEmpty)
    // Nor after a restart.
    folder.keeper = folder.lists.keeper(takesEdits: true)
    try folder.settle()
    #expect(try folder.lists.statuses() == before && folder.told.isEmpty)
    // With the next change of the crate, the comments are back.
    try folder.music.raise("Jazz")
    try folder.settle()
    try folder.lists.expectWritten(folder.music.library)
  }

  @Test("in place, by a rename, without an end of line or with comments of others: it is an edit")
  mutating func writers() throws {
    let goal = try lastOnTop()
    let original = try folder.songs(in: "Jazz")
    let texts: [(String, Double)] = [
      (goal.joined(separator: "\n") + "\n", 1),
      // Jellyfin, which never ends its last line.
      ("#EXTM3U\n" + original.map { "#EXTALB:x\n\($0)" }.joined(separator: "\n"), 5),
      ("\u{FEFF}" + goal.joined(separator: "\r\n") + "\r\n", 1),
    ]
    for (index, (text, seconds)) in texts.enumerated() {
      if index % 2 == 0 {
        try folder.lists.write(text, to: "Jazz.m3u8")
      } else {
        try folder.lists.write(text, to: "other")
        #expect(rename(folder.lists.path("other"), folder.lists.path("Jazz.m3u8")) == 0)
      }
      try folder.look()
      try folder.look(after: seconds - 0.1)
      #expect(folder.told.isEmpty, "\(index)")
      try folder.look(after: 0.1)
      let place = index == 1 ? "at the bottom of Jazz (6 of 6)" : "on top of Jazz (1 of 6)"
      #expect(folder.takeTold() == ["by Jazz.m3u8: Album 5 is \(place)"], "\(index)")
      try folder.settle()
      let wanted = index == 1 ? original : goal
      #expect(try folder.crateSongs("Jazz") == wanted, "\(index)")
    }
  }

  @Test("what goes on is waited for, and written back when it is over or after half a minute")
  mutating func goingOn() throws {
    // A stray: the album stays, so the list has to be written again.
    for step in 0..<40 {
      var songs = try folder.songs(in: "Jazz")
      songs.insert(songs.remove(at: step % 2 == 0 ? 0 : 5), at: step % 2 == 0 ? 5 : 0)
      try folder.writeAsMPD(songs, to: "Jazz")
      let before = folder.written
      try folder.look(after: 0.5)
      try folder.look(after: 1)
      try folder.look()
      // What is 30 seconds late does not wait any longer.
      if step < 18 { #expect(folder.written == before, "\(step)") }
    }
    #expect(folder.takeTold().count > 30 && (2...4).contains(folder.written))
    try folder.settle()
    #expect(try folder.songs(in: "Jazz") == folder.crateSongs("Jazz"))
  }

  @Test("emptied or removed, it is written again after ten seconds, and is no edit")
  mutating func emptied() throws {
    let original = try folder.songs(in: "Jazz")
    for text in ["", "#EXTM3U\n\n", nil, nil, "", ""] {
      if let text {
        try folder.lists.write(text, to: "Jazz.m3u8")
      } else {
        unlink(folder.lists.path("Jazz.m3u8"))
      }
      try folder.look()
      try folder.look(after: 9.9)
      #expect(try text == nil || folder.songs(in: "Jazz").isEmpty)
      let before = folder.written
      try folder.look(after: 0.1)
      #expect(folder.written == before + 1)
      try folder.lists.expectWritten(folder.music.library)
      #expect(try folder.songs(in: "Jazz") == original && folder.told.isEmpty)
    }
    #expect(try folder.lists.keptNames().isEmpty)
  }

  @Test("what a player does to a list that was written before its edits were taken is an edit")
  mutating func allowed() throws {
    folder = try EditedFolder(sizes: [3, 2, 4, 3, 1, 5])
    var ignoring = folder.lists.keeper()
    for name in ["Jazz", "Cool"] {
      if name == "Cool" { try folder.music.apply(.crateRenamed("Jazz", to: name)) }
      _ = ignoring.update(to: folder.music.library, touched: folder.music.takeTouched())
    }
    let goal = try lastOnTop(of: "Cool")
    try folder.writeAsMPD(goal, to: "Cool")
    #expect(try folder.verdicts() == ["by Cool.m3u8: Album 5 is on top of Cool (1 of 6)"])
    #expect(try folder.crateSongs("Cool") == goal && folder.problems.isEmpty)
    // Edits are taken for nothing where players may no longer edit.
    folder.keeper = folder.lists.keeper()
    try folder.settle()
    try folder.lists.expectWritten(folder.music.library)
  }

  @Test("a long album that moves in the list that is there is no edit of an older one")
  mutating func longAlbum() throws {
    folder = try EditedFolder(sizes: [4, 6, 5])
    try folder.settle()
    let songs = try folder.songs(in: "Jazz")
    let (first, second, third) = (songs[..<4], songs[4..<10], songs[10...])
    try folder.writeAsMPD(Array(third + second + first), to: "Jazz")
    try folder.settle()
    try folder.undo()
    _ = folder.takeTold()
    #expect(try folder.songs(in: "Jazz") == songs)
    // In the list of before, the first and shortest album would have moved, which is fewer songs.
    let goal = Array(third + first + second)
    try folder.writeAsMPD(goal, to: "Jazz")
    #expect(try folder.verdicts() == ["by Jazz.m3u8: Album 2 is on top of Jazz (1 of 3)"])
    #expect(try folder.crateSongs("Jazz") == goal)
  }

  @Test("a name that moved is the person's, and ours is written again")
  mutating func renamed() throws {
    #expect(rename(folder.lists.path("Jazz.m3u8"), folder.lists.path("Cool.m3u8")) == 0)
    try folder.settle()
    #expect(try folder.lists.names() == ["Cool.m3u8", "Jazz.m3u8"])
    try folder.lists.expectWritten(folder.music.library)
    try folder.lists.write("1\n", to: "Cool.m3u8")
    try folder.settle()
    #expect(folder.told.isEmpty && folder.problems.isEmpty)
  }

  @Test("shuffled it is refused, kept, and written again; the same once more is left as it is")
  mutating func refused() throws {
    let original = try folder.crateSongs("Jazz")
    let shuffled = try folder.mixed("Jazz")
    for round in 0..<2 {
      try folder.writeAsMPD(shuffled, to: "Jazz")
      try folder.settle()
      #expect(try folder.crateSongs("Jazz") == original)
      let problem = try #require(folder.problems.first)
      #expect(folder.problems.count == 1)
      if round == 0 {
        #expect(problem.contains("it mixes the songs of") && problem.contains("/kept/Jazz 2"))
        try folder.lists.expectWritten(folder.music.library)
      } else {
        #expect(problem.contains("it stays so until the crate changes"))
        #expect(try folder.songs(in: "Jazz") == shuffled)
      }
    }
    #expect(folder.takeTold().count == 1)
    let kept = try #require(try folder.lists.keptNames().first)
    #expect(
      try readFile(folder.lists.state.path("kept/\(kept)"))
        == Array(shuffled.map { $0 + "\n" }.joined().utf8))
    // When the crate changes, it is written, and the problem is over.
    try folder.music.raise("Jazz")
    try folder.settle()
    try folder.lists.expectWritten(folder.music.library)
    #expect(folder.problems.isEmpty)
    // The same is judged anew much later.
    folder.turn(700)
    try folder.writeAsMPD(shuffled, to: "Jazz")
    #expect(try folder.verdicts().count == 1)
    try folder.lists.expectWritten(folder.music.library)
  }

  @Test("who writes the same again and again gets one answer")
  mutating func pingPong() throws {
    let written = try folder.songs(in: "Jazz").dropFirst() + ["http://radio/"]
    for round in 0..<10 {
      try folder.writeAsMPD(Array(written), to: "Jazz")
      let before = folder.written
      try folder.settle()
      #expect(folder.written - before == (round == 0 ? 1 : 0), "\(round)")
    }
    #expect(folder.takeTold().count == 1)
    #expect(try folder.lists.keptNames().count == 1)
  }

  @Test("an old copy is written over, and what the person does next is an edit all the same")
  mutating func stale() throws {
    let old = try folder.songs(in: "Jazz")
    try folder.music.raise("Jazz")
    try folder.settle()
    let now = try folder.crateSongs("Jazz")
    #expect(now != old)
    // cmus writes what it read at its start, without our comments, and then with an edit.
    try folder.lists.write(old.map { $0 + "\n" }.joined(), to: "Jazz.m3u8")
    try folder.settle()
    #expect(try folder.crateSongs("Jazz") == now)
    #expect(try folder.songs(in: "Jazz") == now)
    var edited = old
    edited.swapAt(0, 1)
    try folder.lists.write(edited.map { $0 + "\n" }.joined(), to: "Jazz.m3u8")
    try folder.settle()
    var expected = now
    let place = try #require(now.firstIndex(of: old[0]))
    expected.swapAt(place, place + 1)
    #expect(try folder.crateSongs("Jazz") == expected)
    #expect(try folder.songs(in: "Jazz") == expected)
  }

  @Test("what was done while nobody looked is an edit at the next start, also beside ours")
  mutating func whileStopped() throws {
    let goal = try lastOnTop()
    try folder.writeAsMPD(goal, to: "Jazz")
    // Killed, and the crate changed before that: the list was not written any more.
    let crate = try #require(folder.music.library.crate(named: "Jazz"))
    let albums = Array(crate.albums)
    try folder.music.apply(
      .albumMoved(
        albums[1], crate: "Jazz", after: albums[3], wasCrate: "Jazz", wasAfter: albums[0]))
    folder.keeper = folder.lists.keeper(takesEdits: true)
    try folder.settle()
    let now = try #require(folder.music.library.crate(named: "Jazz"))
    #expect(
      Array(now.albums) == [albums[5], albums[0], albums[2], albums[3], albums[1], albums[4]])
    try folder.lists.expectWritten(folder.music.library)
  }

  @Test("killed between what it noted and the list's new name, nothing is an edit")
  mutating func killed() throws {
    let old = try readFile(folder.lists.path("Jazz.m3u8"))
    try folder.music.raise("Jazz")
    try folder.settle()
    let new = try readFile(folder.lists.path("Jazz.m3u8"))
    let now = try folder.crateSongs("Jazz")
    // The records have both; the disk has the one or the other.
    for bytes in [old, new] {
      try folder.lists.write(bytes, to: "Jazz.m3u8")
      folder.keeper = folder.lists.keeper(takesEdits: true)
      try folder.settle()
      #expect(folder.told.isEmpty)
      #expect(try folder.crateSongs("Jazz") == now)
      try folder.lists.expectWritten(folder.music.library)
    }
  }

  @Test("a list that cannot be one of ours is refused, and so is one of another kind")
  mutating func strange() throws {
    try folder.lists.write("[playlist]\nFile1=/m/0/1.flac\n", to: "Jazz.m3u8")
    #expect(try folder.verdicts() == ["another kind"])
    try folder.lists.expectWritten(folder.music.library)
    #expect(folder.problems.count == 1)
    // A file of no end is not read.
    #expect(truncate(folder.lists.path("Jazz.m3u8"), (16 << 20) + 1) == 0)
    try folder.look()
    #expect(folder.problems.first?.contains("more than crated reads (16 MiB of a list)") == true)
  }

  @Test("a list of crated's own is kept, however large it is")
  mutating func large() throws {
    folder = try EditedFolder(sizes: [2])
    let album = try #require(folder.albums("Jazz").first)
    let long = String(repeating: "d", count: 250)
    for track in 0..<4_500 {
      let path = BytePath("/m/" + String(repeating: "\(long)/", count: 15) + "\(track).flac")
      try folder.music.add(song: path, "", by: "", album: "", albumArtist: "", to: album)
    }
    for takesEdits in [true, false] {
      folder.keeper = folder.lists.keeper(takesEdits: takesEdits)
      try folder.settle()
      let size = try #require(try folder.lists.status("Jazz.m3u8")).size
      #expect(folder.problems.isEmpty && size > 16 << 20)
      try folder.music.apply(.crateRenamed("Jazz", to: "Rock"))
      try folder.settle()
      #expect(try folder.lists.names() == ["Rock.m3u8"])
      try folder.music.apply(.crateRenamed("Rock", to: "Jazz"))
      try folder.settle()
      try folder.lists.expectWritten(folder.music.library)
    }
  }

  @Test("an album that two lists claim goes to the one that was saved later", arguments: [0, 1])
  mutating func claimed(later: Int) throws {
    for crate in ["Rock", "Other"] {
      try folder.music.add(crate)
      let album = try folder.music.add(album: crate, by: "Artist", to: crate)
      for track in 1...3 {
        try folder.music.add(
          song: BytePath("/m/\(crate)/\(track).flac"), "\(track)", by: "Artist", album: crate,
          albumArtist: "Artist", to: album)
      }
    }
    try folder.settle()
    let claimed = try folder.songs(in: "Other")
    for (place, crate) in ["Jazz", "Rock"].enumerated() {
      try folder.writeAsMPD(try folder.songs(in: crate) + claimed, to: crate)
      var times = [timeval](
        repeating: timeval(tv_sec: place == later ? 2_000_000 : 1_000_000, tv_usec: 0), count: 2)
      #expect(utimes(folder.lists.path("\(crate).m3u8"), &times) == 0)
    }
    #expect(try folder.verdicts().count == 2)
    let home = try folder.crateSongs(later == 0 ? "Jazz" : "Rock")
    #expect(home.suffix(3) == claimed[...])
    // The album was the only one of its crate, and both lists are what their crates are.
    #expect(folder.music.library.crate(named: "Other") == nil)
    for crate in ["Jazz", "Rock"] {
      #expect(try folder.songs(in: crate) == folder.crateSongs(crate))
    }
  }

  @Test("an edited list stays the person's when its crate goes")
  mutating func crateGone() throws {
    try folder.writeAsMPD(try lastOnTop(), to: "Jazz")
    try folder.music.apply(.crateRenamed("Jazz", to: "Rock"))
    try folder.settle()
    #expect(try folder.lists.names() == ["Jazz.m3u8", "Rock.m3u8"])
    // One that was taken goes.
    let goal = try lastOnTop(of: "Rock")
    try folder.writeAsMPD(goal, to: "Rock")
    try folder.settle()
    #expect(try folder.crateSongs("Rock") == goal)
    try folder.music.apply(.crateRenamed("Rock", to: "Pop"))
    try folder.settle()
    #expect(try folder.lists.names() == ["Jazz.m3u8", "Pop.m3u8"])
  }
}
