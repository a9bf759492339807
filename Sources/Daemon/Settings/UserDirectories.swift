import Glibc
package import LibraryModel
import Platform

/// The directories of a user's files, by the XDG base directory specification. A variable that is
/// unset, empty or relative counts as unset.
package struct UserDirectories: Hashable, Sendable {
  private let environment: [String: String]

  package init(_ environment: [String: String]) {
    self.environment = environment
  }

  package func configuration() throws(SettingsError) -> BytePath {
    try directory("XDG_CONFIG_HOME", inHome: ".config")
  }

  package func data() throws(SettingsError) -> BytePath {
    try directory("XDG_DATA_HOME", inHome: ".local/share")
  }

  package func cache() throws(SettingsError) -> BytePath {
    try directory("XDG_CACHE_HOME", inHome: ".cache")
  }

  package func state() throws(SettingsError) -> BytePath {
    try directory("XDG_STATE_HOME", inHome: ".local/state")
  }

  /// Returns the runtime directory. It has no default: only the system knows a place that is
  /// private, local and temporary.
  package func runtime() throws(SettingsError) -> BytePath {
    if let path = absolute("XDG_RUNTIME_DIR") { return path }
    throw SettingsError(
      reason: "XDG_RUNTIME_DIR is not set to an absolute path, so there is no place for the socket",
      advice: "log in through the system's session (systemd: loginctl enable-linger for a service"
        + " without a login), or set it to a directory that only you can enter")
  }

  /// Returns the user's music folder: the one that xdg-user-dirs(1) has recorded, else ~/Music.
  package func music() throws(SettingsError) -> BytePath {
    let home = try self.home()
    let usual = home.appending("Music".utf8)
    let list = try configuration().appending("user-dirs.dirs".utf8)
    guard let bytes = try contents(of: list) else { return usual }
    var found: BytePath?
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let path = musicDirectory(line, home: home) else { continue }
      found = path
    }
    // In that file the home directory means that there is no such folder.
    guard let found, found != home else { return usual }
    return found
  }

  private func home() throws(SettingsError) -> BytePath {
    if let path = absolute("HOME") { return path }
    throw SettingsError(
      reason: "HOME is not set to an absolute path", advice: "set it to your home directory")
  }

  private func directory(
    _ variable: String, inHome relative: String
  ) throws(SettingsError) -> BytePath {
    if let path = absolute(variable) { return path }
    return try home().appending(relative.utf8)
  }

  private func absolute(_ variable: String) -> BytePath? {
    guard let value = environment[variable], value.hasPrefix("/") else { return nil }
    return withoutEndingSlash(Array(value.utf8))
  }

  private func contents(of list: BytePath) throws(SettingsError) -> [UInt8]? {
    let descriptor = open(cString(list), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw cannotRead(list, errno)
    }
    let file = OpenFile(owning: descriptor)
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = bytes.withUnsafeMutableBytes { room in
      retrying { read(file.descriptor, room.baseAddress, room.count) }
    }
    guard count >= 0 else { throw cannotRead(list, errno) }
    return Array(bytes[..<count])
  }

  private func cannotRead(_ list: BytePath, _ code: Int32) -> SettingsError {
    SettingsError(
      file: list, reason: "it can't be read: \(String(cString: strerror(code)))",
      advice: "make it readable, or set music_folders in the settings file")
  }
}

/// Parses a line such as `XDG_MUSIC_DIR="$HOME/Music"`: an absolute path or one below $HOME, with
/// the shell's backslashes.
private func musicDirectory(_ line: ArraySlice<UInt8>, home: BytePath) -> BytePath? {
  let trimmed = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  let start = Array("XDG_MUSIC_DIR=\"".utf8)
  guard trimmed.starts(with: start) else { return nil }
  var value: [UInt8] = []
  var rest = trimmed.dropFirst(start.count)
  let homeWord = Array("$HOME".utf8)
  if rest.starts(with: homeWord) {
    value = home.bytes
    rest = rest.dropFirst(homeWord.count)
    guard rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "\"") else { return nil }
  }
  while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
    value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
  }
  guard value.first == UInt8(ascii: "/") else { return nil }
  return withoutEndingSlash(value)
}

private func withoutEndingSlash(_ bytes: [UInt8]) -> BytePath {
  var bytes = bytes
  while bytes.count > 1 && bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
  return BytePath(bytes)
}
