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
}
