import Arguments
import CratesInterface

struct ProblemsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "problems", abstract: "Show what is wrong and what to do about it.",
    discussion: "Of many that are alike only the first are shown; --all shows up to 500.")

  @OptionGroup var common: CommonOptions
  @Flag(help: "Show up to 500 problems of each kind, also where many are alike.") var all = false

  /// The most problems of one kind that are shown in full; of more, only the first ones are.
  private static let alikeMost = 5
  private static let firstShown = 3

  func run() throws {
    let daemon = try DaemonConnection(common)
    let objects = try daemon.parameters(of: .problems)["problems"]?.array ?? []
    if common.json {
      for object in objects { Output.line(object) }
      return Output.flush()
    }
    let problems: [Interface.Problem] = try objects.map { try DaemonConnection.structure($0) }
    if problems.isEmpty {
      let line =
        Shown.allGone(try daemon.status()).map {
          "No file is wrong, but \($0). crate status shows where it is looked for."
        } ?? "Nothing is wrong."
      if Terminal.output.isTerminal { Output.line(line) } else { Output.complain(line) }
      return Output.flush()
    }
    Pager.show(Self.lines(problems, all: all, .output))
    Output.flush()
  }

  /// Returns the problems by kind.
  ///
  /// - Parameter all: Whether to show each problem of a kind with many.
  static func lines(
    _ problems: [Interface.Problem], all: Bool, _ terminal: Terminal
  ) -> [String] {
    var lines: [String] = []
    for kind in order(problems) {
      let alike = problems.filter { $0.kind == kind }
      let others = alike.compactMap(\.others).reduce(0, +)
      guard !all, alike.count > alikeMost else {
        lines += alike.flatMap { self.lines($0, terminal) }
        if others > 0 { lines.append("and \(Shown.count(others)) more like these") }
        continue
      }
      let first = alike.prefix(firstShown)
      lines.append("\(heading(kind, alike.count + others)); the first \(first.count):")
      lines += first.flatMap { self.lines($0, terminal) }.map { "  " + $0 }
    }
    return lines
  }

  /// Returns the kinds that occur, those that concern the whole library first.
  private static func order(_ problems: [Interface.Problem]) -> [Interface.ProblemKind] {
    let grave: [Interface.ProblemKind] = [.store, .damagedStore, .settings, .folder]
    var kinds = grave.filter { kind in problems.contains { $0.kind == kind } }
    for problem in problems where !kinds.contains(problem.kind) { kinds.append(problem.kind) }
    return kinds
  }

  private static func lines(
    _ problem: Interface.Problem, _ terminal: Terminal
  ) -> [String] {
    let since =
      isTimed(problem.kind) ? terminal.dim(" (since \(Shown.time(problem.since)))") : ""
    guard let path = problem.path else { return [Shown.harmless(problem.message) + since] }
    return [
      terminal.bold(Shown.harmless(path)), "  \(Shown.harmless(problem.message))\(since)",
    ]
  }

  /// Whether the daemon knows since when the problem exists. Others are computed on request, and
  /// are known only not to have existed before the daemon started.
  private static func isTimed(_ kind: Interface.ProblemKind) -> Bool {
    switch kind {
    case .duplicate, .folder, .store, .damagedStore: false
    default: true
    }
  }

  private static func heading(_ kind: Interface.ProblemKind, _ count: Int) -> String {
    let files = Shown.count(count, "file")
    return switch kind {
    case .duplicate: "\(files) have the same sound as another"
    case .unreadable: "\(files) can't be read"
    case .crashedReader: "\(files) make the reader of tags crash"
    case .timedOutReader: "\(files) take too long to be read"
    case .permission: "\(files) or folders may not be read"
    case .skippedFolder: "\(Shown.count(count, "folder")) are left out"
    case .watchLimit: "\(Shown.count(count, "folder")) can't be watched"
    case .playlist: "\(Shown.count(count, "playlist")) have a problem"
    case .folder: "\(Shown.count(count, "music folder")) have a problem"
    case .settings: "\(Shown.count(count, "mistake")) in the settings"
    case .machines: "\(Shown.count(count, "problem")) of what machines share"
    case .store, .damagedStore: "\(Shown.count(count, "problem")) of the store"
    case .unknown: "\(Shown.count(count, "problem")) of a kind that this program doesn't know"
    }
  }
}
