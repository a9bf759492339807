package import LibraryModel

/// The user's settings, validated: they need not be checked again.
package struct Settings: Hashable, Sendable {
  /// All keys of the file.
  package enum Key: String, CaseIterable, Sendable {
    case musicFolders = "music_folders"
    case newAlbums = "new_albums"
    case playlists
    case playlistsEnding = "playlists_ending"
    case playlistsEdited = "playlists_edited"
    case machines
    case machineName = "machine_name"
    case player
    case mpd
    case ignore
    case web
    case webNames = "web_names"
  }

  /// At least one absolute path; none is inside another. In the order and the spelling of the file:
  /// symbolic links are kept, since a folder is known by the path that the user gave it.
  package var musicFolders: [BytePath]
  /// The crate for new albums; nil for the first one listed.
  package var newAlbums: String?
  /// The directory of the playlists; nil if none are written.
  package var playlists: BytePath?
  /// The ending of the playlists' names.
  package var playlistsEnding = PlaylistsEnding.m3u8
  package var playlistsEdited = PlaylistsEdited.ignored
  /// The folder through which machines share their order; nil if nothing is shared.
  package var machines: BytePath?
  /// The name of this machine for the others; nil for the host name.
  package var machineName: String?
  /// The player for `crate play`; nil for any that answers.
  package var player: Player?
  /// The local socket of MPD; nil for the usual ones, if one answers.
  package var mpd: BytePath?
  /// Patterns in the syntax of gitignore(5), in addition to the built-in ones.
  package var ignore: [String]
  /// The address at which `crated web` listens.
  package var web = WebAddress.usual
  /// Host names by which browsers may request the page, in addition to those of this machine, in
  /// lower case.
  package var webNames: [String] = []

  package init(
    musicFolders: [BytePath], newAlbums: String? = nil, playlists: BytePath? = nil,
    ignore: [String] = []
  ) {
    self.musicFolders = musicFolders
    self.newAlbums = newAlbums
    self.playlists = playlists
    self.ignore = ignore
  }

  package enum PlaylistsEnding: String, CaseIterable, Sendable {
    case m3u8
    /// The ending of MPD's own playlists.
    case m3u
  }

  package enum PlaylistsEdited: String, CaseIterable, Sendable {
    /// Changes that players make to playlists are overwritten.
    case ignored
    /// A player's change is an edit of the crate.
    case taken
  }

  package enum Player: Hashable, Sendable {
    case mpd
    /// mpv, with the path of its socket (`input-ipc-server`).
    case mpv(BytePath)
    /// A command line for a shell, in which `{}` is the path of a playlist.
    case command(String)

    /// The player as the file has it, with an absolute path.
    package var text: String {
      switch self {
      case .mpd: "mpd"
      case .mpv(let socket): "mpv:\(socket.display)"
      case .command(let command): command
      }
    }
  }

  /// Reads the file strictly. If there is none, everything has its default.
  package static func read(
    file: BytePath, environment: [String: String], store: BytePath
  ) throws(SettingsError) -> Settings {
    guard let text = try SettingsFile(file).text() else {
      let settings = Settings(musicFolders: [try UserDirectories(environment).music()])
      try FolderRules(file: nil, store: store).check(settings)
      return settings
    }
    let table = try SettingsTable(file: file, text: text)
    let paths = PathText(file: file, home: environment["HOME"])
    var folders: [BytePath] = []
    for written in try table.texts(.musicFolders) ?? [] {
      folders.append(
        try paths.path(written, key: .musicFolders, line: table.line(of: .musicFolders)))
    }
    if folders.isEmpty {
      try table.refuseEmptyFolders()
      folders = [try UserDirectories(environment).music()]
    }
    var playlists: BytePath?
    if let written = try table.text(.playlists) {
      playlists = try paths.path(written, key: .playlists, line: table.line(of: .playlists))
    }
    var settings = Settings(
      musicFolders: folders, newAlbums: try table.crateName(.newAlbums), playlists: playlists,
      ignore: try table.patterns(.ignore))
    settings.playlistsEnding = try table.choice(.playlistsEnding) ?? .m3u8
    settings.playlistsEdited = try table.choice(.playlistsEdited) ?? .ignored
    if let written = try table.text(.machines) {
      settings.machines = try paths.path(written, key: .machines, line: table.line(of: .machines))
    }
    settings.machineName = try table.machineName()
    settings.player = try table.player(paths)
    settings.mpd = try table.socket(paths)
    settings.web = try table.webAddress() ?? .usual
    settings.webNames = try table.webNames()
    try FolderRules(
      file: file, store: store, foldersLine: table.line(of: .musicFolders),
      playlistsLine: table.line(of: .playlists), machinesLine: table.line(of: .machines)
    ).check(settings)
    return settings
  }
}
