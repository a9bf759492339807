package import LibraryModel

/// Why the daemon can't start with, or change to, these settings.
package struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the daemon exits with: EX_CONFIG of sysexits(3).
  package static let exitStatus: Int32 = 78

  /// The file to look at; none where the environment is at fault.
  package var file: BytePath?
  package var line: Int?
  package var column: Int?
  package var reason: String
  /// What the person can do, as a sentence without its full stop.
  package var advice: String

  package init(
    file: BytePath? = nil, line: Int? = nil, column: Int? = nil, reason: String, advice: String
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.reason = reason
    self.advice = advice
  }

  package var description: String {
    var place = file?.display ?? ""
    if let line { place += place.isEmpty ? "line \(line)" : ", line \(line)" }
    if let column { place += ", column \(column)" }
    let message = "\(reason); \(advice)"
    return oneLine(place.isEmpty ? message : "\(place): \(message)")
  }
}

/// Control characters from a file or a path would break the line, or play with the terminal.
private func oneLine(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    result.append(scalar.properties.generalCategory == .control ? " " : scalar)
  }
  return String(result)
}
