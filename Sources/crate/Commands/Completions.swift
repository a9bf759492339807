import ArgumentParser
import CratesInterface

/// What the shell offers while a command is typed, from the daemon if it runs.
enum Completions {
  static let what = CompletionKind.custom { _, _, _ in names(albums: true) }
  static let crates = CompletionKind.custom { _, _, _ in names(albums: false) }

  private static func names(albums: Bool) -> [String] {
    // Without a daemon there is nothing to offer, and no place to say so.
    guard let options = try? CommonOptions.parse([]), let daemon = try? Daemon(options),
      let crates = try? daemon.crates()
    else { return [] }
    let titles = albums ? (try? daemon.albums()) ?? [] : []
    return crates.map(\.name) + titles.filter { $0.position != nil }.map(\.title)
  }
}
