import Arguments
import CratesInterface

struct ProblemsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "problems", abstract: "Show what is wrong and what to do about it.")

  @OptionGroup var common: CommonOptions

  func run() throws {
    for object in try Daemon(common).parameters(of: .problems)["problems"]?.array ?? [] {
      if common.json {
        Output.line(object)
        continue
      }
      let problem: Interface.Problem = try Daemon.structure(object)
      if let path = problem.path { Output.line(Terminal.output.bold(Shown.harmless(path))) }
      let indent = problem.path == nil ? "" : "  "
      Output.line(
        indent + Shown.harmless(problem.message)
          + Terminal.output.dim(" (since \(Shown.time(problem.since)))"))
    }
    Output.flush()
  }
}
