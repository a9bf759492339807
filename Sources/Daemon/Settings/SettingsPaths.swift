package import LibraryModel

/// All paths of the daemon's own, determined from the environment.
package struct SettingsPaths: Hashable, Sendable {
  /// The size of sun_path in unix(7) without its final NUL.
  private static let mostBytesInSocketPath = 107

  package let settingsFile: BytePath
  /// The directory of the text store.
  package let store: BytePath
  package let index: BytePath
  /// The directory of the socket, and of the file that Sync touches.
  package let runtime: BytePath
  package let socket: BytePath
  /// The socket of `crated web`.
  package let webSocket: BytePath
  /// The directory in which `crated web` stores the admitted devices.
  package let webState: BytePath
  /// The directory of the records of written playlists.
  package let playlistState: BytePath
  /// The file with this machine's state of the shared order.
  package var machineState: BytePath { store.appending("machines.txt".utf8) }

  package init(environment: [String: String]) throws(SettingsError) {
    let directories = UserDirectories(environment)
    settingsFile = Self.ours(try directories.configuration()).appending("config.toml".utf8)
    store = try Self.store(environment: environment)
    index = try Self.index(environment: environment)
    runtime = Self.ours(try directories.runtime())
    webState = Self.ours(try directories.state()).appending("web".utf8)
    playlistState = Self.ours(try directories.state()).appending("playlists".utf8)
    // This path is shorter than the next one, so that one check is enough.
    webSocket = runtime.appending("org.crated.Web".utf8)
    socket = runtime.appending("org.crated.Crates".utf8)
    guard socket.bytes.count <= Self.mostBytesInSocketPath else {
      throw SettingsError(
        reason: "the socket's path \(socket.display) is longer than"
          + " \(Self.mostBytesInSocketPath) bytes, which Linux doesn't allow",
        advice: "set XDG_RUNTIME_DIR to a shorter path")
    }
  }

  /// Returns the directory of the text store, which exists outside of sessions, too.
  package static func store(environment: [String: String]) throws(SettingsError) -> BytePath {
    ours(try UserDirectories(environment).data())
  }

  /// Returns the path of the index, which exists outside of sessions, too.
  package static func index(environment: [String: String]) throws(SettingsError) -> BytePath {
    ours(try UserDirectories(environment).cache()).appending("index.sqlite".utf8)
  }

  private static func ours(_ directory: BytePath) -> BytePath {
    directory.appending("crated".utf8)
  }
}
