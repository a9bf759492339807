import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import Playlists

@Suite("What is remembered of the edits of a list, of how many and for how long", .limited)
struct EditMemoryTests {
  private var folder: EditedFolder
  private static let file = BytePath("Jazz.m3u8")

  init() throws {
    folder = try EditedFolder([("Jazz", [3, 2, 4, 3, 1, 5]), ("Rock", [2])])
    try folder.settle()
  }

  private var kept: PlaylistState {
    get throws {
      try #require(folder.keeper.lists.values.first { $0.file == Self.file })
    }
  }

  private var path: String { folder.lists.path("Jazz.m3u8") }

  private mutating func refuse(_ lines: [String]) throws -> Int {
    try folder.writeAsMPD(lines, to: "Jazz")
    return try folder.verdicts().count
  }

  /// The edits that are offered now.
  private mutating func offered() throws -> FoundEdit {
    _ = folder.keeper.update(to: folder.music.library, touched: [], now: folder.now)
    folder.turn(to: folder.keeper.due)
    let found = folder.keeper.update(to: folder.music.library, touched: [], now: folder.now)
    return try #require(found.edits.first)
  }

  @Test("what is gone, comes back as it was and goes again is waited for anew")
  mutating func goneTwice() throws {
    let ours = try readFile(path)
    let mixed = try folder.mixed("Jazz")
    // A list that is ours, one that was answered, and one that is left as it is.
    for bytes in [ours, Array(mixed.map { $0 + "\n" }.joined().utf8)] {
      if bytes != ours {
        #expect(try refuse(mixed) == 1)
      }
      for _ in 0..<2 {
        unlink(path)
        try folder.look()
        try folder.lists.write(bytes, to: "Jazz.m3u8")
        try folder.look(after: 5)
        unlink(path)
        try folder.look(after: 1)
        let before = folder.written
        try folder.look(after: 9.9)
        #expect(folder.written == before)
        try folder.lists.write(bytes, to: "Jazz.m3u8")
        try folder.settle()
      }
    }
  }

  @Test("an old copy in a gap begins another gap")
  mutating func oldCopy() throws {
    let old = try readFile(path)
    try folder.move(folder.albums("Jazz")[5], .top)
    unlink(path)
    try folder.look()
    try folder.lists.write(old, to: "Jazz.m3u8")
    try folder.look(after: 1)
    unlink(path)
    let before = folder.written
    try folder.look(after: 0.5)
    try folder.look(after: 9.9)
    #expect(folder.written == before)
    try folder.look(after: 0.1)
    #expect(folder.written == before + 1)
  }

  @Test("what was left is judged again later, when the crate changed in between")
  mutating func leftOnce() throws {
    let mixed = try folder.mixed("Jazz")
    #expect(try refuse(mixed) == 1)
    #expect(try refuse(mixed) == 0)
    let album = folder.albums("Jazz")[5]
    try folder.move(album, .top)
    try folder.move(album, .bottom)
    folder.turn(700)
    #expect(try refuse(mixed) == 1)
    try folder.lists.expectWritten(folder.music.library)
    // Answered just now, though also long ago.
    #expect(try refuse(mixed) == 0)
    #expect(try folder.songs(in: "Jazz") == mixed)
  }

  @Test("what was left is judged again after an edit that was taken, and changed nothing")
  mutating func leftBeforeEdit() throws {
    let mixed = try folder.mixed("Jazz")
    #expect(try refuse(mixed) == 1)
    #expect(try refuse(mixed) == 0)
    let plain = try folder.crateSongs("Jazz")
    _ = try refuse(plain)
    #expect(try folder.songs(in: "Jazz") == plain)
    folder.turn(700)
    #expect(try refuse(mixed) == 1)
  }

