#if compiler(>=6.2)
  /// Types of commands are part of values that threads may share.
  package typealias SharedType = SendableMetatype
#else
  package typealias SharedType = Any
#endif

/// The arguments of a command line, declared as properties: `@Flag`, `@Option`, `@Argument`, and
/// `@OptionGroup` for options that several commands share.
package protocol ParsableArguments: SharedType {
  init()

  /// Checks the arguments in combination.
  ///
  /// - Throws: `ValidationError`.
  func validate() throws
}

extension ParsableArguments {
  package func validate() throws {}
}

/// A program, or one of its verbs.
package protocol ParsableCommand: ParsableArguments {
  static var configuration: CommandConfiguration { get }

  /// Runs the command. Never called if the configuration requires a subcommand.
  func run() throws
}

extension ParsableCommand {
  package func run() throws {}
}

package struct CommandConfiguration: Sendable {
  package var commandName: String
  /// A description of one sentence.
  package var abstract: String
  /// The usage, in place of the one derived from the declarations.
  package var usage: String?
  package var discussion: String
  /// The version of the program. Subcommands have the version of their program.
  package var version: String
  package var subcommands: [any ParsableCommand.Type]
  package var needsSubcommand: Bool
  /// Whether a word with a leading dash is an operand if it can't be read as options.
  package var takesDashedWords: Bool

  package init(
    commandName: String, abstract: String, usage: String? = nil, discussion: String = "",
    version: String = "", subcommands: [any ParsableCommand.Type] = [],
    needsSubcommand: Bool = false, takesDashedWords: Bool = false
  ) {
    self.commandName = commandName
    self.abstract = abstract
    self.usage = usage
    self.discussion = discussion
    self.version = version
    self.subcommands = subcommands
    self.needsSubcommand = needsSubcommand
    self.takesDashedWords = takesDashedWords
  }
}

/// The reason why a command line is invalid, as a sentence without its full stop.
package struct ValidationError: Error, Equatable, CustomStringConvertible {
  package let description: String
  /// The verb, if the program has none of that name.
  package let unknownCommand: String?

  package init(_ description: String, unknownCommand: String? = nil) {
    self.description = description
    self.unknownCommand = unknownCommand
  }
}
