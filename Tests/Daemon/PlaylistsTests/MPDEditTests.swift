import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import Playlists

/// MPD reads a list anew for each step, so that what it writes is what the person wants now, also
/// where that is an order that was there before.
@Suite("Lists that MPD edits", .limited)
struct MPDEditTests {
  private var folder: EditedFolder
  private let albums: [AlbumID]

  init() throws {
    folder = try EditedFolder(
      [("Jazz", [3, 2, 4, 3, 1, 5]), ("Rock", Array(repeating: 2, count: 13))], .m3u,
      isInside: true)
    try folder.settle()
    albums = folder.albums("Jazz")
  }

  /// The songs of a crate with one of its albums elsewhere.
  private func moved(_ album: AlbumID, to place: Int) throws -> [String] {
    var order = folder.albums("Jazz").filter { $0 != album }
    order.insert(album, at: place)
    return order.flatMap { folder.songs(of: $0) }
  }

  private func expectAgreement(_ comment: Comment? = nil) throws {
    for crate in ["Jazz", "Rock"] {
      let isSame = try folder.listed(in: crate) == folder.crateSongs(crate)
      #expect(isSame, comment)
    }
    #expect(folder.problems.isEmpty, comment)
  }

  @Test("what was taken back and is done once more, is done")
  mutating func again() throws {
    let goal = try moved(albums[5], to: 0)
    let before = try folder.crateSongs("Jazz")
    for round in 0..<3 {
      try folder.saveInMPD(goal, to: "Jazz")
      #expect(
        try folder.verdicts() == ["by Jazz.m3u: Album 5 is on top of Jazz (1 of 6)"], "\(round)")
      #expect(try folder.crateSongs("Jazz") == goal)
      try expectAgreement()
      try folder.undo()
      #expect(try folder.crateSongs("Jazz") == before)
      try expectAgreement()
    }
    // What was done again is taken back in the player.
    try folder.redo()
    try folder.saveInMPD(before, to: "Jazz")
    #expect(try folder.verdicts().count == 1)
    #expect(try folder.crateSongs("Jazz") == before)
    try expectAgreement()
  }

  @Test("a song that stands apart may be put there once more, when the crate changed meanwhile")
  mutating func astrayAgain() throws {
    // The album to the top, and one song of another in it.
    var goal = try moved(albums[5], to: 0)
    goal.insert(goal.remove(at: 5), at: 2)
    for _ in 0..<2 {
      try folder.saveInMPD(goal, to: "Jazz")
      #expect(try folder.verdicts().count == 1)
      #expect(folder.albums("Jazz").first == albums[5])
      try expectAgreement()
      try folder.undo()
      #expect(folder.albums("Jazz") == albums)
    }
  }

  @Test("an album that crate move moved is moved back")
  mutating func back() throws {
    let before = try folder.crateSongs("Jazz")
    try folder.move(albums[4], .top)
    #expect(try folder.crateSongs("Jazz") != before)
    try folder.saveInMPD(before, to: "Jazz")
    #expect(try folder.verdicts() == ["by Jazz.m3u: Album 4 is at 5 of 6 in Jazz"])
    #expect(try folder.crateSongs("Jazz") == before)
    try expectAgreement()
  }

  @Test("song by song on its way back, it is compared with the list that was there")
  mutating func onItsWay() throws {
    // The album's five songs are on top, by an edit that was taken back and done again.
    let goal = try moved(albums[5], to: 0)
    try folder.saveInMPD(goal, to: "Jazz")
    try folder.settle()
    try folder.undo()
    try folder.redo()
    _ = folder.takeTold()
    // Most of them are at the bottom again, two are not yet.
    try folder.saveInMPD(Array(goal[..<2]) + goal[5...] + goal[2..<5], to: "Jazz")
    try folder.settle()
    #expect(folder.albums("Jazz") == albums)
    #expect(folder.takeTold().count == 1)
    try expectAgreement()
    // The whole, but for four songs that it has yet to pass.
    try folder.move(albums[5], .top)
    let others = goal.dropFirst(5)
    let block = folder.songs(of: albums[5])
    try folder.saveInMPD(Array(others.dropLast(4)) + block + others.suffix(4), to: "Jazz")
    try folder.settle()
    #expect(folder.albums("Jazz") == Array(albums[..<3]) + [albums[5], albums[3], albums[4]])
    try expectAgreement()
  }

  @Test("an album that it adds at the end comes back from the crate to which it was moved")
  mutating func addedAgain() throws {
    try folder.move(albums[5], .top, to: "Rock")
    #expect(folder.albums("Rock").first == albums[5])
    // In place, behind what crated wrote.
    let list = try readFile(folder.lists.path("Jazz.m3u"))
    let added = folder.songs(of: albums[5]).map {
      $0.dropFirst(folder.root.utf8.count + 1) + "\n"
    }.joined()
    try folder.lists.write(list + added.utf8, to: "Jazz.m3u")
    try folder.settle()
    #expect(folder.albums("Jazz") == albums)
    #expect(folder.takeTold().count == 1)
    try expectAgreement()
  }

  @Test("the songs that an album lacked to come along may be added later")
  mutating func inParts() throws {
    let rock = folder.albums("Rock")[3]
    let songs = folder.songs(of: rock)
    try folder.saveInMPD(folder.crateSongs("Jazz") + songs.prefix(1), to: "Jazz")
    #expect(try folder.verdicts().first?.contains("add all its songs to move it") == true)
    #expect(folder.albums("Jazz") == albums)
    #expect(try folder.lists.keptNames().count == 1)
    try expectAgreement()
    try folder.saveInMPD(folder.crateSongs("Jazz") + songs, to: "Jazz")
    try folder.settle()
    #expect(folder.albums("Jazz") == albums + [rock])
    try expectAgreement()
  }

  @Test("of more than ten albums none comes, however often they are added, and one more")
  mutating func many() throws {
    for count in [11, 12, 13, 11] {
      let rock = folder.albums("Rock").prefix(count)
      try folder.saveInMPD(
        folder.crateSongs("Jazz") + rock.flatMap { folder.songs(of: $0) }, to: "Jazz")
      try folder.settle()
      #expect(folder.albums("Jazz") == albums && folder.albums("Rock").count == 13, "\(count)")
      #expect(folder.problems.count == 1, "\(count)")
    }
    // A new crated finds nothing in it that it would take for the crate.
    folder.keeper = PlaylistKeeper(folder.keeper.settings)
    try folder.settle()
    #expect(folder.albums("Jazz") == albums)
    try folder.move(albums[0], .bottom)
    #expect(folder.albums("Jazz") == albums[1...] + [albums[0]])
    try expectAgreement()
  }

  @Test("a queue that was loaded earlier and is saved over the list is an edit of what it had read")
  mutating func queue() throws {
    try folder.move(albums[1], .bottom)
    let edited = [albums[3]] + albums[..<3] + albums[4...]
    try folder.saveInMPD(edited.flatMap { folder.songs(of: $0) }, to: "Jazz", isQueue: true)
    try folder.settle()
    #expect(
      folder.albums("Jazz")
        == [albums[3], albums[0], albums[2], albums[4], albums[5], albums[1]])
    try expectAgreement()
  }

  @Test("what another machine's MPD made of an older list takes nothing back that was done here")
  mutating func otherMachine() throws {
    // Syncthing brings it later.
    try folder.move(albums[1], .bottom)
    let edited = [albums[3]] + albums[..<3] + albums[4...]
    try folder.saveInMPD(edited.flatMap { folder.songs(of: $0) }, to: "Jazz")
    try folder.settle()
    #expect(
      folder.albums("Jazz")
        == [albums[3], albums[0], albums[2], albums[4], albums[5], albums[1]])
    try expectAgreement()
    // An album that goes back, and past its place, is one that moved here.
    folder.turn(60)
    try folder.move(albums[0], .top)
    let now = folder.albums("Jazz")
    let back = [now[1], now[2], now[0]] + now[3...]
    try folder.saveInMPD(back.flatMap { folder.songs(of: $0) }, to: "Jazz")
    try folder.settle()
    #expect(folder.albums("Jazz") == back)
    try expectAgreement()
  }

  @Test("an older queue that is saved unchanged is wanted: nothing but the person has it saved")
  mutating func unchangedQueue() throws {
    let before = try folder.crateSongs("Jazz")
    try folder.move(albums[1], .bottom)
    for _ in 0..<2 {
      try folder.saveInMPD(before, to: "Jazz", isQueue: true)
      try folder.settle()
      #expect(folder.albums("Jazz") == albums)
      #expect(folder.takeTold().count == 1)
      try expectAgreement()
      try folder.undo()
      #expect(folder.albums("Jazz").last == albums[1])
      try expectAgreement()
    }
  }

  @Test("where the lists lie elsewhere, and their paths are whole, the same holds")
  mutating func elsewhere() throws {
    folder = try EditedFolder([("Jazz", [3, 2, 4, 3, 1, 5])], .m3u)
    try folder.settle()
    let before = try folder.crateSongs("Jazz")
    let goal = try moved(albums[5], to: 0)
    for _ in 0..<2 {
      try folder.saveInMPD(goal, to: "Jazz")
      try folder.settle()
      #expect(try folder.crateSongs("Jazz") == goal && folder.songs(in: "Jazz").count == 18)
      try folder.undo()
      #expect(try folder.crateSongs("Jazz") == before)
    }
    #expect(folder.takeTold().count == 2)
  }

  @Test("what crated was about to write, and nobody can have read, is not what was read")
  mutating func killed() throws {
    let file = BytePath("Jazz.m3u")
    var records = try PlaylistRecords(of: folder.keeper.directory, in: folder.keeper.settings.state)
    let list = folder.songIDs("Jazz")
    try folder.saveInMPD(try moved(albums[3], to: 0), to: "Jazz")
    // An album moved to the bottom; it was noted, and the list was not named.
    try folder.music.apply(
      .albumMoved(
        albums[1], crate: "Jazz", after: albums[5], wasCrate: "Jazz", wasAfter: albums[0]))
    #expect(folder.songIDs("Jazz") != list)
    try records.willWrite(file, TextDigest(of: [1]), songs: folder.songIDs("Jazz"))
    folder.keeper = PlaylistKeeper(folder.keeper.settings)
    try folder.settle()
    #expect(
      folder.albums("Jazz")
        == [albums[3], albums[0], albums[2], albums[4], albums[5], albums[1]])
    try expectAgreement()
    // What is noted and does not come about is forgotten.
    records = try PlaylistRecords(of: folder.keeper.directory, in: folder.keeper.settings.state)
    let entry = records[file]
    try records.willWrite(file, TextDigest(of: [2]), songs: list)
    #expect(records[file] != entry)
    try records.restore(file, entry)
    #expect(records[file] == entry)
    let again = try PlaylistRecords(of: folder.keeper.directory, in: folder.keeper.settings.state)
    #expect(again[file] == entry)
  }
}

