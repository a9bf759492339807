import Glibc
import Platform
import TestSupport
import Testing

@testable import crate

@Suite("Bytes for a terminal that takes them when it can", .limited)
struct OfferedBytesTests {
  /// The two ends of a pipe of which nobody waits for the other.
  private func pipe() throws -> (from: Int32, into: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(Glibc.pipe(&ends) == 0)
    for end in ends {
      try #require(fcntl(end, F_SETFL, O_NONBLOCK) == 0 && fcntl(end, F_SETFD, FD_CLOEXEC) == 0)
    }
    return (ends[0], ends[1])
  }

  private func taken(_ descriptor: Int32) -> [UInt8] {
    var room = [UInt8](repeating: 0, count: 1 << 20)
    return Array(room[..<max(0, read(descriptor, &room, room.count))])
  }

  @Test("What there is no room for waits, and all comes once, in its order")
  func waiting() throws {
    let (from, into) = try pipe()
    defer { for end in [from, into] { close(end) } }
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
    var offered = OfferedBytes(bytes)
    #expect(!offered.areTaken)
    var isTaken = offered.write(to: into)
    #expect(!isTaken && !offered.areTaken)
    var all: [UInt8] = []
    while !isTaken {
      let some = taken(from)
      try #require(!some.isEmpty)
      all += some
      isTaken = offered.write(to: into)
      #expect(isTaken == offered.areTaken)
    }
    all += taken(from)
    #expect(all == bytes)
    isTaken = offered.write(to: into)
    #expect(isTaken && taken(from) == [])
  }

  @Test("What nobody can ever take is dropped, and nothing is nothing to wait for")
  func dropped() throws {
    let (from, into) = try pipe()
    defer { for end in [from, into] { close(end) } }
    // The end that is read from can't be written to.
    var offered = OfferedBytes([1, 2, 3])
    var isTaken = offered.write(to: from)
    #expect(isTaken && offered.areTaken)
    offered = OfferedBytes()
    #expect(offered.areTaken)
    isTaken = offered.write(to: -1)
    #expect(isTaken && taken(from) == [])
  }
}
