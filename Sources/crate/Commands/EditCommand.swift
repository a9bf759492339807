import Arguments
import CratesInterface

struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edit the order as text, in your editor.",
    discussion: """
      The whole order, or that of one crate, opens in $VISUAL or $EDITOR: a line is a crate, an \
      album or a song. What changed meanwhile stays. A text that is refused is kept, and \
      `crate edit --from FILE` applies it when you have put it right.
      """)

  @OptionGroup var common: CommonOptions
  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("Apply a text that was kept.", valueName: "file"))
  var file: String?
  @Argument(help: "The crate; all of them without.")
  var crate: String?

  func validate() throws {
    if file != nil, crate != nil { throw ValidationError("the file says which crate it is of") }
  }

  func run() throws {
    if let file {
      let kept = TextFile(path: file)
      let text = try kept.read(followingLinks: true)
      guard let origin = TextOrigin(in: text) else {
        throw Failure.refused(
          "\(file) has no line such as “# sequence 48213”, which says when it was read; begin with"
            + " crate edit")
      }
      return try finish(kept, text, origin)
    }
    let (text, origin) = try readText()
    let kept = try TextFile(holding: text)
    guard let edited = try edited(kept, from: text) else {
      if common.json { return try apply(text, origin) }
      Output.line("nothing to do")
      return Output.flush()
    }
    try finish(kept, edited, origin)
  }

  private func readText() throws(Failure) -> (String, TextOrigin) {
    let daemon = try Daemon(common)
    var name: String?
    if let crate { name = try Finder(daemon: daemon, wanted: [.crate]).thing([crate]).key }
    let call = Call.readText(crate: name)
    let parameters = try daemon.parameters(of: call) { error in
      guard error == .expectedMore else { return nil }
      return "the order is too long for one text; edit a crate at a time: crate edit CRATE"
    }
    guard case .text(let text, let sequence) = try Daemon.read(parameters, to: call) else {
      preconditionFailure("ReadText is answered with a text")
    }
    let origin = TextOrigin(sequence: sequence, crate: name)
    return (Self.help + origin.line + "\n" + Self.harmless(text), origin)
  }

  /// The text with titles that cannot steer whoever shows it. The names of crates are read again,
  /// and have no control characters.
  static func harmless(_ text: String) -> String {
    let isHarmless = text.unicodeScalars.allSatisfy { !$0.isSteering || $0 == "\n" || $0 == "\t" }
    if isHarmless { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      if line.hasPrefix("crate ") { return String(line) }
      let indent = line.prefix { $0 == "\t" }
      return indent + String(line.dropFirst(indent.count)).harmless
    }.joined(separator: "\n")
  }

  private static let help = """
    # Each line is a crate, an album in the crate above it, or a song in the album above it.
    # Move lines to move what they stand for; albums may go to another crate. Another name in the
    # line of a crate renames it, and a new line "crate NAME" above albums makes a new one.
    # A line that is deleted comes back: what is there is decided by the music folder.
    # Ids must stay as they are; what follows them is for reading only.
    # To leave everything as it is, quit without saving, or empty the file.

    """

  /// Nil where the person wants nothing.
  private func edited(_ kept: TextFile, from text: String) throws(Failure) -> String? {
    do {
      try Editor.run(on: kept.path)
      let edited = try kept.read()
      if edited != text, Self.hasLines(edited) { return edited }
    } catch {
      if (try? kept.read()) == text {
        kept.remove()
        throw error
      }
      throw error.keeping(kept)
    }
    kept.remove()
    return nil
  }

  private static func hasLines(_ text: String) -> Bool {
    text.split(whereSeparator: \.isNewline).contains { line in
      line.first { !$0.isWhitespace }.map { $0 != "#" } ?? false
    }
  }

  /// Applies the text, and lets the person mend what is refused.
  private func finish(_ kept: TextFile, _ text: String, _ origin: TextOrigin) throws(Failure) {
    var text = text
    while true {
      do {
        try apply(text, TextOrigin(in: text) ?? origin)
        return kept.remove()
      } catch {
        let canAsk = Terminal.input.isTerminal && Terminal.output.isTerminal
        guard error.status == .refused, canAsk else { throw error.keeping(kept) }
        Output.complain("crate: \(Shown.harmless("\(kept.path): \(error.message)"))")
        Output.draw("Edit it again? [y/N] ")
        guard Input.isYes() else { throw error.keeping(kept) }
      }
      guard let again = try edited(kept, from: "") else { throw .refused("nothing was changed") }
      text = again
    }
  }

  private func apply(_ text: String, _ origin: TextOrigin) throws(Failure) {
    let call = Call.applyText(text: text, sequence: origin.sequence, crate: origin.crate)
    // The daemon may have been started again while the person wrote.
    let parameters = try Daemon(common).parameters(of: call) { error in
      guard case .outdated(let now) = error else { return nil }
      return "crated no longer knows the order at sequence \(origin.sequence), so it cannot tell"
        + " what you moved; begin anew with crate edit, or write “# sequence \(now)” in the text to"
        + " have all of it taken as it stands"
    }
    try Changes.show(parameters, json: common.json)
  }
}

extension Failure {
  /// The same, and where the text is.
  fileprivate func keeping(_ file: TextFile) -> Failure {
    Failure(status: status, message: "\(message); \(file.hint)")
  }
}
