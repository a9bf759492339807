import Glibc
import LibraryModel
import Platform
import TestSupport
import Testing

@testable import TagReading

@Suite("What a reader says, piece by piece", .limited)
final class ReaderConnectionTests {
  /// What a connection was told of.
  private struct Heard {
    var greetings = 0
    var answers: [(name: String, reply: ReaderReply)] = []
    var names: [String] { answers.map(\.name) }
  }

  private let asked = AskedFile()
  private let share = ShareID(number: 3)
  private let theirs: OpenFile
  private let connection: ReaderConnection

  init() throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    theirs = OpenFile(owning: ends[1])
    // This process stands in for the reader: nobody ends it.
    connection = ReaderConnection(
      LaunchedReader(process: getpid(), socket: OpenFile(owning: ends[0])), now: 100)
  }

  private func say(_ bytes: [UInt8]) throws { try writeAll(bytes, to: theirs.descriptor) }

  private func hear(_ heard: inout Heard, now: Int64 = 100) -> ReaderConnection.News {
    var found = heard
    let news = connection.receive(now: now) {
      found.greetings += 1
    } answer: { job, reply in
      found.answers.append((job.file.pathExtension, reply))
    }
    heard = found
    return news
  }

  private func jobs(_ names: String..., wants: ReaderRequest.Wanted = .tags) -> [ReaderJob] {
    names.map { ReaderJob(asked.file(share, $0, wants: wants), generation: 0) }
  }

  private func problem(_ number: Int32) -> [UInt8] {
    var writer = ReplyWriter()
    writer.begin(.diskError, errorNumber: number)
    writer.end()
    return writer.bytes
  }

  private func request() throws -> ReaderRequest? {
    var bytes = [UInt8](repeating: 0, count: 1_000)
    let count = recv(theirs.descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return ReaderRequest(decoding: bytes.prefix(max(0, count)))
  }

  @Test("A greeting counts when its last byte is there, which says what is missing")
  func greeting() throws {
    var heard = Heard()
    #expect(!connection.hasGreeted && connection.headSince == 100 && connection.share == nil)
    #expect(hear(&heard) == .nothing)
    try say(Array(ReaderReply.greeting.dropLast()))
    #expect(hear(&heard) == .nothing)
    try say([ReaderReply.greeting[7]])
    #expect(hear(&heard, now: 200) == .nothing && heard.greetings == 0)
    #expect(connection.headSince == 100)
    connection.computedWhenSlow = 5
    try say([5])
    #expect(hear(&heard, now: 300) == .nothing && heard.greetings == 1 && connection.hasGreeted)
    #expect(connection.missing == [.landlock, .memory] && connection.headSince == 300)
    #expect(connection.computedWhenSlow == nil)
    shutdown(theirs.descriptor, Int32(SHUT_WR))
    #expect(hear(&heard) == .gone && heard.greetings == 1)
  }

  @Test("Whatever else begins is nonsense")
  func otherGreeting() throws {
    var heard = Heard()
    try say(Array("CRTREAD\u{3}".utf8) + [0])
    #expect(hear(&heard) == .nonsense && heard.greetings == 0 && !connection.hasGreeted)
  }

  @Test("Answers are those of the files in their order, each when it is there as a whole")
  func answers() throws {
    var heard = Heard()
    try say(ReaderReply.greeting + [0])
    #expect(hear(&heard) == .nothing)
    #expect(connection.send(jobs("a", "b"), now: 400) && connection.headSince == 400)
    #expect(try request() == ReaderRequest(answersOneByOne: false, pathExtensions: ["a", "b"]))
    #expect(connection.send(jobs("c", wants: .thumbnail(side: 99)), now: 500))
    #expect(connection.headSince == 400 && connection.jobsTaken == 3)
    #expect(connection.jobs.map(\.batch) == [1, 1, 2] && connection.share == share)
    let asked = try #require(try request())
    #expect(asked.answersOneByOne && asked.wants == .thumbnail(side: 99))
    let bytes = problem(7) + problem(8)
    for (index, byte) in bytes.enumerated() {
      try say([byte])
      #expect(hear(&heard, now: 600 + Int64(index)) == .nothing)
      let count = (index + 1) / (bytes.count / 2)
      #expect(heard.names == Array(["a", "b"].prefix(count)) && connection.jobs.count == 3 - count)
      #expect(connection.headSince == (count == 0 ? 400 : 599 + Int64(count * bytes.count / 2)))
    }
    #expect(heard.answers.map(\.reply) == [7, 8].map { .problem(.diskError, errorNumber: $0) })
    // One too many.
    try say(problem(9) + problem(10))
    #expect(hear(&heard) == .nonsense && heard.names == ["a", "b", "c"])
    #expect(connection.jobs.isEmpty && connection.share == nil)
  }

  @Test("A record of no bytes, or of too many, is nonsense")
  func lengths() throws {
    for bytes in [[0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]] {
      let other = try ReaderConnectionTests()
      var heard = Heard()
      try other.say(ReaderReply.greeting + [0])
      #expect(other.hear(&heard) == .nothing)
      #expect(other.connection.send(jobs("a"), now: 1))
      try other.say(bytes)
      #expect(other.hear(&heard) == .nonsense && heard.names.isEmpty)
    }
  }

  @Test("The longest record that may be is taken whole, and what follows it")
  func longest() throws {
    var heard = Heard()
    try say(ReaderReply.greeting + [0])
    _ = hear(&heard)
    #expect(connection.send(jobs("a", "b", "c"), now: 1))
    // A picture, and titles for the rest; the last of them is as long as that leaves.
    var rest = ReaderReply.bytesMost - 5 - (5 + ReaderReply.pictureBytesMost)
    var fields: [(ReaderField, [UInt8])] = [
      (.picture, [UInt8](repeating: 9, count: ReaderReply.pictureBytesMost))
    ]
    while rest > 0 {
      let count = min(rest - 5, 60_000)
      fields.append((.title, [UInt8](repeating: 0x61, count: count)))
      rest -= 5 + count
    }
    let record = ReplyTests.record(fields)
    try #require(record.count == ReaderReply.bytesMost)
    let length = (0..<4).map { UInt8(truncatingIfNeeded: record.count >> (8 * $0)) }
    let bytes = problem(1) + length + record + problem(2)
    let end = theirs.descriptor
    let writing = BlockingThread("says much") { try? writeAll(bytes, to: end) }
    let until = Patience.end
    while heard.answers.count < 3, Clock.system.monotonic() < until {
      guard case .nothing = hear(&heard) else { break }
      sched_yield()
    }
    try #require(heard.names == ["a", "b", "c"])
    writing.join()
    guard case .song(let song) = heard.answers[1].reply else {
      Issue.record("a song was said")
      return
    }
    #expect(song.picture.count == ReaderReply.pictureBytesMost && !song.tags.title.isEmpty)
    #expect(heard.answers[2].reply == .problem(.diskError, errorNumber: 2))
  }

  @Test("It is worn out by as many files as it may have, or by growing more than it may")
  func worn() throws {
    var limits = ReaderLimits()
    limits.filesPerReader = 3
    limits.growthPerReader = .max
    #expect(!connection.isWornOut(by: limits) && connection.growth == 0 && !connection.isReserved)
    #expect(connection.send(jobs("a", "b"), now: 1) && !connection.isWornOut(by: limits))
    // Before its greeting all of its memory is growth.
    let resident = connection.growth
    let words = String(decoding: try readFile("/proc/self/statm"), as: UTF8.self)
      .split(separator: " ").compactMap { Int($0) }
    let size = words[1] * Int(sysconf(Int32(_SC_PAGESIZE)))
    #expect(abs(resident - size) < size / 4)
    limits.growthPerReader = resident
    #expect(!connection.isWornOut(by: limits))
    limits.growthPerReader = resident - 1
    #expect(connection.isWornOut(by: limits))
    limits.growthPerReader = .max
    #expect(connection.send(jobs("c"), now: 1) && connection.isWornOut(by: limits))
    var heard = Heard()
    try say(ReaderReply.greeting + [0])
    _ = hear(&heard)
    #expect(connection.send(jobs("d"), now: 1) && connection.isWornOut(by: limits))
    #expect(abs(connection.growth) < size / 2)
  }
}
