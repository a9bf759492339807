import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import FolderWatching

/// Directories in directories in directories.
@Suite("Deeply nested directories", .limited) struct NestedTests {
  /// What it costs to find out that all of so many directories in each other are gone, when each
  /// of them was reported before the first.
  private func cost(_ depth: Int) throws -> Double {
    let music = TemporaryFolder()
    close(music.openDeep([Int](repeating: 1, count: depth)))
    let watcher = try SteppedWatcher(music, events: MadeUpEvents())
    let deepest = watcher.core.tree.catalogue.subtree(.root)
    #expect(deepest.count == depth + 1)
    music.delete("d")
    for folder in deepest.dropFirst(2) {
      let path = watcher.core.tree.catalogue.path(of: folder)
      watcher.core.session.agenda.pending.note(.deletion, in: path, at: watcher.loop.now)
    }
    watcher.turn(by: seconds)
    let cost = Cost.time { watcher.settle() }
    watcher.turn(by: seconds)
    watcher.settle()
    #expect(watcher.core.tree.catalogue.folderCount == 1)
    return cost
  }

  @Test("when they go while they are scanned, each costs what its path is long")
  func removal() throws {
    let ratio = try Cost.ratio(150, 600, cost)
    // That of the square, and not of the cube, which is 64 times as much.
    #expect(ratio < 24, "\(ratio)")
  }
}
