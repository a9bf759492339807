import Glibc
import LibraryModel
import Platform
import Synchronization
import TagReading
import TestSupport
import Testing

@Suite("The pool of readers", .serialized, .limited) struct ReaderPoolTests {
  private static var quick: ReaderLimits {
    var limits = ReaderLimits()
    limits.deadline = 1_000_000_000
    // A busy machine is no program that does not run.
    limits.greeting = 600_000_000_000
    limits.startDelay = 10_000_000
    return limits
  }

  /// Hands in as many files as there are extensions, all of them /dev/null.
  private func read(_ extensions: [String], by pool: ReaderPool) -> [ReadOutcome?] {
    let outcomes = Outcomes()
    let share = pool.share
    for (index, pathExtension) in extensions.enumerated() {
      share.read(
        OpenFile(owning: open("/dev/null", O_RDONLY | O_CLOEXEC)), stamp: stamp(index),
        pathExtension: pathExtension
      ) { outcomes.note($0, for: index) }
    }
    let arrived = outcomes.wait(for: extensions.count)
    return extensions.indices.map { arrived[$0] }
  }

  /// Extensions of ordinary files, and of others at some places.
  private func extensions(_ count: Int, _ others: [Int: String]) -> [String] {
    (0..<count).map { others[$0] ?? "mp3" }
  }

  @Test("reads thousands of files with one, two and four readers", arguments: [1, 2, 4])
  func many(_ count: Int) throws {
    let folder = try TemporaryFolder()
    var limits = ReaderLimits()
    limits.filesPerReader = 700
    let paths = try (0..<40).map { number in
      try folder.write(FLACWithComments(["TITLE=\(number)"]).bytes, to: "\(number).flac")
    }
    let pool = try ReaderPool(program: builtReader, count: count, limits: limits)
    defer { pool.shutDown() }
    let outcomes = pool.read((0..<3000).map { paths[$0 % 40] })
    for (index, outcome) in outcomes.enumerated() {
      let facts = try #require(outcome?.facts, "file \(index)")
      #expect(facts.tags.title == "\(index % 40)")
      #expect(facts.stamp == stamp(index))
    }
  }

  @Test("a file that ends its reader is a problem, and the only one")
  func crash() throws {
    let fake = try FakeReader()
    let pool = try ReaderPool(program: fake.program, count: 2, limits: Self.quick)
    defer { pool.shutDown() }
    let bad = [0, 17, 18, 70, 99]
    let list = extensions(100, Dictionary(uniqueKeysWithValues: bad.map { ($0, "boom") }))
    for (index, outcome) in read(list, by: pool).enumerated() {
      let outcome = try #require(outcome, "file \(index)")
      #expect(outcome.problem?.kind == (bad.contains(index) ? .crashedReader : nil), "\(index)")
    }
  }

  @Test("a file that stops its reader is a problem, and the only one")
  func hang() throws {
    let fake = try FakeReader()
    let pool = try ReaderPool(program: fake.program, count: 2, limits: Self.quick)
    defer { pool.shutDown() }
    for (index, outcome) in read(extensions(60, [20: "hang"]), by: pool).enumerated() {
      let outcome = try #require(outcome, "file \(index)")
      #expect(outcome.problem?.kind == (index == 20 ? .timedOutReader : nil), "\(index)")
    }
  }

