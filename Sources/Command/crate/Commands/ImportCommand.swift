import Arguments
import CratesInterface
import ImportedLists

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Bring lists and crates of other programs in.",
    usage: """
      crate import FILE|PROGRAM [--as CRATE] [--only NAME]… [--any]
                          [--root THEIRS=OURS]… [--dry-run | --yes] [--json]
      """,
    discussion: """
      First it shows what it would do, then it asks. A list becomes a crate of albums: those of \
      which it has at least half of the songs, in the order of the list. PROGRAM is mpd, \
      strawberry, clementine, mixxx or rhythmbox; FILE is a list (M3U, PLS, XSPF, JSPF), a folder \
      of lists, a database of these programs, an XML file of iTunes, Music, Rhythmbox or \
      Rekordbox, a crate of Serato's, or the order of another Crated. `crate undo` takes an \
      import back.
      """)

  @OptionGroup var common: CommonOptions
  @Option(name: .customLong("as"), help: ArgumentHelp("The crate for it.", valueName: "crate"))
  var crate: String?
  @Option(
    help: ArgumentHelp(
      "Only the list of this name, however little of it is found.", valueName: "name"))
  var only: [String]
  @Flag(help: "Take albums of which the list has one song.") var any = false
  @Option(
    help: ArgumentHelp(
      "Where their folder of music is here: --root D:\\Music=/home/me/Music.",
      valueName: "theirs=ours"))
  var root: [String]
  @Flag(name: .customLong("dry-run"), help: "Show what it would do, and do nothing.")
  var isDryRun = false
  @Flag(help: "Do not ask first.") var yes = false
  @Argument(help: ArgumentHelp("A file, or a program.", valueName: "file")) var source: String

  func validate() throws {
    if isDryRun, yes { throw ValidationError("--dry-run does nothing, so there is no --yes to it") }
    _ = try Self.roots(root)
  }

  static func roots(_ words: [String]) throws(ValidationError) -> [Interface.Root] {
    var roots: [Interface.Root] = []
    for word in words {
      // The foreign path may contain “=”; the local one begins behind the last “=/”.
      let parts = word.split(separator: "=", omittingEmptySubsequences: false)
      let ours = parts.indices.last { $0 > 0 && isPath(parts[$0]) } ?? 0
      let theirs = parts[..<ours].joined(separator: "=")
      guard ours > 0, !theirs.isEmpty else {
        throw ValidationError(
          "--root takes their folder and ours, such as --root D:\\Music=/home/me/Music")
      }
      let path = parts[ours...].joined(separator: "=")
      roots.append(Interface.Root(theirs: theirs, ours: FileAddress.absolute(path)))
    }
    return roots
  }

  private static func isPath(_ text: Substring) -> Bool {
    ["/", "./", "../"].contains { text.hasPrefix($0) } || text == "." || text == ".."
  }

  func run() throws {
    // Connects first, since no path can be opened after the files are sealed.
    let daemon = try DaemonConnection(common)
    var choice = ImportChoice()
    (choice.crate, choice.only, choice.any) = (crate, only, any)
    let source = try ListSource(source)
    let given = try Self.roots(root)
    let shown = source.roots.filter { root in !given.contains { $0.theirs == root.theirs } }
    let work = Import(daemon: daemon, source: source, choice: choice, roots: given + shown)
    var proposal = try work.proposal()
    guard try !show(proposal, work) else { return }
    let canAsk = !common.json && Terminal.input.isTerminal && Terminal.errors.isTerminal
    guard yes || canAsk else {
      throw Failure.refused("nothing was imported; --yes does what the plan says")
    }
    while true {
      if !yes { try ask() }
      let isCurrent = try isCurrent(proposal, work)
      let now = isCurrent ? proposal : try work.proposal()
      if now.plan == proposal.plan {
        let change = try work.apply(now, isDryRun: false)
        return try Changes.show(change, json: common.json)
      }
      guard !yes else {
        throw Failure(
          status: .tryAgain,
          message: "what the library has changed meanwhile, and the plan with it; nothing was"
            + " imported; try again")
      }
      Output.complain("The library has changed meanwhile, and the plan with it:")
      proposal = now
      guard try !show(proposal, work) else { return }
    }
  }

  /// Whether the library is unchanged since the plan was made.
  private func isCurrent(_ proposal: Import.Proposal, _ work: Import) throws(Failure) -> Bool {
    let trial = try work.apply(proposal, isDryRun: true)
    return trial["change"]?["sequence"]?.integer == proposal.sequence
  }

  private func ask() throws(Failure) {
    Output.draw("Import it? [y/N] ")
    guard Input.isYes() else { throw .refused("nothing was imported") }
  }

  /// Shows the plan and its result. Returns whether nothing else is to be done.
  private func show(_ proposal: Import.Proposal, _ work: Import) throws(Failure) -> Bool {
    let plan = proposal.plan
    if common.json {
      for object in plan.objects { Output.line(object) }
    } else {
      let shown = ShownPlan(plan: plan, neighbours: try work.neighbours(of: plan))
      for line in shown.lines(for: .output) { Output.line(line) }
    }
    guard !plan.isEmpty else {
      Output.flush()
      let isThere = plan.lists.contains { !$0.albums.isEmpty }
      guard isThere || isDryRun else {
        throw .refused("there is nothing to import: no album would come of it")
      }
      if !common.json {
        Output.line("")
        Output.line(
          "nothing to do: \(isThere ? "all that was found is there" : "no album would come of it")")
      }
      Output.flush()
      return true
    }
    // With --yes the result is shown after the import.
    if !common.json, !yes {
      let trial = try work.apply(proposal, isDryRun: true)
      let change: Interface.Change = try DaemonConnection.structure(trial["change"] ?? .null)
      Output.line("")
      Output.line(Shown.harmless(change.summary))
    }
    Output.flush()
    return isDryRun
  }
}
