import Glibc
import LibraryModel
import Platform
import TagReading
import TestSupport
import Testing

/// Files end, or can't be read, in the middle of being read.
@Suite("Disks that fail and files that end", .limited) struct FailingDiskTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func sample(_ format: SampleFormat) throws -> String {
    let path = folder.path("\(format).\(format.pathExtension)")
    try SampleMusic.write(format, tags: TagTests.tags, to: path)
    return path
  }

  @Test(
    "Cut at every byte of its head and its tail, a file has an outcome, and ends no reader",
    arguments: SampleFormat.allCases)
  func everyByte(_ format: SampleFormat) throws {
    let bytes = try readFile(sample(format))
    let head = min(1024, bytes.count - 128)
    let lengths = Effort.some(
      of: Array(1...head) + Array((bytes.count - 128)..<bytes.count), oneIn: 5)
    let outcomes = Outcomes()
    var limits = ReaderLimits()
    limits.deadline = 60_000_000_000
    let pool = try ReaderPool(program: builtReader, count: 2, limits: limits)
    defer { pool.shutDown() }
    let share = pool.share
    for (index, length) in lengths.enumerated() {
      let path = try folder.write(Array(bytes[..<length]), to: "cut")
      let file = OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC))
      unlink(path)
      share.read(file, stamp: stamp(index), pathExtension: format.pathExtension) { outcome in
        outcomes.note(outcome, for: index)
      }
    }
    let arrived = outcomes.wait(for: lengths.count)
    try #require(arrived.count == lengths.count)
    for (index, length) in lengths.enumerated() {
      guard let problem = arrived[index]?.problem else { continue }
      #expect(problem.kind == .unreadable, "\(length) bytes: \(problem)")
    }
  }

  @Test("Whichever read fails, a file is as it is or a problem, never a file with fewer tags")
  func everyRead() throws {
    let paths = try SampleFormat.allCases.map { try sample($0) }
    let list = (0..<8).flatMap { _ in paths }
    let pool = try ReaderPool(program: builtReader, count: 1)
    let whole = pool.read(paths)
    pool.shutDown()
    var failed = Set<Int>()
    // The real reader under strace: of its reads of these files, each of that number fails.
    for period in [2, 3, 5, 7, 11] {
      let log = folder.path("trace \(period)")
      let words = ["-o", log, "-e", "trace=pread64", "-e"]
      let fault =
        ["inject=pread64:error=EIO:when=\(period)+\(period)"] + paths.flatMap { ["-P", $0] }
      let line = (words + fault).map { "'\($0)'" }.joined(separator: " ")
      let script = "#!/bin/sh\nexec strace \(line) '\(builtReader.display)'\n"
      let program = try folder.write(script, to: "reader \(period)")
      chmod(program, 0o755)
      let pool = try ReaderPool(program: BytePath(program), count: 1)
      let outcomes = pool.read(list)
      pool.shutDown()
      let trace = String(decoding: try readFile(log), as: UTF8.self)
      let injected = trace.split(separator: "\n").count { $0.hasSuffix("(INJECTED)") }
      #expect(injected >= 13, "\(injected) reads failed")
      var problems = 0
      for (index, outcome) in outcomes.enumerated() {
        let place = index % paths.count
        switch try #require(outcome, "\(index)") {
        case .facts(let facts):
          let expected = try #require(whole[place]?.facts)
          expectSame(facts.tags, expected.tags)
          #expect(facts.digest == expected.digest, "\(paths[place])")
          #expect(facts.audio == expected.audio, "\(paths[place])")
        case .problem(let problem):
          #expect(problem.message.contains("Input/output error"), "\(problem)")
          problems += 1
          failed.insert(place)
        }
      }
      // One failed read ends the reading of its file.
      #expect(problems == injected)
    }
    #expect(failed.count == paths.count, "of each format some read failed")
  }
}
