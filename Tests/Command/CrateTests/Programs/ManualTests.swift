import ProgramSupport
import TestSupport
import Testing

/// The manual pages, held to what the programs say of themselves.
@Suite("Manual pages", .limited)
struct ManualTests {
  static let pages = ["crate.1", "crated.8", "crated.toml.5"]

  static func path(_ page: String) -> String {
    Repository.path("Documentation/man/\(page)")
  }

  /// A page as a terminal that is wide enough shows it.
  private func shown(_ page: String) throws -> String {
    let script = "set -o pipefail; man --local-file \"$1\" | col -b"
    let result = try run(
      "bash", ["-c", script, "man", Self.path(page)],
      environment: ["MANWIDTH": "200", "LC_ALL": "C.UTF-8"])
    try #require(result.status == 0, "\(result.errors)")
    return result.output.replacing("\u{2010}", with: "-")
  }

  /// The lines of a help text below a heading.
  private func help(_ text: String, below heading: String) -> [Substring] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return Array(lines.drop { $0 != heading }.dropFirst().prefix { !$0.isEmpty })
  }

  /// "  -l, --limit <n>   So many changes." names two.
  private func options(_ help: String) -> [String] {
    self.help(help, below: "Options:").flatMap { line -> [String] in
      guard line.hasPrefix("  -") else { return [] }
      return line.split(separator: " ").prefix { $0.hasPrefix("-") }
        .map { String($0.replacing(",", with: "")) }
    }
  }

  @Test("man has nothing to complain of", arguments: pages)
  func lint(page: String) throws {
    let result = try run(
      "man", ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", Self.path(page)],
      environment: ["LC_ALL": "C.UTF-8"])
    #expect(result.status == 0)
    #expect(result.errors == "")
    let strict = try run("groff", ["-mandoc", "-ww", "-z", "-K", "utf8", Self.path(page)])
    #expect(strict.status == 0)
    #expect(strict.errors == "")
    #expect(try shown(page).split(separator: "\n").count > 20)
  }

  @Test("crate(1) has every command and every option")
  func crate() throws {
    let page = try shown("crate.1")
    let home = try Home()
    let help = try home.crate(["--help"]).output
    let commands = self.help(help, below: "Commands:").compactMap { line in
      line.hasPrefix("  ") && !line.hasPrefix("   ") ? line.split(separator: " ").first : nil
    }
    #expect(commands.count >= 16)
    for command in commands {
      #expect(page.contains("\n     \(command)"), "\(command)")
      for option in options(try home.crate([String(command), "--help"]).output) {
        #expect(page.contains(option), "\(command) \(option)")
      }
    }
  }

  @Test("crated(8) has every command and every option")
  func crated() throws {
    let page = try shown("crated.8")
    let home = try Home()
    let help = try home.crated("--help").output
    for option in options(help) { #expect(page.contains(option), "\(option)") }
    for command in ["check", "restore", "web"] {
      #expect(help.contains("\n  \(command) "))
      for option in options(try home.crated(command, "--help").output) {
        #expect(page.contains(option), "\(command) \(option)")
      }
      #expect(page.contains("\n     \(command) "), "\(command)")
    }
  }
}
