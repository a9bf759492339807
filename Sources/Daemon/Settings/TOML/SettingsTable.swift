import LibraryModel
import Text

/// The settings of the file by their keys, with their line numbers.
struct SettingsTable {
  /// Each music folder has a thread and watches of its own.
  private static let mostFolders = 64
  private static let mostPatterns = 1000

  private let file: BytePath
  private var entries: [Settings.Key: TOMLReader.Entry] = [:]

  init(file: BytePath, text: String) throws(SettingsError) {
    self.file = file
    let read: [TOMLReader.Entry]
    do {
      read = try TOMLReader.entries(of: text)
    } catch {
      throw SettingsError(
        file: file, line: error.line, column: error.column, reason: error.reason,
        advice: error.advice)
    }
    for entry in read {
      guard let key = Settings.Key(rawValue: entry.name) else { throw unknown(entry) }
      entries[key] = entry
    }
  }

  private func unknown(_ entry: TOMLReader.Entry) -> SettingsError {
    let known = Settings.Key.allCases.map(\.rawValue)
    let list = "the settings are \(known.joined(separator: ", "))"
    let nearest = nearestName(to: entry.name, of: known)
    return SettingsError(
      file: file, line: entry.line, reason: "there is no setting “\(entry.name)”",
      advice: nearest.map { "did you mean \($0)? (\(list))" } ?? "remove it; \(list)")
  }

  func line(of key: Settings.Key) -> Int? { entries[key]?.line }

  func text(_ key: Settings.Key) throws(SettingsError) -> String? {
    switch entries[key]?.value {
    case nil: return nil
    case .text(let text): return text
    case .list: throw failure(key, "is a list", advice: "write a text, in double quotes")
    case .other(let kind):
      throw failure(key, "is \(kind)", advice: "write a text, in double quotes")
    }
  }

  func texts(_ key: Settings.Key) throws(SettingsError) -> [String]? {
    let advice = "write a list of texts, such as \(key.rawValue) = [\"…\"]"
    let items: [TOMLReader.Value]
    switch entries[key]?.value {
    case nil: return nil
    case .text: throw failure(key, "is a text", advice: advice)
    case .other(let kind): throw failure(key, "is \(kind)", advice: advice)
    case .list(let list): items = list
    }
    var texts: [String] = []
    for (place, item) in items.enumerated() {
      switch item {
      case .text(let text): texts.append(text)
      case .list: preconditionFailure("lists in lists are of another kind")
      case .other(let kind):
        throw failure(
          key, "holds \(kind) as item \(place + 1)", advice: "write a text there, in double quotes")
      }
    }
    if key == .musicFolders && texts.count > Self.mostFolders {
      throw failure(
        key, "names \(texts.count) folders, and \(Self.mostFolders) is the most",
        advice: "name a folder that holds several of them")
    }
    return texts
  }

  /// Refuses an empty list. It would mean that nothing is watched, and every song is offline.
  func refuseEmptyFolders() throws(SettingsError) {
    guard entries[.musicFolders] != nil else { return }
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

  func machineName() throws(SettingsError) -> String? {
    guard let name = try text(.machineName) else { return nil }
    if let fault = machineNameFault(name) {
      throw failure(
        .machineName, "can't be “\(name)”: \(fault)",
        advice: "write a short name, or remove the line to use that of the host")
    }
    return name
  }

  /// Parses one of a few words.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: Settings.Key
  ) throws(SettingsError) -> Choice? {
    guard let written = try text(key) else { return nil }
    if let choice = Choice(rawValue: written) { return choice }
    let words = Choice.allCases.map { "\"\($0.rawValue)\"" }
    throw failure(
      key, "can't be “\(written)”",
      advice: "write \(words.joined(separator: " or ")), or remove the line")
  }

  /// Parses the path of MPD's socket. A network address is refused: the daemon uses no network, and
  /// MPD accepts absolute paths only through a local socket.
  func socket(_ paths: PathText) throws(SettingsError) -> BytePath? {
    guard let written = try text(.mpd) else { return nil }
    guard written.hasPrefix("/") || written.hasPrefix("~/") else {
      throw failure(
        .mpd, "can't be “\(written)”",
        advice: "write the path of MPD's local socket, as bind_to_address in its configuration has"
          + " it; Crated speaks to no network")
    }
    return try paths.path(written, key: .mpd, line: line(of: .mpd))
  }

  func player(_ paths: PathText) throws(SettingsError) -> Settings.Player? {
    guard let written = try text(.player) else { return nil }
    if written == "mpd" { return .mpd }
    if written.hasPrefix("mpv:") {
      let path = String(written.dropFirst("mpv:".count))
      return .mpv(try paths.path(path, key: .player, line: line(of: .player)))
    }
    guard written.contains("{}"), !holdsControlCharacter(written) else {
      throw failure(
        .player, "can't be “\(written)”",
        advice: "write \"mpd\", \"mpv:\" with the path of its socket, or a command with {} in the"
          + " place of a playlist")
    }
    return .command(written)
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

  func failure(_ key: Settings.Key, _ reason: String, advice: String) -> SettingsError {
    SettingsError(
      file: file, line: line(of: key), reason: "\(key.rawValue) \(reason)", advice: advice)
  }
}

func holdsControlCharacter(_ text: String) -> Bool {
  text.unicodeScalars.contains { $0.properties.generalCategory == .control }
}
