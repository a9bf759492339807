import LibraryModel
import TOMLKit

/// The file as TOML: its known keys and their values, and the lines they are written on.
struct SettingsTable {
  /// Each music folder has a thread and watches of its own.
  private static let mostFolders = 64
  private static let mostPatterns = 1000

  private let file: BytePath
  private let table: TOMLTable
  private let lines: [Substring]

  init(file: BytePath, text: String) throws(SettingsError) {
    self.file = file
    lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    if let fault = TOMLScreening.fault(in: text, lines: lines) {
      throw SettingsError(
        file: file, line: fault.line, reason: fault.reason, advice: fault.advice)
    }
    do {
      table = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw SettingsError(
        file: file, line: error.source.begin.line, column: error.source.begin.column,
        reason: "it is not TOML: \(error.description)",
        advice: "correct it; config.example.toml shows how settings are written")
    } catch {
      throw SettingsError(file: file, reason: "\(error)", advice: "correct the file")
    }
    let known = Settings.Key.allCases.map(\.rawValue)
    if let unknown = table.keys.sorted().first(where: { !known.contains($0) }) {
      throw SettingsError(
        file: file, line: line(of: unknown), reason: "there is no setting “\(unknown)”",
        advice: "remove it; the settings are \(known.joined(separator: ", "))")
    }
  }

  /// Where the setting is written, as far as a look at the beginnings of lines tells: the TOML
  /// library keeps the places of syntax errors only.
  func line(of key: Settings.Key) -> Int? { line(of: key.rawValue) }

  func text(_ key: Settings.Key) throws(SettingsError) -> String? {
    guard let value = table[key.rawValue] else { return nil }
    guard let text = value.string else {
      throw failure(key, "is \(name(of: value.type))", advice: "write a text, in double quotes")
    }
    return text
  }

  func texts(_ key: Settings.Key) throws(SettingsError) -> [String]? {
    guard let value = table[key.rawValue] else { return nil }
    guard let array = value.array else {
      throw failure(
        key, "is \(name(of: value.type))",
        advice: "write a list of texts, such as \(key.rawValue) = [\"…\"]")
    }
    var texts: [String] = []
    for (index, item) in array.enumerated() {
      guard let text = item.string else {
        throw failure(
          key, "holds \(name(of: item.type)) as item \(index + 1)",
          advice: "write a text there, in double quotes")
      }
      texts.append(text)
    }
    if key == .musicFolders && texts.count > Self.mostFolders {
      throw failure(
        key, "names \(texts.count) folders, and \(Self.mostFolders) is the most",
        advice: "name a folder that holds several of them")
    }
    return texts
  }

  /// An empty list would mean that nothing is to be watched, and every song is away.
  func refuseEmptyFolders() throws(SettingsError) {
    guard table.contains(key: Settings.Key.musicFolders.rawValue) else { return }
    throw failure(
      .musicFolders, "is empty", advice: "name a folder, or remove the line to use the default")
  }

  func crateName(_ key: Settings.Key) throws(SettingsError) -> String? {
    guard let name = try text(key) else { return nil }
    if let fault = crateNameFault(name) {
      throw failure(
        key, "can't be “\(name)”: \(fault)",
        advice: "write the name of a crate, or remove the line"
      )
    }
    return name
  }

  func patterns(_ key: Settings.Key) throws(SettingsError) -> [String] {
    let patterns = try texts(key) ?? []
    if patterns.count > Self.mostPatterns {
      throw failure(
        key, "holds \(patterns.count) patterns, and \(Self.mostPatterns) is the most",
        advice: "join some of them with wildcards")
    }
    for pattern in patterns where pattern.isEmpty || holdsControlCharacter(pattern) {
      throw failure(
        key, pattern.isEmpty ? "holds an empty pattern" : "holds a control character",
        advice: "write each pattern as one line of a .gitignore file")
    }
    return patterns
  }

  private func failure(_ key: Settings.Key, _ reason: String, advice: String) -> SettingsError {
    SettingsError(
      file: file, line: line(of: key), reason: "\(key.rawValue) \(reason)", advice: advice)
  }

  private func line(of key: String) -> Int? {
    let index = lines.firstIndex { line in
      var rest = line.drop { " \t[".contains($0) }
      for quote in ["\"", "'"] where rest.hasPrefix(quote) { rest = rest.dropFirst() }
      guard rest.hasPrefix(key) else { return false }
      return rest.dropFirst(key.count).first.map { " \t=.]\"'".contains($0) } ?? false
    }
    return index.map { $0 + 1 }
  }
}

func holdsControlCharacter(_ text: String) -> Bool {
  text.unicodeScalars.contains { $0.properties.generalCategory == .control }
}

private func name(of type: TOMLType) -> String {
  switch type {
  case .string: "a text"
  case .int: "a whole number"
  case .double: "a number"
  case .bool: "true or false"
  case .date, .time, .dateTime: "a date or time"
  case .array: "a list"
  case .table: "a table"
  }
}
