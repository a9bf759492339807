import Arguments
import CratesInterface
import Platform
import Text

struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edit the order as text, in your editor.",
    usage: "crate edit [CRATE | ALBUM] [--songs] [--from FILE] [--dry-run]",
    discussion: """
      The crates and their albums, `crate edit Jazz` one crate's albums, or `crate edit Jazz 3` an \
      album's songs, open in $VISUAL or $EDITOR, a line each. What changed in the meantime stays. \
      A text that is refused is kept, and `crate edit --from FILE` applies it when you have put it \
      right.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "Say what it would do, and do nothing.") var dryRun = false
  @Flag(help: "Include the songs of the albums.") var songs = false
  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("Apply a text that was kept, or that you wrote.", valueName: "file"))
  var file: String?
  @Argument(help: "A crate or an album (default: everything).") var what: [String] = []

  func run() throws {
    guard let file else { return try edit() }
    let kept = TextFile(path: file)
    let text = try kept.read(followingLinks: true)
    let origin = TextOrigin(in: text)
    if let origin, what.isEmpty { return try finish(kept, text, origin) }
    let daemon = try DaemonConnection(common)
    var scope = try scope(daemon)
    if let origin {
      guard origin.scope.isSamePart(as: scope) else {
        throw Failure.wrongUse(
          "\(file) says itself which order it is of; leave “\(what.joined(separator: " "))” out")
      }
      return try finish(kept, text, origin)
    }
    if TextScope.hasSongs(text) { scope.hasSongs = true }
    try finish(kept, text, TextOrigin(sequence: try daemon.status().sequence, scope: scope))
  }

  private func scope(_ daemon: DaemonConnection) throws(Failure) -> TextScope {
    var scope = TextScope()
    scope.hasSongs = songs
    if what.isEmpty { return scope }
    let thing = try Finder(daemon: daemon, wanted: [.crate, .album]).thing(what)
    scope.crate = thing.crate
    scope.album = thing.album
    if thing.album != nil { scope.hasSongs = true }
    return scope
  }

  // MARK: In an editor

  private func edit() throws {
    let (text, origin) = try readText()
    let kept = try TextFile(holding: text)
    guard let edited = try edited(kept, from: text) else {
      if common.json { return try apply(text, origin) }
      Output.line("nothing to do: the text was not changed")
      return Output.flush()
    }
    try finish(kept, edited, origin)
  }

  private func readText() throws(Failure) -> (String, TextOrigin) {
    let daemon = try DaemonConnection(common)
    let scope = try scope(daemon)
    let call = Call.readText(crate: scope.crate, album: scope.album, songs: scope.hasSongs)
    let parameters = try daemon.parameters(of: call) { error in
      guard error == .expectedMore else { return nil }
      return "the order is too long for one text; edit a crate at a time: crate edit CRATE"
    }
    guard case .text(let text, let sequence) = try DaemonConnection.read(parameters, to: call)
    else {
      preconditionFailure("ReadText is answered with a text")
    }
    let origin = TextOrigin(sequence: sequence, scope: scope)
    return (Self.help(scope) + origin.line + "\n" + Self.harmless(text), origin)
  }

  /// Returns the text with readable titles, but without control characters. Crate names are parsed
  /// again, and contain none.
  static func harmless(_ text: String) -> String {
    // A fast path for most texts: a text of 100,000 songs takes 13 ms here, and 0.3 s line by line.
    let isHarmless = text.unicodeScalars.allSatisfy {
      (!$0.isSteering || $0 == "\n" || $0 == "\t") && $0 != "%"
    }
    if isHarmless { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      if line.hasPrefix("crate ") { return String(line) }
      let indent = line.prefix { $0 == "\t" }
      let rest = percentDecodedIfEscaped(Array(line.utf8.dropFirst(indent.count)))
      return indent + String(decoding: rest, as: UTF8.self).harmless
    }.joined(separator: "\n")
  }

  private static func help(_ scope: TextScope) -> String {
    var lines: [String] = []
    if scope.album != nil {
      lines.append("Each line that begins with “song” is a song of the album. Move lines to move")
      lines.append("songs.")
    } else {
      lines.append(
        "Each line is a crate, or an album in the crate above it"
          + (scope.hasSongs ? ", or a song in the album" : "."))
      if scope.hasSongs { lines.append("above it.") }
      lines.append(
        "Move lines to move what they stand for; albums may go to another crate. Another")
      lines.append("name in the line of a crate renames it, and a new line \"crate NAME\" above")
      lines.append("albums makes a new one.")
    }
    lines.append("A line that is deleted comes back: what is there is decided by the music folder.")
    lines.append("Ids must stay as they are; what follows them is for reading only.")
    lines.append("To leave everything as it is, quit without saving, or empty the file.")
    lines.append("Leave the next line as it is.")
    return lines.map { "# \($0)\n" }.joined()
  }

  /// Returns nil if the user changed nothing.
  private func edited(
    _ kept: TextFile, from text: String, at line: Int? = nil
  ) throws(Failure) -> String? {
    do {
      let began = Clock.system.monotonic()
      try Editor.run(on: kept.path, at: line)
      let wasAtOnce = Clock.system.monotonic() - began < Editor.atOnce
      let edited = try kept.read()
      if edited != text, Self.hasLines(edited) { return edited }
      if edited == text, wasAtOnce, !Editor.isInTerminal, Self.hasLines(text) {
        Output.complain("crate: \(Shown.harmless("\(Editor.advice); \(kept.hint)"))")
        return nil
      }
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

  // MARK: Applying

  /// Applies the text, and opens the editor again if it is refused.
  private func finish(_ kept: TextFile, _ text: String, _ origin: TextOrigin) throws(Failure) {
    var text = text
    while true {
      var line: Int?
      do {
        // A replacement throughout the text may have changed the crate's name in the header.
        var written = TextOrigin(in: text) ?? origin
        (written.scope.crate, written.scope.album) = (origin.scope.crate, origin.scope.album)
        try apply(text, written, refusedAt: &line)
        if !dryRun { return kept.remove() }
        if kept.isOurs { Output.complain("crate: \(Shown.harmless(kept.hint))") }
        return
      } catch {
        let canAsk = Terminal.input.isTerminal && Terminal.output.isTerminal
        guard error.status == .refused, canAsk else { throw error.keeping(kept) }
        Output.complain("crate: \(Shown.harmless("\(kept.path): \(error.message)"))")
        Output.draw("Edit it again? [Y/n] ")
        guard Input.isYes(byDefault: true) else { throw error.keeping(kept) }
      }
      guard let again = try edited(kept, from: "", at: line) else {
        throw .refused("nothing was changed")
      }
      text = again
    }
  }

  private func apply(_ text: String, _ origin: TextOrigin) throws(Failure) {
    var line: Int?
    try apply(text, origin, refusedAt: &line)
  }

  private func apply(
    _ text: String, _ origin: TextOrigin, refusedAt refused: inout Int?
  ) throws(Failure) {
    let scope = origin.scope
    let call = Call.applyText(
      text: text, sequence: origin.sequence, crate: scope.crate, album: scope.album,
      songs: scope.hasSongs, dryRun: dryRun)
    // The daemon may have restarted while the user edited.
    var line: Int?
    defer { refused = line }
    let parameters = try DaemonConnection(common).parameters(of: call) { error in
      if case .editRejected(let number, _) = error { line = number }
      guard case .outdated(let now) = error else { return nil }
      return "crated no longer knows the order at sequence \(origin.sequence), so it cannot tell"
        + " what you moved; start again with crate edit, or write “# sequence \(now)” in the text"
        + " to apply all of it as it is"
    }
    try Changes.show(parameters, json: common.json)
  }
}

extension Failure {
  /// Appends the path of the text to the message.
  fileprivate func keeping(_ file: TextFile) -> Failure {
    Failure(status: status, message: "\(message); \(file.hint)")
  }
}
