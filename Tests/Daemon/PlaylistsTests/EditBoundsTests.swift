import LibraryModel
import Platform
import TestSupport
import Testing

@testable import Playlists

@Suite("How many edits, and for how long", .limited)
struct EditBoundsTests {
  /// Crates of one album with two songs each.
  private func folder(crates: Int) throws -> EditedFolder {
    var folder = try EditedFolder((0..<crates).map { ("Crate \($0)", [2]) })
    try folder.settle()
    return folder
  }

  private func turnRound(_ crate: String, in folder: inout EditedFolder) throws {
    try folder.writeAsMPD(try folder.songs(in: crate).reversed(), to: crate)
  }

  @Test("sixteen are offered at once, and all of them again five seconds later")
  func offered() throws {
    var folder = try folder(crates: 18)
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
  func remembered() throws {
    var folder = try EditedFolder(sizes: [3, 2, 4, 3, 1, 5])
    try folder.settle()
    let songs = try folder.songs(in: "Jazz")
    // One with an address of its own each time: it stays out, so the list is written again.
    for number in 1...10 {
      try folder.writeAsMPD(songs + ["http://radio/\(number)"], to: "Jazz")
      try folder.settle()
      let kept = try #require(folder.keeper.lists.values.first)
      #expect(kept.overwritten.count == min(number, 8))
    }
    _ = folder.takeTold()
    for (number, isLeft) in [(3, true), (2, false)] {
      try folder.writeAsMPD(songs + ["http://radio/\(number)"], to: "Jazz")
      try folder.settle()
      #expect(try folder.songs(in: "Jazz").contains("http://radio/\(number)") == isLeft)
    }
  }

  @Test("an old copy that is written over is told, and what is not the person's work is not")
  func notices() throws {
    var folder = try EditedFolder(sizes: [3, 2, 4])
    try folder.settle()
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
