import Glibc
import Platform
import TestSupport
package import Testing

/// A program in a terminal of tmux's, which a test types into and looks at. It ends with this value
/// at the latest.
package final class TerminalScreen {
  private let folder: TemporaryFolder
  private let environment: [String: String]

  /// - Parameter command: for a shell.
  package init(_ command: String, environment: [String: String]) throws {
    folder = try TemporaryFolder()
    var environment = environment
    environment["LC_ALL"] = "C.UTF-8"
    environment["TERM"] = "xterm-256color"
    environment["HOME"] = folder.path
    self.environment = environment
    try tmux(["-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", command])
  }

  deinit { _ = try? tmux(["kill-server"]) }

  @discardableResult
  private func tmux(_ words: [String]) throws -> String {
    let result = try run("tmux", ["-S", folder.path("tmux")] + words, environment: environment)
    #expect(result.status == 0, "tmux \(words): \(result.errors)")
    return result.output
  }

  /// By the names that tmux has for keys.
  package func type(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

  package var text: String { get throws { try tmux(["capture-pane", "-p"]) } }

  /// Looks again and again until it shows that.
  package func wait(
    for words: String, _ location: SourceLocation = #_sourceLocation,
    where isMeant: (String) -> Bool
  ) throws {
    let end = Patience.end
    while true {
      let text = try text
      if isMeant(text) { return }
      try #require(
        Clock.system.monotonic() < end, "no \(words) in:\n\(text)", sourceLocation: location)
    }
  }

  package func wait(for words: String, _ location: SourceLocation = #_sourceLocation) throws {
    try wait(for: words, location) { $0.contains(words) }
  }
}
