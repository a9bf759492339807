import LibraryModel
import Settings
import TestSupport
import Testing

@Suite("Where a person's files go", .limited)
struct UserDirectoriesTests {
  let home: ScratchHome

  init() throws {
    home = try ScratchHome()
  }

  @Test("By default the paths lie below the home directory")
  func defaults() throws {
    let paths = try SettingsPaths(environment: ["HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/1"])
    #expect(paths.settingsFile == BytePath("/home/ada/.config/crated/config.toml"))
    #expect(paths.store == BytePath("/home/ada/.local/share/crated"))
    #expect(paths.index == BytePath("/home/ada/.cache/crated/index.sqlite"))
    #expect(paths.runtime == BytePath("/run/1/crated"))
    #expect(paths.playlistState == BytePath("/home/ada/.local/state/crated/playlists"))
    #expect(paths.socket == BytePath("/run/1/crated/org.crated.Crates"))
    #expect(paths.webSocket == BytePath("/run/1/crated/org.crated.Web"))
    #expect(paths.webState == BytePath("/home/ada/.local/state/crated/web"))
  }

  @Test("The XDG variables say where else; a relative or empty one counts as unset")
  func variables() throws {
    let paths = try SettingsPaths(environment: [
      "HOME": "/home/ada/", "XDG_RUNTIME_DIR": "/r", "XDG_CONFIG_HOME": "/c/",
      "XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "",
    ])
    #expect(paths.settingsFile == BytePath("/c/crated/config.toml"))
    #expect(paths.store == BytePath("/home/ada/.local/share/crated"))
    #expect(paths.index == BytePath("/home/ada/.cache/crated/index.sqlite"))
  }

  @Test("A socket's path may have 107 bytes", arguments: [(81, true), (82, false)])
  func longestSocket(count: Int, isShortEnough: Bool) throws {
    let runtime = "/" + String(repeating: "r", count: count)
    let paths = Result { () throws(SettingsError) in
      try SettingsPaths(environment: ["HOME": "/home/ada", "XDG_RUNTIME_DIR": runtime])
    }
    #expect((try? paths.get().socket.bytes.count) == (isShortEnough ? 107 : nil))
  }

  @Test("Without HOME, variables that make it needless are enough")
  func withoutHome() throws {
    let paths = try SettingsPaths(environment: [
      "XDG_RUNTIME_DIR": "/r", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d",
      "XDG_CACHE_HOME": "/k", "XDG_STATE_HOME": "/s",
    ])
    #expect(paths.store == BytePath("/d/crated"))
    #expect(paths.playlistState == BytePath("/s/crated/playlists"))
  }

  @Test(
    "What can't be worked out is named",
    arguments: [
      (["HOME": "/home/ada"], "XDG_RUNTIME_DIR is not set"),
      (["HOME": "/home/ada", "XDG_RUNTIME_DIR": "run"], "XDG_RUNTIME_DIR is not set"),
      (["XDG_RUNTIME_DIR": "/run/1"], "HOME is not set"),
      (["HOME": "ada", "XDG_RUNTIME_DIR": "/run/1"], "HOME is not set"),
      (
        ["HOME": "/home/ada", "XDG_RUNTIME_DIR": "/" + String(repeating: "r", count: 100)],
        "longer than 107 bytes"
      ),
    ])
  func missing(environment: [String: String], expected: String) throws {
    let error = try #require(
      #expect(throws: SettingsError.self) { try SettingsPaths(environment: environment) })
    #expect(error.description.contains(expected))
  }

  @Test(
    "The music folder is the one that the desktop knows",
    arguments: [
      ("XDG_MUSIC_DIR=\"$HOME/Musik\"", "HOME/Musik"),
      ("# XDG_MUSIC_DIR=\"$HOME/No\"\n  XDG_MUSIC_DIR=\"/mnt/m/\"\n", "/mnt/m"),
      ("XDG_MUSIC_DIR=\"$HOME/a\"\nXDG_MUSIC_DIR=\"$HOME/\\\"b\\\\c\"", "HOME/\"b\\c"),
      ("XDG_DOWNLOAD_DIR=\"$HOME/d\"\n", "HOME/Music"),
      ("XDG_MUSIC_DIR=\"$HOME/\"", "HOME/Music"),
      ("XDG_MUSIC_DIR=\"$HOMER/x\"\nXDG_MUSIC_DIR=\"x\"\nXDG_MUSIC_DIR=", "HOME/Music"),
      ("XDG_MUSIC_DIR=\"/mnt/m", "/mnt/m"), ("", "HOME/Music"),
    ])
  func music(list: String, expected: String) throws {
    try home.write(Array(list.utf8), to: ".config/user-dirs.dirs")
    let music = try UserDirectories(home.environment).music()
    #expect(music == BytePath(expected.replacing("HOME", with: home.path)))
    #expect(try home.read().musicFolders == [music])
  }

  @Test("A music folder that is not UTF-8 is found byte for byte")
  func oddMusic() throws {
    try home.write(
      Array("XDG_MUSIC_DIR=\"$HOME/M".utf8) + [0xFC] + Array("\"\n".utf8),
      to: ".config/user-dirs.dirs")
    let expected = BytePath(Array("\(home.path)/M".utf8) + [0xFC])
    #expect(try UserDirectories(home.environment).music() == expected)
  }

  @Test("A list that can't be read is a fault; with music_folders set it is not looked at")
  func unreadableList() throws {
    try home.makeFolder(".config/user-dirs.dirs")
    #expect(try home.refusal().contains("user-dirs.dirs: it can't be read"))
    #expect(try home.read("music_folders = ['~/Music']").musicFolders.count == 1)
  }
}
