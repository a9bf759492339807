import Glibc
import LibraryModel
import Platform
import TagReading
import TestSupport
import Testing

@Suite("Files that are not what they should be") struct BadFileTests {
  @Test("empty files, garbage and text become problems that say what to do")
  func garbage() throws {
    let folder = try TemporaryFolder()
    var dice = SeededGenerator(usually: 21)
    let noise = (0..<40_000).map { _ in UInt8.random(in: 0...254, using: &dice) }
    let text = Array(String(repeating: "Not music. ", count: 500).utf8)
    var paths: [String] = []
    for format in SampleFormat.allCases {
      for (name, bytes) in [("empty", []), ("noise", noise), ("text", text)] {
        paths.append(try folder.write(bytes, to: "\(name)-\(format).\(format.pathExtension)"))
      }
    }
    let pool = try ReaderPool(program: builtReader, count: 1)
    defer { pool.shutDown() }
    for (path, outcome) in zip(paths, pool.read(paths)) {
      let problem = try #require(outcome?.problem, "\(path)")
      #expect(problem.kind == .unreadable)
      #expect(problem.message.hasPrefix("The file is empty; ") == path.contains("/empty-"))
      #expect(problem.message.hasSuffix("."))
    }
  }

  @Test("files that end early, at any place, have an outcome", arguments: SampleFormat.allCases)
  func truncated(_ format: SampleFormat) throws {
    let folder = try TemporaryFolder()
    let whole = folder.path("whole.\(format.pathExtension)")
    try SampleMusic.write(format, tags: TagTests.tags, to: whole)
    let bytes = try readFile(whole)
    let lengths = Array(1..<64) + (1..<64).map { bytes.count * $0 / 64 }
    let paths = try lengths.map { length in
      try folder.write(Array(bytes[..<length]), to: "\(length).\(format.pathExtension)")
    }
    let pool = try ReaderPool(program: builtReader, count: 2)
    defer { pool.shutDown() }
    for (length, outcome) in zip(lengths, pool.read(paths)) {
      let outcome = try #require(outcome, "\(length) bytes")
      if let problem = outcome.problem { #expect(problem.kind == .unreadable) }
    }
  }

  @Test("damaged files have an outcome, and end no reader", arguments: SampleFormat.allCases)
  func mutated(_ format: SampleFormat) throws {
    let folder = try TemporaryFolder()
    var dice = SeededGenerator(usually: 22)
    let whole = folder.path("whole.\(format.pathExtension)")
    try SampleMusic.write(format, tags: TagTests.tags, to: whole)
    let bytes = try readFile(whole)
    let head = Array(bytes.prefix(2048))
    let paths = try (0..<300).map { number in
      let mutated = mutate(head, with: &dice) + bytes.dropFirst(2048)
      return try folder.write(mutated, to: "\(number).\(format.pathExtension)")
    }
    let pool = try ReaderPool(program: builtReader, count: 2)
    defer { pool.shutDown() }
    for (number, outcome) in pool.read(paths).enumerated() {
      let outcome = try #require(outcome, "file \(number), \(dice)")
      // A sanitizer makes some compute for longer than they may.
      let kinds: [FileProblem.Kind] = isSanitized ? [.unreadable, .timedOutReader] : [.unreadable]
      if let problem = outcome.problem { #expect(kinds.contains(problem.kind), "\(dice)") }
    }
  }

  @Test("tags that claim to be larger than the file are not waited for")
  func hugeClaims() throws {
    let folder = try TemporaryFolder()
    let sound = try readFile(SampleMusic.sound(.mp3))
    let id3 = Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F]
    let path = try folder.write(id3 + sound, to: "a.mp3")
    let pool = try ReaderPool(program: builtReader, count: 1)
    defer { pool.shutDown() }
    #expect(pool.read([path])[0]?.facts?.format == "mp3")
  }

  @Test("a tag of hundreds of megabytes is too much reading, not a song without tags")
  func hugeTag() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F], to: "a.mp3")
    // A hole costs no disk.
    try #require(truncate(path, 300 << 20) == 0)
    let pool = try ReaderPool(program: builtReader, count: 1)
    defer { pool.shutDown() }
    let problem = try #require(pool.read([path])[0]?.problem)
    #expect(problem.message.contains("larger than any song's"))
  }

  @Test("a kind of sound that TagLib lacks is named as such")
  func unsupported() throws {
    let folder = try TemporaryFolder()
    let head = Array("DSD ".utf8) + [28] + [UInt8](repeating: 0, count: 23)
    let path = try folder.write(head + [UInt8](repeating: 1, count: 9000), to: "a.dsf")
    let pool = try ReaderPool(program: builtReader, count: 1)
    defer { pool.shutDown() }
    // A later TagLib may read as much as there is.
    if let problem = pool.read([path])[0]?.problem {
      #expect(problem.message.contains("TagLib cannot read this kind"))
    }
  }

  @Test("an error of the disk is not a file without tags")
  func diskError() throws {
    // A folder can be opened, and reading it fails.
    let folder = try TemporaryFolder()
    let pool = try ReaderPool(program: builtReader, count: 1)
    defer { pool.shutDown() }
    let problem = try #require(pool.read([folder.path])[0]?.problem)
    #expect(problem.message.contains("Is a directory"))
  }
}
