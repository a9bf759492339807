package import Logging
import Platform
import TestSupport
import Testing

/// What a logger says.
package final class SaidLines: Sendable {
  private let lines = Monitor<[String]>([])
  private let level: Logger.Level
  private let listener: @Sendable (String) -> Void

  /// - Parameters:
  ///   - level: the least that is said.
  ///   - listener: is called with each line before it is there, on the thread that says it.
  package init(
    _ level: Logger.Level = .debug, listener: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.level = level
    self.listener = listener
  }

  package var logger: Logger {
    Logger(label: "test") { _ in
      Handler(lines: self.lines, listener: self.listener, logLevel: self.level)
    }
  }

  /// So far: the level and the message of each.
  package var all: [String] { lines.withLock { $0 } }

  /// Those since the last time.
  package func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }

  /// Waits for a line with this in it.
  package func wait(for words: String) {
    let isSaid: Bool? = lines.wait(until: Patience.end) { lines in
      lines.contains { $0.contains(words) } ? true : nil
    }
    if isSaid != true { Issue.record("never said: \(words), but \(all)") }
  }

  private struct Handler: LogHandler {
    let lines: Monitor<[String]>
    let listener: @Sendable (String) -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    // A compiler before 6.2 gets a swift-log that knows no events.
    #if compiler(>=6.2)
      func log(event: LogEvent) { write(event.level, event.message) }
    #else
      func log(
        level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String,
        file: String, function: String, line: UInt
      ) {
        write(level, message)
      }
    #endif

    private func write(_ level: Logger.Level, _ message: Logger.Message) {
      let line = "\(level): \(message)"
      listener(line)
      lines.withLock { $0.append(line) }
    }
  }
}
