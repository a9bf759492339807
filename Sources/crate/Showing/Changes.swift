import CratesInterface

/// What a change did, for people.
enum Changes {
  private static let nothing = "nothing to do"

  static func show(_ parameters: JSON, json: Bool) throws(Failure) {
    let object = parameters["change"] ?? .null
    let change: Interface.Change = try Daemon.structure(object)
    if json {
      Output.line(object)
    } else {
      // An older daemon doesn't say why there is nothing to do.
      let isSaid = change.changed || change.summary.hasPrefix(nothing)
      Output.line(isSaid ? Shown.harmless(change.summary) : nothing)
      for note in change.notes { Output.line("  \(Shown.harmless(note))") }
    }
    Output.flush()
  }
}
