import Arguments
import CratesInterface

struct MachinesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "machines", abstract: "Show the machines that have the same order.",
    usage: "crate machines [join [--mine] [--dry-run] | drop NAME]",
    discussion: """
      The setting `machines` names the folder that carries the order. `join` takes the order of \
      the other machines, where this one has one of its own; with --mine this machine's order \
      counts everywhere. `drop` forgets a machine that is gone for good.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "With join: the order of this machine counts everywhere.") var mine = false
  @Flag(name: .customLong("dry-run"), help: "With join: say what it would do, and do nothing.")
  var isDryRun = false
  @Argument(help: "join, or drop and the name or id of a machine.") var words: [String] = []

  private var joins: Bool { words == ["join"] }

  /// The name of the machine to drop.
  private var dropped: String? {
    words.count > 1 && words[0] == "drop" ? words.dropFirst().joined(separator: " ") : nil
  }

  func validate() throws {
    if !words.isEmpty, !joins, dropped == nil {
      throw ValidationError("crate machines takes join, or drop and the name of a machine")
    }
    if !joins, mine || isDryRun { throw ValidationError("--mine and --dry-run go with join") }
  }

  func run() throws {
    let daemon = try DaemonConnection(common)
    if joins {
      let answer = try daemon.parameters(of: .joinMachines(mine: mine, dryRun: isDryRun))
      return try Changes.show(answer, json: common.json)
    }
    if let dropped {
      _ = try daemon.parameters(of: .dropMachine(machine: dropped))
      if !common.json { Output.line("\(Shown.harmless(dropped)) is forgotten.") }
      return Output.flush()
    }
    try list(try daemon.parameters(of: .machines))
  }

  private func list(_ parameters: JSON) throws {
    if common.json {
      for object in parameters["machines"]?.array ?? [] { Output.line(object) }
      return Output.flush()
    }
    let answer: Interface.Machines = try DaemonConnection.structure(parameters)
    guard let folder = answer.folder else {
      Output.complain(
        "crate: no machine has the order of this one; the setting machines names the folder that"
          + " carries it: man crated.toml")
      return Output.flush()
    }
    if Terminal.output.isTerminal {
      for line in Self.lines(answer, folder).flatMap({ $0 }) { Output.line(line) }
    } else {
      for machine in answer.machines {
        Output.line(
          LeanLine.line([
            machine.name, machine.id, machine.here ? "here" : machine.heard.map(Shown.time) ?? "",
            String(machine.elsewhere), machine.problem ?? "",
          ]))
      }
    }
    if answer.waiting {
      Output.complain(
        "crate: the other machines have an order, and this one has its own: crate machines join"
          + " takes theirs, crate machines join --mine makes this one count everywhere")
    }
    Output.flush()
  }

  private static func lines(_ answer: Interface.Machines, _ folder: String) -> [[String]] {
    var table = Table([.name("Machine"), .word("Id"), .word("Last heard"), .number("Only there")])
    for machine in answer.machines {
      let heard = machine.here ? "this one" : machine.heard.map(Shown.time) ?? ""
      let elsewhere = machine.elsewhere > 0 ? Shown.count(machine.elsewhere, "album") : ""
      table.add([machine.name, machine.id, heard, elsewhere])
    }
    let problems = answer.machines.compactMap { machine in
      machine.problem.map { "\(Shown.harmless(machine.name)): \(Shown.harmless($0))" }
    }
    let place = Terminal.output.dim("in \(Shown.harmless(folder))")
    return [table.lines(for: .output), problems, [place]]
  }
}
