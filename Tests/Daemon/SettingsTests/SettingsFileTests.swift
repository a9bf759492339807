import Glibc
import LibraryModel
import Settings
import TestSupport
import Testing

@Suite("The settings file", .limited)
struct SettingsFileTests {
  let home: ScratchHome
  let name = ".config/crated/config.toml"

  init() throws {
    home = try ScratchHome()
  }

  @Test("A missing directory is a missing file")
  func missingDirectory() throws {
    let file = BytePath("\(home.path)/nowhere/at/all.toml")
    let settings = try Settings.read(file: file, environment: home.environment, store: home.store)
    #expect(settings.musicFolders == [BytePath("\(home.path)/Music")])
  }

  @Test("A directory in its place is refused")
  func directory() throws {
    try home.makeFolder(name)
    #expect(try home.refusal().contains("config.toml: it is a directory; "))
  }

  @Test("A dangling link is not taken for a missing file")
  func danglingLink() throws {
    try home.link(name, to: "nowhere.toml")
    #expect(try home.refusal().contains("symbolic link to a file that is not there"))
  }

  @Test("A link to a good file is followed")
  func goodLink() throws {
    try home.write(Array("new_albums = 'Fresh'".utf8), to: "mine.toml")
    try home.link(name, to: "../../mine.toml")
    #expect(try home.read().newAlbums == "Fresh")
  }

  @Test("A FIFO is refused without waiting for a writer")
  func fifo() throws {
    try #require(mkfifo("\(home.path)/\(name)", 0o600) == 0)
    #expect(try home.refusal().contains("not a regular file"))
  }

  @Test("What is there and can't be read is not taken for missing")
  func unreadable() throws {
    try home.link(name, to: "config.toml")
    let message = try home.refusal()
    #expect(message.contains("it can't be read: "))
    #expect(message.contains("; make it readable"))
  }

  @Test("A binary file is refused with the line of its first odd byte")
  func binary() throws {
    try home.write(Array("# one\n# two ".utf8) + [0, 1, 2], to: name)
    #expect(try home.refusal().contains("config.toml, line 2: it holds a NUL byte"))
    for odd: [UInt8] in [[0xFF], [0xC3, 0x28], [0xC3], [0xED, 0xA0, 0x80], [0xF0, 0x9F]] {
      try home.write(Array("# é\n\n# ".utf8) + odd + Array("\n\n".utf8), to: name)
      #expect(try home.refusal().contains("config.toml, line 3: it is not UTF-8"))
    }
  }

  @Test("A huge file is refused and not read to its end")
  func huge() throws {
    let comment = [UInt8](repeating: UInt8(ascii: "\n"), count: 1 << 20)
    try home.write(comment, to: name)
    #expect(try home.read().ignore.isEmpty)
    try home.write(comment + [UInt8(ascii: "\n")], to: name)
    #expect(try home.refusal().contains("larger than 1 MiB"))
    // A gigabyte of hole.
    try #require(truncate("\(home.path)/\(name)", 1 << 30) == 0)
    #expect(try home.refusal().contains("larger than 1 MiB"))
  }

  @Test("A file may have nothing in it, or next to it", arguments: ["", "#", "\n"])
  func tiny(text: String) throws {
    #expect(try home.read(text).ignore.isEmpty)
  }

  @Test("A message is one line, whatever the file says")
  func oneLine() throws {
    for text in ["\"a\\u001B[2J\\nb\" = 1", "playlists = \"/a\\nb\"", "a = \u{1B}[2J"] {
      let message = try home.refusal(text)
      #expect(!message.unicodeScalars.contains { $0.value < 0x20 })
    }
  }
}
