import Glibc
import Logging
import TestSupport
import Testing

@testable import DaemonCore

@Suite("Lines of the log", .limited)
struct LogLineTests {
  @Test("What strangers named neither steers a terminal nor begins a line")
  func harmless() {
    let name = "\u{1B}]0;x\u{7}\u{202E}\n<0>crated: all is lost\u{9B}2J"
    for environment in [[:], ["JOURNAL_STREAM": "1:2"]] {
      let handler = SystemdLogHandler(level: .notice, environment: environment)
      let line = handler.line(.warning, "\(name) can't be read", ["path": "\(name)"])
      #expect(line.hasPrefix(environment.isEmpty ? "crated: warning: ␛]0;x␇" : "<4>␛]0;x␇"))
      #expect(line.hasSuffix("2J"))
      let steering = line.unicodeScalars.filter {
        $0.properties.generalCategory == .control || $0.properties.isBidiControl
      }
      #expect(steering.isEmpty)
    }
  }

  @Test("A line begins with how bad it is, and ends with what is known of it, by name")
  func priorities() {
    let levels: [(Logger.Level, Int)] = [
      (.trace, 7), (.debug, 7), (.info, 6), (.notice, 5), (.warning, 4), (.error, 3),
      (.critical, 2),
    ]
    var handler = SystemdLogHandler(level: .trace, environment: ["JOURNAL_STREAM": "1:2"])
    handler[metadataKey: "b"] = "1"
    handler[metadataKey: "c"] = "2"
    #expect(handler[metadataKey: "b"] == "1" && handler[metadataKey: "a"] == nil)
    for (level, number) in levels {
      #expect(handler.line(level, "one\ntwo", nil) == "<\(number)>one two b=1 c=2")
    }
    #expect(handler.line(.info, "x", ["c": "9", "a": "0"]) == "<6>x a=0 b=1 c=9")
    let plain = SystemdLogHandler(level: .info, environment: [:])
    #expect(plain.line(.info, "x", nil) == "crated: info: x")
    #expect(plain.logLevel == .info)
  }

  @Test("A message is written as one line")
  func written() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let end = ends[1]
    var log = Self.logger(to: end)
    log.info("not this")
    log.notice("ready\nnow", metadata: ["songs": "6"])
    log[metadataKey: "folder"] = "/music"
    log.error("gone")
    // An end of what is read, also where nothing was written.
    try #require(write(end, ".", 1) == 1)
    let told = [UInt8](unsafeUninitializedCapacity: 200) { buffer, count in
      count = max(0, read(ends[0], buffer.baseAddress, 200))
    }
    #expect(
      String(decoding: told, as: UTF8.self)
        == "crated: notice: ready now songs=6\ncrated: error: gone folder=/music\n.")
  }

  private static func logger(to end: Int32) -> Logger {
    let output = LogOutput(end)
    return Logger(label: "crated") { _ in
      SystemdLogHandler(level: .notice, environment: [:], output: output)
    }
  }

  @Test("Nobody waits for a reader that is stuck: lines that it has no room for are lost")
  func stuck() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let (reading, end) = (ends[0], ends[1])
    try #require(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
    func told() -> [Substring] {
      var bytes: [UInt8] = []
      var room = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = read(reading, &room, room.count), count > 0 { bytes += room[..<count] }
      return String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
    }
    let log = Self.logger(to: end)
    for number in 0..<2_000 { log.notice("\(number) \(String(repeating: "x", count: 100))") }
    let first = told()
    #expect(first.count > 100 && first.count < 2_000 && first.last == "")
    for (number, line) in first.dropLast().enumerated() {
      #expect(line == "crated: notice: \(number) \(String(repeating: "x", count: 100))")
    }
    // One that is longer than there is room for has no end, until the next one.
    log.notice("\(String(repeating: "y", count: 1 << 20))")
    log.notice("lost")
    let cut = told()
    #expect(cut.count == 1 && cut[0].hasPrefix("crated: notice: yyy"))
    log.notice("next")
    log.notice("and next")
    #expect(told() == ["", "crated: notice: next", "crated: notice: and next", ""])
  }
}
