/// Which backups stay by their age: all of the newest, and ever fewer of older ones, so that their
/// number grows with the logarithm of all that ever were.
struct BackupAges {
  private let sorted: [Int]
  private let kept: Set<Int>
  private let oldestOfNewest: Int

  /// - Parameter newest: how many of the newest stay.
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
      // The first of each stretch: it is the first of the longer stretch, too, that this one
      // becomes part of with time.
      if buckets.insert([step, generation / step]).inserted { kept.insert(generation) }
    }
    self.kept = kept
  }

  /// Whether a generation's files stay. A journal stays with the snapshot that it continues.
  func keeps(_ generation: Int) -> Bool {
    if generation >= oldestOfNewest { return true }
    guard let snapshot = sorted.last(where: { $0 <= generation }) else { return true }
    return kept.contains(snapshot)
  }
}
