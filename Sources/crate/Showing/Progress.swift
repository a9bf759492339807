import CratesInterface

/// A call that goes on for a while and says how far it is.
enum Progress {
  static func show(_ call: Call, _ daemon: Daemon, json: Bool) throws(Failure) {
    var bar = ProgressBar()
    var last: JSON = .null
    defer { bar.end() }
    try daemon.eachReply(to: call) { parameters throws(Failure) in
      last = parameters
      if json {
        Output.line(parameters)
        Output.flush()
      } else if let scanned = parameters["scanned"]?.integer {
        bar.show(scanned: scanned, of: parameters["toScan"]?.integer)
      }
    }
    bar.end()
    if !json, let sequence = last["sequence"]?.integer {
      Output.line("up to date, at change \(sequence)")
    }
    Output.flush()
  }
}
