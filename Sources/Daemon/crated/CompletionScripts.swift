import Arguments

/// Completion scripts for crated's commands and options. Those are few, so the scripts list them.
enum CompletionScripts {
  static let option = "--generate-completion-script"
  static let shells = ["bash", "zsh", "fish"]

  static func text(for shell: String) -> String? {
    switch shell {
    case "bash": bash
    case "zsh": zsh
    case "fish": fish
    default: nil
    }
  }

  private static var commands: [any ParsableCommand.Type] { Crated.configuration.subcommands }
  private static var verbs: [String] { commands.map { $0.configuration.commandName } }

  private static func words(_ command: any ParsableCommand.Type) -> [String] {
    command.options().flatMap(\.names).filter { $0.hasPrefix("--") }
  }

  /// The options that take a file.
  private static let filed = ["--config"]

  private static var bash: String {
    let cases = commands.map { command in
      let options = words(command).joined(separator: " ")
      return "    \(command.configuration.commandName)) words='\(options)' ;;"
    }
    let all = verbs + ["help"] + words(Crated.self) + [option]
    return """
      # Completions of crated(8) for bash.
      _crated() {
          COMPREPLY=()
          local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= each words
          for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
              case $each in \(verbs.joined(separator: "|"))) verb=$each; break ;; esac
          done
          case $verb in
      \(cases.joined(separator: "\n"))
          *) words='\(all.joined(separator: " "))' ;;
          esac
          case $before in
          \(filed.joined(separator: "|"))) compopt -o default; return ;;
          \(option)) words='\(shells.joined(separator: " "))' ;;
          esac
          mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
          if [[ -n $verb && $word != -* ]]; then
              COMPREPLY=()
              compopt -o default
          fi
      }
      complete -F _crated crated
      """ + "\n"
  }

  private static var zsh: String {
    let arguments = Crated.options().map { option in
      let name = option.names.last ?? ""
      return "'\(name)[\(option.about)]\(filed.contains(name) ? ":file:_files" : "")'"
    }
    let described = commands.map { command in
      "\(command.configuration.commandName)\\:\"\(command.configuration.abstract)\""
    }
    let lines =
      arguments + ["'1:command:((\(described.joined(separator: " "))))'", "'*:file:_files'"]
    return """
      #compdef crated
      # Completions of crated(8) for zsh.
      _arguments \\
          \(lines.joined(separator: " \\\n    "))
      """ + "\n"
  }

  private static var fish: String {
    let seen = "__fish_seen_subcommand_from \(verbs.joined(separator: " "))"
    var lines = ["# Completions of crated(8) for fish.", "complete -c crated -f"]
    for command in commands {
      let configuration = command.configuration
      lines.append(
        "complete -c crated -n 'not \(seen)' -a \(configuration.commandName)"
          + " -d '\(configuration.abstract)'")
    }
    lines.append("complete -c crated -n '\(seen)' -F")
    for option in Crated.options() {
      let name = (option.names.last ?? "").drop { $0 == "-" }
      lines.append(
        "complete -c crated -l \(name)\(filed.contains("--\(name)") ? " -rF" : "")"
          + " -d '\(option.about)'")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
