#if compiler(>=6.2)
  /// Types of commands stand in values that threads may share.
  package typealias SharedType = SendableMetatype
#else
  package typealias SharedType = Any
#endif

/// What a command line may say, declared as properties: `@Flag`, `@Option`, `@Argument`, and
/// `@OptionGroup` for what several commands take.
package protocol ParsableArguments: SharedType {
  init()

  /// Looks at what was given together.
  ///
  /// - Throws: `ValidationError`.
  func validate() throws
}

extension ParsableArguments {
  package func validate() throws {}
}

/// A program, or a verb of one.
package protocol ParsableCommand: ParsableArguments {
  static var configuration: CommandConfiguration { get }

  /// Never called where the configuration wants a subcommand.
  func run() throws
}

extension ParsableCommand {
  package func run() throws {}
}

package struct CommandConfiguration: Sendable {
  package var commandName: String
  /// One sentence.
  package var abstract: String
  /// In place of what follows from the declarations.
  package var usage: String?
  package var discussion: String
  /// The version of the program; subcommands have their program's.
  package var version: String
  package var subcommands: [any ParsableCommand.Type]
  package var needsSubcommand: Bool
  /// Whether a word with a dash in front is one of its operands where it can't be read as options.
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

/// Why a command line is none, in a sentence without its full stop.
package struct ValidationError: Error, Equatable, CustomStringConvertible {
  package let description: String
  /// The verb, where the program has none of that name.
  package let unknownCommand: String?

  package init(_ description: String, unknownCommand: String? = nil) {
    self.description = description
    self.unknownCommand = unknownCommand
  }
}
