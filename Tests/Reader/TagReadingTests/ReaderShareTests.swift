import Glibc
import LibraryModel
import Platform
import TagReading
import TestSupport
import Testing

/// Readers are shared by folders: one whose files don't answer costs the others next to nothing.
@Suite("Folders share the readers", .serialized, .limited) struct ReaderShareTests {
  private func read(
    _ extensions: [String], of share: ReaderShare, from file: String = "/dev/null",
    into outcomes: Outcomes = Outcomes()
  ) -> Outcomes {
    for (index, pathExtension) in extensions.enumerated() {
      share.read(
        OpenFile(owning: open(file, O_RDONLY | O_CLOEXEC)), stamp: stamp(index),
        pathExtension: pathExtension
      ) { outcomes.note($0, for: index) }
    }
    return outcomes
  }

  @Test("a folder whose files hang holds up no other folder's, however many it has")
  func slow() throws {
    let fake = try FakeReader()
    var limits = ReaderLimits()
    // Nobody is late in this test: it is the others that may not wait.
    limits.deadline = 600_000_000_000
    let pool = try ReaderPool(program: fake.program, count: 2, limits: limits)
    let hanging = pool.share(of: BytePath("/a"))
    let hung = read([String](repeating: "hang", count: 60), of: hanging)
    let answered = read([String](repeating: "mp3", count: 200), of: pool.share(of: BytePath("/b")))
      .wait(for: 200)
    #expect(answered.count == 200)
    #expect(answered.values.allSatisfy { $0.facts != nil })
    #expect(hung.count == 0)
    // Nor does another one that hangs, too.
    let second = read([String](repeating: "hang", count: 60), of: pool.share(of: BytePath("/c")))
    let third = read([String](repeating: "mp3", count: 20), of: pool.share(of: BytePath("/d")))
      .wait(for: 20)
    #expect(third.values.count { $0.facts != nil } == 20)
    #expect(second.count == 0)
    pool.shutDown()
    #expect(hung.wait(for: 60).count == 60)
  }

