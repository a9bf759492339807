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
}