  @Test("edits one after the other leave the list as the player wrote it")
  mutating func oneAfterOther() throws {
    for _ in 0..<3 {
      let songs = try folder.crateSongs("Jazz")
      let last = try folder.songs(of: #require(folder.albums("Jazz").last))
      let goal = last + songs.dropLast(last.count)
      try folder.writeAsMPD(goal, to: "Jazz")
      let bytes = try readFile(path)
      let before = folder.written
      #expect(try folder.verdicts().count == 1)
      #expect(try folder.written == before && readFile(path) == bytes)
      #expect(try kept.status == folder.lists.status("Jazz.m3u8"))
    }
  }

  @Test("a list that nobody remembers, and that is as it would be, may have been read by players")
  mutating func adopted() throws {
    folder = try EditedFolder(sizes: [3, 2])
    var ignoring = folder.lists.keeper()
    _ = ignoring.update(to: folder.music.library, touched: [])
    for name in try names(in: folder.lists.state.path) { removeTree(folder.lists.state.path(name)) }
    try folder.settle()
    let digest = TextDigest(of: try readFile(path))
    #expect(folder.keeper.records?[Self.file] == .init(last: digest, bases: [digest]))
    #expect(folder.keeper.records?.songs(of: digest) == folder.songIDs("Jazz"))
  }

  @Test("it looks again when the first list wants to")
  mutating func due() throws {
    try folder.writeAsMPD(try folder.mixed("Jazz"), to: "Jazz")
    try folder.look()
    let first = folder.keeper.due
    #expect(first == folder.now + EditTiming.quiet)
    try folder.writeAsMPD(["/m/6/1.flac"], to: "Rock")
    try folder.look(after: 0.5)
    #expect(folder.keeper.due == first)
  }

  @Test("where the directory is away nothing is waited for")
  mutating func away() throws {
    try folder.writeAsMPD(try folder.mixed("Jazz"), to: "Jazz")
    try folder.look()
    #expect(folder.keeper.due != .max)
    let directory = folder.lists.directory
    try #require(rename(directory, directory + "-before") == 0)
    defer { removeTree(directory + "-before") }
    try writeFile([], to: directory)
    try folder.look()
    #expect(folder.problems.count == 1 && folder.keeper.due == .max)
  }

  @Test(
    "songs of other crates are taken where the player had read them, and else are no part of it")
  mutating func othersSongs() throws {
    let rock = folder.songIDs("Rock")
    for hasRead in [false, true] {
      let jazz = folder.songIDs("Jazz")
      let list = try folder.songs(in: "Jazz").filter { !$0.hasPrefix("/m/6/") }
      try folder.writeAsMPD(list + folder.crateSongs("Rock") + (hasRead ? ["#"] : []), to: "Jazz")
      let edit = try offered()
      #expect(edit.bases.joined().contains(rock[0]) == hasRead)
      let before = try folder.lists.keptNames().count
      let fault = folder.keeper.accept(
        edit, songs: jazz + rock, isPlain: true, folder.music.library)
      #expect(fault == nil && folder.keeper.due == .min)
      let taken = folder.keeper.records?.songs(of: edit.digest)
      #expect(taken == (hasRead ? jazz + rock : jazz))
      #expect(try folder.lists.keptNames().count == before + 1)
      #expect(folder.keeper.records?[Self.file]?.isPlayers == hasRead)
      // The next one has read them: what is noted may be an older list's.
      if !hasRead {
        try folder.settle()
        let file = Self.file
        try folder.keeper.records?.willWrite(file, TextDigest(of: [7]), songs: jazz + rock)
      }
    }
    let lost = SongID(number: 1 << 50)
    try folder.writeAsMPD(try folder.mixed("Jazz"), to: "Jazz")
    let edit = try offered()
    let songs = folder.songIDs("Jazz") + [lost]
    #expect(folder.keeper.accept(edit, songs: songs, isPlain: true, folder.music.library) == nil)
    #expect(folder.keeper.records?.songs(of: edit.digest) == songs)
  }

  @Test("an edit that can't be noted, or not kept, is a problem of its list, and is offered again")
  mutating func notNoted() throws {
    try folder.writeAsMPD(try folder.mixed("Jazz"), to: "Jazz")
    let edit = try offered()
    let library = folder.music.library
    let lists = folder.lists
    try writeFile([], to: lists.state.path("kept"))
    let songs = folder.songIDs("Jazz")
    try lists.withoutRecords {
      #expect(
        folder.keeper.accept(edit, songs: songs, isPlain: true, library)?.path.display == path)
      #expect(folder.keeper.decline(edit, "mixed", library)?.path.display == path)
    }
    removeTree(lists.state.path("kept"))
    #expect(try offered().digest == edit.digest)
    #expect(folder.keeper.decline(edit, "mixed", library) == nil)
    #expect(try folder.lists.keptNames().count == 1)
  }

