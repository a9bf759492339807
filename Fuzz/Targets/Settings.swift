import LibraryModel

@testable import Settings

/// A settings file, as far as it can be read without a look at the folders that it names.
func fuzzSettings(_ input: [UInt8]) {
  guard let text = String(validating: input, as: UTF8.self) else { return }
  do throws(TOMLReader.Fault) {
    check(try TOMLReader.entries(of: text))
  } catch {
    check(error.line, in: input)
    require(error.column.map { (1...8193).contains($0) } ?? true, "a fault is on its line")
  }
  do throws(SettingsError) {
    try readAll(of: text)
  } catch {
    if let line = error.line { check(line, in: input) }
    let controls = error.description.unicodeScalars.filter {
      $0.properties.generalCategory == .control
    }
    require(controls.isEmpty, "a message is one line")
  }
}

private func check(_ line: Int, in input: [UInt8]) {
  require((1...input.count { $0 == 0x0A } + 1).contains(line), "a line is one of the file")
}

/// What is read is written so that it is read as the same.
private func check(_ entries: [TOMLReader.Entry]) {
  var text = ""
  var written: [TOMLReader.Entry] = []
  for entry in entries {
    guard let value = toml(entry.value) else { continue }
    written.append(
      TOMLReader.Entry(name: entry.name, value: entry.value, line: written.count + 1))
    text += "\(toml(entry.name)) = \(value)\n"
  }
  // Escapes take more room than what they stand for, and a line has a bound.
  if text.utf8.split(separator: 0x0A).contains(where: { $0.count > 8192 }) { return }
  let again = try? TOMLReader.entries(of: text)
  require(again == written, "settings are read as they were written")
}

private func toml(_ value: TOMLReader.Value) -> String? {
  switch value {
  case .text(let text): return toml(text)
  case .list(let items):
    let texts = items.compactMap(toml)
    return texts.count == items.count ? "[\(texts.joined(separator: ", "))]" : nil
  case .other: return nil
  }
}

private func toml(_ text: String) -> String {
  var written = "\""
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x22, 0x5C: written += "\\\(scalar)"
    case 0..<0x20, 0x7F:
      let digits = String(scalar.value, radix: 16)
      written += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: written += String(scalar)
    }
  }
  return written + "\""
}

private func readAll(of text: String) throws(SettingsError) {
  let file = BytePath("/config.toml")
  let table = try SettingsTable(file: file, text: text)
  let paths = PathText(file: file, home: "/home/ada")
  for written in try table.texts(.musicFolders) ?? [] {
    let path = try paths.path(written, key: .musicFolders, line: 1)
    require(path.bytes.first == 0x2F && !path.bytes.contains(0), "a folder has an absolute path")
  }
  if let written = try table.text(.playlists) {
    _ = try paths.path(written, key: .playlists, line: 1)
  }
  let name = try table.crateName(.newAlbums)
  require(name.map { crateNameFault($0) == nil } ?? true, "a crate can have the name")
  let patterns = try table.patterns(.ignore)
  require(!patterns.contains { $0.isEmpty || $0.contains("\n") }, "a pattern is a line")
}
