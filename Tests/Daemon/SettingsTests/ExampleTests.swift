import Glibc
import LibraryModel
import Settings
import TestSupport
import Testing

@Suite("config.example.toml", .limited)
struct ExampleTests {
  let home: ScratchHome
  let text: String

  init() throws {
    home = try ScratchHome()
    text = String(decoding: try readFile(Repository.path("config.example.toml")), as: UTF8.self)
  }

  /// The settings in it, without the sign that makes them comments.
  var assignments: [String] {
    text.split(separator: "\n").filter { line in
      Settings.Key.allCases.contains { line.hasPrefix("#\($0.rawValue) = ") }
    }.map { String($0.dropFirst()) }
  }

  @Test("As it is, it sets nothing")
  func asItIs() throws {
    let usual = try home.read()
    #expect(try home.read(text) == usual)
  }

  @Test("It shows every key once, in a form that is accepted")
  func everyKey() throws {
    #expect(assignments.count == Settings.Key.allCases.count)
    let settings = try home.read(assignments.joined(separator: "\n"))
    #expect(settings.newAlbums != nil)
    #expect(settings.playlists != nil && settings.machines != nil)
    #expect(settings.machineName != nil)
    #expect(settings.player != nil && settings.mpd != nil)
    #expect(!settings.webNames.isEmpty)
  }

  @Test("Where a default can be written, that is what it shows")
  func defaults() throws {
    let usual = try home.read()
    let examples = [
      "new_albums =", "playlists =", "machines =", "machine_name =", "player =", "mpd =",
      "web_names =",
    ]
    let written = assignments.filter { line in !examples.contains { line.hasPrefix($0) } }
    #expect(written.count == 5)
    #expect(try home.read(written.joined(separator: "\n")) == usual)
  }
}
