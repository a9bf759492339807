import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("Writing all of it", .limited)
struct WritingTests {
  @Test("What a pipe takes in pieces comes out whole, and nothing is written for nothing")
  func pieces() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let reading = OpenFile(owning: ends[0])
    let end = ends[1]
    let bytes = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let thread = BlockingThread("writer") {
      let writing = OpenFile(owning: end)
      try? writeAll([], to: writing.descriptor)
      try? writeAll(bytes[1...], to: writing.descriptor)
    }
    var received: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 5_000)
    while true {
      let count = retrying { read(reading.descriptor, &room, room.count) }
      if count <= 0 { break }
      received += room[..<count]
    }
    thread.join()
    #expect(received == Array(bytes[1...]))
  }

  @Test("A call that fails is told with what was written to")
  func failures() throws {
    let full = OpenFile(owning: open("/dev/full", O_WRONLY | O_CLOEXEC))
    #expect(throws: SystemCallError("write", "the list", code: ENOSPC)) {
      try writeAll([1], to: full.descriptor, "the list")
    }
    #expect(throws: SystemCallError("write", "", code: EBADF)) { try writeAll([1], to: -1) }
  }
}
