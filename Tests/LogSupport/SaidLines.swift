import Logging
import Platform
import TestSupport
import Testing

/// What a logger says.
final class SaidLines: Sendable {
  private let lines = Monitor<[String]>([])
  private let listener: @Sendable (String) -> Void

  /// - Parameter listener: is called with each line before it is there, on the thread that says it.
  init(_ listener: @escaping @Sendable (String) -> Void = { _ in }) { self.listener = listener }

  var logger: Logger {
    Logger(label: "test") { _ in Handler(lines: self.lines, listener: self.listener) }
  }

  /// So far: the level and the message of each.
  var all: [String] { lines.withLock { $0 } }

  /// Waits for a line with this in it.
  func wait(for words: String) {
    let isSaid: Bool? = lines.wait(until: Patience.end) { lines in
      lines.contains { $0.contains(words) } ? true : nil
    }
    if isSaid != true { Issue.record("never said: \(words), but \(all)") }
  }

  private struct Handler: LogHandler {
    let lines: Monitor<[String]>
    let listener: @Sendable (String) -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

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
