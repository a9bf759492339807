/// Selects backups to keep by their age: all of the newest, and ever fewer of older ones. Their
/// number grows with the logarithm of the number of all generations.
struct BackupAges {
  private let sorted: [Int]
  private let kept: Set<Int>
  private let oldestOfNewest: Int

  /// - Parameter newest: the number of the newest that are kept.
  init(snapshots: [Int], keeping newest: Int = BackupBounds().generations) {
    sorted = snapshots.sorted()
    let recent = sorted.suffix(newest)
    oldestOfNewest = recent.first ?? 0
    var kept = Set(recent)
    var buckets: Set<[Int]> = []
    for generation in sorted.dropLast(recent.count) {
      let age = (sorted.last ?? generation) - generation
      var step = 1
      while step * newest <= age { step *= 2 }
      // The first generation of each interval is kept. It is also the first of the longer interval
      // that this one becomes a part of with time.
      if buckets.insert([step, generation / step]).inserted { kept.insert(generation) }
    }
    self.kept = kept
  }

  /// Returns whether a generation's files are kept. A journal is kept with the snapshot that it
  /// continues.
  func keeps(_ generation: Int) -> Bool {
    if generation >= oldestOfNewest { return true }
    guard let snapshot = sorted.last(where: { $0 <= generation }) else { return true }
    return kept.contains(snapshot)
  }
}
