import CratesInterface
package import Logging

/// Writes one line per message to standard error. Under systemd each begins with its priority
/// (sd-daemon(3)), otherwise with the level's name.
package struct SystemdLogHandler: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel: Logger.Level
  private let output: LogOutput
  private let isUnderSystemd: Bool

  package init(
    level: Logger.Level, environment: [String: String], output: LogOutput = .standardError
  ) {
    self.logLevel = level
    self.output = output
    self.isUnderSystemd = environment["JOURNAL_STREAM"] != nil
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  // A compiler before 6.2 gets a swift-log without events.
  #if compiler(>=6.2)
    package func log(event: LogEvent) {
      write(event.level, event.message, event.metadata)
    }
  #else
    package func log(
      level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String,
      file: String, function: String, line: UInt
    ) {
      write(level, message, metadata)
    }
  #endif

  private func write(
    _ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata?
  ) {
    output.write(line(level, message, metadata))
  }

  /// Returns the line. Names and tags from files must not send terminal escapes or begin a new
  /// line.
  func line(
    _ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata?
  ) -> String {
    var text = "\(message)".split(whereSeparator: \.isNewline).joined(separator: " ")
    let all = self.metadata.merging(metadata ?? [:]) { _, new in new }
    for (key, value) in all.sorted(by: { $0.key < $1.key }) { text += " \(key)=\(value)" }
    return (isUnderSystemd ? "<\(priority(level))>" : "crated: \(level): ") + text.harmless
  }

  private func priority(_ level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