  /// Crates of one album with two songs each.
  private func edited(crates: Int) throws -> EditedFolder {
    var folder = try EditedFolder((0..<crates).map { ("Crate \($0)", [2]) })
    try folder.settle()
    return folder
  }

  private func turnRound(_ crate: String, in folder: inout EditedFolder) throws {
    try folder.writeAsMPD(try folder.songs(in: crate).reversed(), to: crate)
  }

  @Test("sixteen are offered at once, and all of them again five seconds later")
  func mostOffered() throws {
    var folder = try edited(crates: 18)
    for number in 0..<18 { try turnRound("Crate \(number)", in: &folder) }
    _ = folder.keeper.update(to: folder.music.library, touched: [], now: folder.now)
    #expect(folder.keeper.due == folder.now + EditTiming.quiet)
    for _ in 0..<3 {
      folder.turn(to: folder.keeper.due)
      let outcome = folder.keeper.update(to: folder.music.library, touched: [], now: folder.now)
      #expect(outcome.edits.count == 16 && outcome.written == 0)
      #expect(folder.keeper.due == folder.now + 5_000_000_000)
    }
    // Those that are decided on make room for the others.
    #expect(try folder.verdicts().count == 18)
    for number in 0..<18 {
      let crate = "Crate \(number)"
      #expect(try folder.songs(in: crate) == folder.crateSongs(crate))
    }
  }

  @Test("one that comes again is left as it is for ten minutes, and is judged anew then")
  func again() throws {
    for (late, isLeft) in [(-1, true), (0, false)] as [(Int64, Bool)] {
      var folder = try EditedFolder(sizes: [3, 2, 4, 3, 1, 5])
      try folder.settle()
      let shuffled = try folder.mixed("Jazz")
      try folder.writeAsMPD(shuffled, to: "Jazz")
      #expect(try folder.verdicts().count == 1)
      let kept = try #require(folder.keeper.lists.values.first)
      let answered = try #require(kept.overwritten.last)
      try folder.writeAsMPD(shuffled, to: "Jazz")
      folder.turn(to: answered.at + PlaylistKeeper.tolerance + late)
      #expect(try folder.verdicts().count == (isLeft ? 0 : 1))
      #expect(try (folder.songs(in: "Jazz") == shuffled) == isLeft)
    }
  }

  @Test("the last eight that were answered are remembered of each list")
  mutating func remembered() throws {
    let songs = try folder.songs(in: "Jazz")
    // One with an address of its own each time: it stays out, so the list is written again.
    for number in 1...10 {
      try folder.writeAsMPD(songs + ["http://radio/\(number)"], to: "Jazz")
      try folder.settle()
      #expect(try kept.overwritten.count == min(number, 8))
    }
    _ = folder.takeTold()
    for (number, isLeft) in [(3, true), (2, false)] {
      try folder.writeAsMPD(songs + ["http://radio/\(number)"], to: "Jazz")
      try folder.settle()
      #expect(try folder.songs(in: "Jazz").contains("http://radio/\(number)") == isLeft)
    }
  }

  @Test("an old copy that is written over is told, and what is not the person's work is not")
  mutating func notices() throws {
    let old = try readFile(folder.lists.path("Jazz.m3u8"))
    try folder.move(folder.albums("Jazz")[2], .top)
    let new = try readFile(folder.lists.path("Jazz.m3u8"))
    #expect(folder.notices.isEmpty && old != new)
    try folder.lists.write([], to: "Jazz.m3u8")
    try folder.settle()
    #expect(try folder.notices.isEmpty && readFile(folder.lists.path("Jazz.m3u8")) == new)
    try folder.lists.write(old, to: "Jazz.m3u8")
    try folder.settle()
    #expect(try readFile(folder.lists.path("Jazz.m3u8")) == new)
    #expect(folder.notices == ["Jazz.m3u8: \(EditedList.oldCopy)"] && folder.told.isEmpty)
  }
}