@Suite("Which list a player had read", .limited)
struct ReadListTests {
  private static let ours = "#EXTM3U\n#CRATED:Jazz.m3u\n#EXTINF:1,\n../A/1.flac\n"

  @Test(
    "is told by what MPD leaves in a list that it changes, and by what its queue has",
    arguments: [
      ("../A/1.flac\n../A/2.flac\n", .anew), ("../A/1.flac\nA/2.flac\n", .anew),
      ("A/1.flac\nA/2.flac\n", .loaded), ("A: B/1.flac\n", .loaded),
      ("A/1.flac\nhttp://radio/\n", .loaded), (ours + "A/2.flac\n", .anew),
      // Whole, or a copy, or with comments of others.
      (ours, .held), (ours.replacing("Jazz", with: "Rock") + "A/2.flac\n", .held),
      ("#EXTM3U\n../A/1.flac\nA/2.flac\n", .held), (ours + "#EXTINF:1,\nA/2.flac\n", .held),
      ("/m/A/1.flac\n", .held), ("file:///m/A/1.flac\n", .held), ("C:\\A\\1.flac\n", .held),
      (ours.replacing("1.flac", with: "1#") + "A/2.flac\n", .anew), ("#CRATED:Jazz.m3u\n", .held),
      ("", .held), ("#EXTM3U\n", .held), ("[playlist]\nFile1=A/1.flac\n", .held),
    ] as [(String, EditedList.Reading)])
  func told(text: String, expected: EditedList.Reading) {
    let name = BytePath("Jazz.m3u")
    let bytes = Array(text.utf8)
    #expect(PlaylistLines.reading(of: bytes, named: name, goesUp: true) == expected)
    // Where our paths are whole, it leaves them so that they begin in its music folder.
    let elsewhere = PlaylistLines.reading(of: bytes, named: name, goesUp: false)
    #expect(elsewhere == (expected == .loaded ? .anew : expected))
  }
}
