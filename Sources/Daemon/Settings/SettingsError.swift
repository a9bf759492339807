package import LibraryModel

/// The reason why the daemon can't start with these settings, or apply them.
package struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The daemon's exit status: EX_CONFIG of sysexits(3).
  package static let exitStatus: Int32 = 78

  /// The file at fault; nil if it is the environment.
  package var file: BytePath?
  package var line: Int?
  package var column: Int?
  package var reason: String
  /// What the user can do, as a sentence without its full stop.
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

/// Replaces control characters, which could break the line or send terminal escapes.
private func oneLine(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    result.append(scalar.properties.generalCategory == .control ? " " : scalar)
  }
  return String(result)
}