  @Test(
    "of many files that end or stop their readers each costs three readers at most, and no other",
    arguments: ["boom", "hang"])
  func poison(_ poison: String) throws {
    let fake = try FakeReader()
    var limits = Self.quick
    limits.deadline = poison == "hang" ? 100_000_000 : 600_000_000_000
    let pool = try ReaderPool(program: fake.program, count: 2, limits: limits)
    defer { pool.shutDown() }
    // Alone, in pairs and in a row; then good ones, which nobody waits for in vain.
    let count = poison == "boom" ? 1200 : 240
    let bad = (0..<count).filter { $0 % 97 == 5 || $0 % 31 < 2 || (60..<84).contains($0) }
    let list = extensions(count, Dictionary(uniqueKeysWithValues: bad.map { ($0, poison) }))
    let kind = poison == "boom" ? FileProblem.Kind.crashedReader : .timedOutReader
    for (index, outcome) in read(list, by: pool).enumerated() {
      let outcome = try #require(outcome, "file \(index)")
      #expect(outcome.problem?.kind == (bad.contains(index) ? kind : nil), "\(index)")
    }
    // Which bounds the time that they cost as well: a deadline for each reader.
    #expect(fake.starts <= 3 * bad.count + 4, "\(fake.starts) readers for \(bad.count) files")
    #expect(fake.starts >= 2 * bad.count)
  }

  @Test("a reader that greeted and ended before it was sent a file is no failed start")
  func endsAtOnce() throws {
    let fake = try FakeReader(greeted: "kill 9, $$;", named: "greeter")
    // The pool looks at its clock before it sends anything. By then the reader has ended, and its
    // greeting has not been taken.
    let clock = Clock(
      monotonic: {
        while !childProcesses(named: "greeter").isEmpty { sched_yield() }
        return Clock.system.monotonic()
      }, wall: Clock.system.wall)
    let pool = try ReaderPool(program: fake.program, count: 1, clock: clock, limits: Self.quick)
    defer { pool.shutDown() }
    for outcome in read(extensions(5, [:]), by: pool) {
      #expect(outcome?.problem?.kind == .crashedReader)
    }
    #expect(pool.startFailure == nil)
    #expect(fake.starts > ReaderLimits().startAttempts)
  }

