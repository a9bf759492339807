import Glibc
import LibraryModel
import TagReading
import TestSupport
import Testing

@Suite("Readers that have done enough", .limited) struct ReaderWearTests {
  @Test("One that has grown by more than its share is replaced, and no file is lost by it")
  func growth() throws {
    let folder = try TemporaryFolder()
    let starts = try folder.write("", to: "starts")
    let script = "#!/bin/sh\necho start >>'\(starts)'\nexec '\(builtReader.display)'\n"
    let program = try folder.write(script, to: "reader")
    try #require(chmod(program, 0o755) == 0)
    let paths = Array(repeating: try SampleMusic.sound(.mp3), count: 40)
    var startsSoFar = 0
    // Everyone has grown by more than the first, and nobody by more than the second.
    for (share, isReplaced) in [(-(1 << 40), true), (1 << 40, false)] {
      var limits = ReaderLimits()
      limits.growthPerReader = share
      let pool = try ReaderPool(program: BytePath(program), count: 1, limits: limits)
      defer { pool.shutDown() }
      for _ in 0..<5 {
        #expect(pool.read(paths).allSatisfy { $0?.facts != nil })
      }
      #expect(pool.startFailure == nil)
      let lines = try readFile(starts).filter { $0 == UInt8(ascii: "\n") }.count
      #expect(isReplaced ? lines - startsSoFar >= 5 : lines - startsSoFar == 1)
      startsSoFar = lines
    }
  }

  @Test(
    "Files of every kind by the thousand, good and damaged, leave it as small as a few do",
    .enabled(if: !isSanitized, "a sanitizer keeps what is given back for a while"))
  func memory() throws {
    let folder = try TemporaryFolder()
    // A name of its own, by which it is found.
    let program = folder.path("wear-reader")
    try #require(symlink(builtReader.display, program) == 0)
    let corpus = Repository.path("Fuzz/Corpus/tags")
    var paths = try SampleFormat.allCases.map { try SampleMusic.sound($0) }
    for name in try names(in: corpus) {
      // The first byte tells the fuzzed reader what it is.
      let bytes = Array(try readFile("\(corpus)/\(name)").dropFirst())
      let kind = name.split(separator: "-").first.map(String.init) ?? name
      paths.append(try folder.write(bytes, to: "\(name).\(kind)"))
      paths.append(
        try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "\(name)-cut.\(kind)"))
    }
    let pool = try ReaderPool(program: BytePath(program), count: 1)
    defer { pool.shutDown() }
    var sizes: [Int] = []
    var processes: Set<pid_t> = []
    var count = 0
    while count < 4_000 {
      count += pool.read(paths).count
      let reader = try #require(childProcesses(named: "wear-reader").first)
      processes.insert(reader)
      let pages = String(decoding: try readFile("/proc/\(reader)/statm"), as: UTF8.self)
        .split(separator: " ").compactMap { Int($0) }
      sizes.append(pages[1] * Int(sysconf(Int32(_SC_PAGESIZE))))
    }
    // Kinds of damage that cost it its life make it begin anew, and say nothing of its growth.
    #expect(processes.count == 1)
    let (early, late) = (try #require(sizes.prefix(3).max()), try #require(sizes.suffix(3).max()))
    #expect(late < early + 8 << 20, "\(sizes)")
  }
}
