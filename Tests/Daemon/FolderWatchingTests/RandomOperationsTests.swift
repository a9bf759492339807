import FolderWatching
import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@Suite(.limited) struct RandomOperationsTests {
  private static let asked = SeededGenerator(usually: .max).seed
  private static func seeds(_ usual: Range<UInt64>) -> Range<UInt64> {
    asked == .max ? usual : asked..<(asked + 1)
  }

  @Test(
    "after random operations and a sync, what was told is what is there",
    arguments: seeds(0..<UInt64(Effort.runs(40, nightly: 200))))
  func operations(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let links = RandomOperations.Links.allCases[Int(seed % 4)]
    let folder = WatchedFolder()
    var operations = RandomOperations(folder.music, TemporaryFolder(), links)
    try folder.start()
    for round in 0..<6 {
      for _ in 0..<Int.random(in: 1...40, using: &numbers) { operations.operate(&numbers) }
      // What another name does to a file is found by a full look at the latest.
      if links == .none { folder.sync() } else { folder.rescan() }
      let there = ListedSongs(of: folder.music.path.display)
      let told = folder.songs
      // Two small sets say more than two whole trees.
      let missing = there.songs.filter { told[$0.key] != $0.value }
      let surplus = told.filter { there.songs[$0.key] == nil && !there.dangling.contains($0.key) }
      #expect(
        missing.isEmpty && surplus.isEmpty,
        "CRATED_TEST_SEED=\(seed), \(links), round \(round): \(missing), \(surplus)")
      if !missing.isEmpty || !surplus.isEmpty { return }
    }
  }

  @Test("while nobody hears what the kernel tells of 20,000 files, and of more in the look after")
  func unheard() throws {
    var numbers = SeededGenerator(usually: 5)
    let folder = WatchedFolder()
    var operations = RandomOperations(folder.music, TemporaryFolder(), .none)
    for _ in 0..<100 { operations.operate(&numbers) }
    try folder.start()
    let isMerging = folder.receiver.isMerging
    var overflows = 0
    folder.receiver.isHeld.withLock { $0 = true }
    folder.music.write("first.mp3", "first")
    for round in 0..<2 {
      // In the second round, the look after the first overflow tells what it found.
      isMerging.wait { $0 ? () : nil }
      let queue = KernelQueue(watching: folder.music.path.display)
      for index in 0..<(round == 0 ? 20_000 : 10_000) {
        if index % 100 == 0 { operations.operate(&numbers) }
        if index % 1_000 == 0 { folder.music.makeFolder("\(round) \(index)") }
        let place = index % 3 == 0 ? "\(round) \(index / 1_000 * 1_000)/" : ""
        folder.music.write("\(place)\(round)-\(index).mp3", "\(round) \(index)")
      }
      if queue.hasOverflowed { overflows += 1 }
      // The next merge waits again, in the midst of the look.
      if round == 0 {
        let merges = folder.merges.count
        folder.receiver.letOneMerge()
        #expect(folder.wait { $0.merges.count > merges })
      }
    }
    #expect(overflows == 2)
    folder.receiver.isHeld.withLock { $0 = false }
    folder.sync()
    let there = ListedSongs(of: folder.music.path.display).songs
    #expect(there.count > 20_000)
    #expect(folder.songs.count == there.count)
    #expect(folder.songs == there)
  }
}