  @Test("a file that keeps its reader computing is a problem, and the only one")
  func spin() throws {
    let fake = try FakeReader()
    let pool = try ReaderPool(program: fake.program, count: 2, limits: Self.quick)
    defer { pool.shutDown() }
    for (index, outcome) in read(extensions(60, [20: "spin"]), by: pool).enumerated() {
      let outcome = try #require(outcome, "file \(index)")
      #expect(outcome.problem?.kind == (index == 20 ? .timedOutReader : nil), "\(index)")
      if index == 20 { #expect(outcome.problem?.message.contains("computing") == true) }
    }
  }

  @Test("a reader that talks nonsense costs the file it talked about")
  func lie() throws {
    let fake = try FakeReader()
    let pool = try ReaderPool(program: fake.program, count: 2, limits: Self.quick)
    defer { pool.shutDown() }
    for (index, outcome) in read(extensions(60, [33: "lie"]), by: pool).enumerated() {
      let outcome = try #require(outcome, "file \(index)")
      #expect(outcome.problem?.kind == (index == 33 ? .unreadable : nil), "\(index)")
    }
  }

  @Test("answers that nobody asked for are nonsense")
  func tooManyAnswers() throws {
    let fake = try FakeReader("answer(); answer() if $ext eq 'two';")
    let pool = try ReaderPool(program: fake.program, count: 1, limits: Self.quick)
    defer { pool.shutDown() }
    let outcomes = read(["mp3"], by: pool) + read(["two"], by: pool) + read(["mp3"], by: pool)
    #expect(outcomes.allSatisfy { $0?.facts != nil })
    #expect(fake.starts == 2)
  }

  @Test("a reader that is killed from outside costs no file", arguments: [SIGKILL, SIGSEGV])
  func killed(_ signal: Int32) throws {
    // The reader ends itself once in a while, whatever the file.
    let fake = try FakeReader("kill \(signal), $$ if ++$seen % 50 == 0; answer();")
    let pool = try ReaderPool(program: fake.program, count: 2, limits: Self.quick)
    defer { pool.shutDown() }
    let outcomes = read(extensions(1000, [:]), by: pool)
    #expect(outcomes.allSatisfy { $0?.facts != nil })
    #expect(fake.starts > 10)
  }

  @Test("the real reader, killed or stopped in the middle, costs no file", arguments: [9, 19])
  func realReaderKilled(_ signal: Int32) throws {
    let sound = try SampleMusic.sound(.mp3)
    let folder = try TemporaryFolder()
    let name = "killed-reader-\(signal)"
    let program = try copyOfReader(in: folder, named: name)
    let pool = try ReaderPool(program: program, count: 2, limits: Self.quick)
    defer { pool.shutDown() }
    let outcomes = Outcomes()
    let paths = [String](repeating: sound, count: 4000)
    let handingIn = BlockingThread("hand in") { pool.read(paths, into: outcomes) }
    _ = outcomes.wait(for: 500)
    let killed = childProcesses(named: String(name.prefix(15)))
    for child in killed { kill(child, signal) }
    handingIn.join()
    let arrived = outcomes.wait(for: paths.count)
    #expect(!killed.isEmpty)
    #expect(arrived.count == paths.count)
    #expect(arrived.values.allSatisfy { $0.facts != nil })
  }

  @Test("a program that isn't there makes problems, and neither ends nor spins anything")
  func missingProgram() throws {
    let folder = try TemporaryFolder()
    let program = folder.path("reader")
    var limits = Self.quick
    // On a slow machine a reader may take long to greet, and many attempts.
    limits.deadline = 10_000_000_000
    limits.startDelayMost = 20_000_000
    let pool = try ReaderPool(program: BytePath(program), count: 2, limits: limits)
    defer { pool.shutDown() }
    #expect(pool.startFailure == nil)
    for outcome in read(extensions(200, [:]), by: pool) {
      let problem = try #require(outcome?.problem)
      #expect(problem.message.contains("\(program) could not be started (No such file"))
    }
    #expect(pool.startFailure != nil)

    // Once it is there, it is used, after a while.
    let fake = try FakeReader()
    try writeFile(readFile(fake.program.display), to: program)
    chmod(program, 0o755)
    #expect(happensInTime { read(["mp3"], by: pool)[0]?.facts != nil })
    #expect(pool.startFailure == nil)
  }

  @Test("a thread that is held up until the next start is due forgets no file")
  func heldUp() throws {
    let folder = try TemporaryFolder()
    let looks = Atomic<Int64>(0)
    // Between any two looks at it more goes by than the first attempts wait.
    let clock = Clock(
      monotonic: { looks.add(100_000_000, ordering: .relaxed).newValue },
      wall: Clock.system.wall)
    let pool = try ReaderPool(
      program: BytePath(folder.path("reader")), count: 2, clock: clock, limits: Self.quick)
    defer { pool.shutDown() }
    for outcome in read(extensions(20, [:]), by: pool) {
      #expect(outcome?.problem != nil)
    }
  }

  @Test(
    "a program that ends or says something else at once is not blamed on files",
    arguments: ["exit 1;", "sleep 60;", "print {S} 'Hello, world'; sleep 60;"])
  func otherProgram(_ beginning: String) throws {
    let folder = try TemporaryFolder()
    let program = try folder.write(
      "#!/usr/bin/perl\nopen(S, '+<&=', 3); $| = 1; select(S); $| = 1; \(beginning)\n", to: "reader"
    )
    chmod(program, 0o755)
    var limits = Self.quick
    limits.greeting = 100_000_000
    let pool = try ReaderPool(program: BytePath(program), count: 2, limits: limits)
    defer { pool.shutDown() }
    for outcome in read(extensions(20, [:]), by: pool) {
      #expect(outcome?.problem?.kind == .unreadable)
    }
    #expect(pool.startFailure != nil)
  }

  @Test("the limit of time is each file's own, however many are read one after the other")
  func deadlineOfEach() throws {
    let fake = try FakeReader("select(undef, undef, undef, 2); answer(); flush();")
    var limits = ReaderLimits()
    limits.deadline = 20_000_000_000
    let pool = try ReaderPool(program: fake.program, count: 1, limits: limits)
    defer { pool.shutDown() }
    // One request, which takes longer than one file may.
    #expect(read(extensions(12, [:]), by: pool).allSatisfy { $0?.facts != nil })
    #expect(fake.starts == 1)
  }

  @Test("readers leave when there is nothing to read, and come back")
  func idle() throws {
    let fake = try FakeReader()
    var limits = Self.quick
    limits.idle = 50_000_000
    let pool = try ReaderPool(program: fake.program, count: 4, limits: limits)
    defer { pool.shutDown() }
    #expect(fake.starts == 0)
    #expect(read(["mp3"], by: pool)[0]?.facts != nil)
    #expect(fake.starts == 1)
    #expect(happensInTime { childProcesses(named: fake.name).isEmpty })
    #expect(read(["mp3"], by: pool)[0]?.facts != nil)
    #expect(fake.starts == 2)
  }

  @Test("a reader is replaced after so many files")
  func recycled() throws {
    let fake = try FakeReader()
    var limits = Self.quick
    limits.filesPerReader = 100
    let pool = try ReaderPool(program: fake.program, count: 1, limits: limits)
    defer { pool.shutDown() }
    #expect(read(extensions(1000, [:]), by: pool).allSatisfy { $0?.facts != nil })
    #expect((9...11).contains(fake.starts))
  }

  @Test("handing in waits while many files wait")
  func backPressure() throws {
    let fake = try FakeReader("sleep 60;")
    var limits = ReaderLimits()
    limits.waitingMost = 8
    let pool = try ReaderPool(program: fake.program, count: 1, limits: limits)
    let handedIn = Monitor(0)
    let handingIn = BlockingThread("hand in") {
      let share = pool.share
      for index in 0..<1000 {
        share.read(
          OpenFile(owning: open("/dev/null", O_RDONLY | O_CLOEXEC)), stamp: stamp(index),
          pathExtension: "mp3"
        ) { _ in }
        handedIn.withLock { $0 += 1 }
      }
    }
    // Two batches and what may be on its way, but not all.
    let deadline = Clock.system.monotonic() + 300_000_000
    #expect(handedIn.wait(until: deadline) { $0 >= 100 ? true : nil } == nil)
    pool.shutDown()
    handingIn.join()
  }

  @Test("shutting down gives every file an outcome and leaves no reader")
  func shutDown() throws {
    let fake = try FakeReader("answer(); flush(); sleep 60;")
    let pool = try ReaderPool(program: fake.program, count: 2)
    let outcomes = Outcomes()
    pool.read([String](repeating: "/dev/null", count: 50), into: outcomes)
    // From then on some are being read, and others wait.
    _ = outcomes.wait(for: 1)
    pool.shutDown()
    pool.shutDown()
    let late = Outcomes()
    pool.read(["/dev/null"], into: late)
    let problems = [outcomes.wait(for: 50), late.wait(for: 1)].flatMap(\.values)
      .compactMap(\.problem)
    #expect(outcomes.count == 50)
    #expect((49...50).contains(problems.count))
    #expect(problems.allSatisfy { $0.message.contains("crated is stopping") })
    #expect(childProcesses(named: fake.name).isEmpty)
  }

  @Test("a reader has no descriptor of ours but its socket")
  func descriptors() throws {
    // A descriptor that doesn't close by itself.
    let stray = OpenFile(owning: fcntl(STDERR_FILENO, F_DUPFD, 100))
    let folder = try TemporaryFolder()
    let pool = try ReaderPool(program: try copyOfReader(in: folder, named: "bare"), count: 1)
    defer { pool.shutDown() }
    _ = read(["mp3"], by: pool)
    let reader = try #require(childProcesses(named: "bare").first)
    #expect(try names(in: "/proc/\(reader)/fd") == ["0", "1", "2", "3"])
    for descriptor in ["0", "1"] {
      var (itself, other) = (stat(), stat())
      #expect(stat("/proc/\(reader)/fd/\(descriptor)", &itself) == 0)
      #expect(stat("/dev/null", &other) == 0 && itself.st_rdev == other.st_rdev, "\(descriptor)")
    }
    #expect(stray.descriptor >= 100)
  }
}
