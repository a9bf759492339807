import Text

/// The action that a command line requests.
package enum CommandRequest {
  case run(any ParsableCommand)
  /// Shows a text on standard output, and does nothing else.
  case show(String)
}

extension ParsableCommand {
  /// - Parameter words: the words after the program's name.
  package static func request(_ words: [String]) throws -> CommandRequest {
    try CommandLineReading(program: Self.self).request(words[...], to: Self.self)
  }
}

extension ParsableCommand {
  /// The program's text for `--help`.
  package static var helpText: String {
    HelpText(program: Self.self, command: Self.self, includingHidden: false).text
  }
}

extension ParsableArguments {
  /// Parses options without a command.
  package static func parse(_ words: [String]) throws -> Self {
    let arguments = Self()
    try CommandLineReading.fill(arguments, words[...])
    return arguments
  }
}

private struct CommandLineReading {
  let program: any ParsableCommand.Type

  /// - Parameter words: the words after the name of the command.
  func request(
    _ words: ArraySlice<String>, to command: any ParsableCommand.Type
  ) throws -> CommandRequest {
    let configuration = command.configuration
    let isLast = configuration.subcommands.isEmpty
    let front = isLast ? [words] : frontWords(words, of: command)
    let frontCount = front.reduce(0) { $0 + $1.count }
    if let shown = shown(words.prefix(frontCount), of: command) { return .show(shown) }
    guard let name = words.dropFirst(frontCount).first else {
      let instance = command.init()
      try Self.fill(instance, words)
      return configuration.needsSubcommand ? .show(help(of: command)) : .run(instance)
    }
    if name == "help" {
      let topic = words.dropFirst(frontCount + 1).first { !$0.hasPrefix("-") && $0 != "help" }
      guard let topic else { return .show(help(of: command)) }
      return .show(help(of: try subcommand(topic, of: command)))
    }
    let chosen = try subcommand(name, of: command)
    // An option before the verb belongs to the verb, unless the verb has none of that name.
    let known = parameters(of: chosen.init()).flatMap(\.names)
    let (theirs, own) = front.reduce(into: ([String](), [String]())) { parts, words in
      let isTheirs = known.contains(Self.optionName(words[words.startIndex]))
      if isTheirs { parts.0 += words } else { parts.1 += words }
    }
    try Self.fill(command.init(), own[...])
    return try request((theirs + words.dropFirst(frontCount + 1))[...], to: chosen)
  }

  /// Returns the name in a word: `--name` of `--name=value`, `-n` of `-n5`.
  private static func optionName(_ word: String) -> String {
    guard word.hasPrefix("--") else { return String(word.prefix(2)) }
    return String(word.prefix { $0 != "=" })
  }

  private func subcommand(
    _ name: String, of command: any ParsableCommand.Type
  ) throws -> any ParsableCommand.Type {
    let known = command.configuration.subcommands
    if let found = known.first(where: { $0.configuration.commandName == name }) { return found }
    let nearest = nearestName(to: name, of: known.map { $0.configuration.commandName } + ["help"])
    throw ValidationError(
      "there is no command “\(name)”" + (nearest.map { "; did you mean \($0)?" } ?? ""),
      unknownCommand: name)
  }

