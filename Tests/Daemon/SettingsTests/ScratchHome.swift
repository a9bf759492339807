import Foundation
import Glibc
import LibraryModel
import Settings
import Testing

/// A home directory for one test, removed at its end.
final class ScratchHome {
  let path: String

  init() throws {
    var template = Array("/tmp/crated-settings-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template))
    // Where /tmp is a link, paths would not compare equal.
    let real = try #require(realpath(made, nil))
    defer { free(real) }
    path = String(cString: real)
    try makeFolder(".config/crated")
    try makeFolder(".local/share/crated")
  }

  deinit {
    _ = Result { try FileManager.default.removeItem(atPath: path) }
  }

  var environment: [String: String] { ["HOME": path, "XDG_RUNTIME_DIR": "\(path)/run"] }
  var file: BytePath { BytePath("\(path)/.config/crated/config.toml") }
  var store: BytePath { BytePath("\(path)/.local/share/crated") }

  func makeFolder(_ relative: String) throws {
    var folder = path
    for name in relative.split(separator: "/") {
      folder += "/\(name)"
      try #require(mkdir(folder, 0o700) == 0 || errno == EEXIST)
    }
  }

  func link(_ relative: String, to target: String) throws {
    try #require(symlink(target, "\(path)/\(relative)") == 0)
  }

  func write(_ bytes: [UInt8], to relative: String) throws {
    let descriptor = open("\(path)/\(relative)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }

  func read() throws(SettingsError) -> Settings {
    try Settings.read(file: file, environment: environment, store: store)
  }

  func read(_ text: String) throws -> Settings {
    try write(Array(text.utf8), to: ".config/crated/config.toml")
    return try read()
  }

  /// The message that these settings are refused with.
  func refusal(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> String {
    try write(Array(text.utf8), to: ".config/crated/config.toml")
    return try refusal(location)
  }

  func refusal(_ location: SourceLocation = #_sourceLocation) throws -> String {
    let error = try #require(
      #expect(throws: SettingsError.self, sourceLocation: location) { try read() },
      sourceLocation: location)
    return error.description
  }
}
