package import LibraryModel

/// What the person has set, checked: whoever holds one of these needs to check nothing again.
package struct Settings: Hashable, Sendable {
  /// The keys of the file, which knows no others.
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

  /// Absolute, one or more; none lies in another. In the file's order, as written there: symbolic
  /// links are kept, since a folder is known by the path that the person gave it.
  package var musicFolders: [BytePath]
  /// The crate for new albums; none: the first one listed.
  package var newAlbums: String?
  /// Where each crate is kept as a playlist; none: nowhere.
  package var playlists: BytePath?
  /// What the playlists' names end in.
  package var playlistsEnding = PlaylistsEnding.m3u8
  package var playlistsEdited = PlaylistsEdited.ignored
  /// The folder by which other machines have the same order; none: they don't.
  package var machines: BytePath?
  /// What this machine is called there; none: as the host.
  package var machineName: String?
  /// What `crate play` hands songs to; none: whatever answers.
  package var player: Player?
  /// The local socket of MPD; none: one of the usual ones, if it answers.
  package var mpd: BytePath?
  /// Patterns in the syntax of gitignore(5), beside those that always hold.
  package var ignore: [String]
  /// Where `crated web` listens.
  package var web = WebAddress.usual
  /// Names by which browsers may call the page, beside those of this machine; in small letters.
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
    /// What MPD takes for its own playlists.
    case m3u
  }

  package enum PlaylistsEdited: String, CaseIterable, Sendable {
    /// What players make of the playlists is written over.
    case ignored
    /// What a player did is an edit of the crate.
    case taken
  }

  package enum Player: Hashable, Sendable {
    case mpd
    /// By the path of its socket (`input-ipc-server`).
    case mpv(BytePath)
    /// A command line for a shell, in which `{}` is the path of a playlist.
    case command(String)

    /// The player as it is written in the file, with a whole path.
    package var text: String {
      switch self {
      case .mpd: "mpd"
      case .mpv(let socket): "mpv:\(socket.display)"
      case .command(let command): command
      }
    }
  }

  /// Reads the file strictly. Where there is none, everything has its default.
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
