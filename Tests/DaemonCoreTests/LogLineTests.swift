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
}
