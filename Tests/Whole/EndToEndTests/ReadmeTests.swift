import Glibc
import ProgramSupport
import TestSupport
import Testing

/// The commands of the README, as a person types them after `make run` or an installation.
@Suite("The first five minutes", .limited)
struct ReadmeTests {
  /// A command and what the README shows of its answer.
  private struct Step {
    var command: String
    var answer: [Substring] = []
  }

  private static func steps() throws -> [Step] {
    let text = String(decoding: try readFile(Repository.path("README.md")), as: UTF8.self)
    let section = try #require(text.split(separator: "## The first five minutes").last)
    var steps: [Step] = []
    var isAnswer = false
    for line in section.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") { break }
      if line.hasPrefix("    $ ") {
        steps.append(Step(command: String(line.dropFirst(6))))
        isAnswer = true
      } else if isAnswer, line.hasPrefix("    ") {
        steps[steps.count - 1].answer.append(line.dropFirst(4))
      } else {
        isAnswer = false
      }
    }
    return steps
  }

  @Test("Each command of the README answers what it says there")
  func commands() throws {
    let home = try TemporaryFolder()
    let build = try home.makeFolder(".build")
    let products = String(try Home.program("demo-music").dropLast("/demo-music".count))
    #expect(symlink(products, "\(build)/release") == 0)
    let environment = ["HOME": home.path, "PATH": "/usr/bin:/bin", "NO_COLOR": "1"]
    let unset = ["CONFIG_HOME", "DATA_HOME", "CACHE_HOME", "STATE_HOME", "RUNTIME_DIR"]
      .flatMap { ["-u", "XDG_\($0)"] }
    func ended(_ words: [String]) throws -> ProgramResult {
      try run(
        "env", unset + ["timeout", "\(Patience.seconds)"] + words, environment: environment)
    }
    let first = try ended(["sh", Repository.path("scripts/run.sh"), build])
    try #require(first.status == 0, "\(first.errors)")
    let line = try #require(
      first.output.split(separator: "\n").first { $0.contains("stops crated") })
    let pid = try #require(line.split(separator: " ").lazy.compactMap { pid_t($0) }.first)
    defer { kill(pid, SIGKILL) }

    var steps = try Self.steps()
    try #require(steps.count >= 8)
    // It would be heard, or says that there is no player.
    #expect(steps.popLast()?.command.hasPrefix("crate play ") == true)
    for step in steps {
      // On a terminal, as the README shows it.
      let typed =
        "stty cols 100 rows 40; cd '\(home.path)'; PATH=$PWD/.build/run:$PATH; \(step.command)"
      let answer = try ended(["script", "-qec", typed, "/dev/null"])
      let lines = answer.output.split(whereSeparator: \.isNewline)
      let isCut = step.answer.last == "…"
      let shown = isCut ? step.answer.dropLast() : step.answer[...]
      #expect(answer.status == 0, "\(step.command)")
      #expect(
        (isCut ? lines.prefix(shown.count) : lines[...]).elementsEqual(shown),
        "\(step.command): \(answer.output)")
    }
  }
}
