package import LibraryModel

/// What the person has set, checked: whoever holds one of these needs to check nothing again.
package struct Settings: Hashable, Sendable {
  /// The keys of the file, which knows no others.
  package enum Key: String, CaseIterable, Sendable {
    case musicFolders = "music_folders"
    case newAlbums = "new_albums"
    case playlists
    case ignore
  }

  /// Absolute, one or more; none lies in another. In the file's order, as written there: symbolic
  /// links are kept, since a folder is known by the path that the person gave it.
  package var musicFolders: [BytePath]
  /// The crate for new albums; none: the first one listed.
  package var newAlbums: String?
  /// Where each crate is kept as a playlist; none: nowhere.
  package var playlists: BytePath?
  /// Patterns in the syntax of gitignore(5), beside those that always hold.
  package var ignore: [String]

  package init(
    musicFolders: [BytePath], newAlbums: String? = nil, playlists: BytePath? = nil,
    ignore: [String] = []
  ) {
    self.musicFolders = musicFolders
    self.newAlbums = newAlbums
    self.playlists = playlists
    self.ignore = ignore
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
    let settings = Settings(
      musicFolders: folders, newAlbums: try table.crateName(.newAlbums), playlists: playlists,
      ignore: try table.patterns(.ignore))
    try FolderRules(
      file: file, store: store, foldersLine: table.line(of: .musicFolders),
      playlistsLine: table.line(of: .playlists)
    ).check(settings)
    return settings
  }
}
