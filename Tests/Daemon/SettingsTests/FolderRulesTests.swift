import LibraryModel
import Settings
import TestSupport
import Testing

@Suite("Folders in the settings", .limited)
struct FolderRulesTests {
  let home: ScratchHome

  init() throws {
    home = try ScratchHome()
    try home.makeFolder("Music/Jazz")
    try home.makeFolder("Other")
    try home.link("Link", to: "Music")
    try home.write([], to: "song.flac")
  }

  @Test(
    "Music folders that are equal or nested are refused, whatever they are called",
    arguments: [
      ("'~/Music', '~/Music'", "are the same"),
      ("'~/Music', '~/Music/'", "are the same"),
      ("'~/Music', '~/Link'", "are the same"),
      ("'~/Other', '~/Music', '~/Music/Jazz'", "one inside the other"),
      ("'~/Link/Jazz', '~/Music'", "one inside the other"),
      ("'~/Link/not/yet', '~/Music/not'", "one inside the other"),
      ("'~/away/here', '~/away'", "one inside the other"),
    ])
  func nested(folders: String, expected: String) throws {
    let message = try home.refusal("music_folders = [\n\(folders)]")
    #expect(message.contains(expected))
    #expect(message.contains("config.toml, line 1: "))
  }

  @Test("Folders that only begin alike are two folders")
  func siblings() throws {
    let settings = try home.read("music_folders = ['~/Music', '~/Music 2', '~/Musi']")
    #expect(settings.musicFolders.count == 3)
  }

  @Test("A symbolic link is a music folder under its own name")
  func link() throws {
    let settings = try home.read("music_folders = ['~/Link']")
    #expect(settings.musicFolders == [BytePath("\(home.path)/Link")])
  }

  @Test(
    "A store in a music folder and a music folder in the store are refused",
    arguments: ["~", "/", "~/.local", "~/.local/share/crated", "~/.local/share/crated/music"])
  func store(folder: String) throws {
    #expect(try home.refusal("music_folders = ['\(folder)']").contains("the store "))
  }

  @Test("The store is recognised through a link")
  func linkedStore() throws {
    try home.link("Data", to: ".local/share")
    #expect(try home.refusal("music_folders = ['~/Data']").contains("the store "))
  }

  @Test(
    "A path that is not absolute, or not plain, is refused",
    arguments: [
      ("Music", "is not an absolute path"), ("", "is not an absolute path"),
      ("./Music", "is not an absolute path"), ("~ada/Music", "is not an absolute path"),
      ("$HOME/Music", "is not an absolute path"), ("/a/../b", "goes up"), ("~/..", "goes up"),
    ])
  func paths(path: String, expected: String) throws {
    #expect(try home.refusal("music_folders = ['\(path)']").contains(expected))
    #expect(try home.refusal("playlists = '\(path)'").contains(expected))
  }

  @Test("A file is no folder; a folder that is away may come")
  func files() throws {
    #expect(try home.refusal("music_folders = ['~/song.flac']").contains("is not a folder"))
    #expect(try home.refusal("playlists = '~/song.flac'").contains("is not a folder"))
    #expect(try home.read("music_folders = ['/media/ada/Drive']").musicFolders.count == 1)
  }

  @Test("Without HOME a ~ is refused, and a whole path is not")
  func withoutHome() throws {
    try home.write(Array("music_folders = ['~/Music']".utf8), to: ".config/crated/config.toml")
    for environment in [[:], ["HOME": ""], ["HOME": "here"]] {
      #expect(throws: SettingsError.self) {
        try Settings.read(file: home.file, environment: environment, store: home.store)
      }
    }
    try home.write(Array("music_folders = ['/m']".utf8), to: ".config/crated/config.toml")
    let settings = try Settings.read(file: home.file, environment: [:], store: home.store)
    #expect(settings.musicFolders == [BytePath("/m")])
  }

  @Test("Playlists may lie inside a music folder")
  func playlistsInside() throws {
    let settings = try home.read("music_folders = ['~/Music']\nplaylists = '~/Music/Playlists'")
    #expect(settings.playlists == BytePath("\(home.path)/Music/Playlists"))
  }

  @Test(
    "Playlists that hold music or the store, or lie in the store, are refused",
    arguments: ["~/Music", "~/Link", "~", "~/.local/share/crated/lists", "~/.local/share"])
  func playlistsOutside(folder: String) throws {
    let message = try home.refusal("music_folders = ['~/Music']\nplaylists = '\(folder)'")
    #expect(message.contains("config.toml, line 2: "))
    #expect(message.contains("playlist"))
  }

  @Test("The machines' folder may lie inside a music folder, and be away")
  func machinesInside() throws {
    for path in ["~/Music/Crates", "~/Sync/Crates", "/media/ada/Crates"] {
      let settings = try home.read("music_folders = ['~/Music']\nmachines = '\(path)'")
      #expect(settings.machines != nil)
    }
  }

  @Test(
    "A machines' folder that is something else already is refused",
    arguments: [
      "~/Music", "~/Link", "~", "~/.local/share/crated/order", "~/Lists", "~/song.flac", "Sync",
    ])
  func machinesElsewhere(folder: String) throws {
    let message = try home.refusal(
      "music_folders = ['~/Music']\nplaylists = '~/Lists'\nmachines = '\(folder)'")
    #expect(message.contains("config.toml, line 3: "))
  }

  @Test("A machine's name is short, and fit for a crate's", arguments: ["", " a", "a\tb", "1"])
  func machineName(name: String) throws {
    let name = name == "1" ? String(repeating: "a", count: 41) : name
    #expect(try home.refusal("machine_name = '\(name)'").contains("machine_name"))
    #expect(try home.read("machine_name = 'Adas Rechner'").machineName == "Adas Rechner")
  }
}