  @Test("folders that hang, however many, leave a reader to another one")
  func manySlow() throws {
    let fake = try FakeReader()
    var limits = ReaderLimits()
    // They hang all the time.
    limits.deadline = 600_000_000_000
    let pool = try ReaderPool(program: fake.program, count: 1, limits: limits)
    let hung = try (0..<12).map { number in
      let share = pool.share(of: BytePath("/hung \(number)"))
      let outcomes = read(["hang", "hang"], of: share)
      try #require(happensInTime { fake.starts == number + 1 })
      return (share, outcomes)
    }
    let well = pool.share(of: BytePath("/well"))
    let answered = read([String](repeating: "mp3", count: 40), of: well).wait(for: 40)
    #expect(answered.values.count { $0.facts != nil } == 40)
    pool.shutDown()
    for (_, outcomes) in hung { #expect(outcomes.wait(for: 2).count == 2) }
  }

  @Test("a folder with few files is not behind one with many")
  func turns() throws {
    let fake = try FakeReader("select(undef, undef, undef, 0.01); answer();")
    let pool = try ReaderPool(program: fake.program, count: 1)
    defer { pool.shutDown() }
    let many = Outcomes()
    let handingIn = BlockingThread("hand in") { [pool] in
      let share = pool.share(of: BytePath("/e"))
      for index in 0..<600 {
        share.read(
          OpenFile(owning: open("/dev/null", O_RDONLY | O_CLOEXEC)), stamp: stamp(index),
          pathExtension: "mp3"
        ) { many.note($0, for: index) }
      }
    }
    _ = many.wait(for: 1)
    let few = read(["mp3"], of: pool.share(of: BytePath("/f"))).wait(for: 1)
    let countThen = many.count
    #expect(few.count == 1)
    // Two batches were on their way, and a third at most.
    #expect(countThen < 300, "\(countThen) files were read before the other folder's one")
    handingIn.join()
    #expect(many.wait(for: 600).values.count { $0.facts != nil } == 600)
  }

  @Test("readings that give nothing in time are counted, until one is answered")
  func timeouts() throws {
    let fake = try FakeReader()
    var limits = ReaderLimits()
    limits.deadline = 1_000_000_000
    let pool = try ReaderPool(program: fake.program, count: 1, limits: limits)
    defer { pool.shutDown() }
    let share = pool.share(of: BytePath("/g"))
    #expect(share.health == ShareHealth())
    let problem = read(["hang"], of: share).wait(for: 1)[0]?.problem
    #expect(problem?.kind == .timedOutReader)
    #expect(share.health.timeouts == 3)
    #expect(share.health.late == [stamp(0)])
    #expect(read(["mp3"], of: share).wait(for: 1)[0]?.facts != nil)
    #expect(share.health == ShareHealth())
    // What computes for too long is no sign of a folder that hangs.
    let busy = try FakeReader("1 while $ext eq 'busy'; answer();")
    let other = try ReaderPool(program: busy.program, count: 1, limits: limits)
    defer { other.shutDown() }
    let computing = other.share(of: BytePath("/h"))
    #expect(read(["busy"], of: computing).wait(for: 1)[0]?.problem?.kind == .timedOutReader)
    #expect(computing.health.timeouts < 3)
  }

  @Test("a folder that is given up gets all its outcomes, and is not tried again")
  func givenUp() throws {
    let fake = try FakeReader()
    var limits = ReaderLimits()
    limits.deadline = 1_000_000_000
    let pool = try ReaderPool(program: fake.program, count: 1, limits: limits)
    defer { pool.shutDown() }
    let share = pool.share(of: BytePath("/i"))
    let outcomes = Outcomes()
    // Sixteen of them fit into one request.
    let hung = read([String](repeating: "hang", count: 40), of: share, into: outcomes)
    share.giveUp()
    let arrived = hung.wait(for: 40)
    #expect(arrived.count == 40)
    #expect(arrived.values.allSatisfy { $0.facts == nil })
    #expect(fake.starts <= 3)
    #expect(read(["mp3"], of: share).wait(for: 1)[0]?.facts != nil)
  }

  @Test("where one file never comes, the others are read", .enabled(if: !leavesOutFUSE))
  func oneFile() throws {
    let folder = try TemporaryFolder()
    let source = try folder.makeFolder("source")
    let place = try folder.makeFolder("place")
    let bytes = FLACWithComments(["TITLE=song"]).bytes
    for index in 0..<20 { _ = try folder.write(bytes, to: "source/\(index).flac") }
    let disk = try HeldFileSystem(showing: source, at: place)
    defer { disk.end() }
    // Whoever opens one that is being read waits for that.
    let files = (0..<20).map { open("\(place)/\($0).flac", O_RDONLY | O_CLOEXEC) }
    defer { for file in files { close(file) } }
    var limits = ReaderLimits()
    limits.deadline = 2_000_000_000
    let program = try copyOfReader(in: folder, named: "one-reader")
    let pool = try ReaderPool(program: program, count: 1, limits: limits)
    let share = pool.share(of: BytePath("/one"))
    try disk.holdReads(of: "7.flac")
    func read(_ indices: [Int]) -> [Int: ReadOutcome] {
      let outcomes = Outcomes()
      for index in indices {
        let file = fcntl(files[index], F_DUPFD_CLOEXEC, 0)
        share.read(OpenFile(owning: file), stamp: stamp(index), pathExtension: "flac") {
          outcomes.note($0, for: index)
        }
      }
      return outcomes.wait(for: indices.count)
    }
    let all = read(Array(0..<20))
    #expect(all.count == 20 && all[7]?.problem?.kind == .timedOutReader)
    #expect(all.values.count { $0.facts != nil } == 19)
    try disk.waitUntilHeld(.read)
    // Two at most: the one of its batch, and the one that shows that it is this file.
    let stuck = share.health.stuckReaders
    #expect((1...2).contains(stuck))
    // Later it costs none.
    for _ in 0..<3 { #expect(read([7])[7]?.problem?.kind == .timedOutReader) }
    #expect(share.health.stuckReaders == stuck && !share.health.hasNoReader)
    // Whoever reads next to the reader of its batch can be ended, and has shown which one it is.
    #expect(share.health.lost == [stamp(7)] && share.health.suspects.isEmpty)
    #expect(read([8])[8]?.facts != nil)
    #expect(share.health.timeouts == 0)
    try disk.answer()
    #expect(happensInTime { share.health.stuckReaders == 0 })
    pool.shutDown()
  }

  /// Files on a disk of which some never come, and readers that are lost to them.
  private final class HeldFiles {
    let folder: TemporaryFolder
    let disk: HeldFileSystem
    let place: String
    let pool: ReaderPool
    let share: ReaderShare

    init(_ count: Int, readers: Int, called name: String) throws {
      folder = try TemporaryFolder()
      let source = try folder.makeFolder("source")
      place = try folder.makeFolder("place")
      let bytes = FLACWithComments(["TITLE=song"]).bytes
      for index in 0..<count { _ = try folder.write(bytes, to: "source/\(index).flac") }
      disk = try HeldFileSystem(showing: source, at: place)
      var limits = ReaderLimits()
      limits.deadline = 1_000_000_000
      limits.leaving = 200_000_000
      // Only a trial ends the waiting.
      limits.held = 600_000_000_000
      pool = try ReaderPool(
        program: try copyOfReader(in: folder, named: name), count: readers, limits: limits)
      share = pool.share(of: BytePath("/held"))
    }

    func open(_ index: Int) -> OpenFile {
      OpenFile(owning: Glibc.open("\(place)/\(index).flac", O_RDONLY | O_CLOEXEC))
    }

    func read(_ index: Int, isProbe: Bool = false, into outcomes: Outcomes) {
      let descriptor = open(index).release()
      share.read(
        descriptor, stamp: stamp(index), pathExtension: "flac", isProbe: isProbe
      ) {
        close(descriptor)
        outcomes.note($0, for: index)
      }
    }
  }

  @Test(
    "where two files keep their readers at once, the others wait until a trial is read, and are",
    .enabled(if: !leavesOutFUSE))
  func twoFiles() throws {
    let held = try HeldFiles(41, readers: 2, called: "two-reader")
    try held.disk.holdReads(of: "0.flac", "1.flac")
    let (bad, good, trial) = (Outcomes(), Outcomes(), Outcomes())
    for index in 0..<2 { held.read(index, into: bad) }
    try held.disk.waitUntilHeld(.read)
    #expect(happensInTime { held.share.health.isHeld })
    for index in 2..<40 { held.read(index, into: good) }
    #expect(!held.share.health.hasNoReader && good.count == 0)
    held.read(40, isProbe: true, into: trial)
    #expect(trial.wait(for: 1)[40]?.facts != nil)
    #expect(good.wait(for: 38).values.count { $0.facts != nil } == 38)
    let problems = bad.wait(for: 2).values.compactMap { $0.problem?.kind }
    #expect(problems == [.timedOutReader, .timedOutReader])
    #expect(happensInTime { !held.share.health.isHeld })
    #expect(!held.share.health.hasNoReader)
    try held.disk.answer()
    held.pool.shutDown()
    held.disk.end()
  }

  @Test(
    "however often a cover is asked for that keeps its reader, it costs two",
    .enabled(if: !leavesOutFUSE))
  func cover() throws {
    let held = try HeldFiles(2, readers: 1, called: "cover-reader")
    // Whoever opens one that is being read waits for that.
    let bad = (0..<4).map { _ in held.open(0).release() }
    try held.disk.holdReads(of: "0.flac")
    for (index, descriptor) in bad.enumerated() {
      let outcome = Monitor<PictureOutcome?>(nil)
      held.share.readPicture(descriptor, stamp: stamp(0), pathExtension: "flac") { found in
        outcome.withLock { $0 = found }
      }
      if index == 0 { try held.disk.waitUntilHeld(.read) }
      guard case .unknown(let problem)? = outcome.wait(until: Patience.end, for: { $0 }) else {
        Issue.record("what keeps its reader is not known")
        continue
      }
      #expect(problem.kind == .timedOutReader)
      #expect(happensInTime { !held.share.health.lost.isEmpty })
    }
    #expect((1...2).contains(held.share.health.stuckReaders) && !held.share.health.isHeld)
    let other = Outcomes()
    held.read(1, into: other)
    #expect(other.wait(for: 1)[1]?.facts != nil)
    try held.disk.answer()
    held.pool.shutDown()
    for descriptor in bad { close(descriptor) }
    held.disk.end()
  }

  @Test(
    "readers that the kernel doesn't let go are counted, and the others' files are read",
    .enabled(if: !leavesOutFUSE))
  func stuckInKernel() throws {
    let folder = try TemporaryFolder()
    let source = try folder.makeFolder("source")
    let place = try folder.makeFolder("place")
    let bytes = FLACWithComments(["TITLE=song"]).bytes
    for index in 0..<43 { _ = try folder.write(bytes, to: "source/\(index).flac") }
    let disk = try HeldFileSystem(showing: source, at: place)
    defer { disk.end() }
    var limits = ReaderLimits()
    limits.deadline = 1_000_000_000
    limits.leaving = 200_000_000
    limits.held = 300_000_000
    limits.trial = 1_000_000_000
    let program = try copyOfReader(in: folder, named: "stuck-reader")
    let pool = try ReaderPool(program: program, count: 2, limits: limits)
    let share = pool.share(of: BytePath("/stuck"))
    try disk.hold(.read)
    let outcomes = Outcomes()
    for index in 0..<40 {
      let file = open("\(place)/\(index).flac", O_RDONLY | O_CLOEXEC)
      share.read(OpenFile(owning: file), stamp: stamp(index), pathExtension: "flac") {
        outcomes.note($0, for: index)
      }
    }
    try disk.waitUntilHeld(.read)
    // All are told that they can't be read, and no more readers are lost than the folder may have.
    let arrived = outcomes.wait(for: 40)
    #expect(arrived.count == 40)
    #expect(arrived.values.allSatisfy { $0.problem?.kind == .timedOutReader })
    // One more than the two is lost to a trial, however many are asked for.
    #expect(happensInTime { share.health.hasNoReader })
    #expect(share.health.isHeld && share.health.stuckReaders == 3)
    for index in 40..<43 {
      let trial = Outcomes()
      let file = open("\(place)/\(index).flac", O_RDONLY | O_CLOEXEC)
      share.read(file, stamp: stamp(index), pathExtension: "flac", isProbe: true) {
        close(file)
        trial.note($0, for: 0)
      }
      #expect(trial.wait(for: 1)[0]?.problem?.kind == .timedOutReader)
    }
    #expect(share.health.stuckReaders == 3)
    #expect(childProcesses(named: "stuck-reader").count <= 3)
    let good = try folder.write(bytes, to: "good.flac")
    let others = read(
      [String](repeating: "flac", count: 50), of: pool.share(of: BytePath("/k")), from: good)
    #expect(others.wait(for: 50).values.count { $0.facts != nil } == 50)
    // The share is as before where the watching of the folder begins anew.
    #expect(pool.share(of: BytePath("/stuck")).health.hasNoReader)
    // The readers come back when the disk answers, and so do its files.
    try disk.answer()
    #expect(happensInTime { share.health.stuckReaders == 0 })
    #expect(!share.health.hasNoReader)
    let file = "\(place)/1.flac"
    // On a busy machine a good file may take longer than the stuck ones were given.
    let title = (0..<60).lazy.compactMap { _ in
      self.read(["flac"], of: share, from: file).wait(for: 1)[0]?.facts?.tags.title
    }.first
    #expect(title == "song")
    pool.shutDown()
  }
}
