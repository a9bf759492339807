import CratesInterface

/// Output about changes.
enum Changes {
  private static let nothing = "nothing to do"
  /// The most notes to show; further ones are counted.
  private static let notesMost = 4

  static func show(_ parameters: JSON, json: Bool) throws(Failure) {
    let object = parameters["change"] ?? .null
    let change: Interface.Change = try DaemonConnection.structure(object)
    if json {
      Output.line(object)
    } else {
      for line in lines(of: change) { Output.line(line) }
    }
    Output.flush()
  }

  static func lines(of change: Interface.Change) -> [String] {
    // An older daemon doesn't give the reason.
    let isSaid = change.changed || change.summary.hasPrefix(nothing)
    return [isSaid ? Shown.harmless(change.summary) : nothing]
      + noteLines(change.notes, indent: 2)
  }

  /// Returns a line for each note, or for the first ones, with the number of the others.
  static func noteLines(_ notes: [String], indent: Int, all: Bool = false) -> [String] {
    let margin = String(repeating: " ", count: indent)
    let shown = all || notes.count <= notesMost ? notes.count : notesMost
    let lines = notes.prefix(shown).map { margin + Shown.harmless($0) }
    if shown == notes.count { return lines }
    let more = Shown.count(notes.count - shown)
    return lines + ["\(margin)and \(more) more; crate history --all shows them"]
  }
}
