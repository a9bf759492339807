import Glibc
import TestSupport
import Testing

@Suite("A long life", .serialized, .limited)
struct TortureTests {
  @Test("Whatever happens to files, drives, crates and the daemon loses no place")
  func manyThings() throws {
    let seed = getenv("CRATED_TORTURE_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
    let torture = try Torture(SeededGenerator(seed: seed))
    do {
      for _ in 0..<9 { _ = try torture.newAlbum() }
      while torture.count < Effort.runs(100, nightly: 500) { try torture.doSomething() }
      try torture.settle()
      for root in torture.files.away { try torture.files.toggle(root) }
      // All that the order takes is in the store.
      try torture.session.restart(withoutIndex: true)
      try torture.compare()
      try torture.session.stop()
    } catch is OutOfOrder {
      // The issue was recorded, with all there is to say.
    } catch {
      Issue.record("\(error)\n\(torture.story)")
    }
  }
}

extension Torture {
  typealias Purpose = (weight: Int, act: (Torture) -> () throws -> Bool)

  /// What the sound is enough for to recognise a song by, one file at a time.
  private static var single: [Purpose] {
    [
      (6, Torture.move), (4, Torture.retag), (2, Torture.swap), (6, Torture.restore),
      (2, Torture.duplicate), (2, Torture.delete),
    ]
  }

  /// What changes no order, and may happen while the daemon doesn't run.
  private static var quiet: [Purpose] {
    single + [
      (2, Torture.delete), (1, Torture.deleteAlbum), (3, Torture.replace),
      (3, Torture.renameFolder),
    ]
  }

  /// What changes the order, by the folder's doing.
  private static var reordering: [Purpose] {
    [
      (2, Torture.newAlbum), (2, Torture.newSong), (2, Torture.otherAlbum),
      (1, Torture.splitAlbum), (2, Torture.retitleAlbum), (1, Torture.renumber),
      (3, Torture.restoreOld), (2, Torture.replaceLater),
    ]
  }

  private static var all: [Purpose] {
    quiet + reordering + [
      (4, Torture.moveSongs),
      (3, Torture.moveAlbums), (3, Torture.moveAlbumsToCrate), (1, Torture.moveCrate),
      (1, Torture.renameCrate), (1, Torture.sortAlbums), (2, Torture.sortSongs), (4, Torture.undo),
      (3, Torture.redo), (1, Torture.forget), (3, Torture.toggleFolder), (2, Torture.restart),
      (1, Torture.loseIndex),
    ]
  }

  func doSomething() throws {
    try act(Self.all)
    if touched.count > 3 || oneIn(3) { try settle() }
  }

  func doQuietly() throws { try act(Self.quiet) }

  func reorderByFolder() throws { try act(Self.reordering) }

  func changeOneFile() throws { try act(Self.single) }

  private func act(_ deeds: [Purpose]) throws {
    let sum = deeds.reduce(0) { $0 + $1.weight }
    // Most can be done at any time; where none can, as without a music folder, nothing is.
    for _ in 0..<20 {
      var left = Int.random(in: 0..<sum, using: &chance)
      for purpose in deeds {
        left -= purpose.weight
        if left >= 0 { continue }
        if try purpose.act(self)() { return }
        break
      }
    }
  }
}
