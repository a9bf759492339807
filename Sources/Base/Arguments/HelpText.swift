/// The options of every command.
enum BuiltIn {
  static let version = CommandOption(
    names: ["--version"], valueName: nil, about: "Show the version.")
  static let help = CommandOption(
    names: ["-h", "--help"], valueName: nil, about: "Show help information.")
  /// Also shows the hidden options.
  static let allHelp = "--help-hidden"
}

/// An option as shown in help and completions.
package struct CommandOption: Equatable, Sendable {
  /// The names, the short one first.
  package var names: [String]
  /// Nil if it takes no value.
  package var valueName: String?
  package var about: String
}

extension ParsableCommand {
  /// Returns the options of the command.
  package static func options(includingHidden: Bool = false) -> [CommandOption] {
    let own = parameters(of: Self()).filter { parameter in
      !parameter.names.isEmpty && (includingHidden || parameter.help.visibility == .shown)
    }
    return own.map { parameter in
      CommandOption(
        names: parameter.names, valueName: parameter.kind == .option ? parameter.valueName : nil,
        about: about(parameter))
    } + [BuiltIn.version, BuiltIn.help]
  }
}

private func about(_ parameter: Parameter) -> String {
  parameter.help.text + (parameter.usual.map { " (default: \($0))" } ?? "")
}

/// The text for `--help`.
struct HelpText {
  private static let columns = 79
  /// The column at which the descriptions begin.
  private static let indent = 26

  let program: any ParsableCommand.Type
  let command: any ParsableCommand.Type
  let includingHidden: Bool

  private var configuration: CommandConfiguration { command.configuration }

  /// The words with which the command is called.
  private var name: String {
    let program = program.configuration.commandName
    return command == self.program ? program : "\(program) \(configuration.commandName)"
  }

  private var operands: [Parameter] {
    parameters(of: command.init()).filter { parameter in
      parameter.names.isEmpty && (includingHidden || parameter.help.visibility == .shown)
    }
  }

  var text: String {
    var parts = [Self.wrapped(configuration.abstract)]
    if !configuration.discussion.isEmpty { parts.append(Self.wrapped(configuration.discussion)) }
    parts.append("Usage: " + usage.joined(separator: "\n       "))
    if !operands.isEmpty {
      parts.append(table("Arguments:", operands.map { ($0.display, $0.help.text) }))
    }
    let options = command.options(includingHidden: includingHidden)
    parts.append(
      table(
        "Options:",
        options.map { option in
          let value = option.valueName.map { " \($0.uppercased())" } ?? ""
          return (option.names.joined(separator: ", ") + value, option.about)
        }))
    let subcommands = configuration.subcommands.map { $0.configuration }
    if !subcommands.isEmpty {
      parts.append(table("Commands:", subcommands.map { ($0.commandName, $0.abstract) }))
      parts.append("\(name) help COMMAND explains one of them.")
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private var usage: [String] {
    if let usage = configuration.usage {
      return usage.split(separator: "\n").map { String($0) }
    }
    let shown = parameters(of: command.init()).filter {
      includingHidden || $0.help.visibility == .shown
    }
    let words = shown.map { parameter in
      parameter.isRequired ? parameter.display : "[\(parameter.display)]"
    }
    let subcommand = configuration.subcommands.isEmpty ? [] : ["COMMAND"]
    return [([name] + words + subcommand).joined(separator: " ")]
  }

  private func table(_ heading: String, _ rows: [(label: String, about: String)]) -> String {
    let lines = rows.map { label, about in
      let label = "  \(label)"
      let text = Self.wrapped(about, indent: Self.indent)
      if about.isEmpty { return label }
      if label.count > Self.indent - 2 { return label + "\n" + text }
      return label + text.dropFirst(label.count)
    }
    return ([heading] + lines).joined(separator: "\n")
  }

  /// Wraps the text into lines of at most `columns`, each with this many blanks in front.
  static func wrapped(_ text: String, indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = margin
      for word in paragraph.split(separator: " ") {
        if line.count > indent, line.count + 1 + word.count > columns {
          lines.append(line)
          line = margin
        }
        line += line.count > indent ? " \(word)" : "\(word)"
      }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }
}
