/// A value that can be parsed from a word.
package protocol ArgumentValue: Sendable {
  init?(argument: String)
}

extension String: ArgumentValue {
  package init?(argument: String) { self = argument }
}

extension Int: ArgumentValue {
  package init?(argument: String) { self.init(argument) }
}

package struct ArgumentHelp: Sendable, ExpressibleByStringLiteral {
  package enum Visibility: Sendable { case shown, hidden }

  package var text: String
  package var valueName: String?
  package var visibility: Visibility

  package init(
    _ text: String = "", valueName: String? = nil, visibility: Visibility = .shown
  ) {
    self.text = text
    self.valueName = valueName
    self.visibility = visibility
  }

  package init(stringLiteral text: String) { self.init(text) }
}

/// The names of an option.
package enum NameSpecification: Sendable {
  /// The property's own name: `--if-sequence` for `ifSequence`.
  case long
  /// The property's own name, and its first letter.
  case shortAndLong
  case customLong(String)
  case customShort(Character)
  case custom(Character, String)

  func names(_ property: String) -> [String] {
    switch self {
    case .long: ["--\(property)"]
    case .shortAndLong: ["-\(property.prefix(1))", "--\(property)"]
    case .customLong(let name): ["--\(name)"]
    case .customShort(let letter): ["-\(letter)"]
    case .custom(let letter, let name): ["-\(letter)", "--\(name)"]
    }
  }
}

/// The description of a declaration, and where its values are stored.
struct Parameter {
  enum Kind: Equatable { case flag, option, operand, operands }

  var kind: Kind
  /// The names, the short one first; empty for an operand.
  var names: [String] = []
  var valueName: String
  var help: ArgumentHelp
  var isRequired = false
  /// The default value as text for the help.
  var usual: String?
  /// Stores a word, which is empty for a flag. Returns false if it is invalid.
  var take: (String) -> Bool

  /// The parameter as shown in messages: `--limit N`, `WHAT…`.
  var display: String {
    switch kind {
    case .flag: names.last ?? ""
    case .option: "\(names.last ?? "") \(value)"
    case .operand: value
    case .operands: "\(value)…"
    }
  }

  /// The placeholder for its value in messages and help.
  var value: String { valueName.uppercased() }
}

/// The storage of a declared property's value: a command is made first, and then filled.
final class Given<Value> {
  var value: Value

  init(_ value: Value) { self.value = value }
}

/// - Parameter property: the name of the property, as it is typed.
protocol Declaration {
  func parameters(_ property: String) -> [Parameter]
}

/// A group of declarations.
protocol DeclarationGroup {
  var arguments: any ParsableArguments { get }
}

/// An option without a value: given or not, or how often.
@propertyWrapper
package struct Flag<Value>: Declaration {
  private let given: Given<Value>
  private let name: NameSpecification
  private let help: ArgumentHelp
  private let next: (Value) -> Value

  package var wrappedValue: Value { given.value }

  package init(
    wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp
  ) where Value == Bool {
    given = Given(wrappedValue)
    self.name = name
    self.help = help
    next = { _ in true }
  }

  package init(name: NameSpecification = .long, help: ArgumentHelp) where Value == Int {
    given = Given(0)
    self.name = name
    self.help = help
    next = { $0 + 1 }
  }

  func parameters(_ property: String) -> [Parameter] {
    [
      Parameter(kind: .flag, names: name.names(property), valueName: property, help: help) { _ in
        given.value = next(given.value)
        return true
      }
    ]
  }
}

