import Arguments
import CratesInterface

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show what was done, by you and by the music folder.",
    discussion: """
      The newest first, each with its number, which `crate undo --to` and `--only` take: `crate \
      history --since yesterday --mine`. In a pipe each is a line of number, time, who and what, \
      with tabs between them.
      """)

  @OptionGroup var common: CommonOptions
  @Option(
    name: .custom("n", "limit"),
    help: ArgumentHelp(
      "Show at most N changes (default: 20, or all with --since).", valueName: "n"))
  var limit: Int?
  @Option(
    help: ArgumentHelp(
      "Only changes since today, yesterday, or a date such as 2026-11-28.", valueName: "day"))
  var since: String?
  @Flag(help: "Only your own changes.") var mine = false
  @Option(
    help: ArgumentHelp("Only changes of this crate and of what is in it.", valueName: "name"))
  var crate: String?
  @Option(help: ArgumentHelp("Only changes before the one of this number.", valueName: "n"))
  var before: Int?
  @Flag(help: "Show all notes of each change.") var all = false
  @Argument(help: ArgumentHelp("None.", visibility: .hidden)) var words: [String] = []

  /// The number of changes per call.
  private static let atOnce = 100

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more") }
    if let word = words.first {
      let name = words.map(Shown.word).joined(separator: " ")
      let meant = Int(word).map { "-n \($0)" } ?? "--crate \(words.count > 1 ? "NAME" : name)"
      throw ValidationError("“\(words.joined(separator: " "))” is too much; did you mean \(meant)?")
    }
    if let before, before < 0 { throw ValidationError("--before takes the number of a change") }
  }

  /// The default limit of changes.
  private static let usual = 20

  func run() throws {
    let start = try since.map { text throws(Failure) in try Day.start(of: text) }
    let daemon = try DaemonConnection(common)
    var filter = HistoryFilter(since: start, isMine: mine)
    if let crate {
      filter.crate = try name(of: crate, daemon)
    }
    var lines: [String] = []
    var left = limit ?? (since == nil ? Self.usual : .max)
    var before = before
    var isEmpty = true
    while left > 0, !filter.isOver {
      let count = filter.isOfAll ? min(left, Self.atOnce) : Self.atOnce
      let objects =
        try daemon.parameters(of: .history(limit: count, before: before))["changes"]?
        .array ?? []
      isEmpty = isEmpty && objects.isEmpty
      for object in objects where left > 0 {
        let change: Interface.Change = try DaemonConnection.structure(object)
        before = change.sequence
        guard filter.takes(change) else { continue }
        left -= 1
        if common.json {
          Output.line(object)
        } else if Terminal.output.isTerminal {
          lines += self.lines(of: change)
        } else {
          Output.line(
            LeanLine.line([
              String(change.sequence), Shown.time(change.time), Shown.author(of: change),
              change.summary,
            ]))
          for note in all ? change.notes : [] { Output.line("    \(Shown.harmless(note))") }
        }
      }
      if objects.count < count { break }
    }
    Pager.show(lines)
    Output.flush()
    // A damaged journal hides what is in it and before it.
    if isEmpty, left > 0, let reason = try daemon.status().storeReason {
      throw Failure.refused("no change is listed: \(Shown.harmless(reason))")
    }
  }

  /// Returns the present name of a crate, or its last name in a change: a crate that is gone has a
  /// history, too.
  private func name(of crate: String, _ daemon: DaemonConnection) throws(Failure) -> String {
    let finder = Finder(daemon: daemon, wanted: [.crate])
    do throws(Failure) {
      return try finder.thing([crate]).key
    } catch {
      if error.status == .refused, let former = try FormerName(crate, finder).lastWritten {
        return former
      }
      throw error
    }
  }

  private func lines(of change: Interface.Change) -> [String] {
    let when = "\(change.sequence)  \(Shown.time(change.time))  \(Shown.author(of: change))  "
    return [Terminal.output.dim(when) + Shown.harmless(change.summary)]
      + Changes.noteLines(change.notes, indent: 4, all: all)
  }
}
