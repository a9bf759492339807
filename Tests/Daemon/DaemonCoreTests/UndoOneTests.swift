import CratesInterface
import LibraryModel
import TestSupport
import Testing

@testable import DaemonCore

@Suite("One change is taken back, and those after it stay", .limited)
struct UndoOneTests {
  private let fixture: AnsweringFixture
  private let train: String
  private let steps: String
  private let blue: String

  /// One crate, `Music`: Giant Steps, Blue Train, Kind of Blue.
  init() throws {
    fixture = try AnsweringFixture()
    (train, steps, blue) = try fixture.findThree()
    try fixture.change(
      .moveAlbums(
        albums: [steps, train, blue], place: Interface.Place(.top), crate: nil, gather: .given,
        sequence: nil))
  }

  /// Each crate with its albums.
  private var shape: [String] {
    fixture.published.library.crates.map { crate in
      "\(crate.name): " + crate.albums.map { title("\($0)") }.joined(separator: ", ")
    }
  }

  private func title(_ id: String) -> String {
    id == train ? "train" : id == steps ? "steps" : "blue"
  }

  /// The number of the change.
  @discardableResult
  private func move(
    _ album: String, _ place: Interface.Where? = nil, to crate: String? = nil
  ) throws -> Int {
    try fixture.change(
      .moveAlbums(
        albums: [album], place: place.map { Interface.Place($0) }, crate: crate, sequence: nil))
    return fixture.published.library.sequence
  }

  @Test("in any order, as a change that can be taken back itself")
  func middle() throws {
    let first = try move(blue, .top)
    let second = try move(train, to: "Jazz")
    #expect(shape == ["Music: blue, steps", "Jazz: train"])
    let trial = try fixture.change(.undo(only: first, sequence: nil, dryRun: true))
    #expect(trial?.changed == true && shape == ["Music: blue, steps", "Jazz: train"])
    let change = try fixture.change(.undo(only: first, sequence: nil))
    #expect(change?.summary == "Taken back: Kind of Blue is in Music again, at 2")
    #expect(shape == ["Music: steps, blue", "Jazz: train"])
    try fixture.change(.undo(sequence: nil))
    #expect(shape == ["Music: blue, steps", "Jazz: train"])
    try fixture.change(.undo(only: second, sequence: nil))
    #expect(shape == ["Music: blue, steps, train"] || shape == ["Music: blue, train, steps"])
    // The newest, too.
    let newest = try move(steps, to: "Rock")
    try fixture.change(.undo(only: newest, sequence: nil))
    #expect(fixture.published.library.crates.map(\.name) == ["Music"])
  }

  @Test("into a crate that was renamed since, or has gone")
  func crates() throws {
    let away = try move(blue, to: "Jazz")
    let renamed = try #require(
      try fixture.change(.renameCrate(crate: "Music", name: "Pop", sequence: nil))?.sequence)
    try fixture.change(.undo(only: away, sequence: nil))
    #expect(shape == ["Pop: steps, train, blue"])
    let emptied = try move(blue, to: "Jazz")
    let gone = try move(blue, .bottom, to: "Pop")
    #expect(shape == ["Pop: steps, train, blue"])
    try fixture.change(.undo(only: gone, sequence: nil))
    #expect(shape == ["Pop: steps, train", "Jazz: blue"])
    #expect(emptied < gone)
    try fixture.change(.undo(only: renamed, sequence: nil))
    #expect(shape == ["Music: steps, train", "Jazz: blue"])
  }

  @Test("and an album that it moved first is one that was never moved")
  func newAgain() throws {
    let other = try fixture.find("Aja", by: "Steely Dan", [("Aja", 476), ("Peg", 238)])
    let id = try #require(AlbumID(other))
    func isMoved() -> Bool { fixture.published.library.isMoved(id) }
    #expect(!isMoved())
    let first = try move(other, .bottom)
    try move(blue, .top)
    #expect(isMoved())
    // An order of its songs that came later stays.
    try fixture.change(
      .sortSongs(
        songs: try fixture.songs(other), order: .reversed, ascending: nil, sequence: nil))
    let songs = try fixture.songs(other)
    try fixture.change(.undo(only: first, sequence: nil))
    #expect(!isMoved())
    #expect(try fixture.songs(other) == songs)
  }

  @Test("and an album that was moved on since stays where it is")
  func movedOn() throws {
    let both = try #require(
      try fixture.change(
        .moveAlbums(albums: [blue, train], place: nil, crate: "Jazz", sequence: nil))?.sequence)
    try move(blue, to: "Rock")
    #expect(shape == ["Music: steps", "Jazz: train", "Rock: blue"])
    try fixture.change(.undo(only: both, sequence: nil))
    #expect(shape.map { String($0.prefix(5)) } == ["Music", "Rock:"])
    #expect(shape.last == "Rock: blue")
    let alone = try move(train, to: "Jazz")
    try move(train, to: "Rock")
    let before = shape
    #expect(try fixture.refusal(.undo(only: alone, sequence: nil)) == .nothingToUndo())
    #expect(shape == before)
  }

  @Test("the order of an album's songs, which then follows the tags again")
  func songs() throws {
    let songs = try fixture.songs(train)
    let sorted = try #require(
      try fixture.change(
        .sortSongs(songs: songs, order: .reversed, ascending: nil, sequence: nil))?.sequence)
    try move(blue, .top)
    #expect(try fixture.songs(train) == songs.reversed())
    try fixture.change(.undo(only: sorted, sequence: nil))
    #expect(try fixture.songs(train) == songs)
    #expect(fixture.published.library.albums.values.allSatisfy { !$0.isArranged })
  }

  @Test("but none of the music folder's, none that never was, and none that is taken back already")
  func refused() throws {
    let number = try move(blue, .top)
    try fixture.change(.undo(only: number, sequence: nil))
    let before = shape
    #expect(try fixture.refusal(.undo(only: number, sequence: nil)) == .nothingToUndo())
    let unknown = InterfaceError.invalidParameter(parameter: "only")
    #expect(try fixture.refusal(.undo(only: number + 99, sequence: nil)) == unknown)
    guard case .changes(let history) = try fixture.reply(.history(limit: nil, before: nil)) else {
      Issue.record("there is no history")
      return
    }
    let folders = try #require(history.last { $0.author == .folder })
    #expect(try fixture.refusal(.undo(only: folders.sequence, sequence: nil)) == unknown)
    #expect(shape == before)
  }
}
