import Glibc
import LibraryModel
import Platform
import TagReading
import TestSupport
import Testing

@Suite("Files that are not what they should be", .limited) struct BadFileTests {
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

  @Test("a format that this TagLib lacks is told apart from a file that is damaged")
  func unsupported() throws {
    let folder = try TemporaryFolder()
    let version = try run(builtReader.display, ["--version"]).output
    let library = try #require(version.split(separator: " with ").last).dropLast()
    let known = try readableExtensions()
    let lacking = "\(library) does not read this format; convert the file, for example to FLAC."
    let damaged = "The file is damaged or cut off; check that it plays, or copy it again."
    // The magic bytes of each format, and nothing that makes sense behind them.
    for (name, magic) in [
      ("dsf", "DSD "), ("dff", "FRM8"), ("shn", "ajkg"), ("mka", "\u{1A}E"), ("flac", "fLaC"),
      ("wma", "0&"), ("m4a", "\0\0\0 ftypM4A "),
    ] {
      var bytes = magic.unicodeScalars.map { UInt8($0.value) }
      if name == "mka" { bytes += [0xDF, 0xA3] }
      if name == "wma" {
        bytes += [0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0, 0xAA, 0, 0x62]
      }
      if name == "wma" { bytes += [0xCE, 0x6C] }
      bytes += [UInt8](repeating: 0, count: 24) + [UInt8](repeating: 1, count: 9_000)
      let message = try problem(of: folder.write(bytes, to: "a.\(name)")).message
      #expect(message == (known.contains(name) ? damaged : lacking), "\(name)")
    }
  }

  @Test("a FLAC cut off in its cover and an MP4 cut off in its head are damaged")
  func cutOff() throws {
    let folder = try TemporaryFolder()
    for (format, part) in [(SampleFormat.flac, 20_000), (.alac, 0)] {
      let path = folder.path("a.\(format.pathExtension)")
      try writeFile(readFile(SampleMusic.sound(format)), to: path)
      try Tagger().write(["title": "Title"], picture: 40_000, to: path)
      var bytes = try readFile(path)
      // mutagen leaves MP4's head at the end.
      bytes = Array(part > 0 ? bytes[..<part] : bytes[..<(bytes.count - 300)])
      try writeFile(bytes, to: path)
      #expect(try problem(of: path).message.hasPrefix("The file is damaged or cut off; "))
    }
  }

  @Test("video without sound is no song, and video with sound is one", arguments: ["mp4", "wmv"])
  func video(_ name: String) throws {
    let folder = try TemporaryFolder()
    let isMP4 = name == "mp4"
    let video = ["-f", "lavfi", "-i", "testsrc=size=64x64:duration=1"]
    let sound = ["-f", "lavfi", "-i", "sine=duration=1"]
    let codecs = isMP4 ? ["-c:v", "mpeg4", "-c:a", "aac"] : ["-c:v", "wmv2", "-c:a", "wmav2"]
    let extra = isMP4 ? "mp4" : "asf"
    let silent = folder.path("silent.\(extra)")
    let heard = folder.path("heard.\(extra)")
    for (inputs, path) in [(video, silent), (video + sound, heard)] {
      let arguments =
        ["-nostdin", "-v", "error"] + inputs + codecs + ["-metadata", "title=T", path]
      let result = try run("ffmpeg", arguments)
      try #require(result.status == 0, "\(result.errors)")
    }
    #expect(try facts(of: heard).tags.title == "T")
    let message = try problem(of: silent).message
    #expect(message == "TagLib found no audio in this file; check that it plays, or copy it again.")
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