/// An option with a value: `--limit 5`, `--limit=5`.
@propertyWrapper
package struct Option<Value>: Declaration {
  private let given: Given<Value>
  private let name: NameSpecification
  private let help: ArgumentHelp
  private let usual: String?
  private let read: (String) -> Value?

  package var wrappedValue: Value { given.value }

  package init<Written: ArgumentValue>(
    name: NameSpecification = .long, help: ArgumentHelp
  ) where Value == Written? {
    given = Given(nil)
    self.name = name
    self.help = help
    usual = nil
    read = { word in Written(argument: word).map { .some($0) } }
  }

  package init(
    wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp
  ) where Value: ArgumentValue {
    given = Given(wrappedValue)
    self.name = name
    self.help = help
    usual = "\(wrappedValue)"
    read = Value.init(argument:)
  }

  /// An option that may be given several times.
  package init<Written: ArgumentValue>(
    name: NameSpecification = .long, help: ArgumentHelp
  ) where Value == [Written] {
    let given = Given<Value>([])
    self.given = given
    self.name = name
    self.help = help
    usual = nil
    read = { word in Written(argument: word).map { given.value + [$0] } }
  }

  func parameters(_ property: String) -> [Parameter] {
    [
      Parameter(
        kind: .option, names: name.names(property), valueName: help.valueName ?? property,
        help: help, usual: usual
      ) { word in
        guard let value = read(word) else { return false }
        given.value = value
        return true
      }
    ]
  }
}

/// An operand. A list takes all the remaining ones.
@propertyWrapper
package struct Argument<Value>: Declaration {
  private let given: Given<Value?>
  private let help: ArgumentHelp
  private let isList: Bool
  private let isRequired: Bool
  private let read: (Value?, String) -> Value?

  package var wrappedValue: Value {
    guard let value = given.value else { preconditionFailure("a command is read before it runs") }
    return value
  }

  package init(help: ArgumentHelp) where Value: ArgumentValue {
    given = Given(nil)
    self.help = help
    (isList, isRequired) = (false, true)
    read = { Value(argument: $1) }
  }

  package init<Written: ArgumentValue>(help: ArgumentHelp) where Value == Written? {
    given = Given(.some(nil))
    self.help = help
    (isList, isRequired) = (false, false)
    read = { Written(argument: $1).map { .some($0) } }
  }

  package init<Written: ArgumentValue>(help: ArgumentHelp) where Value == [Written] {
    given = Given([])
    self.help = help
    (isList, isRequired) = (true, true)
    read = Self.appended
  }

  package init<Written: ArgumentValue>(
    wrappedValue: [Written], help: ArgumentHelp
  ) where Value == [Written] {
    given = Given(wrappedValue)
    self.help = help
    (isList, isRequired) = (true, false)
    read = Self.appended
  }

  private static func appended<Written: ArgumentValue>(
    _ values: [Written]?, _ word: String
  ) -> [Written]? where Value == [Written] {
    Written(argument: word).map { (values ?? []) + [$0] }
  }

  func parameters(_ property: String) -> [Parameter] {
    [
      Parameter(
        kind: isList ? .operands : .operand, valueName: help.valueName ?? property, help: help,
        isRequired: isRequired
      ) { word in
        guard let value = read(given.value, word) else { return false }
        given.value = value
        return true
      }
    ]
  }
}

/// A group of options that several commands share.
@propertyWrapper
package struct OptionGroup<Value: ParsableArguments>: DeclarationGroup {
  package let wrappedValue: Value

  package init() {
    wrappedValue = Value()
  }

  var arguments: any ParsableArguments { wrappedValue }
}

/// Returns the declarations of a command and its groups, in the order of its source.
func parameters(of arguments: any ParsableArguments) -> [Parameter] {
  Mirror(reflecting: arguments).children.flatMap { label, value -> [Parameter] in
    if let group = value as? any DeclarationGroup { return parameters(of: group.arguments) }
    // The label of a property wrapper is the property's name with an underscore in front.
    let property = String((label ?? "").drop { $0 == "_" })
    return (value as? any Declaration)?.parameters(typed(property)) ?? []
  }
}

func groups(of arguments: any ParsableArguments) -> [any ParsableArguments] {
  Mirror(reflecting: arguments).children.compactMap {
    ($0.value as? any DeclarationGroup)?.arguments
  }
}

/// Returns the name as it is typed: `if-sequence` for `ifSequence`.
private func typed(_ property: String) -> String {
  property.reduce(into: "") { typed, letter in
    typed += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
  }
}
