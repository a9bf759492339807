import CratesInterface

/// What a change did, for people.
enum Changes {
  static func show(_ parameters: JSON, json: Bool) throws(Failure) {
    let object = parameters["change"] ?? .null
    let change: Interface.Change = try Daemon.structure(object)
    if json {
      Output.line(object)
    } else {
      Output.line(change.changed ? Shown.harmless(change.summary) : "nothing to do")
      for note in change.notes { Output.line("  \(Shown.harmless(note))") }
    }
    Output.flush()
  }
}