  /// Returns the options before the name of a subcommand, each with its value.
  private func frontWords(
    _ words: ArraySlice<String>, of command: any ParsableCommand.Type
  ) -> [ArraySlice<String>] {
    let commands = [command] + command.configuration.subcommands
    let valued = commands.flatMap { parameters(of: $0.init()) }.filter { $0.kind == .option }
    var front: [ArraySlice<String>] = []
    var rest = words
    while let word = rest.first, word.hasPrefix("-") {
      let count = valued.contains { $0.names.contains(word) } ? 2 : 1
      front.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return front
  }

  /// Returns the help or version text if it is requested, whatever else the words are.
  private func shown(
    _ words: ArraySlice<String>, of command: any ParsableCommand.Type
  ) -> String? {
    let options = words.prefix { $0 != "--" }
    if options.contains(where: BuiltIn.help.names.contains) { return help(of: command) }
    if options.contains(BuiltIn.allHelp) { return help(of: command, includingHidden: true) }
    if options.contains(where: BuiltIn.version.names.contains) {
      return program.configuration.version + "\n"
    }
    return nil
  }

  private func help(
    of command: any ParsableCommand.Type, includingHidden: Bool = false
  ) -> String {
    HelpText(program: program, command: command, includingHidden: includingHidden).text
  }

  // MARK: Values

  static func fill(_ arguments: any ParsableArguments, _ words: ArraySlice<String>) throws {
    let parameters = parameters(of: arguments)
    let named = parameters.filter { !$0.names.isEmpty }
    let configuration = (arguments as? any ParsableCommand).map { type(of: $0).configuration }
    let takesDashedWords = configuration?.takesDashedWords ?? false
    var operands: [String] = []
    var rest = words
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      } else if word.hasPrefix("--") {
        try takeLong(word, &rest, named)
      } else if isOptionWord(word), !takesDashedWords || isOfOptions(word, named) {
        try takeShort(word, &rest, named)
      } else {
        operands.append(word)
      }
    }
    try take(operands, parameters.filter(\.names.isEmpty))
    for group in groups(of: arguments) { try group.validate() }
    try arguments.validate()
  }

  /// Reads a long option: `--name`, `--name value`, `--name=value`.
  private static func takeLong(
    _ word: String, _ rest: inout ArraySlice<String>, _ parameters: [Parameter]
  ) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let parameter = try option(name, among: parameters)
    let value = parts.count > 1 ? String(parts[1]) : nil
    if parameter.kind == .flag {
      if value != nil { throw ValidationError("\(name) takes no value") }
      try give("", to: parameter, name)
    } else {
      try take(value, &rest, name, parameter)
    }
  }

  /// Whether the letters after the dash can be options (`-pn5`), or are one letter, which may be an
  /// unknown option (`-x`).
  private static func isOfOptions(_ word: String, _ parameters: [Parameter]) -> Bool {
    var letters = word.dropFirst()
    if letters.count == 1 { return true }
    while let letter = letters.popFirst() {
      guard let parameter = parameters.first(where: { $0.names.contains("-\(letter)") }) else {
        return false
      }
      if parameter.kind != .flag {
        return letters.isEmpty || letters.first == "=" || letters.allSatisfy(\.isNumber)
      }
    }
    return true
  }

  /// Reads short options: `-v`, `-vv`, `-l 5`, `-l5`.
  private static func takeShort(
    _ word: String, _ rest: inout ArraySlice<String>, _ parameters: [Parameter]
  ) throws {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      let name = "-\(letter)"
      let parameter = try option(name, among: parameters)
      if parameter.kind == .flag {
        try give("", to: parameter, name)
        continue
      }
      let value = letters.first == "=" ? letters.dropFirst() : letters
      return try take(letters.isEmpty ? nil : String(value), &rest, name, parameter)
    }
  }

  private static func take(
    _ value: String?, _ rest: inout ArraySlice<String>, _ name: String, _ parameter: Parameter
  ) throws {
    var value = value
    // A word with a dash in front is an option. Such a value must follow “=”.
    if value == nil, let next = rest.first, !next.hasPrefix("-") || next == "-" {
      value = rest.popFirst()
    }
    guard let value, !value.isEmpty else {
      throw ValidationError("\(name) needs a value: \(name) \(parameter.value)")
    }
    try give(value, to: parameter, name)
  }

  private static func give(_ word: String, to parameter: Parameter, _ name: String) throws {
    guard parameter.take(word) else { throw ValidationError("\(name) can't be “\(word)”") }
  }

  private static func take(_ operands: [String], _ parameters: [Parameter]) throws {
    var rest = operands[...]
    for parameter in parameters {
      let words = parameter.kind == .operands ? rest : rest.prefix(1)
      rest = rest.dropFirst(words.count)
      if words.isEmpty, parameter.isRequired {
        throw ValidationError("\(parameter.display) is missing")
      }
      for word in words { try give(word, to: parameter, parameter.value) }
    }
    if let word = rest.first { throw ValidationError("“\(word)” is one word too many") }
  }

  private static func option(_ name: String, among parameters: [Parameter]) throws -> Parameter {
    if let found = parameters.first(where: { $0.names.contains(name) }) { return found }
    let known = parameters.filter { $0.help.visibility == .shown }.flatMap(\.names)
    let nearest = nearestName(
      to: name, of: (known + ["--help", "--version"]).filter { $0.hasPrefix("--") })
    throw ValidationError(
      "there is no option \(name)" + (nearest.map { "; did you mean \($0)?" } ?? ""))
  }
}

/// Whether a word is an option and not an operand. Operands are `-`, a position from the end of a
/// list (`-1`, `-3-`, `-2,4`), and a word that a search excludes (`-artist:zoe`).
package func isOptionWord(_ word: String) -> Bool {
  guard word.hasPrefix("-"), word != "-" else { return false }
  if word.hasPrefix("--") { return true }
  let rest = word.dropFirst()
  let field = rest.prefix { $0.isLetter }
  if !field.isEmpty, rest.dropFirst(field.count).first == ":" { return false }
  let isPosition =
    rest.replacing("last", with: "").allSatisfy { $0 == "," || $0 == "-" || ("0"..."9" ~= $0) }
    && rest.contains { "1"..."9" ~= $0 }
  return !isPosition
}
