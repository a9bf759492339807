import LibraryModel

/// Parses the paths in the settings file into absolute ones.
struct PathText {
  let file: BytePath
  let home: String?

  func path(_ text: String, key: Settings.Key, line: Int?) throws(SettingsError) -> BytePath {
    func failure(_ reason: String, _ advice: String) -> SettingsError {
      SettingsError(
        file: file, line: line, reason: "\(key.rawValue): “\(text)” \(reason)", advice: advice)
    }
    if holdsControlCharacter(text) {
      throw failure("holds a control character", "reach the folder by a symbolic link")
    }
    var bytes = Array(text.utf8)
    if text == "~" || text.hasPrefix("~/") {
      guard let home, home.hasPrefix("/") else {
        throw failure("begins with ~, and HOME is not an absolute path", "write the whole path")
      }
      bytes.replaceSubrange(..<1, with: Array(home.utf8))
    }
    guard bytes.first == UInt8(ascii: "/") else {
      throw failure("is not an absolute path", "begin it with / or ~/")
    }
    let names = bytes.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
    guard !names.contains(Array("..".utf8)[...]) else {
      throw failure("goes up by “..”", "write the path without it")
    }
    return BytePath([UInt8(ascii: "/")] + Array(names.joined(separator: [UInt8(ascii: "/")])))
  }
}
