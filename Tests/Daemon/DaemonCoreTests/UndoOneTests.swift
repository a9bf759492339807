import CratesInterface
import LibraryModel
import TestSupport
import Testing

@testable import DaemonCore

@Suite("One change is taken back, and those after it stay", .limited)
struct UndoOneTests {
  private let desk: AnsweringDesk
  private let train: String
  private let steps: String
  private let blue: String

  /// One crate, `Music`: Giant Steps, Blue Train, Kind of Blue.
  init() throws {
    desk = try AnsweringDesk()
    (train, steps, blue) = try desk.findThree()
    try desk.change(
      .moveAlbums(
        albums: [steps, train, blue], place: Interface.Place(.top), crate: nil, gather: .given,
        sequence: nil))
  }

  /// Each crate with its albums.
  private var shape: [String] {
    desk.published.library.crates.map { crate in
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
    try desk.change(
      .moveAlbums(
        albums: [album], place: place.map { Interface.Place($0) }, crate: crate, sequence: nil))
    return desk.published.library.sequence
  }

  @Test("in any order, as a change that can be taken back itself")
  func middle() throws {
    let first = try move(blue, .top)
    let second = try move(train, to: "Jazz")
    #expect(shape == ["Music: blue, steps", "Jazz: train"])
    let trial = try desk.change(.undo(only: first, sequence: nil, dryRun: true))
    #expect(trial?.changed == true && shape == ["Music: blue, steps", "Jazz: train"])
    let change = try desk.change(.undo(only: first, sequence: nil))
    #expect(change?.summary == "Taken back: Kind of Blue is in Music again, at 2")
    #expect(shape == ["Music: steps, blue", "Jazz: train"])
    try desk.change(.undo(sequence: nil))
    #expect(shape == ["Music: blue, steps", "Jazz: train"])
    try desk.change(.undo(only: second, sequence: nil))
    #expect(shape == ["Music: blue, steps, train"] || shape == ["Music: blue, train, steps"])
    // The newest, too.
    let newest = try move(steps, to: "Rock")
    try desk.change(.undo(only: newest, sequence: nil))
    #expect(desk.published.library.crates.map(\.name) == ["Music"])
  }

  @Test("into a crate that was renamed since, or has gone")
  func crates() throws {
    let away = try move(blue, to: "Jazz")
    let renamed = try #require(
      try desk.change(.renameCrate(crate: "Music", name: "Pop", sequence: nil))?.sequence)
    try desk.change(.undo(only: away, sequence: nil))
    #expect(shape == ["Pop: steps, train, blue"])
    let emptied = try move(blue, to: "Jazz")
    let gone = try move(blue, .bottom, to: "Pop")
    #expect(shape == ["Pop: steps, train, blue"])
    try desk.change(.undo(only: gone, sequence: nil))
    #expect(shape == ["Pop: steps, train", "Jazz: blue"])
    #expect(emptied < gone)
    try desk.change(.undo(only: renamed, sequence: nil))
    #expect(shape == ["Music: steps, train", "Jazz: blue"])
  }

  @Test("and an album that it moved first is one that was never moved")
  func newAgain() throws {
    let other = try desk.find("Aja", by: "Steely Dan", [("Aja", 476), ("Peg", 238)])
    let id = try #require(AlbumID(other))
    func isMoved() -> Bool { desk.published.library.isMoved(id) }
    #expect(!isMoved())
    let first = try move(other, .bottom)
    try move(blue, .top)
    #expect(isMoved())
    // An order of its songs that came later stays.
    try desk.change(
      .sortSongs(
        songs: try desk.songs(other), order: .reversed, ascending: nil, sequence: nil))
    let songs = try desk.songs(other)
    try desk.change(.undo(only: first, sequence: nil))
    #expect(!isMoved())
    #expect(try desk.songs(other) == songs)
  }

  @Test("and an album that was moved on since stays where it is")
  func movedOn() throws {
    let both = try #require(
      try desk.change(
        .moveAlbums(albums: [blue, train], place: nil, crate: "Jazz", sequence: nil))?.sequence)
    try move(blue, to: "Rock")
    #expect(shape == ["Music: steps", "Jazz: train", "Rock: blue"])
    try desk.change(.undo(only: both, sequence: nil))
    #expect(shape.map { String($0.prefix(5)) } == ["Music", "Rock:"])
    #expect(shape.last == "Rock: blue")
    let alone = try move(train, to: "Jazz")
    try move(train, to: "Rock")
    let before = shape
    #expect(try desk.refusal(.undo(only: alone, sequence: nil)) == .nothingToUndo())
    #expect(shape == before)
  }

  @Test("the order of an album's songs, which then follows the tags again")
  func songs() throws {
    let songs = try desk.songs(train)
    let sorted = try #require(
      try desk.change(
        .sortSongs(songs: songs, order: .reversed, ascending: nil, sequence: nil))?.sequence)
    try move(blue, .top)
    #expect(try desk.songs(train) == songs.reversed())
    try desk.change(.undo(only: sorted, sequence: nil))
    #expect(try desk.songs(train) == songs)
    #expect(desk.published.library.albums.values.allSatisfy { !$0.isArranged })
  }

  @Test("but none of the music folder's, none that never was, and none that is taken back already")
  func refused() throws {
    let number = try move(blue, .top)
    try desk.change(.undo(only: number, sequence: nil))
    let before = shape
    #expect(try desk.refusal(.undo(only: number, sequence: nil)) == .nothingToUndo())
    let unknown = InterfaceError.invalidParameter(parameter: "only")
    #expect(try desk.refusal(.undo(only: number + 99, sequence: nil)) == unknown)
    guard case .changes(let history) = try desk.reply(.history(limit: nil, before: nil)) else {
      Issue.record("there is no history")
      return
    }
    let folders = try #require(history.last { $0.author == .folder })
    #expect(try desk.refusal(.undo(only: folders.sequence, sequence: nil)) == unknown)
    #expect(shape == before)
  }
}
