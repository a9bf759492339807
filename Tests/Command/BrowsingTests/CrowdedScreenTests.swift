import LibraryModel
import Terminal
import TestSupport
import Testing

@testable import Browsing

/// Whole screens of what is long, many or away, as text. Their files are beside those of others.
@Suite("Crowded screens", .limited)
struct CrowdedScreenTests {
  private static let crates: [(name: String, albums: [String])] =
    [(name: "Jazz", albums: (1...12).map { "Album \($0)" })]
    + (1...30).map { number in
      (name: "Crate \(number)" + String(repeating: "x", count: number), albums: ["In \(number)"])
    }

  /// In the first crate albums without a year or an artist, of long titles, away, gone and new;
  /// the first has songs of all kinds.
  private func session(_ columns: Int, _ rows: Int, isPlain: Bool = false) throws -> Session {
    var session = Session(
      Self.crates, columns: columns, rows: rows, look: Look(isPlain: isPlain))
    var albums = try (1...5).map { number in
      try #require(session.keeper.facts("\(Keeper.id("Album \(number)"))"))
    }
    (albums[0].year, albums[0].artist) = (nil, "")
    albums[1].title = String(repeating: "long ", count: 20)
    (albums[2].presence, albums[2].came) = (.offline, 9)
    (albums[3].presence, albums[3].seconds) = (.gone, 0)
    (albums[4].came, albums[4].songs, albums[4].seconds) = (9, 1_234, 363_000)
    session.take(.lookedUp(albums))
    var songs = (1...14).map { number in
      SongFacts(
        id: "s\(number)", title: "Song \(number)", artist: number > 3 ? "" : "Somebody",
        seconds: Double(number * 59))
    }
    songs[1].title = String(repeating: "long ", count: 20)
    (songs[2].presence, songs[4].seconds) = (.offline, 0)
    for (place, count) in zip(5...13, 14...22) {
      songs[place].title = String(repeating: "y", count: count)
      songs[place].artist = "Z"
    }
    session.take(.songs(album: "\(Keeper.id("Album 1"))", songs))
    session.happens(session.keeper.add("New", to: "Crate 2xx"))
    session.settle()
    return session
  }

  private static let scenes: [(name: String, keys: String)] = [
    ("albums", "j j"), ("songs", "l j Space"), ("crates", "Space h G"),
    ("picker", "Space m " + String(repeating: "Down ", count: 20)),
    ("picker-end", "h m " + String(repeating: "Down ", count: 40)), ("sort", "Space Space s"),
    ("sort-songs", "l Space Space s"), ("sort-all-songs", "l s"), ("sort-narrowed", "f 1 Enter s"),
    ("picker-songs", "l m"), ("narrowed", "f 1 Enter j j"), ("bottom", "G x k"),
    ("triage", "+ Enter Down"), ("find", "/album 1"),
  ]

  @Test(
    "are as they were", arguments: ["40x12", "60x14", "80x16", "110x20", "64x12 plain"], scenes)
  func golden(screen: String, scene: (name: String, keys: String)) throws {
    let words = screen.split(separator: " ")
    let size = words[0].split(separator: "x").compactMap { Int($0) }
    var session = try session(size[0], size[1], isPlain: words.count > 1)
    session.press(scene.keys)
    let name = "crowded-\(screen.replacing(" ", with: "-"))-\(scene.name).txt"
    try GoldenScreens.expect(ScreenTests.text(of: session.browser.grid()), in: name)
  }
}
