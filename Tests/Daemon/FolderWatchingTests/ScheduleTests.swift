import Platform
import TestSupport
import Testing

@testable import FolderWatching

@Suite(.limited) struct ScheduleTests {
  private static let asked = SeededGenerator(usually: .max).seed
  private static let blocks: [Range<UInt64>] =
    asked == .max
    ? stride(from: 0, to: UInt64(Effort.runs(1_000, nightly: 10_000)), by: 500).map {
      $0..<($0 + 500)
    } + mended.map { $0..<($0 + 1) } : [asked..<(asked + 1)]
  /// Seeds that failed once:
  /// 1. A sync was answered before a directory was scanned again, one of whose files was not there
  ///    when it was opened.
  /// 2. Files that were found, and had gone before they were reported, counted as songs that are
  ///    missing from an emptied folder.
  /// 3. A sync was answered before a directory was scanned that had taken the place of another.
  /// 4. A file was reported again that was exchanged with another one, and back before it was read.
  /// 5. A file that was found after a rename, and not reported yet, was told as renamed from there.
  private static let mended: [UInt64] = [
    16_055, 30_032, 57_346, 89_625, 11_031, 14_391, 48_590, 67_798, 45_670, 60_320, 87_672, 64_596,
  ]

  @Test(
    "whatever becomes of the kernel's news, what was told is at last what is there",
    arguments: blocks)
  func schedules(seeds: Range<UInt64>) throws {
    let inotify = try Inotify()
    var counts = ScheduledKernel.Counts()
    var lives = Schedule.Lives()
    for seed in seeds {
      let isTraced = Self.asked != .max
      let schedule = try Schedule(seed: seed, inotify: inotify, isTraced: isTraced)
      let faults = try schedule.run()
      counts += schedule.kernel.counts
      lives += schedule.lives
      if isTraced { follow(schedule) }
      #expect(faults.isEmpty, "CRATED_TEST_SEED=\(seed)\n\(schedule.traceText)")
    }
    // Everything that can go wrong did.
    guard seeds.count > 1 else { return }
    #expect(counts.told > 0 && counts.lost > 0 && counts.refused > 0)
    #expect(counts.repeated > 0 && counts.shuffled > 0 && counts.strange > 0)
    #expect(lives.offline > 0 && lives.restarts > 0 && lives.settledAlone > 0 && lives.sleeps > 0)
    #expect(lives.withoutInstance > 0 && lives.interruptions > 0)
    #expect(lives.lateReadings > 0 && lives.failedReadings > 0 && lives.accepted > 0)
    // A look for each event, and a few in full, are not many more than this.
    #expect(counts.looks < 200 * seeds.count)
  }

  /// To be read step by step.
  private func follow(_ schedule: Schedule) {
    for line in schedule.world.state.withLock({ $0.trace }) { print(line) }
  }
}
